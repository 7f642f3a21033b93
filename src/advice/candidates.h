// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "experiment/study.h"
#include "release/chain.h"

namespace hearsay::advice {

struct Candidate {
  release::Chain chain;
  std::string preset = {};  // its name, where it is one

  // The steps without their epsilon: candidates of one family differ in how much noise they have, and nothing else.
  std::string family() const;
  double epsilon() const;  // 0 where it has none
  // "BOUND(at_most=20), LAPLACE(epsilon=1)", or the name of a preset.
  const std::string& label() const { return preset.empty() ? chain.steps() : preset; }
};

// Chains of geometry, bound, noise and threshold, the presets and the study's own releases: those that fit its places
// and epochs, each once. A few hundred; from the shape of the data, never from visits.
std::vector<Candidate> candidates_for(const experiment::Study& study);

}  // namespace hearsay::advice
