// SPDX-License-Identifier: Apache-2.0
#include "results/summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace hearsay::results {
namespace {

TEST(Distribution, MatchesHandComputedValues) {
  const std::vector<double> values = {4, 1, 3, 2};
  const Distribution distribution = distribution_of(values);
  EXPECT_DOUBLE_EQ(distribution.mean, 2.5);
  EXPECT_DOUBLE_EQ(distribution.deviation, std::sqrt(1.25));
  EXPECT_DOUBLE_EQ(distribution.p05, 1.15);
  EXPECT_DOUBLE_EQ(distribution.p25, 1.75);
  EXPECT_DOUBLE_EQ(distribution.p50, 2.5);
  EXPECT_DOUBLE_EQ(distribution.p75, 3.25);
  EXPECT_DOUBLE_EQ(distribution.p95, 3.85);
}

TEST(Distribution, OneValueIsAllOfIt) {
  const std::vector<double> values = {0.3};
  const Distribution distribution = distribution_of(values);
  EXPECT_EQ(distribution.mean, 0.3);
  EXPECT_EQ(distribution.deviation, 0);
  EXPECT_EQ(distribution.p05, 0.3);
  EXPECT_EQ(distribution.p95, 0.3);
}

TEST(Distribution, EqualValuesHaveNoDeviation) {
  const std::vector<double> values(1000, 0.1);
  EXPECT_EQ(distribution_of(values).deviation, 0);
}

TEST(Distribution, DoesNotDependOnOrder) {
  std::mt19937 random(1);
  std::vector<double> values(999);
  for (double& value : values) value = std::uniform_real_distribution<double>()(random);
  const Distribution before = distribution_of(values);
  std::shuffle(values.begin(), values.end(), random);
  const Distribution after = distribution_of(values);
  EXPECT_EQ(before.mean, after.mean);
  EXPECT_EQ(before.deviation, after.deviation);
  EXPECT_EQ(before.p25, after.p25);
}

TEST(Summary, CountsUsersStrictlyImproved) {
  const std::vector<double> errors = {0.1, 0.2, 0.6};
  const std::vector<double> losses = {0.5, 1e-14, 0};  // one is a rounding
  const std::vector<double> plain = {0.5, 1e-14, -0.2};
  const SummaryRow row = summarize(
      "d", {}, {{}, goal::Unit::kUser, {{"error", errors, errors}, {"loss", losses}, {"loss_signed", plain}}});
  EXPECT_EQ(row.users, 3U);
  EXPECT_DOUBLE_EQ(row.error.mean, 0.3);
  EXPECT_NEAR(row.loss_mean.value(), 0.5 / 3, 1e-13);
  EXPECT_NEAR(row.loss_signed_mean.value(), 0.1, 1e-13);
  EXPECT_DOUBLE_EQ(row.improved.value(), 1.0 / 3);
  EXPECT_FALSE(row.gain_mean);
}

TEST(Summary, HasGainAgainstTheRawRelease) {
  const std::vector<double> errors = {0.1, 0.2, 0.3, 0.4};
  const std::vector<double> gains = {0.5, 0.5, 0, 0};
  const std::vector<double> plain = {0.5, 0.5, -1e-14, -0.25};
  const SummaryRow row =
      summarize("d", {}, {{}, goal::Unit::kUser, {{"error", errors, errors}, {"gain", gains}, {"gain_signed", plain}}});
  EXPECT_FALSE(row.loss_mean);
  EXPECT_DOUBLE_EQ(row.gain_mean.value(), 0.25);
  EXPECT_DOUBLE_EQ(row.improved.value(), 0.25);  // she is nearer to one of them than without the defence
}

TEST(Summary, HasNoLossWithoutBaseline) {
  const std::vector<double> errors = {0.1, 0.2};
  const SummaryRow row = summarize("d", {}, {{}, goal::Unit::kUser, {{"error", errors, errors}}});
  EXPECT_FALSE(row.loss_mean);
  EXPECT_FALSE(row.loss_signed_mean);
  EXPECT_FALSE(row.improved);
}

}  // namespace
}  // namespace hearsay::results
