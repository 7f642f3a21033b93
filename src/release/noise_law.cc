// SPDX-License-Identifier: Apache-2.0
#include "release/noise_law.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/discrete_noise.h"
#include "release/noise_source.h"

namespace hearsay::release {
namespace {

constexpr double kMissed = 1 - kCoverage;

// In steps of 1. Every number is e^-exponent times as likely as the one before it.
NoiseLaw geometric_law_of(double exponent) {
  const double ratio = std::exp(-exponent);
  const auto missed = [&](double width) { return 2 * std::exp(-exponent * (width + 1)) / (1 + ratio); };
  double width = std::max(0.0, std::ceil(std::log(2 / (kMissed * (1 + ratio))) / exponent) - 1);
  while (missed(width) > kMissed) ++width;  // where rounding took one off
  return {std::numbers::sqrt2 / 2 / std::sinh(exponent / 2), 1 / std::sinh(exponent), width};
}

// In steps of 1, summed up term by term.
NoiseLaw small_normal_law(double variance) {
  const auto weight = [&](double number) { return std::exp(-number * number / (2 * variance)); };
  const double last = std::ceil(12 * std::sqrt(variance)) + 1;
  double all = 1;
  double distances = 0;
  double squares = 0;
  for (double number = last; number >= 1; --number) {
    all += 2 * weight(number);
    distances += 2 * weight(number) * number;
    squares += 2 * weight(number) * number * number;
  }
  double width = 0;
  for (double within = 1; within < kCoverage * all; within += 2 * weight(width)) ++width;
  return {std::sqrt(squares / all), distances / all, width};
}

// The same for many steps: sums are integrals with the terms of Euler and Maclaurin that matter. The integral from
// -w - 1/2 to w + 1/2 is a little less than the sum from -w to w, so that the width is never too small.
NoiseLaw large_normal_law(double variance) {
  const double deviation = std::sqrt(variance);
  const auto missed = [&](double width) { return std::erfc((width + 0.5) / (deviation * std::numbers::sqrt2)); };
  double width = std::floor(1.9599 * deviation - 0.5);
  while (missed(width) > kMissed) ++width;
  return {deviation, 2 * (variance - 1.0 / 12) / (deviation * std::sqrt(2 * std::numbers::pi)), width};
}

}  // namespace

NoiseLaw geometric_law(double sensitivity, double epsilon, double grid) {
  const NoiseLaw law = geometric_law_of(GeometricNoise(sensitivity, epsilon, grid).exponent());
  return {law.deviation * grid, law.absolute_error * grid, law.half_width * grid};
}

NoiseLaw normal_law(double deviation, double grid) {
  constexpr double kMany = 64;
  const double variance = discrete_variance(deviation / grid);
  const NoiseLaw law = variance < kMany * kMany ? small_normal_law(variance) : large_normal_law(variance);
  return {law.deviation * grid, law.absolute_error * grid, law.half_width * grid};
}

Noise geometric_noise(double sensitivity, double epsilon) {
  const NoiseLaw law = geometric_law(sensitivity, epsilon, 1);
  const double scale = sensitivity / epsilon;
  return {fmt::format("Laplace noise of scale {:.6g} on every count", scale), law.deviation, law.absolute_error, scale,
          law.half_width};
}

// Discrete normal noise has the tails of a normal distribution (Canonne, Kamath, Steinke 2020, corollary 17) and from a
// step on also its shape.
double half_width_of_sum(double steps, double deviation) {
  return std::max(0.5, (steps >= 1 ? 1.96 : std::sqrt(2 * std::log(2 / kMissed))) * deviation);
}

}  // namespace hearsay::release
