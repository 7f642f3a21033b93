// SPDX-License-Identifier: Apache-2.0
//
// The careful way through the rows of any table: DuckDB parses, and every row is checked before it is taken.
#pragma once

#include <string>
#include <vector>

#include "ingest/row_checks.h"
#include "ingest/visit_sink.h"

namespace hearsay::ingest {

struct ReadTable {
  storage::Table table;
  Fields fields;
};

// Rows of a table bound to $1, handed to the function `consumer` as consumer_columns says; one row, 0, comes back.
std::string take_rows_sql(const ReadTable& read, const std::string& consumer);
std::vector<duckdb_type> consumer_columns(const Fields& fields);
// Puts such rows into the sink: the number of the check failed, or the event or two of a trip.
void take_rows(const storage::Chunk& chunk, const Fields& fields, Collector& collector);

}  // namespace hearsay::ingest
