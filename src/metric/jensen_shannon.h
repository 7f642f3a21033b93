// SPDX-License-Identifier: Apache-2.0
//
// The Jensen-Shannon distance between a true profile, uniform over its m ROIs, and another distribution. Only the ROIs
// of the true profile and the mass elsewhere matter: an ROI outside it adds half its mass times ln 2. All in natural
// logarithms; see Endres and Schindelin, "A new metric for probability distributions", 2003.
#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>

namespace hearsay::metric {

// One ROI's part of the divergence, p and q being its two probabilities. Written with log1p of the relative difference,
// so that nothing is lost where p and q are close (a square root follows).
inline double divergence_at(double p, double q) {
  if (q <= 0) return 0.5 * p * std::numbers::ln2;
  const double x = (p - q) / (p + q);
  if (x >= 1) return 0.5 * p * std::numbers::ln2;  // q is nothing beside p
  if (x == 0) return 0;
  return 0.5 * (p * std::log1p(x) + q * std::log1p(-x));
}

// Mass of the other distribution outside the true profile.
inline double divergence_outside(double mass) {
  return 0.5 * mass * std::numbers::ln2;
}

inline double distance(double divergence) {
  return std::sqrt(std::fmax(0.0, divergence));
}

// Both uniform: over `truth` and `predicted` ROIs, `common` of them in both.
inline double uniform_distance(std::size_t truth, std::size_t predicted, std::size_t common) {
  const double p = 1.0 / static_cast<double>(truth);
  const double q = 1.0 / static_cast<double>(predicted);
  return distance(static_cast<double>(common) * divergence_at(p, q) +
                  static_cast<double>(truth - common) * divergence_at(p, 0) +
                  divergence_outside(static_cast<double>(predicted - common) * q));
}

}  // namespace hearsay::metric
