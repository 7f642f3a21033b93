// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace hearsay {

// Throws ConfigError for the flag or variable `parameter` where nothing can be written under `path`. DuckDB takes paths
// in UTF-8 only, and a temporary folder beside the file has a name that is longer by some characters.
void check_output_name(const std::string& parameter, const std::string& path);

}  // namespace hearsay
