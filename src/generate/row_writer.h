// SPDX-License-Identifier: Apache-2.0
//
// Rows made block by block in parallel and written in order, with memory for a few blocks only.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/progress.h"

namespace hearsay::generate {

enum class ColumnType {
  kLabel,     // text: the prefix, then the number padded with zeros
  kTime,      // civil time, from microseconds since 1970
  kMicro,     // degrees, from millionths of them
  kUnixTime,  // seconds since 1970 UTC, as they are
};

struct Column {
  std::string name;
  ColumnType type;
  std::string prefix;  // of a label
  int digits = 0;
};

// Columns of whole numbers, all of the same length.
using Block = std::vector<std::vector<std::int64_t>>;

// Writes blocks 0 .. count - 1 to a .parquet or .csv file (by its ending), which appears whole or not at all.
// make_block is called from up to `threads` threads, for every block once; the bytes written do not depend on
// `threads`. Returns the number of rows.
std::uint64_t write_rows(const std::string& path, const std::vector<Column>& columns, std::size_t count,
                         const std::function<Block(std::size_t)>& make_block, std::size_t threads,
                         const Progress& progress);

}  // namespace hearsay::generate
