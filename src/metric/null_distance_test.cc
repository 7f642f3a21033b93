// SPDX-License-Identifier: Apache-2.0
#include "metric/null_distance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace hearsay::metric {
namespace {

double exact(double value) {
  const long double r = value;
  const long double last = r < 1 ? (1 - r) * std::log1p(-r) : 0;
  const long double divergence = (r * std::numbers::ln2_v<long double> - (2 - r) * std::log1p(-r / 2) + last) / 2;
  return static_cast<double>(std::sqrt(divergence));
}

TEST(NullDistanceTest, IsWithinItsBound) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit;
  std::vector<double> values = {
      0, 1, 0.5, 1e-300, 1e-12, 5e-10, 0x1p-53, 1 - 0x1p-53, 0.2928932188134524, 0.29289321881345254};
  for (int i = 0; i < 200000; ++i) {
    values.push_back(unit(random));
    values.push_back(std::exp(-40 * unit(random)));
    values.push_back(1 - std::exp(-36 * unit(random)));
  }
  std::vector<double> distances = values;
  null_distances(distances);
  double worst = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double error = std::fabs(distances[i] - exact(values[i]));
    ASSERT_LE(error, 4e-16) << values[i];
    worst = std::max(worst, error);
  }
  EXPECT_EQ(distances[0], 0);
  EXPECT_NEAR(distances[1], std::sqrt(std::numbers::ln2), 4e-16);
  RecordProperty("worst", std::to_string(worst * 1e16));
  std::printf("worst error %.3g\n", worst);
}

}  // namespace
}  // namespace hearsay::metric
