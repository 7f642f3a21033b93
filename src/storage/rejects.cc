// SPDX-License-Identifier: Apache-2.0
//
// Rows of text that do not have the shape of the table, as DuckDB's error says them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "storage/scan_text.h"
#include "storage/sql_text.h"
#include "storage/table_file.h"
#include "storage/text_check.h"

namespace hearsay::storage {
namespace {

constexpr const char* kNotUtf8Problem =
    "if the file is Latin-1, as those of older programs are, set data.encoding = \"latin-1\"; convert it from any "
    "other encoding, such as GB18030 or Shift JIS (iconv -f GB18030 -t UTF-8)";

struct Kind {
  std::string_view text;  // how DuckDB's line about it begins
  const char* reason;
};
constexpr std::array<Kind, 4> kKinds = {{{"Expected Number of Columns: ", ""},
                                         {"Value with unterminated quote", kBadQuoting},
                                         {"Invalid unicode", "not UTF-8"},
                                         {"Maximum line size", kLineTooLong}}};

std::uint64_t number_at(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// "Expected Number of Columns: 3 Found: 2"
const char* reason_of_columns(std::string_view problem) {
  constexpr std::string_view kFound = " Found: ";
  const std::size_t found = problem.find(kFound);
  if (found == std::string_view::npos) return "bad row";
  const std::uint64_t expected = number_at(problem.substr(kKinds[0].text.size()));
  return number_at(problem.substr(found + kFound.size())) < expected ? "too few columns" : "too many columns";
}

}  // namespace

std::optional<Reject> reject_of(const DatabaseError& error) {
  constexpr std::string_view kStart = "CSV Error on Line: ";
  std::string_view message = error.what();
  message.remove_prefix(kind_of(message).size());
  if (!message.starts_with(kStart)) return std::nullopt;
  Reject reject{number_at(message.substr(kStart.size())), "bad row", "does not have the shape of the table"};
  // The row is quoted before the problem and may say anything, so the last line that is one of DuckDB's counts.
  std::size_t last = 0;
  for (const Kind& kind : kKinds) {
    const std::size_t at = message.rfind("\n" + std::string(kind.text));
    if (at == std::string_view::npos || at < last) continue;
    last = at;
    const std::string_view problem = message.substr(at + 1);
    reject.problem = first_line(problem);
    reject.reason = *kind.reason == '\0' ? reason_of_columns(problem) : kind.reason;
  }
  if (reject.reason == "not UTF-8") reject.problem = kNotUtf8Problem;
  return reject;
}

std::optional<Reject> first_reject(Database& database, const Layout& layout, const std::vector<std::size_t>& wanted,
                                   const std::string& file) {
  if (layout.kind == FileKind::kParquet || layout.kind == FileKind::kArrow) return std::nullopt;
  Layout strict = layout;
  strict.strict = true;
  try {
    database.execute(fmt::format("SELECT count(COLUMNS(*)) FROM ({})", scan_sql(strict, wanted, 1)),
                     {literal_paths({file})});
  } catch (const DatabaseError& error) {
    std::optional<Reject> reject = reject_of(error);
    if (!reject) throw;
    return reject;
  }
  return std::nullopt;
}

RowPlace locate(Database& database, const Layout& layout, const std::string& file, std::optional<std::uint64_t> record,
                const std::optional<Reject>& reject) {
  if (layout.kind == FileKind::kParquet || layout.kind == FileKind::kArrow) return {record.value_or(0), false};
  Layout whole = layout;
  whole.skip = 0;
  QueryRows lines = database.stream(fmt::format("SELECT line FROM {}, ignore_errors = true)", lines_scan(whole, 1)),
                                    {literal_paths({file})});
  std::uint64_t physical = 0;
  std::uint64_t logical = 0;
  std::uint64_t records = 0;
  bool in_quotes = false;
  while (lines.next()) {
    for (std::size_t row = 0; row < lines.rows(); ++row) {
      const std::string_view line = lines.text(0, row);
      ++physical;
      if (physical <= layout.skip) {
        ++logical;
        continue;
      }
      if (!in_quotes) {
        ++logical;
        if (reject && logical == reject->line) return {physical, true};
        const bool is_header = layout.header && logical == layout.skip + 1;
        if (!line.empty() && !is_header && record && ++records == *record) return {physical, false};
      }
      if (layout.quotes && std::count(line.begin(), line.end(), '"') % 2 != 0) in_quotes = !in_quotes;
    }
  }
  // Only a line that cannot be read as text is missing here.
  return {physical + 1, reject.has_value()};
}

}  // namespace hearsay::storage
