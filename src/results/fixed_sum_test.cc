// SPDX-License-Identifier: Apache-2.0
#include "results/fixed_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "results/bins.h"

namespace hearsay::results {
namespace {

TEST(FixedSum, DoesNotDependOnOrderOrDivision) {
  std::mt19937 random(3);
  std::vector<double> numbers;
  for (int i = 0; i < 1000; ++i) {
    const double scale = std::ldexp(1, std::uniform_int_distribution<int>(-20, 60)(random));
    numbers.push_back(std::uniform_real_distribution<double>(-1, 1)(random) * scale);
  }
  FixedSum all;
  for (const double number : numbers) all.add(number);
  std::shuffle(numbers.begin(), numbers.end(), random);
  FixedSum first;
  FixedSum second;
  for (const double number : numbers) (number < 0.3 ? first : second).add(number);
  first.add(second);
  EXPECT_EQ(first.mean(), all.mean());
  EXPECT_EQ(first.count(), 1000U);
}

TEST(FixedSum, AddsANumberManyTimes) {
  FixedSum once;
  for (int i = 0; i < 77; ++i) once.add(-0.1);
  FixedSum times;
  times.add(-0.1, 77);
  EXPECT_EQ(times.mean(), once.mean());
  times.add(12345.678, 3);
  times.remove(once);
  EXPECT_EQ(times.mean(), 12345.678);
}

TEST(FixedSum, LeavesOutWhatIsNotANumberAndRefusesWhatDoesNotFit) {
  FixedSum sum;
  sum.add(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(sum.count(), 0U);
  EXPECT_THROW(sum.add(0x1p64), std::range_error);
  EXPECT_THROW(sum.add(-std::numeric_limits<double>::infinity()), std::range_error);
  EXPECT_THROW(Bins(std::vector<double>{0.5, 0x1p32}), std::range_error);
}

}  // namespace
}  // namespace hearsay::results
