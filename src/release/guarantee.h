// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

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

// The noise of one count as it is drawn, null aside, before post-processing.
struct Noise {
  std::string description;      // "Laplace noise of scale 40 on every count"
  double deviation = 0;         // standard deviation
  double absolute_error = 0;    // expected absolute value
  std::optional<double> scale;  // of the Laplace noise on every count, where that is what was added
  // How far noise takes a count at most in at least 95 of 100 cases; none where nobody knows.
  std::optional<double> half_width = {};
};

}  // namespace hearsay::release
