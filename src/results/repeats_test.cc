// SPDX-License-Identifier: Apache-2.0
#include "results/repeats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace hearsay::results {
namespace {

// Half the width of the interval in standard errors is the quantile; tables of it give three decimals and more.
TEST(RepeatsTest, IntervalsUseTheQuantileOfStudentsT) {
  const std::vector<std::pair<std::size_t, double>> known = {{1, 12.7062047},  {2, 4.3026527},  {9, 2.2621572},
                                                             {30, 2.0422725},  {31, 2.0395134}, {60, 2.0002978},
                                                             {1000, 1.9623391}};
  for (const auto& [freedom, quantile] : known) {
    std::vector<double> draws(freedom + 1);
    std::iota(draws.begin(), draws.end(), 0.0);
    const auto n = static_cast<double>(draws.size());
    const double error = std::sqrt((n + 1) / 12);  // of the mean of 0 .. n - 1
    const Interval interval = interval_of(draws);
    EXPECT_DOUBLE_EQ(interval.mean, (n - 1) / 2);
    EXPECT_NEAR(interval.half_width.value() / error, quantile, 1e-6) << freedom;
  }
}

}  // namespace
}  // namespace hearsay::results
