// SPDX-License-Identifier: Apache-2.0
//
// PEGASUS: the noise its proof asks for, groups as published, and attempts to falsify what is claimed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "release/test_falsify.h"

namespace hearsay::release {
namespace {

TEST(PegasusFalsificationTest, OfOneEvent) {
  const Neighbours towns = {{2, 1, 2, {{0, 1, 0}}}, {2, 1, 2, {{0, 0, 0}, {0, 1, 0}}}, 2, [](const CountMatrix& noisy) {
                              return noisy.series(0)[0] >= 2;
                            }};
  try_to_falsify(chain_of("PEGASUS", {{"epsilon", "1"}, {"unit", "event"}}), towns, 20000, "one event");
}

TEST(PegasusFalsificationTest, OfAUser) {
  const Neighbours towns = {
      {2, 2, 1, {{0, 1, 0}}}, {2, 2, 1, {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}}}, 2, [](const CountMatrix& noisy) {
        return noisy.series(0)[0] >= 2 && noisy.series(1)[0] >= 1;
      }};
  try_to_falsify(chain_of("PEGASUS", {{"epsilon", "1.5"}}), towns, 20000, "a user");
}

// Scales that the proof asks for. D, the most that a deviation moves where one count moves by 1, is 2.
TEST(PegasusTest, AsksForTheNoiseOfItsProof) {
  const Prepared town(restless_town(2));
  for (const auto& [unit, cells] : std::map<std::string, double>{{"event", 1}, {"user_place", 40}, {"user", 120}}) {
    const Recorder recorder(1, 1);
    make("PEGASUS", {{"epsilon", "3"}, {"unit", unit}, {"share", "0.25"}})->apply(town.draft, recorder);
    ASSERT_EQ(recorder.asked().size(), 4U * 40 * 3);
    for (std::size_t i = 0; i < recorder.asked().size(); ++i) {
      const Asked& asked = recorder.asked()[i];
      const double scale = asked.sensitivity / asked.epsilon;
      const double expected[] = {cells / 2.25, 4 * cells / 0.75, 8 * cells / 0.75};
      EXPECT_NEAR(scale / expected[i % 3], 1, 1e-12);
    }
  }
  SeededBits bits(4);
  double most = 0;
  for (int round = 0; round < 20000; ++round) {  // D is no less than deviations do move
    std::vector<double> group(1 + bits.below(9));
    for (double& count : group) count = static_cast<double>(bits.below(6));
    const auto deviation = [&] {
      const double mean = std::accumulate(group.begin(), group.end(), 0.0) / static_cast<double>(group.size());
      double sum = 0;
      for (const double count : group) sum += std::fabs(count - mean);
      return sum;
    };
    const double before = deviation();
    group[bits.below(group.size())] += 1;
    most = std::max(most, std::fabs(deviation() - before));
  }
  EXPECT_LE(most, 2);
  EXPECT_GT(most, 1.6);
}

// The algorithm as it is printed, on the noise that was given. Noisy counts are all different, so that the smoothed
// ones tell which epochs are in a group: those since a first one, in a row.
TEST(PegasusTest, GroupsAreThoseOfTheAlgorithmAndContiguous) {
  std::map<std::size_t, std::size_t> lengths;
  for (std::size_t repeat = 0; repeat < 30; ++repeat) {
    const Prepared town(restless_town(repeat));
    for (const bool median : {true, false}) {
      const Recorder recorder(repeat, 1);
      const CountMatrix noisy =
          make("PEGASUS", {{"epsilon", "4"}, {"unit", "event"}, {"smoother", median ? "median" : "average"}})
              ->apply(town.draft, recorder)
              .counts();
      for (std::size_t roi = 0; roi < 4; ++roi) {
        const auto truth = town.counts.series(roi);
        const auto given = [&](std::size_t t, std::size_t which) {
          return recorder.asked()[(roi * 40 + t) * 3 + which].given;
        };
        std::vector<std::size_t> group;  // the last one
        bool open = false;
        double threshold = 0;
        for (std::size_t t = 0; t < 40; ++t) {
          if (!open) {
            group = {t};
            threshold = 5 / 0.8 + given(t, 1);
            open = true;
          } else {
            group.push_back(t);
            double mean = 0;
            for (const std::size_t member : group) mean += truth[member] / static_cast<double>(group.size());
            double deviation = given(t, 2);
            for (const std::size_t member : group) deviation += std::fabs(truth[member] - mean);
            if (deviation >= threshold) {
              group = {t};
              open = false;
            }
          }
          ++lengths[group.size()];
          std::vector<double> members;
          for (const std::size_t member : group) members.push_back(truth[member] + given(member, 0));
          std::sort(members.begin(), members.end());
          const std::size_t n = members.size();
          const double middle = (members[(n - 1) / 2] + members[n / 2]) / 2;
          const double mean = std::accumulate(members.begin(), members.end(), 0.0) / static_cast<double>(n);
          ASSERT_NEAR(noisy.series(roi)[t], median ? middle : mean, 1e-9);
        }
      }
    }
  }
  EXPECT_GT(lengths[1], 500U);
  EXPECT_GT(lengths[3], 100U);
}

// Where a place stays as it is, smoothing helps; with a large epsilon counts are exact.
TEST(PegasusTest, SmoothingLowersTheErrorOfStablePlaces) {
  Town town{8, 1, 60, {}};
  for (std::uint32_t e = 0; e < 60; ++e) {
    for (std::uint32_t u = 0; u < 8; ++u) town.visits.push_back({e, u, 0});
  }
  const Prepared stable(town);
  const auto error = [&](const std::string& name, const Values& values) {
    double sum = 0;
    for (std::size_t repeat = 0; repeat < 200; ++repeat) {
      const CountMatrix counts = make(name, values)->apply(stable.draft, *part_of_noise(1)(repeat)).counts();
      for (const double count : counts.series(0)) sum += (count - 8) * (count - 8) / (200 * 60);
    }
    return sum;
  };
  const double plain = error("LAPLACE", {{"epsilon", "1"}, {"unit", "event"}});
  EXPECT_NEAR(plain, 2, 0.2);
  EXPECT_LT(error("PEGASUS", {{"epsilon", "1"}, {"unit", "event"}}), plain);
  EXPECT_LT(error("PEGASUS", {{"epsilon", "1e9"}, {"unit", "event"}}), 1e-9);
}

// Draws do not depend on counts, so that leaving a person out changes that person's places and no others.
TEST(PegasusTest, NoiseDoesNotDependOnCounts) {
  const Prepared here(restless_town(1));
  const Prepared there(restless_town(2));
  const Recorder first(7, 1);
  const Recorder second(7, 1);
  const auto pegasus = make("PEGASUS", {{"epsilon", "3"}, {"unit", "event"}});
  pegasus->apply(here.draft, first);
  pegasus->apply(there.draft, second);
  ASSERT_EQ(first.asked().size(), second.asked().size());
  for (std::size_t i = 0; i < first.asked().size(); ++i) EXPECT_EQ(first.asked()[i].given, second.asked()[i].given);
}

// Of grouping alone: counts get marks in place of noise, which tell the groups. Many epochs alike are one group more
// often than where the first of them has one person more. Threshold and deviations are each noisy enough for a worse
// case, so that half of the noise would not show here; a quarter does.
double grouping_seen(double part) {
  constexpr std::size_t kEpochs = 30;
  constexpr std::size_t kDraws = 40000;
  class Marks final : public NoiseSource {
   public:
    Marks(std::size_t repeat, double part) : honest_(repeat, part) {}
    std::unique_ptr<RandomBits> stream(std::uint64_t index) const override { return honest_.stream(index); }
    double noise(RandomBits& bits, double sensitivity, double epsilon, double grid) const override {
      return sensitivity == 1 ? 0x1p-20 * ++mark_ : honest_.noise(bits, sensitivity, epsilon, grid);
    }
    double gaussian(RandomBits&, double, double) const override { return 0; }
    bool discrete() const override { return false; }

   private:
    PartOfNoise honest_;
    mutable double mark_ = 0;
  };
  double hits[2] = {0, 0};
  const auto pegasus =
      make("PEGASUS", {{"epsilon", "4"}, {"unit", "event"}, {"share", "0.5"}, {"smoother", "average"}});
  for (const std::size_t more : {0U, 1U}) {
    const Prepared town(
        {1, 1, kEpochs, more == 1 ? std::vector<ingest::Visit>{{0, 0, 0}} : std::vector<ingest::Visit>{}}, 2);
    const double of_all = (static_cast<double>(more) + 0x1p-20 * kEpochs * (kEpochs + 1) / 2) / kEpochs;
    for (std::size_t draw = 0; draw < kDraws; ++draw) {
      const CountMatrix counts = pegasus->apply(town.draft, Marks(2 * draw + more, part)).counts();
      hits[more] += std::fabs(counts.series(0)[kEpochs - 1] - of_all) < 1e-9 ? 1 : 0;
    }
  }
  return std::log(wilson(hits[0], kDraws, -1) / wilson(hits[1], kDraws, 1));
}

TEST(PegasusFalsificationTest, Grouping) {
  constexpr double kForGrouping = 2;
  const double honest = grouping_seen(1);
  EXPECT_LE(honest, kForGrouping);
  EXPECT_GT(honest, 0.2 * kForGrouping) << "the event is too weak to show anything";
  const double quarter = grouping_seen(0.25);
  EXPECT_GT(quarter, kForGrouping);
  RecordProperty("seen", std::to_string(honest) + " of 2, with a quarter of the noise " + std::to_string(quarter));
}

}  // namespace
}  // namespace hearsay::release
