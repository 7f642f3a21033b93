// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "experiment/study.h"
#include "release/guarantee.h"

namespace hearsay::experiment {

// Returns a word of a POSIX shell that means this text.
std::string shell_word(const std::string& text);

struct ReleaseCommand {
  std::string line;                // for a POSIX shell; whoever runs it fills in what is in capitals
  std::vector<std::string> notes;  // what to fill in, and what its flags are for
};

// The command that publishes the counts of a study, whose file is `file`, by a defence with this guarantee.
ReleaseCommand release_command(const std::string& file, const Study& study, const goal::Defence& defence,
                               const release::Guarantee& guarantee, bool mostly_noise = false);

}  // namespace hearsay::experiment
