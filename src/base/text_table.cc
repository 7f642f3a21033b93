// SPDX-License-Identifier: Apache-2.0
#include "base/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

namespace hearsay {
namespace {

constexpr std::size_t kLeastText = 12;  // narrower text columns would be towers

// Of columns two blanks apart; those that are 0 are left out.
std::size_t total(const std::vector<std::size_t>& widths) {
  std::size_t sum = 0;
  for (const std::size_t width : widths) {
    if (width > 0) sum += width + (sum > 0 ? 2 : 0);
  }
  return sum;
}

// In pieces of at most `width` characters: after a blank, comma, semicolon or plus, else after a mark within a word.
std::vector<std::string> broken(std::string text, std::size_t width) {
  std::vector<std::string> pieces;
  while (text.size() > width) {
    const bool blank_follows = text[width] == ' ';
    std::size_t mark = text.find_last_of(" ,;+", width - 1);
    if (mark == std::string::npos) mark = text.find_last_of("_=-", width - 1);
    const std::size_t cut = blank_follows || mark == std::string::npos ? width : mark + 1;
    pieces.push_back(text.substr(0, cut));
    text.erase(0, cut);
    text.erase(0, text.find_first_not_of(' '));
  }
  pieces.push_back(std::move(text));
  return pieces;
}

}  // namespace

void TextTable::add(std::vector<std::string> cells) {
  assert(cells.size() == columns_.size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::aligned(std::size_t indent) const {
  std::vector<std::size_t> all(columns_.size());
  std::iota(all.begin(), all.end(), 0);
  return lines(widths_of(all, kAnyWidth), indent);
}

std::string TextTable::fitted(std::size_t width, std::size_t keys) const {
  std::vector<std::size_t> columns(columns_.size());
  std::iota(columns.begin(), columns.end(), 0);
  std::string text;
  while (true) {
    // As many as fit, and one besides the keys in any case.
    std::vector<std::size_t> now = columns;
    while (now.size() > keys + 1 && total(widths_of(now, width)) > width) now.pop_back();
    text += (text.empty() ? "" : "\n") + lines(widths_of(now, width), 0);
    if (now.size() == columns.size()) return text;
    columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(keys),
                  columns.begin() + static_cast<std::ptrdiff_t>(now.size()));
  }
}

TextTable::Widths TextTable::widths_of(const std::vector<std::size_t>& columns, std::size_t width) const {
  Widths widths(columns_.size(), 0);
  for (const std::size_t c : columns) {
    widths[c] = columns_[c].title.size();
    for (const auto& row : rows_) widths[c] = std::max(widths[c], row[c].size());
  }
  while (total(widths) > width) {
    std::size_t* widest = nullptr;
    for (const std::size_t c : columns) {
      const bool gives = !columns_[c].right && widths[c] > kLeastText;
      if (gives && (widest == nullptr || widths[c] > *widest)) widest = &widths[c];
    }
    if (widest == nullptr) break;
    --*widest;
  }
  return widths;
}

std::string TextTable::lines(const Widths& widths, std::size_t indent) const {
  std::vector<std::string> titles;
  std::vector<std::string> rules;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    titles.push_back(columns_[c].title);
    rules.emplace_back(widths[c], '-');
  }
  std::string text = part(titles, widths, indent) + part(rules, widths, indent);
  for (const auto& row : rows_) text += part(row, widths, indent);
  return text;
}

// One row, in as many lines as its longest cell needs.
std::string TextTable::part(const std::vector<std::string>& cells, const Widths& widths, std::size_t indent) const {
  std::vector<std::vector<std::string>> pieces;
  std::size_t height = 1;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    pieces.push_back(broken(cells[c], std::max<std::size_t>(widths[c], 1)));
    if (widths[c] > 0) height = std::max(height, pieces.back().size());
  }
  std::string text;
  for (std::size_t i = 0; i < height; ++i) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (widths[c] == 0) continue;
      const std::string piece = i < pieces[c].size() ? pieces[c][i] : "";
      line += line.empty() ? std::string(indent, ' ') : "  ";
      line += columns_[c].right ? fmt::format("{:>{}}", piece, widths[c]) : fmt::format("{:<{}}", piece, widths[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string TextTable::markdown() const {
  std::string titles = "|";
  std::string rules = "|";
  for (const Column& column : columns_) {
    titles += fmt::format(" {} |", column.title);
    rules += column.right ? "---:|" : "---|";
  }
  std::string text = titles + '\n' + rules + '\n';
  for (const auto& row : rows_) {
    text += '|';
    for (const std::string& cell : row) text += fmt::format(" {} |", cell);
    text += '\n';
  }
  return text;
}

std::string with_commas(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string readable_bytes(std::uint64_t bytes) {
  constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (amount >= 1024 && unit + 1 < kUnits.size()) {
    amount /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", amount, kUnits[unit]);
}

}  // namespace hearsay
