// SPDX-License-Identifier: Apache-2.0
#include "ingest/time_zone.h"

#include <fmt/format.h>

#include <limits>
#include <string_view>
#include <vector>

#include "base/civil_time.h"
#include "base/errors.h"
#include "ingest/time_pattern.h"
#include "storage/sql_text.h"

namespace hearsay::ingest {
namespace {

constexpr std::int64_t kStep = 900;  // clocks change on quarters of an hour

bool is_text(std::string_view type) {
  return type == "VARCHAR" || type == "JSON";
}

bool is_civil(std::string_view type) {
  return type == "DATE" || type == "TIMESTAMP" || type == "TIMESTAMP_S" || type == "TIMESTAMP_MS" ||
         type == "TIMESTAMP_NS";
}

bool is_number(std::string_view type) {
  return type.starts_with("DECIMAL") || type == "DOUBLE" || type == "FLOAT" || type.ends_with("INT") ||
         type.ends_with("INTEGER");
}

bool is_unix(TimeFormat format) {
  return format == TimeFormat::kUnixSeconds || format == TimeFormat::kUnixMilliseconds ||
         format == TimeFormat::kUnixMicroseconds || format == TimeFormat::kUnixNanoseconds;
}

// The same arithmetic as the line parser's, so that both round alike.
std::string number_sql(const std::string& column, TimeFormat format) {
  const std::string number = fmt::format("TRY_CAST({} AS DOUBLE)", column);
  std::string seconds = fmt::format("round({} * 1e6)", number);
  std::string milliseconds = fmt::format("round({} * 1e3)", number);
  std::string microseconds = fmt::format("round({})", number);
  std::string nanoseconds = fmt::format("round({} / 1e3)", number);
  switch (format) {
    case TimeFormat::kIso:
    case TimeFormat::kPatterns:
      return "NULL::DOUBLE";
    case TimeFormat::kUnixSeconds:
      return seconds;
    case TimeFormat::kUnixMilliseconds:
      return milliseconds;
    case TimeFormat::kUnixMicroseconds:
      return microseconds;
    case TimeFormat::kUnixNanoseconds:
      return nanoseconds;
    case TimeFormat::kAuto:
      break;
  }
  return fmt::format(
      "CASE WHEN abs({0}) < {1} THEN {2} WHEN abs({0}) < {3} THEN {4} WHEN abs({0}) < {5} THEN NULL WHEN abs({0}) < "
      "{6} THEN {7} ELSE {8} END",
      number, kMillisecondsFrom, seconds, kDigitsFrom, milliseconds, kMicrosecondsFrom, kNanosecondsFrom, microseconds,
      nanoseconds);
}

// Forms of text that needs no pattern.
std::string usual_form_sql(const std::string& column) {
  // The first pattern is there for speed: it is the usual form and cannot hold an offset. DuckDB takes 01/02/19 for a
  // day of the year 1.
  return fmt::format(
      "CASE WHEN {0} LIKE '____-__-_____:__:__' THEN {1} "
      "WHEN NOT regexp_matches({0}, '^\\s*\\d\\d\\d\\d[-/]') THEN {3} "
      "WHEN contains({0}, ':') AND regexp_matches({0}, '(Z|UTC|:\\d\\d(\\.\\d+)?\\s*[+-]\\d\\d(:?\\d\\d)?)\\s*$') THEN "
      "{2} ELSE {1} END",
      column, kCivilForm, kAbsoluteForm, kNumberForm);
}

std::string usual_value_sql(const std::string& column, const std::string& form, TimeFormat format) {
  return fmt::format(
      "CASE {1} WHEN {2} THEN epoch_us(TRY_CAST({0} AS TIMESTAMP)) WHEN {3} THEN "
      "epoch_us(COALESCE(TRY_CAST({0} AS TIMESTAMPTZ), "
      // DuckDB wants seconds before an offset.
      "TRY_CAST(regexp_replace({0}, '([T ]\\d\\d:\\d\\d)\\s*([Z+-])', '\\1:00\\2') AS TIMESTAMPTZ))) ELSE {4} END",
      column, form, kCivilForm, kAbsoluteForm, number_sql(column, format));
}

std::string as_text(const std::string& type, const std::string& column) {
  return is_text(type) ? column : fmt::format("CAST({} AS VARCHAR)", column);
}

}  // namespace

void check_timezone(storage::Database& database, const std::string& timezone) {
  std::vector<std::string> names;
  storage::QueryRows known = database.execute(
      "SELECT name FROM pg_timezone_names() WHERE name LIKE '%/%' OR name = 'UTC' OR name = $1 ORDER BY name",
      {timezone});
  while (known.next()) {
    for (std::size_t row = 0; row < known.rows(); ++row) {
      if (known.text(0, row) == timezone) return;
      names.emplace_back(known.text(0, row));
    }
  }
  const std::string nearest = suggestion(timezone, names);
  throw ConfigError("data.timezone", quoted_value(timezone),
                    "not a known time zone; expected an IANA name such as Europe/London" +
                        (nearest.starts_with("; did") ? nearest : ""));
}

std::int64_t to_civil(storage::Database& database, const std::string& timezone, std::int64_t absolute) {
  storage::QueryRows converted =
      database.execute("SELECT epoch_us(timezone($1, make_timestamptz($2)))", {timezone, absolute});
  converted.next();
  return converted.integer(0, 0);
}

std::vector<ClockShift> clock_shifts(storage::Database& database, const std::string& timezone, std::int64_t begin,
                                     std::int64_t end) {
  // No zone is a day away from UTC, and times outside the span need only stay outside it.
  const std::int64_t first = (begin - 2 * kDay) / kSecond / kStep * kStep;
  const std::int64_t last = (end + 2 * kDay) / kSecond;
  storage::QueryRows changes = database.execute(
      "SELECT t * 1000000, shift * 1000000 FROM (SELECT t, shift, lag(shift) OVER (ORDER BY t) AS before FROM "
      "(SELECT t, epoch(timezone($1, to_timestamp(t)))::BIGINT - t AS shift FROM range($2, $3, $4) AS r(t))) "
      "WHERE before IS DISTINCT FROM shift ORDER BY t",
      {timezone, first, last, kStep});
  std::vector<ClockShift> shifts;
  while (changes.next()) {
    for (std::size_t row = 0; row < changes.rows(); ++row) {
      if (!shifts.empty()) shifts.back().until = changes.integer(0, row);
      shifts.push_back({std::numeric_limits<std::int64_t>::max(), changes.integer(1, row)});
    }
  }
  return shifts;
}

std::string civil_sql(const std::vector<ClockShift>& shifts, const std::string& column) {
  std::string sql = fmt::format("({} + CASE", column);
  for (const ClockShift& shift : shifts)
    sql += fmt::format(" WHEN {} < {} THEN {}::BIGINT", column, shift.until, shift.shift);
  return sql + " END)";
}

std::string time_form_sql(const std::string& type, const std::string& column, const TimeRule& rule) {
  if (is_civil(type)) return std::to_string(kCivilForm);
  if (type == "TIMESTAMP WITH TIME ZONE") return std::to_string(kAbsoluteForm);
  std::string usual = is_number(type) || is_unix(rule.format) ? std::to_string(kNumberForm)
                      : rule.format == TimeFormat::kPatterns  ? std::to_string(kCivilForm)
                                                              : usual_form_sql(column);
  if (rule.patterns.empty()) return usual;
  const std::string text = as_text(type, column);
  return fmt::format("CASE WHEN {} IS NULL THEN {} WHEN {} THEN {} ELSE {} END", pattern_value_sql(text, rule.patterns),
                     usual, pattern_absolute_sql(text, rule.patterns), kAbsoluteForm, kCivilForm);
}

std::string time_value_sql(const std::string& type, const std::string& column, const std::string& form,
                           const TimeRule& rule) {
  if (is_civil(type)) return fmt::format("epoch_us(TRY_CAST({} AS TIMESTAMP))", column);
  if (type == "TIMESTAMP WITH TIME ZONE") return fmt::format("epoch_us({})", column);
  const bool patterns = !rule.patterns.empty();
  if (!is_number(type) && !is_text(type)) return "NULL::BIGINT";
  std::string usual;
  if (is_number(type)) {
    usual = number_sql(column, rule.format == TimeFormat::kIso ? TimeFormat::kAuto : rule.format);
  } else if (is_unix(rule.format)) {
    usual = number_sql(column, rule.format);
  } else if (rule.format != TimeFormat::kPatterns) {
    usual = usual_value_sql(column, form, rule.format);
  }
  if (!patterns) return usual;
  const std::string value = pattern_value_sql(as_text(type, column), rule.patterns);
  return usual.empty() || rule.format == TimeFormat::kPatterns ? value : fmt::format("COALESCE({}, {})", value, usual);
}

}  // namespace hearsay::ingest
