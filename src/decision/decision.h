// SPDX-License-Identifier: Apache-2.0
//
// How a prediction of where people are is read off what somebody believes. One *_decision.cc file a decision.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/entry.h"
#include "belief/beliefs.h"

namespace hearsay::decision {

// The ROIs predicted for a user: of an assignment those it has; of a distribution those that have at least `share` of
// the row's weight, or any weight where it is 0. Where that is none: null.
struct Prediction {
  const belief::Beliefs& beliefs;
  double share = 0;
};

class Decision {
 public:
  virtual ~Decision() = default;
  virtual Prediction decide(const belief::Beliefs& beliefs) const = 0;
};

struct Options {
  double delta = 0.5;  // POP predicts the ROIs at or above this probability
};

struct DecisionEntry {
  EntryInfo info;
  bool of_assignments = false;  // it reads assignments, not distributions
  std::function<std::unique_ptr<Decision>(const Options& options)> make;
};

// Every decision. Generated from the files in this folder.
const std::vector<const DecisionEntry*>& all_decisions();

}  // namespace hearsay::decision
