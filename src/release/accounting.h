// SPDX-License-Identifier: Apache-2.0
//
// What noise promises, from how far a person can move counts.
#pragma once

#include <functional>

#include "release/guarantee.h"
#include "release/reach.h"

namespace hearsay::release {

// With chance delta epsilon does not hold. A larger chance than this is no protection to speak of.
inline constexpr double kLargestDelta = 1e-5;

// The epsilon that rho-zCDP has with delta above 0: Canonne, Kamath, Steinke 2020, proposition 12, at the best order.
double epsilon_of(double rho, double delta);
// The largest rho that gives epsilon and delta.
double rho_of(double epsilon, double delta);

// What noise promises that hides `hidden` counts of 1 with epsilon, where a unit reaches so many of them.
Guarantee laplace_guarantee(const Reach& reach, Unit unit, double epsilon);
// The same for Gaussian noise with rho for the unit; `delta`: at which epsilons are stated.
Guarantee gaussian_guarantee(const Reach& reach, Unit unit, double rho, double delta);
// The same where noise is added to something else than counts: `squares` says how far a unit moves that, in squares of
// the 2-norm, and `null_squares` how far this one does in null.
Guarantee gaussian_guarantee(Unit unit, double rho, double delta, const std::function<double(Unit)>& squares,
                             double null_squares);
// What a promise is worth where it is made so many times about the same people. Epsilons add up, and deltas; where
// there is a rho, these add up, and epsilon follows.
Guarantee repeated(const Guarantee& guarantee, std::size_t times);
// What it is worth where each person is among those it is made about with chance `rate`, by a secret draw: for a whole
// person only. For less, whoever is known to be among them is hidden no better.
Guarantee amplified(const Guarantee& guarantee, double rate);

}  // namespace hearsay::release
