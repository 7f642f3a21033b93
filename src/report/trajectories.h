// SPDX-License-Identifier: Apache-2.0
//
// What paths could be rebuilt from the counts alone, as a report has it: what the goal "trajectories" found.
#pragma once

#include <string>
#include <vector>

#include "results/manifest.h"
#include "results/measured.h"

namespace hearsay::report {

inline constexpr const char* kTrajectories = "trajectories";

// How often the paths of the best method are right, beside those of shuffled people, and what becomes of that under
// defences. None where the study did not ask.
std::vector<std::string> trajectory_sentences(const std::vector<results::MeasuredGoal>& goals,
                                              std::size_t least_people);

// What each method reached on each release; null where the study did not ask.
results::Json trajectories_json(const std::vector<results::MeasuredGoal>& goals, std::size_t least_people);

}  // namespace hearsay::report
