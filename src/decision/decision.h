// SPDX-License-Identifier: Apache-2.0
//
// How a prediction of where people are is read off what somebody believes. One *_decision.cc file a decision.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/entry.h"
#include "belief/beliefs.h"
#include "dataset/crowd.h"

namespace hearsay::decision {

// The ROIs predicted for a user: of an assignment those it has; of a distribution those that have at least `share` of
// the row's weight, or any weight where it is 0. Where that is none: null. Of a decision for profiles, the profile.
struct Prediction {
  const belief::Beliefs& beliefs;
  double share = 0;
};

// Reads the beliefs about one range of users.
class Reading {
 public:
  virtual ~Reading() = default;
  // Before the first prediction, for a decision that looks ahead: the beliefs of every epoch, those of several epochs
  // that have the same at once. Valid during the call.
  virtual void look_at(const belief::Beliefs& beliefs, std::size_t epochs) { (void)beliefs, (void)epochs; }
  // The same for the same beliefs. Must not throw. It may point into `beliefs` and into this, and is valid until the
  // next call.
  virtual Prediction predict(const belief::Beliefs& beliefs) = 0;
};

class Decision {
 public:
  virtual ~Decision() = default;
  // Whether a prediction needs all epochs of a user. Beliefs are then made twice.
  virtual bool looks_ahead() const { return false; }
  // Whether what is predicted of an assignment is the assignment itself.
  virtual bool as_is() const { return false; }
  virtual std::unique_ptr<Reading> read(belief::UserRange users, const dataset::Crowd& crowd) const = 0;
};

// A decision that takes every epoch by itself.
class EpochDecision : public Decision {
 public:
  virtual Prediction predict(const belief::Beliefs& beliefs) const = 0;
  std::unique_ptr<Reading> read(belief::UserRange users, const dataset::Crowd& crowd) const final;
};

struct DecisionEntry {
  EntryInfo info;
  bool of_assignments = false;  // it reads assignments, not distributions
  bool of_rates = false;        // it reads rates, besides distributions
  bool profiles = false;        // it gives profiles, for errors that score those, not places
  // Whether it reads such beliefs for errors that score places, or else profiles.
  bool reads(belief::Kind kind, bool places) const {
    return of_assignments == (kind == belief::Kind::kAssignment) && (of_rates || kind != belief::Kind::kRates) &&
           profiles != places;
  }
  // Throws ConfigError for parameters out of range.
  std::function<std::unique_ptr<Decision>(const Parameters& parameters)> make;
  std::unique_ptr<Decision> create() const { return make(info.values()); }
};

// Every decision. Generated from the files in this folder.
const std::vector<const DecisionEntry*>& all_decisions();

}  // namespace hearsay::decision
