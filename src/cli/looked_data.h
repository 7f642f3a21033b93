// SPDX-License-Identifier: Apache-2.0
//
// Commands given data in the place of a study.
#pragma once

#include <string>
#include <vector>

#include "cli/run_flags.h"
#include "experiment/study.h"
#include "look/sight.h"

namespace hearsay::cli {

// Whether a path names data, by its ending or since it is a folder or a pattern; else it is a study.
bool is_data(const std::string& path);

look::Sight look(const std::vector<std::string>& paths, const RunFlags& flags);

// Throws InputError where the sight has a problem, after printing what was seen.
void require_study(const look::Sight& sight, const std::string& path);

// A file called `ending` beside the data: trips.csv -> trips.toml. A pattern's are beside its folder.
std::string beside(const std::string& path, const std::string& ending);

// The study that was guessed.
experiment::Study guessed_study(const look::Sight& sight, const std::string& path,
                                const std::vector<std::string>& overrides);

}  // namespace hearsay::cli
