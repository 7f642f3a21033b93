// SPDX-License-Identifier: Apache-2.0
#include "storage/table_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "base/errors.h"
#include "base/regular_file.h"
#include "storage/parquet_footer.h"
#include "storage/sql_text.h"

namespace hearsay::storage {
namespace {

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

// What a scan must know of a file besides its dialect.
std::string wrapping(const Layout& layout) {
  std::string options;
  if (layout.skip > 0) options += fmt::format(", skip = {}", layout.skip);
  if (!layout.encoding.empty()) options += fmt::format(", encoding = '{}'", layout.encoding);
  if (!layout.compression.empty()) options += fmt::format(", compression = '{}'", layout.compression);
  return options;
}

// One VARCHAR column `line` a physical line, header and all, over the files bound to $parameter; the closing
// parenthesis is left to the caller. Where the control character used as delimiter is in a line, the line ends there
// or, if strict, fails the scan.
std::string lines_scan(const Layout& layout, std::size_t parameter, bool strict = false, bool header = false) {
  return fmt::format(
      "read_csv(${}, auto_detect = false, delim = '\x01', quote = '', escape = '', strict_mode = {}, columns = "
      "{{'line': 'VARCHAR'}}, header = {}{}",
      parameter, strict, header, wrapping(layout));
}

std::string dialect(const Layout& layout) {
  const std::string quote = layout.quotes ? "'\"'" : "''";
  const std::string delimiter = sql_literal(std::string(1, layout.delimiter));
  return fmt::format("auto_detect = false, delim = {}, quote = {}, escape = {}{}", delimiter, quote, quote,
                     wrapping(layout));
}

std::string column_list(std::size_t count) {
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < count; ++i) columns.push_back(fmt::format("'c{}': 'VARCHAR'", i));
  return fmt::format("columns = {{{}}}", fmt::join(columns, ", "));
}

std::size_t fields_of(std::string_view line, char delimiter) {
  bool quoted = false;
  std::size_t count = 1;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == delimiter && !quoted) ++count;
  }
  return count;
}

// The delimiter is the likely one that the first line has most of; a sniffer that looks at the rows as well can be led
// astray by a bad row. In a row of data a comma may be one of decimals.
char find_delimiter(std::string_view line, bool header) {
  const std::string_view candidates = header ? ",;\t|" : ";\t|,";
  char best = candidates.front();
  for (const char candidate : candidates) {
    if (fields_of(line, candidate) > fields_of(line, best)) best = candidate;
  }
  return best;
}

// The first row of a query over the head of a file. A scan looks further than the row asked for, so bad rows beyond it
// are put aside; they are found again when the whole is read.
std::vector<std::string> head_row(Database& database, const std::string& scan, const std::string& file,
                                  std::uint64_t line) {
  clear_rejects(database);
  std::vector<std::string> values;
  {
    QueryRows head =
        database.execute(fmt::format("SELECT * FROM {}, store_rejects = true) LIMIT 1", scan), {literal_paths({file})});
    const bool found = head.next();
    for (std::size_t i = 0; found && i < head.columns(); ++i) values.emplace_back(head.text(i, 0));
  }
  if (const auto reject = first_reject(database); reject && reject->line == line) {
    throw InputError({one_line(file), line, ""}, fmt::format("{}: {}", reject->reason, reject->problem));
  }
  return values;
}

void check_columns(const std::string& file, std::size_t columns) {
  if (columns <= kMostColumns) return;
  throw InputError({one_line(file), 0, ""}, fmt::format("{} columns; at most {} are read", columns, kMostColumns));
}

// What the first bytes of a file say, whatever its name.
void read_wrapping(const std::string& file, const TextOptions& options, Layout& layout) {
  std::array<char, 6> bytes{};
  std::ifstream stream(file, std::ios::binary);
  stream.read(bytes.data(), bytes.size());
  const std::string_view head(bytes.data(), static_cast<std::size_t>(stream.gcount()));
  const std::string ending = normalized_name(std::filesystem::path(file).extension().string());
  const bool gzip = head.starts_with("\x1f\x8b");
  const bool zstd = head.starts_with("\x28\xb5\x2f\xfd");
  if (gzip != (ending == ".gz") || zstd != (ending == ".zst")) {
    layout.compression = gzip ? "gzip" : zstd ? "zstd" : "none";
  }
  if (head.starts_with("BZh")) {
    throw InputError({one_line(file), 0, ""}, "is compressed by bzip2, which is not read; unpack it (bunzip2)");
  }
  if (head.starts_with("PK\x03\x04")) {
    throw InputError({one_line(file), 0, ""}, "is a zip archive, which is not read; unpack it (unzip)");
  }
  if (head.starts_with("\xfd"
                       "7zXZ")) {
    throw InputError({one_line(file), 0, ""}, "is compressed by xz, which is not read; unpack it (unxz)");
  }
  if (head.starts_with("\xfe\xff")) {
    throw InputError({one_line(file), 0, ""},
                     "is UTF-16 with the large byte first, which is not read; convert it to UTF-8 (iconv -f UTF-16)");
  }
  layout.encoding = options.encoding == "utf-8" ? "" : options.encoding;
  if (options.encoding.empty() && head.starts_with("\xff\xfe")) layout.encoding = "utf-16";
}

// The line that names the columns, or the first row where none does.
std::string first_line_of(Database& database, const Layout& layout, const std::string& file) {
  const std::vector<std::string> line = head_row(database, lines_scan(layout, 1), file, layout.skip + 1);
  if (line.empty() || line.front().empty()) {
    throw InputError({one_line(file), 0, ""},
                     layout.header ? "no rows: expected a first line with the names of the columns" : "no rows");
  }
  if (line.front().find('\0') != std::string::npos) {
    throw InputError({one_line(file), layout.skip + 1, ""},
                     "has zero bytes: it is not text, or UTF-16 (then set data.encoding = \"utf-16\")");
  }
  return line.front();
}

Layout read_delimited_layout(Database& database, const std::string& file, const TextOptions& options) {
  Layout layout;
  layout.header = options.header;
  layout.skip = options.skip;
  read_wrapping(file, options, layout);
  const std::string line = first_line_of(database, layout, file);
  layout.delimiter = options.separator != '\0' ? options.separator : find_delimiter(line, options.header);
  const std::size_t fields = fields_of(line, layout.delimiter);
  check_columns(file, fields);
  if (!layout.header) {
    for (std::size_t i = 1; i <= fields; ++i) layout.columns.push_back({std::to_string(i), "VARCHAR"});
    return layout;
  }
  layout.line_header = std::count(line.begin(), line.end(), '"') % 2 == 0;
  const std::string scan = fmt::format("read_csv($1, header = false, {}, {}", dialect(layout), column_list(fields));
  for (std::string& name : head_row(database, scan, file, layout.skip + 1)) {
    layout.columns.push_back({std::move(name), "VARCHAR"});
  }
  return layout;
}

Layout read_json_layout(Database& database, const std::string& file, const TextOptions& options) {
  Layout layout{FileKind::kJsonLines, ',', false, false, {}, true};
  read_wrapping(file, options, layout);
  const std::string scan = lines_scan(layout, 1);
  QueryRows keys = database.execute(
      fmt::format("SELECT DISTINCT key FROM (SELECT unnest(TRY(json_keys(line))) AS key FROM (SELECT line FROM {}, "
                  "ignore_errors = true) LIMIT {})) ORDER BY key",
                  scan, kKeySample),
      {literal_paths({file})});
  while (keys.next()) {
    for (std::size_t row = 0; row < keys.rows(); ++row) {
      layout.columns.push_back({std::string(keys.text(0, row)), "VARCHAR"});
    }
  }
  check_columns(file, layout.columns.size());
  if (!layout.columns.empty()) return layout;
  QueryRows lines =
      database.execute(fmt::format("SELECT line FROM {}, ignore_errors = true) WHERE trim(line) <> '' LIMIT 1", scan),
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
  return fmt::format(
      "SELECT {}, path, fields IS NULL AS broken FROM (SELECT TRY(json_extract_string(line, [{}])) AS fields, filename "
      "AS path FROM {}, filename = true, store_rejects = true) WHERE trim(line) <> '')",
      fmt::join(columns, ", "), fmt::join(pointers, ", "), lines_scan(layout, parameter));
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

void check_name(const std::string& path) {
  if (!is_utf8(path)) throw InputError({one_line(path), 0, ""}, "its name is not UTF-8; rename it");
}

std::vector<std::string> expand_path(Database& database, const std::string& path) {
  check_name(path);
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) {
    throw InputError({one_line(path), 0, ""},
                     "is a directory; expected a file, or a pattern such as " + one_line(path) + "/*.csv");
  }
  require_regular_file(path);
  if (std::filesystem::exists(status)) return {path};
  if (!has_pattern(path)) throw InputError({one_line(path), 0, ""}, "no such file");
  std::vector<std::string> files;
  QueryRows found = database.execute("SELECT file FROM glob($1) ORDER BY file", {path});
  while (found.next()) {
    for (std::size_t row = 0; row < found.rows(); ++row) files.emplace_back(found.text(0, row));
  }
  if (files.empty()) throw InputError({one_line(path), 0, ""}, "no file matches");
  for (const std::string& file : files) require_regular_file(file);
  return files;
}

Layout read_layout(Database& database, const std::string& file, const TextOptions& options) {
  try {
    switch (kind_of(file)) {
      case FileKind::kParquet:
        return read_parquet_layout(database, file);
      case FileKind::kJsonLines:
        return read_json_layout(database, file, options);
      case FileKind::kDelimited:
      case FileKind::kArrow:  // has no file
        break;
    }
    return read_delimited_layout(database, file, options);
  } catch (const DatabaseError& error) {
    throw InputError({one_line(file), 0, ""}, first_line(error.what()));
  }
}

std::vector<Table> open_tables(Database& database, const std::vector<std::string>& files, const TextOptions& options) {
  std::vector<Table> tables;
  for (const std::string& file : files) {
    Layout layout = read_layout(database, file, options);
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
    return layout.kind == FileKind::kArrow
               ? fmt::format("SELECT {}, '' AS path, false AS broken FROM read_arrow(${})", fmt::join(columns, ", "),
                             parameter)
               : fmt::format("SELECT {}, filename AS path, false AS broken FROM read_parquet(${})",
                             fmt::join(columns, ", "), parameter);
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
  return fmt::format("SELECT line, filename AS path FROM {}, filename = true)",
                     lines_scan(layout, parameter, true, layout.header));
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
