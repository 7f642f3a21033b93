// SPDX-License-Identifier: Apache-2.0
#include "ingest/source_tables.h"

#include <algorithm>
#include <filesystem>
#include <unordered_set>

#include "base/errors.h"
#include "base/regular_file.h"
#include "storage/arrow_table.h"
#include "storage/sql_text.h"
#include "storage/table_file.h"

namespace hearsay::ingest {
namespace {

std::vector<std::string> cab_files(const std::string& directory) {
  if (!std::filesystem::is_directory(directory)) throw InputError({one_line(directory), 0, ""}, "no such directory");
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("new_") || !name.ends_with(".txt")) continue;
    storage::check_name(name);
    require_regular_file(entry.path().string());
    files.push_back(entry.path().string());
  }
  if (files.empty()) throw InputError({one_line(directory), 0, ""}, "no file matches new_*.txt");
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<std::string> source_files(storage::Database& database, const Source& source) {
  if (source.format == Format::kCabs) return cab_files(source.paths.front());
  if (source.table != nullptr) return {source.table->name()};
  std::vector<std::string> files;
  std::unordered_set<std::string> seen;
  for (const std::string& path : source.paths) {
    for (const std::string& file : storage::expand_path(database, path)) {
      if (seen.insert(file).second) files.push_back(file);
    }
  }
  return files;
}

std::vector<ReadTable> read_tables(storage::Database& database, const Source& source, const RoiRule& rois,
                                   const std::vector<std::string>& files) {
  std::vector<storage::Table> tables;
  if (source.format == Format::kCabs) {
    tables.push_back({cab_layout(), files});
  } else if (source.table != nullptr) {
    source.table->attach(database);
    tables.push_back({source.table->layout(database), files});
  } else {
    tables = storage::open_tables(database, files, source.text);
  }
  std::vector<ReadTable> reads;
  reads.reserve(tables.size());
  for (const storage::Table& table : tables) reads.push_back({table, resolve_fields(source, rois, table)});
  if (source.table != nullptr) check_column_types(reads.front().table, reads.front().fields);
  return reads;
}

}  // namespace hearsay::ingest
