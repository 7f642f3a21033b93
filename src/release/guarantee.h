// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "release/reach.h"

namespace hearsay::release {

// An epsilon, and what it is about; where it holds but for a chance, with that.
struct Claim {
  double epsilon = 0;
  std::string unit;
  double delta = 0;
};

// What a release promises. Without an epsilon it promises nothing.
struct Guarantee {
  std::optional<double> epsilon;  // of the counts as they would be published: the null row left out
  std::string unit = "none";      // what is hidden: "one event", "a user in one ROI" or "in one epoch", "a user"
  std::string note;               // a sentence: why there is none, or what it rests on
  std::optional<double> epsilon_with_null;  // of the counts with the noisy null row, as a study hands them over
  std::optional<Claim> named = {};          // what those who proposed it say it promises, where it does not
  double delta = 0;                         // epsilon holds but for this chance
  std::optional<double> rho = {};           // of zero-concentrated differential privacy, where it has one
  std::vector<Claim> others = {};           // what the same noise means for other units
};

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

// The noise of one count, null aside, before post-processing.
struct Noise {
  std::string description;      // "Laplace noise of scale 40 on every count"
  double deviation = 0;         // standard deviation
  double absolute_error = 0;    // expected absolute value
  std::optional<double> scale;  // of the Laplace noise on every count, where that is what was added
  bool gaussian = false;        // noise of a normal distribution on every count
};

}  // namespace hearsay::release
