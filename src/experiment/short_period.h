// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "dataset/dataset.h"

namespace hearsay::experiment {

// Returns the names of the built-in priors that the observation period is long enough for, in their order. Returns none
// where it is long enough for all.
std::vector<std::string> priors_for_short(const dataset::Calendar& calendar);

}  // namespace hearsay::experiment
