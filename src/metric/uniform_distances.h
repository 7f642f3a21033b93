// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

#include "metric/jensen_shannon.h"

namespace hearsay::metric {

// One user and epoch of an assignment: ROIs predicted, true, and both.
struct Overlap {
  std::size_t predicted = 0;
  std::size_t actual = 0;
  std::size_t common = 0;
};

// uniform_distance, remembered for the sizes that come up again and again: two logarithms cost more than all the rest.
class UniformDistances {
 public:
  double operator()(const Overlap& overlap) {
    if (overlap.actual > kMostActual || overlap.predicted > kMostPredicted) return compute(overlap);
    const std::size_t end = overlap.predicted * kMostActual * (kMostActual + 1);
    if (known_.size() < end) known_.resize(std::bit_ceil(end), -1.0);
    double& value =
        known_[((overlap.predicted - 1) * kMostActual + overlap.actual - 1) * (kMostActual + 1) + overlap.common];
    if (value < 0) value = compute(overlap);
    return value;
  }

 private:
  static constexpr std::size_t kMostActual = 4;
  static constexpr std::size_t kMostPredicted = 1024;
  static double compute(const Overlap& overlap) {
    return uniform_distance(overlap.actual, overlap.predicted, overlap.common);
  }
  std::vector<double> known_;
};

}  // namespace hearsay::metric
