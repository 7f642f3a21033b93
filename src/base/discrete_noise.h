// SPDX-License-Identifier: Apache-2.0
//
// Whole noise, drawn exactly: published and evaluated noise are the same draws from different bits. Floating point
// decides where it is certain what the exact answer is; elsewhere as many digits are worked out as it takes. So the
// last bits of a logarithm change no draw, on whatever machine, and no probability is off (Mironov, CCS 2012).
#pragma once

#include <cstdint>

#include "base/random.h"

namespace hearsay {

// Draws y with P(y) proportional to exp(-|y| inverse / scale). 1 <= scale <= 2^53, 1 <= inverse <= 2^62.
// Ghosh, Roughgarden, Sundararajan: Universally Utility-Maximizing Privacy Mechanisms. STOC 2009.
std::int64_t discrete_laplace(RandomBits& bits, std::uint64_t scale, std::uint64_t inverse);

// Draws y with P(y) proportional to exp(-y^2 / (2 discrete_variance(deviation))). 0 < deviation < 2^26.
// Canonne, Kamath, Steinke: The Discrete Gaussian for Differential Privacy. NeurIPS 2020, algorithm 3.
std::int64_t discrete_gaussian(RandomBits& bits, double deviation);
inline constexpr double kLargestDeviation = 0x1p26;
// The square of a deviation, rounded up to the fraction that noise is drawn with.
double discrete_variance(double deviation);

}  // namespace hearsay
