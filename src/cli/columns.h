// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/entry.h"

namespace hearsay::cli {

// Words at the heads of columns, in the terminal and in the files of results, that are no entries or terms themselves.
const std::vector<EntryInfo>& columns();

// What the ending of a column's name means, such as "_p25" of "error_p25".
struct ColumnEnding {
  std::string ending;  // in upper case
  std::string meaning;
};
const std::vector<ColumnEnding>& column_endings();

}  // namespace hearsay::cli
