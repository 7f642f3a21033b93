// SPDX-License-Identifier: Apache-2.0
//
// How many visits of a person to keep: few lose visits, many need noise. For the owner of the data alone: computed from
// the true counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dataset/dataset.h"

namespace hearsay::release {

// Mean absolute error of a count as it would be published, with at most so many visits of a person over all of it.
struct BoundError {
  std::uint64_t at_most = 0;
  double kept = 0;  // share of the visits
  double laplace = 0;
  double gaussian = 0;
};

struct BoundChoice {
  double epsilon = 0;  // for a whole user
  double delta = 0;    // of normal noise
  // Whether it was measured on the last of what is observed, as long as what is to be published, or on that itself.
  bool on_past = false;
  std::vector<BoundError> errors;                              // by bound
  std::vector<std::pair<std::string, double>> baselines = {};  // in words, and their errors

  // The bound with the least error; errors are not empty.
  const BoundError& best(double BoundError::*noise) const;
};

// Bounds 1, 2, 5, 10, ... up to the most visits that anybody has; one draw of evaluation noise each. Nothing where
// nobody was anywhere.
std::optional<BoundChoice> choose_bound(const dataset::Dataset& dataset, double epsilon, double delta,
                                        std::size_t threads);

}  // namespace hearsay::release
