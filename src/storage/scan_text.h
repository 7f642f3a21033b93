// SPDX-License-Identifier: Apache-2.0
//
// Pieces of the SQL that scans text files.
#pragma once

#include <string>

#include "storage/table_file.h"

namespace hearsay::storage {

// By the ending of the name.
FileKind kind_of_file(const std::string& file);

// One VARCHAR column `line` a physical line, header and all, over the files bound to $parameter; the closing
// parenthesis is left to the caller. Where the control character used as delimiter is in a line, the line ends there
// or, if strict, fails the scan.
std::string lines_scan(const Layout& layout, std::size_t parameter, bool strict = false, bool header = false);

// Options of read_csv: how the text is laid out, and `count` columns c0, c1, ...
std::string dialect(const Layout& layout);
std::string column_list(std::size_t count);

}  // namespace hearsay::storage
