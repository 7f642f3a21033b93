// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ingest/visit_query.h"

namespace hearsay::ingest {

// Looks at all times of the tables and finds the common patterns (time_pattern.h) of the files whose times are mostly
// neither ISO 8601 nor Unix time. Such files become tables of their own, with their patterns. Returns the patterns;
// none: the tables are as they were. One pass over the data.
//
// Whether a day or a month comes first is told by a value that can be read in one way only, in any file. Throws
// InputError where no value tells, or values tell different things.
std::vector<std::string> find_time_patterns(storage::Database& database, std::vector<ReadTable>& tables);

}  // namespace hearsay::ingest
