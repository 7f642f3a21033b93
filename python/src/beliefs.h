// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "belief/beliefs.h"
#include "dataset/crowd.h"

namespace hearsay::python {

using belief::Kind;

// What an adversary believes in one epoch, with memory of its own so that Python may keep it.
class OwnBeliefs {
 public:
  // A copy of beliefs about everybody.
  OwnBeliefs(const belief::Beliefs& beliefs, const dataset::Crowd& crowd);
  // Distributions, an assignment of the ROIs listed, or rates, whose rows end with null.
  OwnBeliefs(belief::RowTable table, Kind kind, const dataset::Crowd& crowd);
  OwnBeliefs(const OwnBeliefs&) = delete;
  OwnBeliefs& operator=(const OwnBeliefs&) = delete;

  const belief::Beliefs& view() const { return view_; }
  bool binary() const { return kind_of(view_) == Kind::kAssignment; }
  // Weights that count epochs: of how many; else 0.
  double trials() const;
  // The rows, of which there are none where a distribution is shared.
  belief::SparseRows rows() const;
  const dataset::Crowd& crowd() const { return crowd_; }
  // users x ROIs, rows that sum to 1. Only for crowds that fit.
  std::vector<double> dense() const;
  // users x ROIs, the chance of each place by itself; empty where the beliefs offer no rates.
  std::vector<double> dense_rates() const;

 private:
  dataset::Crowd crowd_;
  belief::RowTable table_;
  std::vector<double> background_weights_;
  belief::Beliefs view_;
};

using SharedBeliefs = std::shared_ptr<OwnBeliefs>;

// What Python code gave: a Beliefs, or users x ROIs weights, 0 or more; a row of zeros is null. Rates are at most 1.
// Throws InputError that starts with `who` for anything else.
SharedBeliefs beliefs_from(nanobind::handle given, Kind kind, const dataset::Crowd& crowd, const std::string& who);

}  // namespace hearsay::python
