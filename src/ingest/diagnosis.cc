// SPDX-License-Identifier: Apache-2.0
#include "ingest/diagnosis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/errors.h"
#include "storage/sql_text.h"

namespace hearsay::ingest {
namespace {

struct FailedCheck {
  std::uint64_t record = 0;
  Check check;
  std::string value;
};

std::optional<FailedCheck> first_failed_check(storage::Database& database, const ReadTable& read,
                                              const std::string& file) {
  const std::vector<Check> checks = row_checks(read.fields);
  std::string value = "CASE bad";
  for (std::size_t i = 0; i < checks.size(); ++i) {
    if (checks[i].column.empty()) continue;
    value += fmt::format(" WHEN {} THEN CAST({} AS VARCHAR)", i + 1, checks[i].column);
  }
  storage::QueryRows rows = database.execute(
      fmt::format(
          "SELECT record, CAST(bad AS BIGINT), {} ELSE '' END FROM (SELECT *, row_number() OVER () AS record FROM "
          "({})) WHERE bad > 0 ORDER BY record LIMIT 1",
          value, checked_rows_sql(read.table.layout, read.fields, 1)),
      {storage::literal_paths({file})});
  if (!rows.next()) return std::nullopt;
  return FailedCheck{static_cast<std::uint64_t>(rows.integer(0, 0)),
                     checks.at(static_cast<std::size_t>(rows.integer(1, 0) - 1)), std::string(rows.text(2, 0))};
}

std::string their_name(const ReadTable& read, const std::string& column) {
  const auto name_of = [&](std::size_t index) { return one_line(read.table.layout.columns[index].name); };
  if (column == "utc_offset" && read.fields.utc_offset) return name_of(*read.fields.utc_offset);
  const auto found = read.fields.columns.find(column);
  return found == read.fields.columns.end() ? column : name_of(found->second);
}

}  // namespace

std::optional<BadRow> find_bad_row(storage::Database& database, const ReadTable& read, const std::string& file) {
  const auto row = first_failed_check(database, read, file);
  const auto reject = storage::first_reject(database, read.table.layout, columns_read(read.fields), file);
  if (!row && !reject) return std::nullopt;
  const storage::RowPlace place =
      storage::locate(database, read.table.layout, file, row ? std::optional(row->record) : std::nullopt, reject);
  if (place.is_reject) {
    return BadRow{{one_line(file), place.line, ""}, fmt::format("{}: {}", reject->reason, reject->problem)};
  }
  const std::string value = row->value.empty() ? "" : quoted_value(row->value) + " ";
  return BadRow{{one_line(file), place.line, their_name(read, row->check.column)}, value + row->check.problem};
}

void throw_first_bad_row(storage::Database& database, const std::vector<ReadTable>& tables,
                         const std::vector<std::string>& files) {
  database.execute("SET threads = 1");
  for (const std::string& file : files) {
    for (const ReadTable& read : tables) {
      const std::vector<std::string>& its_files = read.table.files;
      if (std::find(its_files.begin(), its_files.end(), file) == its_files.end()) continue;
      if (const auto bad = find_bad_row(database, read, file)) throw InputError(bad->place, bad->problem);
    }
  }
  throw InputError({one_line(files.front()), 0, ""},
                   "bad rows were found, but not a second time; did the file change?");
}

}  // namespace hearsay::ingest
