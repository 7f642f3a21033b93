// SPDX-License-Identifier: Apache-2.0
//
// SQL that turns the rows of a table into typed values and says of each row what, if anything, is wrong with it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
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
  bool odd_time = false;  // the value may be a time that is written in another way
};

// A table with the columns its format needs, by our name. The time of an event is `datetime`; a trip has two of each.
struct Fields {
  Format format = Format::kEvents;
  bool by_grid = true;
  TimeFormat time_format = TimeFormat::kAuto;
  std::map<std::string, std::size_t> columns;
  std::vector<std::string> patterns = {};                // of times, before what time_format says
  std::map<std::string, std::size_t> dates = {};         // of a time in two columns: the one with the date
  std::optional<std::size_t> utc_offset = std::nullopt;  // minutes that the clock of the place is ahead of the time

  UserRule user = {};
  bool pairs = false;  // a trip is one event, from place to place when it starts
  bool utc = false;    // times without an offset are absolute

  bool ends() const { return format == Format::kTrips && !pairs; }  // a trip is two events

  // Whether a line can be an ordinary one: the line parser knows nothing of these three.
  bool plain() const {
    return patterns.empty() && dates.empty() && !utc_offset && time_format != TimeFormat::kPatterns;
  }
};

// Throws InputError for a missing or ambiguous column.
Fields resolve_fields(const Source& source, const RoiRule& rois, const storage::Table& table);

// Throws InputError for the first column whose type cannot hold what it is used for.
void check_column_types(const storage::Table& table, const Fields& fields);

// The layout of cab files: no header, `lat lng occupied unixtime`.
storage::Layout cab_layout();

// The same for all tables of a source, whatever the order of their columns.
std::vector<Check> row_checks(const Fields& fields);

// A subquery over the files bound to $parameter: for each of our columns NAME its raw value `NAME`, for ids the text
// NAME_text, for coordinates NAME_value, for times NAME_us and NAME_form; and `bad`, the number of the check failed.
std::string checked_rows_sql(const storage::Layout& layout, const Fields& fields, std::size_t parameter);

// The rows it starts from: `path`, `broken`, and the raw value of each of our columns.
std::string raw_rows_sql(const storage::Layout& layout, const Fields& fields, std::size_t parameter);

// All columns of the table that are read, each once.
std::vector<std::size_t> columns_read(const Fields& fields);

// The user that the name of a file says, by a rule that is not kColumn, or of a cab file; empty where there is none.
std::string_view user_of_path(std::string_view path, const Fields& fields);

// The names of the columns that are times.
std::vector<std::string> time_columns(const Fields& fields);

}  // namespace hearsay::ingest
