// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiment/settings.h"
#include "experiment/study.h"

namespace hearsay::experiment {

// The tables [[release]] of a study whose data and adversary were read. Throws ConfigError for what is not known or
// allowed.
void read_defences(Settings& settings, Study& study);

}  // namespace hearsay::experiment
