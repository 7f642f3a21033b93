// SPDX-License-Identifier: Apache-2.0
//
// Tables in files: CSV and its kin, JSON lines, Parquet; each also as .gz or .zst where that makes sense. The kind goes
// by the name's ending; what is neither JSON nor Parquet is delimited text.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "storage/database.h"
#include "storage/text_options.h"

namespace hearsay::storage {

enum class FileKind { kDelimited, kJsonLines, kParquet, kArrow };

// More than these is a slip: refused before any memory is taken for them.
inline constexpr std::size_t kMostColumns = 10'000;

struct TableColumn {
  std::string name;
  std::string type = "VARCHAR";  // DuckDB's name for it
  bool rare = false;             // a key that fewer than half of the first JSON objects have
  bool operator==(const TableColumn&) const = default;
};

struct Layout {
  FileKind kind = FileKind::kDelimited;
  char delimiter = ',';
  bool header = true;
  bool quotes = true;
  std::vector<TableColumn> columns;
  bool line_header = true;       // the header is one line: no name in it has a line break
  std::uint32_t skip = 0;        // lines before the header
  std::string encoding = {};     // as DuckDB calls it; empty: UTF-8
  std::string compression = {};  // as DuckDB calls it, where it is not what the name says
  bool strict = false;           // a row that does not have the shape of the table fails a scan; else it is left out
  bool operator==(const Layout&) const = default;
};

// Whether its files have lines, one for each row.
inline bool is_text(const Layout& layout) {
  return layout.kind == FileKind::kDelimited || layout.kind == FileKind::kJsonLines;
}

// Files that have the same layout, and so can be read by one scan.
struct Table {
  Layout layout;
  std::vector<std::string> files;
};

// Throws InputError where the name of a file is not text to the database.
void check_name(const std::string& path);

// Files that a path (a file, or a pattern) stands for, sorted. Throws InputError where there is none.
std::vector<std::string> expand_path(Database& database, const std::string& path);

// Looks at the head of the file. Throws InputError where it is empty or not of its kind.
Layout read_layout(Database& database, const std::string& file, const TextOptions& options = {});

// The tables of these files, one for each layout.
std::vector<Table> open_tables(Database& database, const std::vector<std::string>& files,
                               const TextOptions& options = {});

// Paths as the scans take them: none of their characters is taken for a pattern.
std::vector<std::string> literal_paths(const std::vector<std::string>& files);

// SQL of a subquery over the files bound to parameter $N. It has the columns c0, c1, ... for the `wanted` indices, in
// their own type, `path` for the file's name, and `broken`, true where a JSON line is not JSON. layout.strict says what
// becomes of a row that does not have the shape of the table.
std::string scan_sql(const Layout& layout, const std::vector<std::size_t>& wanted, std::size_t parameter);

// SQL of a subquery over the same files that gives their lines but the header, as `line`, and the file's name as
// `path`. For delimited text whose header is one line. A line that is not UTF-8 fails it.
std::string lines_sql(const Layout& layout, std::size_t parameter);

// About how many rows the files have: as Parquet says, else by their size and the length of their first lines; 0 for
// compressed text.
std::uint64_t rows_by_size(Database& database, const std::vector<std::string>& files);

// A row that fails a strict scan.
struct Reject {
  std::uint64_t line = 0;  // DuckDB's count: a quoted value with line breaks counts as one line
  std::string reason;
  std::string problem;
};

// What the error of a strict scan says of a row; nothing where it is about something else.
std::optional<Reject> reject_of(const DatabaseError& error);

// The first such row of a file, where these columns are read; nothing where there is none. On one thread (SET threads =
// 1), or it may be another than the first. Nothing is kept of later ones: a list of them would take a thousand times
// the memory of the rows.
std::optional<Reject> first_reject(Database& database, const Layout& layout, const std::vector<std::size_t>& wanted,
                                   const std::string& file);

// A row, as physical line of its file (Parquet and Arrow: record), starting at 1.
struct RowPlace {
  std::uint64_t line = 0;
  bool is_reject = false;
};

// Which comes first, the `record`-th row that a scan of this file gave (from 1), or the reject, and where.
RowPlace locate(Database& database, const Layout& layout, const std::string& file, std::optional<std::uint64_t> record,
                const std::optional<Reject>& reject);

}  // namespace hearsay::storage
