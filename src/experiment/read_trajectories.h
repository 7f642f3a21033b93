// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiment/settings.h"
#include "experiment/study.h"

namespace hearsay::experiment {

// Reads [trajectories], which asks for the goal of that name. Goals were read before.
void read_trajectories(Settings& settings, Study& study);

}  // namespace hearsay::experiment
