// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiment/settings.h"
#include "experiment/study.h"

namespace hearsay::experiment {

// Reads [membership], which asks for the goal of that name. Goals were read before.
void read_membership(Settings& settings, Study& study);

}  // namespace hearsay::experiment
