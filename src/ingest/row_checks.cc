// SPDX-License-Identifier: Apache-2.0
#include "ingest/row_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/errors.h"
#include "base/text.h"
#include "ingest/columns.h"
#include "ingest/settings.h"
#include "ingest/time_zone.h"

namespace hearsay::ingest {
namespace {

// Times of which only one is civil cannot be compared here.
constexpr const char* kEndBeforeStart = "(start_time_form = 1) = (end_time_form = 1) AND end_time_us < start_time_us";

bool is_time(const std::string& name) {
  return name.ends_with("time");
}
bool is_coordinate(const std::string& name) {
  return name == "lat" || name == "lng";
}

std::vector<std::string> needed_columns(Format format, bool by_grid) {
  if (format == Format::kCabs) return {"lat", "lng", "datetime"};
  if (format == Format::kTrips) return {"uid", "start_time", "start_roi", "end_time", "end_roi"};
  if (by_grid) return {"uid", "lat", "lng", "datetime"};
  return {"uid", "roi", "datetime"};
}

std::string expected_time(TimeFormat format) {
  switch (format) {
    case TimeFormat::kIso:
      return "is not a time; expected ISO 8601 such as 2010-03-01 08:30:00";
    case TimeFormat::kUnixSeconds:
      return "is not a time; expected Unix seconds";
    case TimeFormat::kUnixMilliseconds:
      return "is not a time; expected Unix milliseconds";
    case TimeFormat::kAuto:
      break;
  }
  return "is not a time; expected ISO 8601 such as 2010-03-01 08:30:00, or Unix seconds";
}

void add_checks(const std::string& name, const Fields& fields, std::vector<Check>& checks) {
  if (is_time(name)) {
    const std::string blank = fmt::format("({0} IS NULL OR CAST({0} AS VARCHAR) = '')", name);
    checks.push_back({name + "_us IS NULL AND " + blank, "missing " + name, name, "no value; expected a time"});
    checks.push_back({name + "_us IS NULL", "bad " + name, name, expected_time(fields.time_format)});
  } else if (is_coordinate(name)) {
    const int limit = name == "lat" ? 90 : 180;
    const std::string what = name == "lat" ? "latitude" : "longitude";
    const std::string blank = fmt::format("({0} IS NULL OR CAST({0} AS VARCHAR) = '')", name);
    const std::string expected = fmt::format("expected degrees from -{0} to {0}", limit);
    checks.push_back(
        {fmt::format("{0}_value IS NULL AND {1}", name, blank), "missing " + name, name, "no value; " + expected});
    checks.push_back({fmt::format("{0}_value IS NULL OR isnan({0}_value)", name), "bad " + name, name,
                      fmt::format("is not a {}; {}", what, expected)});
    checks.push_back({fmt::format("{0}_value < -{1} OR {0}_value > {1}", name, limit), name + " out of range", name,
                      fmt::format("is out of range; {}", expected)});
  } else {
    checks.push_back({name + "_text IS NULL", "missing " + name, name, "no value; expected an id"});
    checks.push_back({fmt::format("strlen({}_text) > {}", name, kLongestId), name + " too long", name,
                      fmt::format("is too long; expected an id of at most {} bytes", kLongestId)});
  }
}

// True for every good row and no other: one test in place of many, since most rows are good.
std::string all_good_sql(const Fields& fields) {
  std::string sql = "NOT broken AND uid_text IS NOT NULL";
  for (const auto& [name, index] : fields.columns) {
    if (is_time(name)) {
      sql += fmt::format(" AND {}_us IS NOT NULL", name);
    } else if (is_coordinate(name)) {
      sql += fmt::format(" AND {0}_value BETWEEN -{1} AND {1}", name, name == "lat" ? 90 : 180);
    } else {
      sql += fmt::format(" AND strlen({}_text) <= {}", name, kLongestId);
    }
  }
  return fields.format == Format::kTrips ? fmt::format("{} AND NOT ({})", sql, kEndBeforeStart) : sql;
}

std::string raw_sql(const storage::Layout& layout, const Fields& fields, std::size_t parameter) {
  std::vector<std::size_t> wanted;
  std::vector<std::string> columns = {"broken"};
  for (const auto& [name, index] : fields.columns) {
    if (std::find(wanted.begin(), wanted.end(), index) == wanted.end()) wanted.push_back(index);
    columns.push_back(fmt::format("c{} AS {}", index, name));
  }
  if (fields.format == Format::kCabs) columns.push_back("regexp_extract(path, 'new_([^/]*)\\.txt$', 1) AS uid");
  return fmt::format("SELECT {} FROM ({})", fmt::join(columns, ", "), storage::scan_sql(layout, wanted, parameter));
}

}  // namespace

storage::Layout cab_layout() {
  return {storage::FileKind::kDelimited, ' ', false, false, {{"lat"}, {"lng"}, {"occupied"}, {"unixtime"}}, true};
}

Fields resolve_fields(const Source& source, bool by_grid, const storage::Table& table) {
  Fields fields{source.format, by_grid, source.time_format, {}};
  if (source.format == Format::kCabs) {
    fields.time_format = TimeFormat::kUnixSeconds;
    fields.columns = {{"lat", 0}, {"lng", 1}, {"datetime", 3}};
    return fields;
  }
  for (const std::string& name : needed_columns(source.format, by_grid)) {
    fields.columns[name] = require_column(table.layout, table.files.front(), name, source.columns);
  }
  return fields;
}

std::vector<Check> row_checks(const Fields& fields) {
  std::vector<Check> checks;
  checks.push_back({"broken", "not JSON", "", "not a JSON object; expected one a line"});
  if (fields.format == Format::kCabs)
    checks.push_back({"uid_text IS NULL", "missing uid", "", "no cab id in the name"});
  for (const std::string& name : needed_columns(fields.format, fields.by_grid)) add_checks(name, fields, checks);
  if (fields.format == Format::kTrips) {
    checks.push_back(
        {kEndBeforeStart, "end before start", "end_time", "is before the start of the trip; expected a later time"});
  }
  return checks;
}

std::string checked_rows_sql(const storage::Layout& layout, const Fields& fields, std::size_t parameter) {
  std::vector<std::string> forms = {"*"};
  std::vector<std::string> values = {"*"};
  std::vector<std::string> ranged;
  for (const auto& [name, index] : fields.columns) {
    const std::string& type = layout.columns[index].type;
    if (is_time(name)) {
      forms.push_back(fmt::format("{} AS {}_form", time_form_sql(type, name, fields.time_format), name));
      values.push_back(
          fmt::format("{} AS {}_us", time_value_sql(type, name, name + "_form", fields.time_format), name));
      ranged.push_back(fmt::format("CASE WHEN {0}_us >= {1} AND {0}_us < {2} THEN CAST({0}_us AS BIGINT) END AS {0}_us",
                                   name, kYearOne, kYearTenThousand));
    } else if (is_coordinate(name)) {
      values.push_back(fmt::format("TRY_CAST({0} AS DOUBLE) AS {0}_value", name));
    } else {
      values.push_back(fmt::format("NULLIF(CAST({0} AS VARCHAR), '') AS {0}_text", name));
    }
  }
  if (fields.format == Format::kCabs) values.emplace_back("NULLIF(uid, '') AS uid_text");
  std::string bad = fmt::format("CASE WHEN {} THEN 0", all_good_sql(fields));
  int number = 0;
  for (const Check& check : row_checks(fields)) bad += fmt::format(" WHEN {} THEN {}", check.condition, ++number);
  return fmt::format(
      "SELECT *, CAST({} ELSE 0 END AS UTINYINT) AS bad FROM (SELECT * REPLACE ({}) FROM (SELECT {} FROM (SELECT {} "
      "FROM "
      "({}))))",
      bad, fmt::join(ranged, ", "), fmt::join(values, ", "), fmt::join(forms, ", "),
      raw_sql(layout, fields, parameter));
}

void check_column_types(const storage::Table& table, const Fields& fields) {
  const auto starts_with_any = [](const std::string& type, std::initializer_list<const char*> starts) {
    return std::any_of(starts.begin(), starts.end(), [&](const char* start) { return type.starts_with(start); });
  };
  for (const auto& [name, index] : fields.columns) {
    const std::string& type = table.layout.columns[index].type;
    const bool number = !type.ends_with("]") &&
                        starts_with_any(type, {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT",
                                               "UINTEGER", "UBIGINT", "HUGEINT", "FLOAT", "DOUBLE", "DECIMAL"});
    const bool text = type == "VARCHAR" || starts_with_any(type, {"ENUM"});
    const bool time = !type.ends_with("]") && starts_with_any(type, {"TIMESTAMP", "DATE"});
    const bool place = name == "lat" || name == "lng";
    const bool when = name.ends_with("time");
    const bool fits = place ? number || text : when ? number || text || time : number || text || type == "UUID";
    if (fits) continue;
    const char* expected = place ? "numbers" : when ? "times, ISO 8601 text or Unix seconds" : "ids, text or numbers";
    throw InputError({one_line(table.files.front()), 0, one_line(table.layout.columns[index].name)},
                     fmt::format("has type {}; expected {}", type, expected));
  }
}

}  // namespace hearsay::ingest
