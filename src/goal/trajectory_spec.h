// SPDX-License-Identifier: Apache-2.0
//
// The settings of the goal trajectories: [trajectories] of a study file.
#pragma once

#include <cstdint>
#include <vector>

#include "trajectory/method.h"

namespace hearsay::goal {

struct TrajectorySpec {
  std::size_t days = 3;  // from the start of the inference period on; 0: all of it
  // Empty: the first of all.
  std::vector<const trajectory::MethodEntry*> methods = {};
};

// The matrix of everybody recovered with everybody real is 400 MB at this many.
inline constexpr std::size_t kMostTrajectories = 10'000;

}  // namespace hearsay::goal
