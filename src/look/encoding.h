// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace hearsay::look {

// Says what text that is not UTF-8 looks like, and how to convert it; empty where it may be Latin-1. `file`: as the
// command that converts it names it.
std::string better_encoding(const std::string& bytes, const std::string& file);

// Returns the bytes of text that was read as Latin-1 and is UTF-8 now.
std::string bytes_of_latin(const std::string& text);

// Says the same as better_encoding of a file, by its first bytes; empty where they tell nothing.
std::string encoding_of_file(const std::string& file);

}  // namespace hearsay::look
