// SPDX-License-Identifier: Apache-2.0
#include "attack/shift.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace hearsay::attack {
namespace {

std::vector<OddsGroup> random_groups(std::mt19937& random) {
  std::uniform_real_distribution<double> logit(-12, 12);
  std::vector<OddsGroup> groups(1 + random() % 20);
  for (OddsGroup& group : groups) group = {std::exp(logit(random)), static_cast<double>(1 + random() % 1000)};
  return groups;
}

double sum_of(std::span<const OddsGroup> groups, double shift) {
  double sum = 0;
  for (const OddsGroup& group : groups) sum += group.people * shifted_chance(group.odds, shift);
  return sum;
}

TEST(ShiftTest, ChancesAddUpToAnyCountThatThereArePeopleFor) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const std::vector<OddsGroup> one = random_groups(random);
    const std::vector<OddsGroup> other = random_groups(random);
    double people = 0;
    for (const auto& groups : {one, other}) {
      for (const OddsGroup& group : groups) people += group.people;
    }
    // Close to nobody and to everybody, too.
    const double share = std::pow(std::uniform_real_distribution<double>(0, 1)(random), 1 + i % 9);
    const double count = people * (i % 2 == 0 ? share : 1 - share);
    if (count <= 0 || count >= people) continue;
    const std::vector<std::span<const OddsGroup>> lists = {one, other};
    const double shift = shift_for(lists, count);
    EXPECT_NEAR(sum_of(one, shift) + sum_of(other, shift), count, 1e-9 * people) << i;
  }
}

TEST(ShiftTest, NobodyIsInWhereNobodyWasCountedAndEverybodyWhereAllWere) {
  const std::vector<OddsGroup> groups = {{odds_of(0), 3}, {odds_of(0.5), 2}, {odds_of(1), 1}};
  const std::vector<std::span<const OddsGroup>> lists = {groups};
  EXPECT_EQ(sum_of(groups, shift_for(lists, 0)), 0);
  EXPECT_EQ(sum_of(groups, shift_for(lists, -2)), 0);
  EXPECT_EQ(sum_of(groups, shift_for(lists, 6)), 6);
  EXPECT_EQ(sum_of(groups, shift_for(lists, 7.5)), 6) << "more than there are: everybody, and no more";
  EXPECT_EQ(shift_for({}, 0), 0);
}

TEST(LikelyCountTest, IsThePrintedOneWhereThatIsExact) {
  EXPECT_EQ(likely_count(7, nullptr, {}, {100, 3}), 7);
}

TEST(LikelyCountTest, OfAMissingOrRoundedCountIsTheLikeliestItCanHaveBeen) {
  const release::Missing missing{0, 0, 1, 9};
  EXPECT_EQ(likely_count(0, &missing, {}, {4.5, 2}), 4.5);
  EXPECT_EQ(likely_count(0, &missing, {}, {0.2, 2}), 1);
  EXPECT_EQ(likely_count(0, &missing, {}, {40, 2}), 9);
  // Halves up: 10 stands for 5 to 14.
  const release::Rule tens{.base = 10};
  EXPECT_EQ(likely_count(10, nullptr, tens, {3, 1}), 5);
  EXPECT_EQ(likely_count(10, nullptr, tens, {30, 1}), 14);
  EXPECT_EQ(likely_count(0, nullptr, tens, {30, 1}), 4);
  EXPECT_EQ(likely_count(0, nullptr, tens, {2.5, 1}), 2.5);
  const release::Rule fives{.base = 5};
  EXPECT_EQ(likely_count(10, nullptr, fives, {1, 1}), 8);
  EXPECT_EQ(likely_count(10, nullptr, fives, {100, 1}), 12);
}

TEST(LikelyCountTest, OfACutCountIsThatOrMoreAndOfASampleWhatItSaysOfEverybody) {
  const release::Rule cut{.top = 50};
  EXPECT_EQ(likely_count(50, nullptr, cut, {70, 3}), 70);
  EXPECT_EQ(likely_count(50, nullptr, cut, {20, 3}), 50);
  EXPECT_EQ(likely_count(49, nullptr, cut, {70, 3}), 49);
  // 10 of a tenth: with no doubt about the expectation that, with none about the sample 100.
  const release::Rule sampled{.exact = false};
  EXPECT_NEAR(likely_count(10, nullptr, sampled, {40, 1e-9}, 0.1), 40, 1e-6);
  EXPECT_NEAR(likely_count(10, nullptr, sampled, {40, 1e12}, 0.1), 100, 1e-6);
  // The sample's own variance is 40 0.9 / 0.1: as much as the expectation's puts it halfway.
  EXPECT_NEAR(likely_count(10, nullptr, sampled, {40, 360}, 0.1), 70, 1e-9);
  const release::Missing missing{0, 0, 0, 9};
  EXPECT_EQ(likely_count(0, &missing, sampled, {200, 1}, 0.1), 90);
}

// The largest likelihood of a normal count seen through the noise, found by trying many.
template <typename Noise>
double tried(double published, const Expected& expected, const Noise& cost_of_noise) {
  double best = 0;
  double least = 1e300;
  for (double x = 0; x <= 200; x += 0.001) {
    const double cost =
        (x - expected.mean) * (x - expected.mean) / (2 * expected.variance) + cost_of_noise(x - published);
    if (cost < least) {
      least = cost;
      best = x;
    }
  }
  return best;
}

TEST(LikelyCountTest, WeighsNoiseAgainstWhatIsExpected) {
  for (const double published : {0.0, 3.0, 20.0, 60.0, 150.0}) {
    for (const double deviation : {0.5, 3.0, 20.0}) {
      const Expected expected{25, 16};
      const double variance = deviation * deviation;
      const double scale = deviation / std::sqrt(2.0);
      const release::Rule laplace{.exact = false, .variance = variance, .scale = scale};
      EXPECT_NEAR(likely_count(published, nullptr, laplace, expected),
                  tried(published, expected, [&](double off) { return std::abs(off) / scale; }), 0.002);
      const release::Rule normal{.exact = false, .variance = variance};
      EXPECT_NEAR(likely_count(published, nullptr, normal, expected),
                  tried(published, expected, [&](double off) { return off * off / (2 * variance); }), 0.002);
    }
  }
  const release::Rule unknown{.exact = false};
  EXPECT_EQ(likely_count(9, nullptr, unknown, {25, 16}), 9);
}

}  // namespace
}  // namespace hearsay::attack
