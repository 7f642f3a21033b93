// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ingest/visit_query.h"

namespace hearsay::ingest {

// The files of a source, each once; of a table in memory its name. Throws InputError where there is none.
std::vector<std::string> source_files(storage::Database& database, const Source& source);

// Those files as tables with the columns that are read. Throws InputError for a column not found.
std::vector<ReadTable> read_tables(storage::Database& database, const Source& source, const RoiRule& rois,
                                   const std::vector<std::string>& files);

}  // namespace hearsay::ingest
