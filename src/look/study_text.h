// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "look/sight.h"

namespace hearsay::look {

// A study of what was seen, as a TOML file with the guesses marked. `folder`: where it will be; paths are relative to
// that where they are below it. The sight has no problem.
std::string study_text(const Sight& sight, const std::string& folder);

// The same settings as JSON, by table.
std::string settings_json(const Sight& sight, const std::string& folder);

// What was seen, for a terminal of so many columns: columns, range, box, users, histograms, what is odd.
std::string sight_text(const Sight& sight, std::size_t width);

// The same as JSON.
std::string sight_json(const Sight& sight);

}  // namespace hearsay::look
