// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/errors.h"
#include "ingest/visit_query.h"

namespace hearsay::ingest {

struct BadRow {
  InputPlace place;
  std::string problem;
};

// The first bad row of one file of a table; nothing where there is none. On one thread (SET threads = 1), or it may be
// another than the first.
std::optional<BadRow> find_bad_row(storage::Database& database, const ReadTable& read, const std::string& file);

// Reads again, file by file in the order given and on one thread, up to the first bad row, and throws InputError for
// it.
[[noreturn]] void throw_first_bad_row(storage::Database& database, const std::vector<ReadTable>& tables,
                                      const std::vector<std::string>& files);

}  // namespace hearsay::ingest
