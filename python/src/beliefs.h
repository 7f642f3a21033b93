// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "belief/beliefs.h"
#include "dataset/crowd.h"

namespace hearsay::python {

// What an adversary believes in one epoch, with memory of its own so that Python may keep it.
class OwnBeliefs {
 public:
  // A copy of beliefs about everybody.
  OwnBeliefs(const belief::Beliefs& beliefs, const dataset::Crowd& crowd);
  // Distributions, or an assignment of the ROIs listed.
  OwnBeliefs(belief::RowTable table, bool binary, const dataset::Crowd& crowd);
  OwnBeliefs(const OwnBeliefs&) = delete;
  OwnBeliefs& operator=(const OwnBeliefs&) = delete;

  const belief::Beliefs& view() const { return view_; }
  bool binary() const { return std::holds_alternative<belief::Assignment>(view_); }
  // The rows, of which there are none where a distribution is shared.
  belief::SparseRows rows() const;
  const dataset::Crowd& crowd() const { return crowd_; }
  // users x ROIs, rows that sum to 1. Only for crowds that fit.
  std::vector<double> dense() const;

 private:
  dataset::Crowd crowd_;
  belief::RowTable table_;
  std::vector<double> background_weights_;
  belief::Beliefs view_;
};

using SharedBeliefs = std::shared_ptr<OwnBeliefs>;

// What Python code gave: a Beliefs, or users x ROIs weights, 0 or more; a row of zeros is null. Throws InputError that
// starts with `who` for anything else.
SharedBeliefs beliefs_from(nanobind::handle given, bool binary, const dataset::Crowd& crowd, const std::string& who);

}  // namespace hearsay::python
