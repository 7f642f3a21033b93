// SPDX-License-Identifier: Apache-2.0
#include "storage/table_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/errors.h"
#include "storage/parquet_footer.h"
#include "storage/sql_text.h"

namespace hearsay::storage {
namespace {

// One VARCHAR column `line` a physical line, which ends at the control character used as delimiter if it is in there.
constexpr const char* kLines =
    "read_csv($1, auto_detect = false, delim = '\x01', quote = '', escape = '', strict_mode = false, "
    "columns = {'line': 'VARCHAR'}, header = false";
constexpr std::size_t kKeySample = 1000;
constexpr std::size_t kHeadBytes = std::size_t{1} << 16;

bool has_pattern(const std::string& path) {
  return path.find_first_of("*?[") != std::string::npos;
}

FileKind kind_of(const std::string& file) {
  std::filesystem::path name = normalized_name(std::filesystem::path(file).filename().string());
  if (name.extension() == ".gz" || name.extension() == ".zst") name = name.stem();
  const std::string extension = name.extension().string();
  if (extension == ".parquet" || extension == ".pq") return FileKind::kParquet;
  if (extension == ".jsonl" || extension == ".ndjson" || extension == ".json") return FileKind::kJsonLines;
  return FileKind::kDelimited;
}

std::string dialect(const Layout& layout) {
  const std::string quote = layout.quotes ? "'\"'" : "''";
  return fmt::format("auto_detect = false, delim = '{}', quote = {}, escape = {}", layout.delimiter, quote, quote);
}

std::string column_list(std::size_t count) {
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < count; ++i) columns.push_back(fmt::format("'c{}': 'VARCHAR'", i));
  return fmt::format("columns = {{{}}}", fmt::join(columns, ", "));
}

// The delimiter is the likely one that the header has most of; a sniffer that looks at the rows as well can be led
// astray by a bad row.
char find_delimiter(std::string_view header, std::size_t& fields) {
  char best = ',';
  fields = 1;
  for (const char candidate : {',', ';', '\t', '|'}) {
    bool quoted = false;
    std::size_t count = 1;
    for (const char c : header) {
      if (c == '"') quoted = !quoted;
      if (c == candidate && !quoted) ++count;
    }
    if (count > fields) {
      best = candidate;
      fields = count;
    }
  }
  return best;
}

// The first row of a query over the head of a file. A scan looks further than the row asked for, so bad rows beyond it
// are put aside; they are found again when the whole is read.
std::vector<std::string> head_row(Database& database, const std::string& scan, const std::string& file) {
  clear_rejects(database);
  std::vector<std::string> values;
  {
    QueryRows head =
        database.execute(fmt::format("SELECT * FROM {}, store_rejects = true) LIMIT 1", scan), {literal_paths({file})});
    const bool found = head.next();
    for (std::size_t i = 0; found && i < head.columns(); ++i) values.emplace_back(head.text(i, 0));
  }
  if (const auto reject = first_reject(database); reject && reject->line == 1) {
    throw InputError({one_line(file), 1, ""}, fmt::format("{}: {}", reject->reason, reject->problem));
  }
  return values;
}

void check_columns(const std::string& file, std::size_t columns) {
  if (columns <= kMostColumns) return;
  throw InputError({one_line(file), 0, ""}, fmt::format("{} columns; at most {} are read", columns, kMostColumns));
}

Layout read_delimited_layout(Database& database, const std::string& file) {
  Layout layout;
  const std::vector<std::string> line = head_row(database, kLines, file);
  if (line.empty() || line.front().empty()) {
    throw InputError({one_line(file), 0, ""}, "no rows: expected a first line with the names of the columns");
  }
  std::size_t fields = 0;
  layout.delimiter = find_delimiter(line.front(), fields);
  check_columns(file, fields);
  layout.line_header = std::count(line.front().begin(), line.front().end(), '"') % 2 == 0;
  const std::string scan = fmt::format("read_csv($1, header = false, {}, {}", dialect(layout), column_list(fields));
  for (std::string& name : head_row(database, scan, file)) layout.columns.push_back({std::move(name), "VARCHAR"});
  return layout;
}

Layout read_json_layout(Database& database, const std::string& file) {
  Layout layout{FileKind::kJsonLines, ',', false, false, {}, true};
  QueryRows keys = database.execute(
      fmt::format("SELECT DISTINCT key FROM (SELECT unnest(TRY(json_keys(line))) AS key FROM (SELECT line FROM {}, "
                  "ignore_errors = true) LIMIT {})) ORDER BY key",
                  kLines, kKeySample),
      {literal_paths({file})});
  while (keys.next()) {
    for (std::size_t row = 0; row < keys.rows(); ++row) {
      layout.columns.push_back({std::string(keys.text(0, row)), "VARCHAR"});
    }
  }
  check_columns(file, layout.columns.size());
  if (!layout.columns.empty()) return layout;
  QueryRows lines =
      database.execute(fmt::format("SELECT line FROM {}, ignore_errors = true) WHERE trim(line) <> '' LIMIT 1", kLines),
                       {literal_paths({file})});
  if (!lines.next()) throw InputError({one_line(file), 0, ""}, "no rows");
  throw InputError({one_line(file), 1, ""},
                   quoted_value(lines.text(0, 0)) + " is not a JSON object; expected one a line");
}

Layout read_parquet_layout(Database& database, const std::string& file) {
  Layout layout{FileKind::kParquet, ',', false, false, {}, true};
  check_parquet_footer(file);
  QueryRows described = database.execute(
      "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_parquet($1))", {literal_paths({file})});
  while (described.next()) {
    for (std::size_t row = 0; row < described.rows(); ++row) {
      layout.columns.push_back({std::string(described.text(0, row)), std::string(described.text(1, row))});
    }
  }
  check_columns(file, layout.columns.size());
  return layout;
}

std::string json_pointer(const std::string& key) {
  std::string pointer = "/";
  for (const char c : key) pointer += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return sql_literal(pointer);
}

std::string json_scan_sql(const Layout& layout, const std::vector<std::size_t>& wanted, std::size_t parameter) {
  std::vector<std::string> pointers;
  std::vector<std::string> columns;
  for (const std::size_t column : wanted) {
    pointers.push_back(json_pointer(layout.columns[column].name));
    columns.push_back(fmt::format("fields[{}] AS c{}", pointers.size(), column));
  }
  std::string lines = kLines;
  lines.replace(lines.find("$1"), 2, fmt::format("${}", parameter));
  return fmt::format(
      "SELECT {}, '' AS path, fields IS NULL AS broken FROM (SELECT TRY(json_extract_string(line, [{}])) AS fields "
      "FROM "
      "{}, store_rejects = true) WHERE trim(line) <> '')",
      fmt::join(columns, ", "), fmt::join(pointers, ", "), lines);
}

std::string reject_reason(std::string_view type) {
  if (type == "MISSING COLUMNS") return "too few columns";
  if (type == "TOO MANY COLUMNS") return "too many columns";
  if (type == "UNQUOTED VALUE") return "bad quoting";
  if (type == "INVALID ENCODING") return "not UTF-8";
  if (type == "LINE SIZE OVER MAXIMUM") return "line too long";
  return "bad row";
}

bool has_reject_table(Database& database) {
  QueryRows found = database.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = 'reject_errors'");
  return found.next();
}

}  // namespace

std::vector<std::string> literal_paths(const std::vector<std::string>& files) {
  std::vector<std::string> literals;
  for (const std::string& file : files) {
    std::string literal;
    for (const char c : file) {
      if (c == '*' || c == '?' || c == '[') {
        literal += {'[', c, ']'};
      } else {
        literal += c;
      }
    }
    literals.push_back(std::move(literal));
  }
  return literals;
}

std::vector<std::string> expand_path(Database& database, const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) {
    throw InputError({one_line(path), 0, ""},
                     "is a directory; expected a file, or a pattern such as " + one_line(path) + "/*.csv");
  }
  if (std::filesystem::exists(status)) return {path};
  if (!has_pattern(path)) throw InputError({one_line(path), 0, ""}, "no such file");
  std::vector<std::string> files;
  QueryRows found = database.execute("SELECT file FROM glob($1) ORDER BY file", {path});
  while (found.next()) {
    for (std::size_t row = 0; row < found.rows(); ++row) files.emplace_back(found.text(0, row));
  }
  if (files.empty()) throw InputError({one_line(path), 0, ""}, "no file matches");
  return files;
}

Layout read_layout(Database& database, const std::string& file) {
  try {
    switch (kind_of(file)) {
      case FileKind::kParquet:
        return read_parquet_layout(database, file);
      case FileKind::kJsonLines:
        return read_json_layout(database, file);
      case FileKind::kDelimited:
      case FileKind::kArrow:  // has no file
        break;
    }
    return read_delimited_layout(database, file);
  } catch (const DatabaseError& error) {
    throw InputError({one_line(file), 0, ""}, first_line(error.what()));
  }
}

std::vector<Table> open_tables(Database& database, const std::vector<std::string>& files) {
  std::vector<Table> tables;
  for (const std::string& file : files) {
    Layout layout = read_layout(database, file);
    const auto same =
        std::find_if(tables.begin(), tables.end(), [&](const Table& table) { return table.layout == layout; });
    if (same != tables.end()) {
      same->files.push_back(file);
    } else {
      tables.push_back({std::move(layout), {file}});
    }
  }
  return tables;
}

std::string scan_sql(const Layout& layout, const std::vector<std::size_t>& wanted, std::size_t parameter) {
  if (layout.kind == FileKind::kJsonLines) return json_scan_sql(layout, wanted, parameter);
  std::vector<std::string> columns;
  if (layout.kind == FileKind::kParquet || layout.kind == FileKind::kArrow) {
    for (const std::size_t column : wanted) {
      std::string name = layout.columns[column].name;
      for (std::size_t i = 0; (i = name.find('"', i)) != std::string::npos; i += 2) name.insert(i, 1, '"');
      columns.push_back(fmt::format("\"{}\" AS c{}", name, column));
    }
    return fmt::format("SELECT {}, '' AS path, false AS broken FROM {}(${})", fmt::join(columns, ", "),
                       layout.kind == FileKind::kArrow ? "read_arrow" : "read_parquet", parameter);
  }
  for (const std::size_t column : wanted) columns.push_back(fmt::format("c{}", column));
  // A table of one column takes blank lines for values.
  const std::string blank = layout.columns.size() == 1 ? " WHERE c0 IS NOT NULL" : "";
  return fmt::format(
      "SELECT {}, filename AS path, false AS broken FROM read_csv(${}, header = {}, {}, {}, filename = true, "
      "store_rejects = true){}",
      fmt::join(columns, ", "), parameter, layout.header, dialect(layout), column_list(layout.columns.size()), blank);
}

std::string lines_sql(const Layout& layout, std::size_t parameter) {
  std::string lines = kLines;
  lines.replace(lines.find("$1"), 2, fmt::format("${}", parameter));
  if (layout.header) lines.replace(lines.rfind("false"), 5, "true");
  // A line with the delimiter in it fails the scan; it is not cut short.
  lines.replace(lines.find("strict_mode = false"), 19, "strict_mode = true");
  return fmt::format("SELECT line, filename AS path FROM {}, filename = true)", lines);
}

std::uint64_t rows_by_size(Database& database, const std::vector<std::string>& files) {
  std::uint64_t rows = 0;
  std::vector<std::string> parquet;
  std::vector<char> head(kHeadBytes);
  for (const std::string& file : files) {
    if (kind_of(file) == FileKind::kParquet) {
      parquet.push_back(file);
      continue;
    }
    const std::string extension = normalized_name(std::filesystem::path(file).extension().string());
    std::error_code error;
    const std::uint64_t bytes = std::filesystem::file_size(file, error);
    if (error || extension == ".gz" || extension == ".zst") continue;
    std::ifstream stream(file, std::ios::binary);
    stream.read(head.data(), static_cast<std::streamsize>(head.size()));
    const auto lines = std::count(head.begin(), head.begin() + stream.gcount(), '\n');
    if (lines > 0) rows += bytes * static_cast<std::uint64_t>(lines) / static_cast<std::uint64_t>(stream.gcount());
  }
  if (parquet.empty()) return rows;
  try {
    QueryRows total =
        database.execute("SELECT sum(num_rows)::BIGINT FROM parquet_file_metadata($1)", {literal_paths(parquet)});
    // A broken file may say anything.
    if (total.next()) rows += static_cast<std::uint64_t>(std::max<std::int64_t>(total.integer(0, 0), 0));
  } catch (const DatabaseError&) {  // reading the file says what is wrong with it
  }
  return rows;
}

void clear_rejects(Database& database) {
  database.execute("DROP TABLE IF EXISTS reject_errors");
  database.execute("DROP TABLE IF EXISTS reject_scans");
}

std::map<std::string, std::uint64_t> count_rejects(Database& database) {
  std::map<std::string, std::uint64_t> counts;
  if (!has_reject_table(database)) return counts;
  // A row can have several errors; the first says what is wrong with it.
  QueryRows rejects = database.execute(
      "SELECT type, count(*) FROM (SELECT arg_min(error_type::VARCHAR, byte_position) AS type FROM reject_errors "
      "GROUP BY scan_id, file_id, line) GROUP BY type");
  while (rejects.next()) {
    for (std::size_t row = 0; row < rejects.rows(); ++row) {
      counts[reject_reason(rejects.text(0, row))] += static_cast<std::uint64_t>(rejects.integer(1, row));
    }
  }
  return counts;
}

std::optional<Reject> first_reject(Database& database) {
  if (!has_reject_table(database)) return std::nullopt;
  QueryRows rejects = database.execute(
      "SELECT line::BIGINT, error_type::VARCHAR, error_message FROM reject_errors "
      "ORDER BY line, byte_position LIMIT 1");
  if (!rejects.next()) return std::nullopt;
  return Reject{static_cast<std::uint64_t>(rejects.integer(0, 0)), reject_reason(rejects.text(1, 0)),
                first_line(rejects.text(2, 0))};
}

RowPlace locate(Database& database, const Layout& layout, const std::string& file, std::optional<std::uint64_t> record,
                const std::optional<Reject>& reject) {
  if (layout.kind == FileKind::kParquet || layout.kind == FileKind::kArrow) return {record.value_or(0), false};
  QueryRows lines =
      database.stream(fmt::format("SELECT line FROM {}, ignore_errors = true)", kLines), {literal_paths({file})});
  std::uint64_t physical = 0;
  std::uint64_t logical = 0;
  std::uint64_t records = 0;
  bool in_quotes = false;
  while (lines.next()) {
    for (std::size_t row = 0; row < lines.rows(); ++row) {
      const std::string_view line = lines.text(0, row);
      ++physical;
      if (!in_quotes) {
        ++logical;
        if (reject && logical == reject->line) return {physical, true};
        const bool is_header = layout.header && logical == 1;
        if (!line.empty() && !is_header && record && ++records == *record) return {physical, false};
      }
      if (layout.quotes && std::count(line.begin(), line.end(), '"') % 2 != 0) in_quotes = !in_quotes;
    }
  }
  // Only a line that cannot be read as text is missing here.
  return {physical + 1, reject.has_value()};
}

}  // namespace hearsay::storage
