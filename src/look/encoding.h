// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace hearsay::look {

// Says what text that was read as Latin-1 looks like instead, and how to convert it; empty where it may be Latin-1.
// `file`: as the command that converts it names it.
std::string better_encoding(const std::vector<std::string>& texts, const std::string& file);

// The same of a file that is neither UTF-8 nor Latin-1, by its first bytes; empty where they tell nothing.
std::string encoding_of_file(const std::string& file);

}  // namespace hearsay::look
