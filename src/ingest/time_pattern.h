// SPDX-License-Identifier: Apache-2.0
//
// Times written in the way of a country or a program: patterns as strptime has them, which DuckDB reads.
#pragma once

#include <string>
#include <vector>

namespace hearsay::ingest {

// What is wrong with a pattern that a study gives; empty where nothing is. A pattern has a day, a month and a year.
std::string pattern_problem(const std::string& pattern);

// A pattern with an offset (%z, %Z) gives absolute times, any other civil ones.
bool has_offset(const std::string& pattern);

// A way to write times that is tried where a study names none. `day_first` is the same way with the day before the
// month, where both are in use; empty where the order is plain.
struct CommonPattern {
  std::string pattern;
  std::string day_first = {};
};
// In the order tried: years of two digits come first, since %Y reads those, too.
const std::vector<CommonPattern>& common_patterns();

// SQL for the microseconds of the text in `column`, by the first pattern that reads it, null where none does; and for
// whether those are absolute.
std::string pattern_value_sql(const std::string& column, const std::vector<std::string>& patterns);
std::string pattern_absolute_sql(const std::string& column, const std::vector<std::string>& patterns);

}  // namespace hearsay::ingest
