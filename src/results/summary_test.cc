// SPDX-License-Identifier: Apache-2.0
#include "results/summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "results/people_figures.h"

namespace hearsay::results {
namespace {

SummaryRow summarize(const goal::Measurement& users) {
  return figures_of({}, users, {}, {}).row;
}

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
  const SummaryRow row =
      summarize({{}, goal::Unit::kUser, {{"error", errors, errors}, {"loss", losses}, {"loss_signed", plain}}});
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
      summarize({{}, goal::Unit::kUser, {{"error", errors, errors}, {"gain", gains}, {"gain_signed", plain}}});
  EXPECT_FALSE(row.loss_mean);
  EXPECT_DOUBLE_EQ(row.gain_mean.value(), 0.25);
  EXPECT_DOUBLE_EQ(row.improved.value(), 0.25);  // she is nearer to one of them than without the defence
}

SummaryRow controlled(const std::vector<double>& errors, const std::vector<double>& without,
                      const std::vector<double>& sorted_without, const std::vector<double>& own,
                      const std::vector<double>& sorted_own) {
  return summarize({{},
                    goal::Unit::kUser,
                    {{"error", errors, errors}, {"without", without, sorted_without}, {"own", own, sorted_own}}});
}

TEST(Summary, TellsWhatBeingCountedCosts) {
  const std::vector<double> errors = {0.2, 0.4, 0.6, 0.8};
  const std::vector<double> without = {0.4, 0.4, 0.5, 1.0};
  const std::vector<double> own = {0.2, 0, -0.1, 0.2};
  const SummaryRow row = controlled(errors, without, without, own, {-0.1, 0, 0.2, 0.2});
  ASSERT_TRUE(row.control);
  EXPECT_EQ(row.control->users, 4U);
  EXPECT_DOUBLE_EQ(row.control->without.mean, 0.575);
  EXPECT_NEAR(row.control->own.mean, 0.075, 1e-15);
  EXPECT_NEAR(row.control->own_clipped, 0.1, 1e-15);
  EXPECT_NEAR(row.control->own_loss, (0.5 + 0.2) / 4, 1e-15);
  EXPECT_DOUBLE_EQ(row.control->counted, 0.5);
  EXPECT_EQ(row.control->half_width, 0);
  EXPECT_FALSE(row.control->loss_without);
  EXPECT_FALSE(row.active);
}

TEST(Summary, OfASampleGivesWhatItAddsToEverybodysErrorAndHowSureThatIs) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> errors = {0.2, 0.4, 0.6, 0.8};
  const SummaryRow row = controlled(errors, {0.4, 0.4, none, none}, {0.4, 0.4}, {0.2, 0, none, none}, {0, 0.2});
  ASSERT_TRUE(row.control);
  EXPECT_EQ(row.control->users, 2U);
  EXPECT_NEAR(row.control->own.mean, 0.1, 1e-15);
  EXPECT_NEAR(row.control->without.mean, 0.5 + 0.1, 1e-15);
  EXPECT_NEAR(row.control->own_loss, 0.25, 1e-15);
  EXPECT_DOUBLE_EQ(row.control->counted, 0.5);
  EXPECT_NEAR(row.control->half_width, 1.959963984540054 * 0.1, 1e-12);
}

TEST(Summary, ActiveErrorsAreOfThosePeopleWhoWereSomewhere) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> errors = {0.1, 0.2, 0.3};
  const std::vector<double> active = {0.5, none, 0.7};
  const std::vector<double> without = {0.6, none, 0.8};
  const SummaryRow row =
      summarize({{}, goal::Unit::kUser, {{"error", errors, errors}, {"active", active}, {"active_without", without}}});
  ASSERT_TRUE(row.active);
  EXPECT_EQ(row.active->users, 2U);
  EXPECT_NEAR(row.active->mean, 0.6, 1e-15);
  EXPECT_NEAR(row.active->without.value(), 0.7, 1e-15);
}

TEST(Summary, HasNoLossWithoutBaseline) {
  const std::vector<double> errors = {0.1, 0.2};
  const SummaryRow row = summarize({{}, goal::Unit::kUser, {{"error", errors, errors}}});
  EXPECT_FALSE(row.loss_mean);
  EXPECT_FALSE(row.loss_signed_mean);
  EXPECT_FALSE(row.improved);
}

}  // namespace
}  // namespace hearsay::results
