// SPDX-License-Identifier: Apache-2.0
#include "release/worth.h"

#include <gtest/gtest.h>

#include <cmath>

#include "release/test_town.h"

namespace hearsay::release {
namespace {

Worth worth_of(const std::vector<std::pair<std::string, std::string>>& values, PostProcess how) {
  const Prepared town(busy_town());
  return measure_worth(chain_of("SCM", values), town.draft, how);
}

TEST(WorthTest, CountsAreDescribedWithoutNull) {
  const Prepared town({4, 2, 2, {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {1, 3, 1}}});
  const Worth worth =
      measure_worth(chain_of("SCM", {{"sensitivity", "event"}, {"epsilon", "1e9"}}), town.draft, PostProcess::kRound);
  EXPECT_EQ(worth.true_total, 4);
  EXPECT_EQ(worth.mean_count, 1);
  EXPECT_EQ(worth.median_count, 0.5);
  EXPECT_EQ(worth.nonzero_share, 0.5);
  EXPECT_EQ(worth.mean_nonzero_count, 2);
  EXPECT_EQ(worth.median_nonzero_count, 2);
  EXPECT_EQ(worth.published_total, 4);
  EXPECT_EQ(worth.error, 0);
  EXPECT_EQ(worth.moved_share, 0);
  EXPECT_FALSE(worth.mostly_noise());
  EXPECT_FALSE(worth.inflated());
}

// The mean count is about 8: noise of scale 1 leaves it, noise of scale 100 drowns it.
TEST(WorthTest, NoiseLargerThanTheCountsIsFoundOut) {
  const Worth good = worth_of({{"sensitivity", "event"}, {"epsilon", "1"}}, PostProcess::kNonnegative);
  EXPECT_NEAR(good.noise_error, 1 / std::sinh(1.0), 1e-9);  // of whole numbers
  EXPECT_FALSE(good.mostly_noise());
  EXPECT_FALSE(good.inflated());
  const Worth bad = worth_of({{"sensitivity", "event"}, {"epsilon", "0.01"}}, PostProcess::kNonnegative);
  EXPECT_NEAR(bad.noise_error, 1 / std::sinh(0.01), 1e-9);
  EXPECT_TRUE(bad.mostly_noise());
  EXPECT_TRUE(bad.inflated());
  EXPECT_NEAR(bad.moved_share, 0.46, 0.05);
  EXPECT_GT(bad.published_total, 5 * bad.true_total);
  EXPECT_NEAR(bad.error / 54, 1, 0.15);  // half of the counts are off by what noise above 0 is, the others by 8
}

TEST(WorthTest, OtherPostProcessingDoesNotInflate) {
  for (const PostProcess how : {PostProcess::kNone, PostProcess::kRound}) {
    EXPECT_FALSE(worth_of({{"sensitivity", "event"}, {"epsilon", "0.01"}}, how).inflated());
  }
  EXPECT_TRUE(worth_of({{"sensitivity", "event"}, {"epsilon", "0.1"}}, PostProcess::kNonnegative).inflated());
  EXPECT_FALSE(worth_of({{"sensitivity", "event"}, {"epsilon", "0.1"}}, PostProcess::kProjected).inflated());
}

TEST(WorthTest, ABoundSaysWhatItLeavesOut) {
  const Worth worth = worth_of({{"bound", "10"}, {"epsilon", "1"}}, PostProcess::kRound);
  EXPECT_EQ(worth.kept_total, 40 * 10);
  EXPECT_GT(worth.true_total, 2 * worth.kept_total);
  EXPECT_NEAR(worth.noise_error, 1 / std::sinh(0.1), 1e-9);
  // Noise of 1 would do for counts of 8, but not for the few visits that a bound of 1 leaves of them.
  const Worth little = worth_of({{"bound", "1"}, {"epsilon", "1"}}, PostProcess::kRound);
  EXPECT_LT(little.noise_error, little.mean_nonzero_count);
  EXPECT_TRUE(little.mostly_noise());
}

TEST(WorthTest, NoiseThatDependsOnTheDataIsMeasuredAndNeverStated) {
  const Prepared town(busy_town());
  for (const Chain& chain :
       {chain_of("SCM", {{"sensitivity", "delta"}, {"epsilon", "1"}}), chain_of("KRR", {{"p", "0.5"}}),
        chain_of("SPOTME", {{"p", "0.5"}}), chain_of("FPA", {{"k", "best"}, {"epsilon", "1"}})}) {
    const Worth worth = measure_worth(chain, town.draft, PostProcess::kRound);
    EXPECT_FALSE(worth.noise.has_value());
    EXPECT_GT(worth.noise_error, 0);
  }
}

}  // namespace
}  // namespace hearsay::release
