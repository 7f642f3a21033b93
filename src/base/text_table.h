// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
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
  std::string markdown() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// 1234567 as 1,234,567.
std::string with_commas(std::uint64_t number);
// `1,234.5 MiB` and the like.
std::string readable_bytes(std::uint64_t bytes);

}  // namespace hearsay
