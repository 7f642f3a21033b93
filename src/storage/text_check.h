// SPDX-License-Identifier: Apache-2.0
//
// A look at all lines of a text file: the lines that would take other rows along when DuckDB reads them, and how many
// rows there are, so that rows which DuckDB leaves out are counted without a list of them.
#pragma once

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "storage/table_file.h"

namespace hearsay::storage {

// What is longer is no row. DuckDB's own limit; it loses lines of more than 32 MB without a word.
inline constexpr std::size_t kLongestLine = 2'000'000;  // bytes

inline constexpr const char* kBadQuoting = "bad quoting";
inline constexpr const char* kLineTooLong = "line too long";

// How often a line of a kind was found, and the number of the first such line.
struct FoundLines {
  std::uint64_t count = 0;
  std::uint64_t first = 0;
  void add(std::uint64_t line) {
    if (count++ == 0) first = line;
  }
};

struct TextFindings {
  std::uint64_t rows = 0;  // without the header and empty lines
  FoundLines too_long;
  FoundLines not_latin;  // lines of what should be Latin-1 that are not
  FoundLines unclosed;   // lines on which a value in double quotes does not end; with line breaks: rows that have some
};

// `line_breaks`: whether a value in double quotes may go on over several lines; else a line is a row. Throws InputError
// where the file is cut off, damaged or cannot be read, Cancelled on request.
TextFindings check_text(const std::string& file, const Layout& layout, bool line_breaks, const std::stop_token& stop);

// Writes the lines of a file to another, uncompressed, but for those that are too long or have a value in double quotes
// that does not end.
void copy_sound_lines(const std::string& file, const Layout& layout, const std::string& to);

// Why DuckDB leaves out rows of a file whose lines are rows, by reason, where it reads these columns.
std::map<std::string, std::uint64_t> reasons_of_left_out(const std::string& file, const Layout& layout,
                                                         const std::vector<std::size_t>& wanted);

}  // namespace hearsay::storage
