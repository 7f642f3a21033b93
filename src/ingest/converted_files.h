// SPDX-License-Identifier: Apache-2.0
//
// Files that DuckDB does not read as rows of points are first written as such into a temporary folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/errors.h"
#include "ingest/ingest.h"
#include "storage/database.h"

namespace hearsay::ingest {

// More than this is refused: the whole file is held while it is read.
inline constexpr std::uint64_t kLargestGpx = 256U << 20;  // bytes

// Seconds between the points of a path in one column.
inline constexpr int kPathStep = 15;

struct ConvertedFiles {
  std::vector<std::string> files;                 // those given, or what was made of them, in the same order
  std::map<std::string, std::uint64_t> bad_rows;  // reason -> points or rows left out
  std::map<std::string, std::string> given;       // what was made -> what messages call it, the file given first
};

bool needs_conversion(const Source& source, const std::string& file);

// Archives (zip) and files compressed by xz are unpacked. GPX (by its ending): a row for each point of a track, with
// its time. With data.columns.polyline: a row for each point of a path, a JSON list of [longitude, latitude], from the
// row's time on. What is made keeps the name of the file and of the three folders above. Throws InputError for what
// cannot be read, and for the first bad point unless bad rows are skipped.
void convert_files(storage::Database& database, const Source& source, const std::vector<std::string>& files,
                   const std::string& folder, ConvertedFiles& result);

// The folder in `folder` for what is made of the number-th file: one of its own, below it names that may say the user.
std::filesystem::path made_folder(const std::string& file, const std::string& folder, std::size_t number);

// The same error about the file given, where it is about one that was made.
InputError as_given(const InputError& error, const std::map<std::string, std::string>& given);

}  // namespace hearsay::ingest
