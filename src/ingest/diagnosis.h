// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ingest/visit_query.h"

namespace hearsay::ingest {

// Reads again, file by file in the order given and on one thread, up to the first bad row, and throws InputError for
// it.
[[noreturn]] void throw_first_bad_row(storage::Database& database, const std::vector<ReadTable>& tables,
                                      const std::vector<std::string>& files);

}  // namespace hearsay::ingest
