// SPDX-License-Identifier: Apache-2.0
#include "engine/estimate.h"

#include <gtest/gtest.h>

namespace hearsay::engine {
namespace {

constexpr DataSize kCity = {.users = 100'000, .rois = 500, .visits = 3'000'000};

experiment::Study study_of(const std::string& more = "") {
  return experiment::parse_study(R"([data]
path = "events.csv"
[period]
start = 2010-03-01
length = "4 weeks"
observe = "3 weeks"
)" + more,
                                 "study.toml", "", {});
}

const std::string kDefence = R"([[release]]
mechanism = "SCM"
sensitivity = "event"
epsilon = 1
)";

double seconds(const experiment::Study& study, std::size_t threads = 1) {
  return estimate_run(study, kCity, threads).seconds;
}

std::uint64_t bytes(const experiment::Study& study, const DataSize& size = kCity, std::size_t threads = 1) {
  return estimate_run(study, size, threads).bytes;
}

TEST(EstimateTest, TwoThreadsDoMostOfTwiceTheWork) {
  const experiment::Study study = study_of();
  EXPECT_NEAR(seconds(study) / seconds(study, 2), 1.7, 0.05);
  EXPECT_GT(bytes(study, kCity, 2), bytes(study));  // each has buffers of its own
}

TEST(EstimateTest, EveryDrawOfTheNoiseTakesAsLongAsTheRawRelease) {
  const std::string priors =
      "[study]\npriors = [\"FREQ_ROI\", \"ROI_DAY\", \"LAST_WEEK\", \"LAST_DAY\"]\n";  // none is fitted
  const double raw = seconds(study_of(priors));
  EXPECT_NEAR(seconds(study_of(priors + kDefence)), 2 * raw, 0.01 * raw);
  EXPECT_NEAR(seconds(study_of(priors + kDefence + "repeats = 9\n")), 10 * raw, 0.01 * raw);
  EXPECT_NEAR(seconds(study_of(priors + kDefence + "priors = [\"LAST_DAY\"]\n")), raw * 5 / 4, 0.2 * raw);
}

// Errors under a defence are held beside those of the raw release; a draw replaces the one before it.
TEST(EstimateTest, DefencesTakeMemoryOnceWhateverTheirNumber) {
  const std::uint64_t raw = bytes(study_of());
  const std::uint64_t defended = bytes(study_of(kDefence));
  EXPECT_GT(defended, raw + kCity.users * 16 * 10);  // ten readings of five attacks, two numbers each
  EXPECT_EQ(bytes(study_of(kDefence + "repeats = 9\n")), defended);
}

TEST(EstimateTest, AFittedPriorTakesMore) {
  const experiment::Study counted = study_of("[study]\npriors = [\"FREQ_ROI\"]\n");
  const experiment::Study fitted = study_of("[study]\npriors = [\"HISTORY\"]\n");
  EXPECT_GT(bytes(fitted), bytes(counted) + (std::uint64_t{256} << 20) + kCity.rois * 168 * 8);
  EXPECT_GT(seconds(fitted), seconds(counted));
}

// A study of 1,000,000 epochs took 2.3 GB where 640 MB were allowed: only people, places and visits were counted.
TEST(EstimateTest, GrowsWithTheEpochs) {
  const auto minutes = [](const std::string& days) {
    return experiment::parse_study("[data]\npath = \"e.csv\"\n[period]\nstart = 2010-03-01\nlength = \"" + days +
                                       " days\"\nobserve = \"7 days\"\nepoch = \"1 minute\"\n",
                                   "study.toml", "", {});
  };
  const DataSize few = {.users = 200, .rois = 101, .visits = 20'000};
  const std::uint64_t day = 24 * 60;
  EXPECT_GT(bytes(minutes("101"), few), bytes(minutes("8"), few) + 93 * day * 15'000);
  const std::uint64_t shorter = estimate_reading(minutes("8"), 20'000, 4).bytes;
  EXPECT_GT(estimate_reading(minutes("101"), 20'000, 4).bytes, shorter + 4 * 93 * day * 40);
}

TEST(EstimateTest, GrowsWithTheData) {
  const experiment::Study study = study_of();
  const auto with = [](std::size_t users, std::size_t rois, std::uint64_t visits) {
    return DataSize{.users = users, .rois = rois, .visits = visits};
  };
  const std::uint64_t plain = bytes(study);
  EXPECT_GE(bytes(study, with(kCity.users, kCity.rois, 2 * kCity.visits)), plain + 12 * kCity.visits);
  EXPECT_GE(bytes(study, with(2 * kCity.users, kCity.rois, kCity.visits)), plain + 64 * kCity.users);
  EXPECT_GE(bytes(study, with(kCity.users, 2 * kCity.rois, kCity.visits)), plain + 160 * kCity.rois);
}

}  // namespace
}  // namespace hearsay::engine
