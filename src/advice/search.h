// SPDX-License-Identifier: Apache-2.0
//
// Successive halving over candidates: all are measured a little, and what is promising better.
#pragma once

#include <vector>

#include "advice/choice.h"
#include "advice/schedule.h"

namespace hearsay::advice {

// What a search found: every candidate as far as it was measured.
struct Found {
  std::vector<Priced> all;
  Adversaries adversaries;
  bool by_all = false;             // the last rung was measured against all adversaries of the study
  std::vector<std::size_t> rungs;  // candidates measured in each
  std::size_t unmeasured = 0;
  bool cut_short = false;
  std::string no_membership;
};

Found search(engine::Engine& engine, const experiment::Study& study, const Limits& limits, const Options& options,
             Guard& guard);

}  // namespace hearsay::advice
