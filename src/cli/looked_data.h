// SPDX-License-Identifier: Apache-2.0
//
// Commands that take data as well as a study.
#pragma once

#include <string>
#include <vector>

#include "cli/run_flags.h"
#include "experiment/study.h"
#include "look/sight.h"

namespace hearsay::cli {

// Whether a path names data, by its ending or since it is a folder or a pattern; else it is a study.
bool is_data(const std::string& path);

// A look at data, with the settings that somebody has made for it. `folder`: where its study would be.
struct LookedData {
  look::Sight sight;
  std::vector<std::string> overrides;
  std::string folder;
};

LookedData look(const std::vector<std::string>& paths, const std::vector<std::string>& overrides,
                const std::string& folder, const RunFlags& flags);

// Throws InputError where the sight has a problem or leaves something unknown, after printing what was seen.
void require_study(const LookedData& looked, const std::string& path);

// A file called `ending` beside the data: trips.csv -> trips.toml. A pattern's are beside its folder.
std::string beside(const std::string& path, const std::string& ending);

// The command that writes the study of data, with its settings.
std::string init_command(const std::string& path, const std::vector<std::string>& overrides);

// Reads the study that was guessed, with what stands in for unknown settings. Throws ConfigError for a setting that was
// given wrongly.
experiment::Study guessed_study(const LookedData& looked);

// The study of a file, or of data the one that is guessed: what is guessed is printed unless `quiet`, which --quiet is,
// too.
experiment::Study study_of(const std::string& file, const std::vector<std::string>& overrides, const RunFlags& flags,
                           bool quiet = false);

// Returns the file itself where it is a study, else the file that `hearsay init` writes for these data.
std::string study_file(const std::string& file);

}  // namespace hearsay::cli
