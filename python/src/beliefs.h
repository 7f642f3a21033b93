// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dataset/crowd.h"
#include "prior/beliefs.h"

namespace hearsay::python {

// What an adversary believes in one epoch, with memory of its own so that Python may keep it.
class OwnBeliefs {
 public:
  OwnBeliefs(const prior::Beliefs& beliefs, const dataset::Crowd& crowd);
  // Rows of their own only.
  OwnBeliefs(prior::BeliefTable table, bool binary, const dataset::Crowd& crowd);
  OwnBeliefs(const OwnBeliefs&) = delete;
  OwnBeliefs& operator=(const OwnBeliefs&) = delete;

  const prior::Beliefs& view() const { return view_; }
  const dataset::Crowd& crowd() const { return crowd_; }
  // users x ROIs, rows that sum to 1. Only for crowds that fit.
  std::vector<double> dense() const;

 private:
  void point();

  dataset::Crowd crowd_;
  prior::BeliefTable table_;
  std::vector<double> background_weights_;
  std::optional<prior::Background> background_;
  std::vector<std::uint32_t> limits_;
  std::vector<std::uint32_t> sorted_limits_;
  prior::Beliefs view_;
};

using SharedBeliefs = std::shared_ptr<OwnBeliefs>;

// What Python code gave: a Beliefs, or users x ROIs weights, 0 or more; a row of zeros is null. Throws InputError that
// starts with `who` for anything else.
SharedBeliefs beliefs_from(nanobind::handle given, bool binary, const dataset::Crowd& crowd, const std::string& who);

}  // namespace hearsay::python
