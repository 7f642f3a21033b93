// SPDX-License-Identifier: Apache-2.0
#include "release/a_year.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "release/accounting.h"

namespace hearsay::release {
namespace {

constexpr std::uint64_t kDay = 86400;
constexpr std::uint64_t kWeek = 7 * kDay;

Guarantee promised(Unit unit, double epsilon = 0.5, double delta = 0) {
  Guarantee guarantee{epsilon, name_of(unit), "", std::nullopt};
  guarantee.delta = delta;
  return guarantee;
}

TEST(AYearTest, AUserIsInEveryPublication) {
  for (const Unit unit : {Unit::kUser, Unit::kUserPlace}) {
    const std::optional<AYear> year = a_year(promised(unit, 0.5, 1e-6), kWeek);
    EXPECT_EQ(year->times, 52U);
    EXPECT_EQ(year->meets, 52U);
    EXPECT_DOUBLE_EQ(year->epsilon, 26);
    EXPECT_DOUBLE_EQ(year->delta, 52e-6);
  }
  EXPECT_EQ(a_year(promised(Unit::kUser), kWeek)->sentence,
            "Published for every period of 7 days, 52 times a year: a user is in each of them, and epsilon adds up to "
            "26.");
  EXPECT_EQ(a_year(promised(Unit::kUser), kDay)->times, 365U);
  EXPECT_THAT(a_year(promised(Unit::kUser), kDay)->sentence,
              testing::StartsWith("Published for every period of 1 day,"));
  EXPECT_EQ(a_year(promised(Unit::kUser), 500 * kDay)->times, 1U);
  EXPECT_DOUBLE_EQ(a_year(promised(Unit::kUser), 500 * kDay)->epsilon, 0.5);
}

TEST(AYearTest, RhoAddsUpAndEpsilonFollows) {
  const Reach reach(10, 168, 3600);
  const Guarantee normal = gaussian_guarantee(reach, Unit::kUser, 0.02, 1e-6);
  const std::optional<AYear> year = a_year(normal, kWeek);
  EXPECT_DOUBLE_EQ(year->epsilon, epsilon_of(52 * 0.02, 1e-6));
  EXPECT_LT(year->epsilon, 52 * *normal.epsilon);
  EXPECT_DOUBLE_EQ(year->delta, 1e-6);
}

TEST(AYearTest, LessThanAPeriodIsInOnePublication) {
  for (const Unit unit : {Unit::kEvent, Unit::kUserEpoch, Unit::kUserDay, Unit::kUserWeek}) {
    const std::optional<AYear> year = a_year(promised(unit), 2 * kWeek);
    EXPECT_EQ(year->times, 26U);
    EXPECT_EQ(year->meets, 1U) << name_of(unit);
    EXPECT_DOUBLE_EQ(year->epsilon, 0.5);
  }
  EXPECT_EQ(a_year(promised(Unit::kUserDay), kWeek)->sentence,
            "Published for every period of 7 days, 52 times a year: a user in one day is in one of them alone, and "
            "epsilon stays 0.5.");
}

TEST(AYearTest, AWeekMayMeetSeveralPeriods) {
  EXPECT_EQ(a_year(promised(Unit::kUserWeek), kDay)->meets, 7U);
  EXPECT_EQ(a_year(promised(Unit::kUserWeek), 10 * kDay)->meets, 2U);
  EXPECT_EQ(a_year(promised(Unit::kUserWeek), 4 * kDay)->meets, 3U);
  EXPECT_EQ(a_year(promised(Unit::kUserDay), kDay / 2)->meets, 2U);
  EXPECT_EQ(a_year(promised(Unit::kUserDay), 36 * 3600)->meets, 2U);
  EXPECT_THAT(a_year(promised(Unit::kUserWeek), 10 * kDay)->sentence,
              testing::HasSubstr("a user in one week is in up to 2 of them, and epsilon adds up to 1."));
}

TEST(AYearTest, SaysWhatItMeansForAWholeUser) {
  const Reach reach(10, 168, 3600);
  const std::optional<AYear> plain = a_year(laplace_guarantee(reach, Unit::kEvent, 0.5), kWeek);
  EXPECT_THAT(plain->sentence, testing::HasSubstr("A user as a whole is in all of them, with epsilon 4.368e+04."));
  const Guarantee normal = gaussian_guarantee(reach, Unit::kUserDay, 0.01, 1e-6);
  EXPECT_THAT(a_year(normal, kWeek)->sentence,
              testing::HasSubstr(fmt::format("with epsilon {:.4g}, but", epsilon_of(7 * 52 * 0.01, 1e-6))));
}

TEST(AYearTest, WhatIsNotKnownAddsUp) {
  Guarantee own = promised(Unit::kUser);
  own.unit = "a household";
  EXPECT_EQ(a_year(own, kWeek)->meets, 52U);
  EXPECT_FALSE(a_year({}, kWeek).has_value());
  own.rho = 0.1;  // without a delta to read an epsilon at
  EXPECT_DOUBLE_EQ(a_year(own, kWeek)->epsilon, 26);
}

}  // namespace
}  // namespace hearsay::release
