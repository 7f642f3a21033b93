// SPDX-License-Identifier: Apache-2.0
#include "storage/scan_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "storage/sql_text.h"

namespace hearsay::storage {
namespace {

// What a scan must know of a file besides its dialect.
std::string wrapping(const Layout& layout) {
  std::string options;
  if (layout.skip > 0) options += fmt::format(", skip = {}", layout.skip);
  if (!layout.encoding.empty()) options += fmt::format(", encoding = '{}'", layout.encoding);
  if (!layout.compression.empty()) options += fmt::format(", compression = '{}'", layout.compression);
  return options;
}

}  // namespace

FileKind kind_of_file(const std::string& file) {
  std::filesystem::path name = normalized_name(std::filesystem::path(file).filename().string());
  if (name.extension() == ".gz" || name.extension() == ".zst") name = name.stem();
  const std::string extension = name.extension().string();
  if (extension == ".parquet" || extension == ".pq") return FileKind::kParquet;
  if (extension == ".jsonl" || extension == ".ndjson" || extension == ".json") return FileKind::kJsonLines;
  return FileKind::kDelimited;
}

std::string lines_scan(const Layout& layout, std::size_t parameter, bool strict, bool header) {
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

}  // namespace hearsay::storage
