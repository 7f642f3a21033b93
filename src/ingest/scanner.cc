// SPDX-License-Identifier: Apache-2.0
#include "ingest/scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "base/errors.h"
#include "ingest/line_parser.h"
#include "storage/sql_text.h"
#include "storage/table_file.h"

namespace hearsay::ingest {
namespace {

// Why the quick way through a table was given up.
class OddLine : public std::runtime_error {
 public:
  OddLine() : std::runtime_error("a line that is not an ordinary one") {}
};

}  // namespace

Scanner::Scanner(storage::Database& database, const std::vector<ReadTable>& tables, const Placing& placing,
                 const Options& options, const std::string& name)
    : database_(database),
      tables_(tables),
      options_(options),
      name_(name),
      checks_(row_checks(tables.front().fields)),
      sink_(placing, checks_.size()) {}

bool Scanner::scan_all_lines() {
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const storage::Layout& layout = tables_[i].table.layout;
    const bool may_be_ordinary =
        layout.kind == storage::FileKind::kDelimited && layout.line_header && tables_[i].fields.plain();
    if (may_be_ordinary && scan_lines(i)) continue;
    sink_.clear();
    return false;
  }
  return true;
}

Scanner::End Scanner::scan_all_rows(bool until_odd_time, bool strict) {
  sink_.clear();
  rows_of_text_ = 0;
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const End end = scan_rows(i, until_odd_time, strict);
    if (end == End::kAll) continue;
    sink_.clear();
    return end;
  }
  return End::kAll;
}

bool Scanner::scan_lines(std::size_t table) {
  const LineParser parser(tables_[table].table.layout, tables_[table].fields);
  const Fields& fields = tables_[table].fields;
  const bool by_path = !fields.columns.contains("uid");
  const std::string name = fmt::format("take_lines_{}", table);
  database_.add_consumer(name, {DUCKDB_TYPE_VARCHAR, DUCKDB_TYPE_VARCHAR}, [&, parser](const storage::Chunk& chunk) {
    LineParser lines_of_chunk = parser;
    Collector& collector = sink_.collector();
    const auto* lines = chunk.values<duckdb_string_t>(0);
    const auto* paths = chunk.values<duckdb_string_t>(1);
    const bool blanks = chunk.has_nulls(0);
    std::string_view path;
    std::string_view user;
    for (std::size_t row = 0; row < chunk.rows(); ++row) {
      if (blanks && chunk.is_null(0, row)) continue;
      const std::string_view line = storage::view_of(lines[row]);
      if (line.empty()) continue;
      // Rows of a file follow each other.
      if (const std::string_view next = storage::view_of(paths[row]); by_path && next.data() != path.data()) {
        path = next;
        user = user_of_path(path, fields);
      }
      if (lines_of_chunk.parse(line, user, collector)) continue;
      throw OddLine();
    }
    collector.flush();
  });
  try {
    query(fmt::format("SELECT max({}(line, path)) FROM ({})", name, storage::lines_sql(tables_[table].table.layout, 1)),
          table);
  } catch (const storage::DatabaseError&) {
    return false;  // if it is not an odd line, the careful way says what it is
  }
  return true;
}

Scanner::End Scanner::scan_rows(std::size_t table, bool until_odd_time, bool strict) {
  const std::string name = fmt::format("take_rows_{}_{}_{}", table, until_odd_time, strict);
  ReadTable read = tables_[table];
  read.table.layout.strict = strict;
  const Fields& fields = tables_[table].fields;
  const bool text = storage::is_text(read.table.layout);
  std::atomic<bool> odd = false;
  database_.add_consumer(name, consumer_columns(fields), [&](const storage::Chunk& chunk) {
    Collector& collector = sink_.collector();
    take_rows(chunk, fields, collector);
    if (text) rows_of_text_ += chunk.rows();
    for (std::size_t i = 0; until_odd_time && i < checks_.size(); ++i) {
      if (!checks_[i].odd_time || collector.bad(i) == 0) continue;
      odd = true;
      throw OddLine();
    }
  });
  try {
    query(take_rows_sql(read, name), table);
  } catch (const storage::DatabaseError& error) {
    if (odd) return End::kOddTime;
    if (strict && storage::reject_of(error)) return End::kMalformedRow;
    // DuckDB's text names the file where there are several.
    throw InputError({one_line(name_), 0, ""}, storage::first_line(error.what()));
  }
  return End::kAll;
}

void Scanner::query(const std::string& sql, std::size_t table) {
  storage::QueryProgress progress;
  if (options_.progress) {
    progress = [&](double percent) {
      const double whole =
          (static_cast<double>(table) * 100 + std::clamp(percent, 0.0, 100.0)) / static_cast<double>(tables_.size());
      options_.progress("reading", static_cast<std::uint64_t>(whole), 100);
    };
  }
  database_.execute(sql, {storage::literal_paths(tables_[table].table.files)}, progress);
}

Facts Scanner::facts() const {
  const SinkCounts counts = sink_.counts();
  Facts facts = counts.facts;
  for (std::size_t i = 0; i < checks_.size(); ++i) {
    if (counts.bad[i] > 0) facts.bad_rows[checks_[i].reason] += counts.bad[i];
  }
  facts.rows = tables_.front().fields.ends() ? facts.events / 2 : facts.events;
  for (const auto& [reason, count] : facts.bad_rows) facts.rows += count;
  return facts;
}

}  // namespace hearsay::ingest
