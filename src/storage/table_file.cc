// SPDX-License-Identifier: Apache-2.0
#include "storage/table_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/errors.h"
#include "base/regular_file.h"
#include "storage/scan_text.h"
#include "storage/sql_text.h"

namespace hearsay::storage {
namespace {

constexpr std::size_t kHeadBytes = std::size_t{1} << 16;

bool has_pattern(const std::string& path) {
  return path.find_first_of("*?[") != std::string::npos;
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
      "AS path FROM {}, filename = true, ignore_errors = {}) WHERE trim(line) <> '')",
      fmt::join(columns, ", "), fmt::join(pointers, ", "), lines_scan(layout, parameter), !layout.strict);
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
      "ignore_errors = {}){}",
      fmt::join(columns, ", "), parameter, layout.header, dialect(layout), column_list(layout.columns.size()),
      !layout.strict, blank);
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
    if (kind_of_file(file) == FileKind::kParquet) {
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

}  // namespace hearsay::storage
