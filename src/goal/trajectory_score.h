// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "goal/traces.h"
#include "trajectory/method.h"

namespace hearsay::goal {

// Of the path matched with each person: the share of epochs in which it is at one of the person's places, or in null
// where the person is; and of those only in which the person is somewhere (not a number where there are none).
struct TrajectoryScore {
  std::vector<double> right;
  std::vector<double> right_active;
};

// Matches people and paths, as many of one as of the other, one to one such that the most hours are right in all. 4
// bytes for each person and path. `truth`: of the epochs of the paths.
TrajectoryScore score_paths(const trajectory::Paths& paths, const Traces& truth, std::uint32_t null,
                            std::size_t threads, const std::function<void()>& check);

// The same number of people everywhere at all times, but nobody's hours are those of one person: those of each epoch
// are dealt out anew.
trajectory::Paths shuffled(const trajectory::Paths& paths, std::uint64_t seed);

}  // namespace hearsay::goal
