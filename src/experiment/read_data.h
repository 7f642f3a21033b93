// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "experiment/settings.h"
#include "experiment/study.h"

namespace hearsay::experiment {

// `[data]` and `[rois]` of a study; paths are relative to `folder`. Throw ConfigError.
void read_data(Settings& settings, const std::string& folder, Study& study);
void read_rois(Settings& settings, const std::string& folder, Study& study);

}  // namespace hearsay::experiment
