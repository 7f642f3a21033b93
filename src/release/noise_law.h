// SPDX-License-Identifier: Apache-2.0
//
// How large noise is as it is drawn (release/noise_source.h): in whole steps, which small noise shows.
#pragma once

#include "release/guarantee.h"

namespace hearsay::release {

inline constexpr double kCoverage = 0.95;

struct NoiseLaw {
  double deviation;       // standard deviation
  double absolute_error;  // expected absolute value
  double half_width;      // the least w that is a number of steps with P(|noise| <= w) >= kCoverage
};

// The law of NoiseSource::noise().
NoiseLaw geometric_law(double sensitivity, double epsilon, double grid);
// The law of NoiseSource::gaussian().
NoiseLaw normal_law(double deviation, double grid);

// Noise of NoiseSource::noise() on every count.
Noise geometric_noise(double sensitivity, double epsilon);

// How far a weighted sum of normal noise of this many steps, with this standard deviation, is from 0 at most in 95 of
// 100 cases, or in more. At least 0.5, so that a whole number is always so near.
double half_width_of_sum(double steps, double deviation);

}  // namespace hearsay::release
