// SPDX-License-Identifier: Apache-2.0
//
// SQL that turns the rows of a table into typed values and says of each row what, if anything, is wrong with it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ingest/ingest.h"
#include "storage/table_file.h"

namespace hearsay::ingest {

// One way a row can be bad. Checks are numbered from 1 in the order they are made; 0 is a good row.
struct Check {
  std::string condition;  // SQL over the typed values; true where the row is bad
  std::string reason;     // short and stable: what bad_rows is counted by
  std::string column;     // our name; empty: the row as a whole
  std::string problem;    // follows the value in quotes, or stands alone where there is no value
};

// A table with the columns its format needs, by our name. The time of an event is `datetime`; a trip has two of each.
struct Fields {
  Format format = Format::kEvents;
  bool by_grid = true;
  TimeFormat time_format = TimeFormat::kAuto;
  std::map<std::string, std::size_t> columns;
};

// Throws InputError for a missing or ambiguous column.
Fields resolve_fields(const Source& source, bool by_grid, const storage::Table& table);

// Throws InputError for the first column whose type cannot hold what it is used for.
void check_column_types(const storage::Table& table, const Fields& fields);

// The layout of cab files: no header, `lat lng occupied unixtime`.
storage::Layout cab_layout();

// The same for all tables of a source, whatever the order of their columns.
std::vector<Check> row_checks(const Fields& fields);

// A subquery over the files bound to $parameter: for each of our columns NAME its raw value `NAME`, for ids the text
// NAME_text, for coordinates NAME_value, for times NAME_us and NAME_form; and `bad`, the number of the check failed.
std::string checked_rows_sql(const storage::Layout& layout, const Fields& fields, std::size_t parameter);

}  // namespace hearsay::ingest
