// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "look/sight.h"

namespace hearsay::look {

// Returns a study of what was seen, as a TOML file with the guesses and what is unknown marked. `folder`: where it will
// be; paths are relative to that where they are below it.
std::string study_text(const Sight& sight, const std::string& folder);

// Returns the settings of the period that was guessed, with their values as TOML.
std::vector<std::pair<std::string, std::string>> period_settings(const Sight& sight);

// The same settings as JSON, by table.
std::string settings_json(const Sight& sight, const std::string& folder);

// What was seen, for a terminal of so many columns: columns, range, box, users, histograms, what is odd.
std::string sight_text(const Sight& sight, std::size_t width);

// The same as JSON.
std::string sight_json(const Sight& sight);

}  // namespace hearsay::look
