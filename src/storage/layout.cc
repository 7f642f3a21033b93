// SPDX-License-Identifier: Apache-2.0
//
// How a file is laid out, by a look at its head.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "base/errors.h"
#include "storage/parquet_footer.h"
#include "storage/plain_bytes.h"
#include "storage/scan_text.h"
#include "storage/sql_text.h"
#include "storage/text_check.h"

namespace hearsay::storage {
namespace {

constexpr std::size_t kKeySample = 1000;
constexpr std::size_t kKeptLine = 4096;  // bytes of a line that is skipped, on average

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

// Where the first line that is not skipped ends, in bytes; nothing where it does not. Names in a header may have line
// breaks between double quotes.
std::optional<std::size_t> end_of_head(std::string_view bytes, const Layout& layout) {
  const std::size_t width = layout.encoding == "utf-16" ? 2 : 1;
  const auto character = [&](std::size_t at) {
    if (at + width > bytes.size()) return '\0';
    return width == 2 && bytes[at + 1] != '\0' ? '?' : bytes[at];
  };
  std::uint32_t line = 0;
  bool quoted = false;
  for (std::size_t at = 0; at + width <= bytes.size(); at += width) {
    const char c = character(at);
    if (c == '"' && layout.header && line == layout.skip) quoted = !quoted;
    if (quoted || !(c == '\n' || (c == '\r' && at + width < bytes.size() && character(at + width) != '\n'))) continue;
    if (line++ == layout.skip) return at + width;
  }
  return std::nullopt;
}

// A file with the head of another, so that no scan of the head comes to rows.
class Head {
 public:
  Head(Database& database, const std::string& file, const Layout& layout) : database_(database), file_(file) {
    PlainBytes bytes(file);
    std::string head;
    std::optional<std::size_t> end;
    for (std::string_view block = bytes.next(); !block.empty() && !end; block = bytes.next()) {
      head += block;
      end = end_of_head(head, layout);
      if (head.size() > layout.skip * kKeptLine + kLongestLine) break;
    }
    QueryRows folder = database.execute("SELECT current_setting('temp_directory')");
    folder.next();
    path_ = (std::filesystem::path(folder.text(0, 0)) / "head").string();
    std::ofstream out(path_, std::ios::binary);
    if (!out.write(head.data(), static_cast<std::streamsize>(end.value_or(head.size()))).flush()) {
      throw ResourceError("no room for temporary files: " + path_);
    }
  }

  // The first row of a scan of it, which lacks its closing parenthesis.
  std::vector<std::string> row(const std::string& scan) {
    std::vector<std::string> values;
    try {
      QueryRows rows = database_.execute(fmt::format("SELECT * FROM {}) LIMIT 1", scan), {literal_paths({path_})});
      const bool found = rows.next();
      for (std::size_t i = 0; found && i < rows.columns(); ++i) values.emplace_back(rows.text(i, 0));
    } catch (const DatabaseError& error) {
      const std::optional<Reject> reject = reject_of(error);
      if (!reject) throw;
      throw InputError({one_line(file_), reject->line, ""}, fmt::format("{}: {}", reject->reason, reject->problem));
    }
    return values;
  }

 private:
  Database& database_;
  const std::string& file_;
  std::string path_;
};

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
std::string first_line_of(Head& head, const Layout& layout, const std::string& file) {
  const std::vector<std::string> line = head.row(lines_scan(layout, 1));
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
  Head head(database, file, layout);
  Layout plain = layout;  // as the head is
  plain.compression = "none";
  const std::string line = first_line_of(head, plain, file);
  layout.delimiter = options.separator != '\0' ? options.separator : find_delimiter(line, options.header);
  const std::size_t fields = fields_of(line, layout.delimiter);
  check_columns(file, fields);
  if (!layout.header) {
    for (std::size_t i = 1; i <= fields; ++i) layout.columns.push_back({std::to_string(i), "VARCHAR"});
    return layout;
  }
  layout.line_header = std::count(line.begin(), line.end(), '"') % 2 == 0;
  plain.delimiter = layout.delimiter;
  for (std::string& name :
       head.row(fmt::format("read_csv($1, header = false, {}, {}", dialect(plain), column_list(fields)))) {
    layout.columns.push_back({std::move(name), "VARCHAR"});
  }
  return layout;
}

Layout read_json_layout(Database& database, const std::string& file, const TextOptions& options) {
  Layout layout{FileKind::kJsonLines, ',', false, false, {}, true};
  read_wrapping(file, options, layout);
  const std::string scan = lines_scan(layout, 1);
  QueryRows keys = database.execute(
      fmt::format("WITH objects AS MATERIALIZED (SELECT list_distinct(TRY(json_keys(line))) AS keys FROM (SELECT line "
                  "FROM {}, ignore_errors = true) LIMIT {})) SELECT key, 2 * count(*) < (SELECT count(keys) FROM "
                  "objects) FROM (SELECT unnest(keys) AS key FROM objects) GROUP BY key ORDER BY key",
                  scan, kKeySample),
      {literal_paths({file})});
  while (keys.next()) {
    for (std::size_t row = 0; row < keys.rows(); ++row) {
      layout.columns.push_back({std::string(keys.text(0, row)), "VARCHAR", keys.values<bool>(1)[row]});
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

}  // namespace

Layout read_layout(Database& database, const std::string& file, const TextOptions& options) {
  try {
    switch (kind_of_file(file)) {
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

}  // namespace hearsay::storage
