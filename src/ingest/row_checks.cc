// SPDX-License-Identifier: Apache-2.0
#include "ingest/row_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

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

bool user_in_path(const Fields& fields) {
  return fields.format == Format::kCabs || fields.user.from != UserRule::From::kColumn;
}

std::vector<std::string> needed_columns(const Fields& fields) {
  std::vector<std::string> names;
  if (!user_in_path(fields)) names.emplace_back("uid");
  if (fields.pairs) {
    names.insert(names.end(), {"start_time", "start_roi", "end_roi"});
  } else if (fields.format == Format::kTrips) {
    names.insert(names.end(), {"start_time", "start_roi", "end_time", "end_roi"});
  } else if (fields.by_grid) {
    names.insert(names.end(), {"lat", "lng", "datetime"});
  } else {
    names.insert(names.end(), {"roi", "datetime"});
  }
  return names;
}

// What user_of_path says, as a regular expression whose first group is the user.
std::string user_expression(const Fields& fields) {
  if (fields.format == Format::kCabs) return "new_([^/]*)\\.txt$";
  if (fields.user.from == UserRule::From::kFile) return "([^/]+?)(\\.[^./]*)?(\\.(gz|zst))?$";
  std::string expression = "([^/]+)";
  for (std::uint32_t i = 0; i < fields.user.level; ++i) expression += "/[^/]*";
  return expression + "$";
}

constexpr const char* kOffset = "utc_offset";
constexpr int kLargestOffset = 1440;  // minutes

std::string expected_time(const Fields& fields) {
  const std::string expected = "is not a time; expected ";
  switch (fields.time_format) {
    case TimeFormat::kIso:
      return expected + "ISO 8601 such as 2010-03-01 08:30:00";
    case TimeFormat::kUnixSeconds:
      return expected + "Unix seconds";
    case TimeFormat::kUnixMilliseconds:
      return expected + "Unix milliseconds";
    case TimeFormat::kUnixMicroseconds:
      return expected + "Unix microseconds";
    case TimeFormat::kUnixNanoseconds:
      return expected + "Unix nanoseconds";
    case TimeFormat::kPatterns:
    case TimeFormat::kAuto:
      break;
  }
  if (!fields.patterns.empty()) return fmt::format("{}{}", expected, fmt::join(fields.patterns, " or "));
  return expected + "ISO 8601 such as 2010-03-01 08:30:00, or Unix seconds";
}

void add_coordinate_checks(const std::string& name, std::vector<Check>& checks) {
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
}

void add_checks(const std::string& name, const Fields& fields, std::vector<Check>& checks) {
  if (is_time(name)) {
    const std::string blank = fmt::format("({0} IS NULL OR CAST({0} AS VARCHAR) = '')", name);
    checks.push_back({name + "_us IS NULL AND " + blank, "missing " + name, name, "no value; expected a time"});
    checks.push_back({name + "_us IS NULL", "bad " + name, name, expected_time(fields), true});
  } else if (is_coordinate(name)) {
    add_coordinate_checks(name, checks);
  } else {
    checks.push_back({name + "_text IS NULL", "missing " + name, name, "no value; expected an id"});
    checks.push_back({fmt::format("strlen({}_text) > {}", name, kLongestId), name + " too long", name,
                      fmt::format("is too long; expected an id of at most {} bytes", kLongestId)});
  }
}

// Text may have a decimal comma.
std::string degrees_sql(const std::string& type, const std::string& column) {
  std::string plain = fmt::format("TRY_CAST({} AS DOUBLE)", column);
  if (type != "VARCHAR") return plain;
  return fmt::format("COALESCE({}, TRY_CAST(replace({}, ',', '.') AS DOUBLE))", plain, column);
}

std::string good_offset_sql() {
  return fmt::format("{0}_value BETWEEN -{1} AND {1}", kOffset, kLargestOffset);
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
  if (fields.utc_offset) sql += " AND " + good_offset_sql();
  return fields.ends() ? fmt::format("{} AND NOT ({})", sql, kEndBeforeStart) : sql;
}

}  // namespace

std::string raw_rows_sql(const storage::Layout& layout, const Fields& fields, std::size_t parameter) {
  std::vector<std::string> columns = {"path", "broken"};
  for (const auto& [name, index] : fields.columns) {
    std::string value = fmt::format("c{}", index);
    if (const auto date = fields.dates.find(name); date != fields.dates.end()) {
      value = fmt::format("CAST(c{} AS VARCHAR) || ' ' || CAST({} AS VARCHAR)", date->second, value);
    }
    columns.push_back(fmt::format("{} AS {}", value, name));
  }
  if (fields.utc_offset) columns.push_back(fmt::format("c{} AS {}", *fields.utc_offset, kOffset));
  if (user_in_path(fields))
    columns.push_back(fmt::format("regexp_extract(path, '{}', 1) AS uid", user_expression(fields)));
  return fmt::format("SELECT {} FROM ({})", fmt::join(columns, ", "),
                     storage::scan_sql(layout, columns_read(fields), parameter));
}

std::string_view user_of_path(std::string_view path, const Fields& fields) {
  const bool folder = fields.format != Format::kCabs && fields.user.from == UserRule::From::kFolder;
  for (std::uint32_t i = 0; folder && i < fields.user.level; ++i) {
    const std::size_t end = path.rfind('/');
    if (end == std::string_view::npos) return {};
    path = path.substr(0, end);
  }
  path.remove_prefix(path.rfind('/') + 1);  // 0 where there is no folder
  if (folder) return path;
  if (fields.format == Format::kCabs) {
    constexpr std::string_view kBefore = "new_";
    constexpr std::string_view kAfter = ".txt";
    if (path.size() < kBefore.size() + kAfter.size()) return {};
    return path.substr(kBefore.size(), path.size() - kBefore.size() - kAfter.size());
  }
  const auto cut_ending = [&] {
    const std::size_t point = path.rfind('.');
    if (point != std::string_view::npos && point > 0) path = path.substr(0, point);
  };
  const std::string_view name = path;
  if (name.ends_with(".gz") || name.ends_with(".zst")) cut_ending();
  if (path.size() < name.size() && path.find('.') == std::string_view::npos) return path;
  cut_ending();
  return path;
}

std::vector<std::size_t> columns_read(const Fields& fields) {
  std::set<std::size_t> columns;
  for (const auto& [name, index] : fields.columns) columns.insert(index);
  for (const auto& [name, index] : fields.dates) columns.insert(index);
  if (fields.utc_offset) columns.insert(*fields.utc_offset);
  return {columns.begin(), columns.end()};
}

std::vector<std::string> time_columns(const Fields& fields) {
  std::vector<std::string> names;
  for (const auto& [name, index] : fields.columns) {
    if (is_time(name)) names.push_back(name);
  }
  return names;
}

storage::Layout cab_layout() {
  return {storage::FileKind::kDelimited, ' ', false, false, {{"lat"}, {"lng"}, {"occupied"}, {"unixtime"}}, true};
}

Fields resolve_fields(const Source& source, const RoiRule& rois, const storage::Table& table) {
  Fields fields{source.format, by_coordinates(rois), source.time_format, {}};
  const auto* ids = std::get_if<RoiIds>(&rois);
  fields.pairs = ids != nullptr && ids->pairs;
  if (source.format == Format::kCabs) {
    fields.time_format = TimeFormat::kUnixSeconds;
    fields.columns = {{"lat", 0}, {"lng", 1}, {"datetime", 3}};
    return fields;
  }
  fields.patterns = source.time_patterns;
  fields.user = source.user;
  fields.utc = source.utc;
  const storage::Layout& layout = table.layout;
  const std::string& file = table.files.front();
  const auto named = [&](const std::string& name) { return require_column(layout, file, name, source.columns); };
  for (const std::string& name : needed_columns(fields)) {
    if (name == "datetime" && has_date_and_time(layout, source.columns)) {
      fields.columns[name] = named("time");
      fields.dates[name] = named("date");
    } else {
      fields.columns[name] = named(name);
    }
  }
  for (const char* end : {"start", "end"}) {
    const std::string date = std::string(end) + "_date";
    if (fields.columns.contains(std::string(end) + "_time") && source.columns.contains(date))
      fields.dates[std::string(end) + "_time"] = named(date);
  }
  if (source.columns.contains(kOffset)) fields.utc_offset = named(kOffset);
  return fields;
}

std::vector<Check> row_checks(const Fields& fields) {
  std::vector<Check> checks;
  checks.push_back({"broken", "not JSON", "", "not a JSON object; expected one a line"});
  if (user_in_path(fields)) {
    checks.push_back({"uid_text IS NULL", "missing uid", "",
                      fields.format == Format::kCabs ? "no cab id in the name" : "no user in the path of the file"});
    checks.push_back({fmt::format("strlen(uid_text) > {}", kLongestId), "uid too long", "",
                      fmt::format("the user in the path is longer than {} bytes", kLongestId)});
  }
  if (fields.utc_offset) {
    checks.push_back({fmt::format("({}) IS NOT TRUE", good_offset_sql()), "bad utc_offset", kOffset,
                      fmt::format("is not an offset; expected minutes from -{0} to {0}", kLargestOffset)});
  }
  for (const std::string& name : needed_columns(fields)) add_checks(name, fields, checks);
  if (fields.ends()) {
    checks.push_back(
        {kEndBeforeStart, "end before start", "end_time", "is before the start of the trip; expected a later time"});
  }
  return checks;
}

std::string checked_rows_sql(const storage::Layout& layout, const Fields& fields, std::size_t parameter) {
  std::vector<std::string> forms = {"*"};
  std::vector<std::string> values = {"*"};
  std::vector<std::string> ranged;
  const TimeRule rule{fields.time_format, fields.patterns};
  for (const auto& [name, index] : fields.columns) {
    const std::string type = fields.dates.contains(name) ? "VARCHAR" : layout.columns[index].type;
    if (is_time(name)) {
      forms.push_back(fmt::format("{} AS {}_form", time_form_sql(type, name, rule), name));
      values.push_back(fmt::format("{} AS {}_us", time_value_sql(type, name, name + "_form", rule), name));
      std::string us = name + "_us";
      if (fields.utc_offset) {
        us = fmt::format("({}_us + {}_value * {})", name, kOffset, 60 * kSecond);
        ranged.push_back(fmt::format("{} AS {}_form", kCivilForm, name));
      } else if (fields.utc) {
        ranged.push_back(fmt::format("{} AS {}_form", kAbsoluteForm, name));
      }
      ranged.push_back(fmt::format("CASE WHEN {0} >= {1} AND {0} < {2} THEN CAST({0} AS BIGINT) END AS {3}_us", us,
                                   kYearOne, kYearTenThousand, name));
    } else if (is_coordinate(name)) {
      values.push_back(fmt::format("{} AS {}_value", degrees_sql(type, name), name));
    } else {
      values.push_back(fmt::format("NULLIF(CAST({0} AS VARCHAR), '') AS {0}_text", name));
    }
  }
  if (fields.utc_offset) values.push_back(fmt::format("TRY_CAST({0} AS DOUBLE) AS {0}_value", kOffset));
  if (user_in_path(fields)) values.emplace_back("NULLIF(uid, '') AS uid_text");
  std::string bad = fmt::format("CASE WHEN {} THEN 0", all_good_sql(fields));
  int number = 0;
  for (const Check& check : row_checks(fields)) bad += fmt::format(" WHEN {} THEN {}", check.condition, ++number);
  return fmt::format(
      "SELECT *, CAST({} ELSE 0 END AS UTINYINT) AS bad FROM (SELECT * REPLACE ({}) FROM (SELECT {} FROM (SELECT {} "
      "FROM "
      "({}))))",
      bad, fmt::join(ranged, ", "), fmt::join(values, ", "), fmt::join(forms, ", "),
      raw_rows_sql(layout, fields, parameter));
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
    if (fields.dates.contains(name)) continue;  // read as text
    const bool fits = place ? number || text : when ? number || text || time : number || text || type == "UUID";
    if (fits) continue;
    const char* expected = place ? "numbers" : when ? "times, ISO 8601 text or Unix seconds" : "ids, text or numbers";
    throw InputError({one_line(table.files.front()), 0, one_line(table.layout.columns[index].name)},
                     fmt::format("has type {}; expected {}", type, expected));
  }
}

}  // namespace hearsay::ingest
