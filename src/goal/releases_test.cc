// SPDX-License-Identifier: Apache-2.0
#include "goal/releases.h"

#include <gtest/gtest.h>

#include "release/aggregate.h"
#include "release/baselines.h"
#include "release/test_town.h"

namespace hearsay::goal {
namespace {

// Places and epochs by twos or threes.
class MergeStep final : public release::Step {
 public:
  explicit MergeStep(std::uint32_t by) : by_(by) {}
  release::Draft apply(const release::Draft& draft, const release::NoiseSource&) const override {
    std::vector<std::uint32_t> place_of;
    std::vector<std::uint32_t> epoch_of;
    for (std::uint32_t s = 0; s < draft.geometry().places; ++s) place_of.push_back(s / by_);
    for (std::uint32_t t = 0; t < draft.geometry().epochs; ++t) epoch_of.push_back(t / by_);
    return draft.merged(place_of, place_of.back() + 1, epoch_of, epoch_of.back() + 1);
  }
  bool gives_visits() const override { return true; }

 private:
  std::uint32_t by_;
};

release::StepEntry merge_entry() {
  release::StepEntry entry;
  entry.info.name = "MERGE";
  entry.info.parameters = {{"by", "", "how many"}};
  entry.make = [](const Parameters& parameters) -> std::unique_ptr<release::Step> {
    return std::make_unique<MergeStep>(static_cast<std::uint32_t>(parameters.positive("by")));
  };
  return entry;
}

Defence defence_of(release::Chain chain, std::size_t repeats) {
  Defence defence;
  defence.parameter = chain.parameter();
  defence.chain = std::move(chain);
  defence.repeats = repeats;
  return defence;
}

std::vector<ReleaseResult> measured(const dataset::Dataset& data, const std::vector<Defence>& defences,
                                    std::optional<std::size_t> population = std::nullopt) {
  const AdversarySpec adversary;
  const Ground ground{data, adversary, defences, population};
  std::vector<ReleaseResult> results;
  Releases(ground).measure([&](const ReleaseResult& result) { results.push_back(result); });
  return results;
}

// 8 days observed and 3 days of inference, 6 hours an epoch.
dataset::Dataset weeks() {
  release::Town town{40, 6, 0, {}};
  ingest::Visits visits = release::Prepared::visits_of(town);
  SeededBits bits(4);
  for (std::uint32_t e = 0; e < 44; ++e) {
    for (std::uint32_t u = 0; u < town.users; ++u) {
      for (std::uint32_t s = 0; s < town.rois; ++s) {
        if (bits.below(20) < 2 + s) visits.visits.push_back({e, u, s});
      }
    }
  }
  return {std::move(visits), {21600, 44, 32}, 0};
}

TEST(ReleasesTest, BaselinesFollowTheDefencesAndAreMeasuredAlike) {
  const dataset::Dataset data = weeks();
  EXPECT_TRUE(measured(data, {}).empty()) << "nothing to compare with";
  const release::CountMatrix raw(release::aggregate(data.truth(), 1));
  const dataset::ObservedCounts observed = dataset::observed_counts(data.observation());
  for (const std::optional<std::size_t> population : {std::optional<std::size_t>(), std::optional<std::size_t>(90)}) {
    const std::vector<ReleaseResult> results =
        measured(data, {defence_of(release::chain_of("ROUND", {{"base", "4"}}), 2)}, population);
    ASSERT_EQ(results.size(), 5U);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(results[i].release, "ROUND");
      EXPECT_EQ(results[i].baseline, "");
      EXPECT_EQ(results[i].repeat, i + 1);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const release::Baseline& baseline = release::all_baselines()[i];
      const ReleaseResult& result = results[2 + i];
      EXPECT_EQ(result.release, baseline.name);
      EXPECT_EQ(result.baseline, baseline.words);
      EXPECT_EQ(result.repeat, 0U);
      EXPECT_FALSE(result.guarantee.epsilon);
      const release::Utility expected = release::measure_utility(raw, *baseline.make(observed), 4);
      EXPECT_EQ(result.utility.mre, expected.mre) << "people who were not seen change nothing";
      EXPECT_EQ(result.utility.forecast_mae, expected.forecast_mae);
      EXPECT_TRUE(expected.forecast_mae) << "three days";
      EXPECT_EQ(result.utility.mre_own_grid, expected.mre);
      EXPECT_EQ(result.utility.published, 1);
    }
  }
}

TEST(ReleasesTest, CoarseCountsWithoutNoiseAreExactOnTheirOwnGrid) {
  const dataset::Dataset data = weeks();
  const release::StepEntry merge = merge_entry();
  const release::StepEntry& suppress = release::step_named("SUPPRESS");
  std::vector<Defence> defences;
  for (const char* by : {"2", "3"}) {
    release::Chain chain;
    chain.add(merge, release::parameters_of("MERGE", {{"by", by}}));
    defences.push_back(defence_of(chain, 1));
    chain.add(suppress, release::parameters_of("SUPPRESS", {{"at_most", "30"}}));
    defences.push_back(defence_of(chain, 2));
  }
  const std::vector<ReleaseResult> results = measured(data, defences, 90);
  ASSERT_EQ(results.size(), 9U);
  for (const std::size_t exact : {0U, 3U}) {
    EXPECT_EQ(results[exact].utility.mre_own_grid, 0) << exact;
    EXPECT_EQ(results[exact].utility.mae_own_grid, 0) << exact;
    EXPECT_GT(results[exact].utility.mae, 0) << exact << ": spread over the fine cells it is not";
    EXPECT_EQ(results[exact].utility.published, 1) << exact;
    EXPECT_GT(results[exact + 1].utility.mae_own_grid, 0) << exact;
    EXPECT_LT(results[exact + 1].utility.published, 1) << exact;
    EXPECT_EQ(results[exact + 1].utility.mre_own_grid, results[exact + 2].utility.mre_own_grid) << exact;
  }
  EXPECT_NE(results[0].utility.mae, results[3].utility.mae);
}

}  // namespace
}  // namespace hearsay::goal
