// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ingest/visit_query.h"

namespace hearsay::ingest {

// Times of one file that differ in their digits and letters only.
struct TimeShape {
  std::string path;     // empty where a row does not say its file
  std::string shape;    // with A for every letter and 9 for every digit
  std::string example;  // the least
  std::string another;  // the largest
  std::uint64_t values = 0;
  std::uint64_t day_first = 0;    // values that can only have the day first
  std::uint64_t month_first = 0;  // the month
  std::uint64_t told_apart = 0;   // values that are two different days
};

// The shapes of all times of a table, by path and shape, and those of two parts of a table together. One pass over it.
std::vector<TimeShape> survey_times(storage::Database& database, const ReadTable& read);
std::vector<TimeShape> added(const std::vector<TimeShape>& some, const std::vector<TimeShape>& others);

// What find_time_patterns says of one table with these shapes, by path. Of the table only names are looked at.
std::map<std::string, std::vector<std::string>> patterns_of(storage::Database& database, const ReadTable& read,
                                                            const std::vector<TimeShape>& shapes);

// Looks at all times of the tables and finds the common patterns (time_pattern.h) of the files whose times are mostly
// neither ISO 8601 nor Unix time. Such files become tables of their own, with their patterns. Returns the patterns;
// none: the tables are as they were. One pass over the data.
//
// Whether a day or a month comes first is told by a value that can be read in one way only, in any file. Throws
// InputError where no value tells, or values tell different things.
std::vector<std::string> find_time_patterns(storage::Database& database, std::vector<ReadTable>& tables);

}  // namespace hearsay::ingest
