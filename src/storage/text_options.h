// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hearsay::storage {

// What cannot be seen in delimited text, or is not to be guessed.
struct TextOptions {
  bool header = true;         // the first line names the columns; else they are called 1, 2, 3, ...
  std::uint32_t skip = 0;     // lines before that
  char separator = '\0';      // 0: the one that the first line has most of
  std::string encoding = {};  // utf-8, latin-1 or utf-16; empty: utf-8, or what the file's first bytes say
  // Whether a value in double quotes may go on over several lines; else a double quote that is not closed on its line
  // makes a bad row of that line alone. Not set: where bad rows stop the reading.
  std::optional<bool> line_breaks = {};
  bool operator==(const TextOptions&) const = default;
};

}  // namespace hearsay::storage
