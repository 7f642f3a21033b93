// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace hearsay {

// A table as text, for a terminal or a Markdown page.
class TextTable {
 public:
  struct Column {
    std::string title;
    bool right = false;  // numbers
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
  // One cell a column.
  void add(std::vector<std::string> cells);
  // Columns two blanks apart, a line under the titles, `indent` blanks before each line.
  std::string aligned(std::size_t indent = 0) const;
  // The same in lines of at most `width` characters: text columns are wrapped, and what still does not fit goes into
  // further tables, each with the first `keys` columns. A number is never broken, so that one of those may be wider.
  std::string fitted(std::size_t width, std::size_t keys = 1) const;
  std::string markdown() const;

 private:
  using Widths = std::vector<std::size_t>;  // of every column; 0: left out
  // Of the columns given, those that hold text made narrower until they fit, if they can.
  Widths widths_of(const std::vector<std::size_t>& columns, std::size_t width) const;
  std::string lines(const Widths& widths, std::size_t indent) const;
  std::string part(const std::vector<std::string>& cells, const Widths& widths, std::size_t indent) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

inline constexpr std::size_t kAnyWidth = std::numeric_limits<std::size_t>::max();

// 1234567 as 1,234,567.
std::string with_commas(std::uint64_t number);
// `1,234.5 MiB` and the like.
std::string readable_bytes(std::uint64_t bytes);

}  // namespace hearsay
