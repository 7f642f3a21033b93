// SPDX-License-Identifier: Apache-2.0
//
// Times as files write them, and the clock of the data's time zone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/civil_time.h"
#include "ingest/ingest.h"
#include "storage/database.h"

namespace hearsay::ingest {

// Throws ConfigError for a name DuckDB does not know.
void check_timezone(storage::Database& database, const std::string& timezone);

std::int64_t to_civil(storage::Database& database, const std::string& timezone, std::int64_t absolute);

// Absolute times before `until` are `shift` microseconds behind the clock of the zone.
struct ClockShift {
  std::int64_t until;
  std::int64_t shift;
};

// The zone's shifts, in order, right from `begin` to `end` (civil); the last holds for ever. Plain arithmetic, since a
// call into the time zone library for every row costs as much as the scan.
std::vector<ClockShift> clock_shifts(storage::Database& database, const std::string& timezone, std::int64_t begin,
                                     std::int64_t end);
inline std::int64_t to_civil(const std::vector<ClockShift>& shifts, std::int64_t absolute) {
  std::size_t i = 0;
  while (absolute >= shifts[i].until && i + 1 < shifts.size()) ++i;
  return absolute + shifts[i].shift;
}
// The same as SQL over an absolute time in `column`.
std::string civil_sql(const std::vector<ClockShift>& shifts, const std::string& column);

// How the time in a row is written.
inline constexpr int kCivilForm = 1;
inline constexpr int kAbsoluteForm = 2;
inline constexpr int kNumberForm = 3;

// Numbers that say a time by themselves are milliseconds from the first on, then neither (14 digits are a date and a
// time, such as 20120403180009), microseconds and nanoseconds.
inline constexpr double kMillisecondsFrom = 1e11;
inline constexpr double kDigitsFrom = 1e13;
inline constexpr double kMicrosecondsFrom = 1e14;
inline constexpr double kNanosecondsFrom = 1e17;

// How the times of a table are written. Patterns are those of strptime; with kAuto they come before the usual forms.
struct TimeRule {
  TimeFormat format = TimeFormat::kAuto;
  std::vector<std::string> patterns = {};
};

// SQL for the form of the value in `column`, and for its microseconds given the form: a number of any type and size,
// null where it is not a time.
std::string time_form_sql(const std::string& type, const std::string& column, const TimeRule& rule);
std::string time_value_sql(const std::string& type, const std::string& column, const std::string& form,
                           const TimeRule& rule);

}  // namespace hearsay::ingest
