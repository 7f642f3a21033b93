// SPDX-License-Identifier: Apache-2.0
#include "membership/scores.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace hearsay::membership {
namespace {

// Pair by pair.
double plain_area(const std::vector<double>& with, const std::vector<double>& without) {
  double sum = 0;
  for (const double in : with) {
    for (const double out : without) sum += in > out ? 1 : in == out ? 0.5 : 0;
  }
  return sum / static_cast<double>(with.size() * without.size());
}

TEST(ScoresTest, AreaIsTheShareOfPairsInOrder) {
  std::mt19937 bits(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> with(1 + bits() % 40);
    std::vector<double> without(1 + bits() % 40);
    for (double& one : with)
      one = bits() % 9 == 0 ? -std::numeric_limits<double>::infinity() : static_cast<double>(bits() % 12);
    for (double& one : without)
      one = bits() % 5 == 0 ? -std::numeric_limits<double>::infinity() : static_cast<double>(bits() % 10);
    const Estimate area = area_under_curve(with, without);
    EXPECT_NEAR(area.value, plain_area(with, without), 1e-12);
    EXPECT_LE(area.low, area.value);
    EXPECT_GE(area.high, area.value);
  }
}

// The same others and the same noise: without the pairs themselves, of which the one with the target always wins.
TEST(ScoresTest, PairsAreNotComparedWithThemselves) {
  std::mt19937 bits(4);
  std::vector<double> with(30);
  std::vector<double> without(30);
  for (std::size_t i = 0; i < with.size(); ++i) {
    without[i] = static_cast<double>(bits() % 1000);
    with[i] = without[i] + 0.5;
  }
  double sum = 0;
  for (std::size_t i = 0; i < with.size(); ++i) {
    for (std::size_t j = 0; j < with.size(); ++j) sum += i != j && with[i] > without[j] ? 1 : 0;
  }
  EXPECT_NEAR(area_under_curve(with, without, Groups::kPaired).value, sum / (30 * 29), 1e-12);
  EXPECT_LT(area_under_curve(with, without, Groups::kPaired).value, area_under_curve(with, without).value);
}

TEST(ScoresTest, ScoresThatNeverDifferAreABlindGuess) {
  const std::vector<double> same(100, 2.5);
  const Estimate area = area_under_curve(same, same);
  EXPECT_EQ(area.value, 0.5);
  EXPECT_LT(area.low, 0.45);
  EXPECT_GT(area.high, 0.55);
  EXPECT_EQ(true_positive_rate(same, same, 0.01).value, 0);
}

// Of 200 groups all on the right side: the truth may still be one in sixty wrong.
TEST(ScoresTest, ACertainAnswerHasAnInterval) {
  const std::vector<double> low(200, 0);
  const std::vector<double> high(200, 1);
  const Estimate area = area_under_curve(high, low);
  EXPECT_EQ(area.value, 1);
  EXPECT_NEAR(area.low, std::pow(0.025, 1.0 / 200), 1e-12);
  EXPECT_EQ(area.high, 1);
}

// The interval holds the true area of two normal distributions in about 95 of 100 draws.
TEST(ScoresTest, TheIntervalHoldsTheTruth) {
  std::mt19937 bits(5);
  std::normal_distribution<> normal;
  int held = 0;
  const double truth = 0.5 * std::erfc(-1.2 / 2);  // means 1.2 apart
  for (int round = 0; round < 1000; ++round) {
    std::vector<double> with(60);
    std::vector<double> without(60);
    for (double& one : with) one = normal(bits) + 1.2;
    for (double& one : without) one = normal(bits);
    const Estimate area = area_under_curve(with, without);
    held += area.low <= truth && truth <= area.high ? 1 : 0;
  }
  EXPECT_GT(held, 925);
  EXPECT_LT(held, 975);
}

TEST(ScoresTest, LimitsOfProportionsAreClopperAndPearsons) {
  EXPECT_EQ(least_proportion(0, 10, 0.025), 0);
  EXPECT_NEAR(most_proportion(0, 10, 0.025), 0.3084971, 1e-6);
  EXPECT_NEAR(least_proportion(5, 10, 0.025), 0.1870860, 1e-6);
  EXPECT_NEAR(most_proportion(5, 10, 0.025), 0.8129140, 1e-6);
  EXPECT_EQ(most_proportion(10, 10, 0.025), 1);
}

TEST(ScoresTest, TruePositivesAtFewFalseOnes) {
  std::vector<double> without(1000);
  for (std::size_t i = 0; i < without.size(); ++i) without[i] = static_cast<double>(i);
  std::vector<double> with(100, 0);
  for (std::size_t i = 0; i < 40; ++i) with[i] = 989.5;   // above all but ten
  for (std::size_t i = 40; i < 60; ++i) with[i] = 998.5;  // above all but one
  EXPECT_EQ(true_positive_rate(with, without, 0.01).value, 0.6);
  EXPECT_EQ(true_positive_rate(with, without, 0.001).value, 0.2);
  EXPECT_TRUE(std::isnan(true_positive_rate(with, std::vector<double>(999), 0.001).value));
}

}  // namespace
}  // namespace hearsay::membership
