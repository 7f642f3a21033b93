// SPDX-License-Identifier: Apache-2.0
//
// Does a release keep what it claims? Counts that differ by the one thing that is to be hidden are published many times
// over; how well they can be told apart is a lower bound of the true epsilon.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "goal/ground.h"
#include "goal/traces.h"
#include "release/guarantee.h"

namespace hearsay::goal {

struct Audit {
  release::Claim claim;
  double found = 0;        // at 95%, the true epsilon is at least this
  std::size_t trials = 0;  // with, and as many without
  bool broken() const { return found > claim.epsilon; }
};

// None where the defence claims nothing. `traces`: of the inference period.
std::optional<Audit> audit(const Ground& ground, const Traces& traces, const Defence& defence);

// The largest epsilon that scores rule out at 95%: half of them choose how to tell, the other half say how well that
// does (Clopper and Pearson's limits of both proportions). Of an epsilon that holds but for the chance `delta`.
double least_epsilon(std::span<const double> with, std::span<const double> without, double delta = 0);

}  // namespace hearsay::goal
