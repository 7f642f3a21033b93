// SPDX-License-Identifier: Apache-2.0
#include "ingest/time_survey.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/errors.h"
#include "base/text_table.h"
#include "ingest/time_pattern.h"
#include "ingest/time_zone.h"
#include "storage/sql_text.h"

namespace hearsay::ingest {
namespace {

constexpr std::size_t kLongestTime = 64;  // bytes; what is longer is no time
constexpr std::uint64_t kFew = 100;       // fewer than one in so many decide nothing
constexpr int kUsual = -1;
constexpr int kNoPattern = -2;

std::string survey_sql(const ReadTable& read) {
  std::vector<std::string> times;
  for (const std::string& name : time_columns(read.fields)) times.push_back(fmt::format("CAST({} AS VARCHAR)", name));
  return fmt::format(
      "SELECT path, shape, min(value), max(value), count(*), count(*) FILTER (first BETWEEN 13 AND 31 AND second "
      "BETWEEN 1 AND 12), count(*) FILTER (second BETWEEN 13 AND 31 AND first BETWEEN 1 AND 12), count(*) FILTER "
      "(first <> second) FROM (SELECT path, value, "
      "translate(upper(value), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', 'AAAAAAAAAAAAAAAAAAAAAAAAAA9999999999') AS "
      "shape, TRY_CAST(split_part(translate(value, '-', '/'), '/', 1) AS INTEGER) AS first, "
      "TRY_CAST(split_part(translate(value, '-', '/'), '/', 2) AS INTEGER) AS second FROM (SELECT path, unnest([{}]) "
      "AS value FROM ({})) WHERE value <> '' AND strlen(value) <= {}) GROUP BY path, shape ORDER BY path, shape",
      fmt::join(times, ", "), raw_rows_sql(read.table.layout, read.fields, 1), kLongestTime);
}

// A shape and how its values can be read.
struct Shape : TimeShape {
  int pattern = kNoPattern;  // of common_patterns()
};

// The number of the first way to read a value: as usual, or by a pattern.
std::string way_sql() {
  const std::string form = time_form_sql("VARCHAR", "value", {});
  std::string sql = fmt::format("CASE WHEN {} BETWEEN {} AND {} THEN {}", time_value_sql("VARCHAR", "value", form, {}),
                                kYearOne, kYearTenThousand - 1, kUsual);
  const std::vector<CommonPattern>& patterns = common_patterns();
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    std::vector<std::string> both = {patterns[i].pattern};
    if (!patterns[i].day_first.empty()) both.push_back(patterns[i].day_first);
    sql += fmt::format(" WHEN {} IS NOT NULL THEN {}", pattern_value_sql("value", both), i);
  }
  return fmt::format("SELECT CAST({} ELSE {} END AS BIGINT) FROM (SELECT unnest($1) AS value)", sql, kNoPattern);
}

std::vector<Shape> find_ways(storage::Database& database, const std::vector<TimeShape>& found) {
  std::vector<Shape> shapes;
  std::vector<std::string> values;
  for (const TimeShape& shape : found) {
    shapes.push_back({shape});
    values.insert(values.end(), {shape.example, shape.another});
  }
  if (values.empty()) return shapes;
  std::vector<int> ways;
  storage::QueryRows rows = database.execute(way_sql(), {values});
  while (rows.next()) {
    for (std::size_t row = 0; row < rows.rows(); ++row) ways.push_back(static_cast<int>(rows.integer(0, row)));
  }
  // The least or largest value may be a bad one, such as 99/99/9999.
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    shapes[i].pattern = ways.at(2 * i) != kNoPattern ? ways[2 * i] : ways.at(2 * i + 1);
  }
  return shapes;
}

// The column of times, as the file names it.
std::string time_column(const ReadTable& read) {
  return one_line(read.table.layout.columns[read.fields.columns.at(time_columns(read.fields).front())].name);
}

// Files whose times are mostly written in a common pattern, and which patterns those are. Throws InputError for a file
// with a mixture.
std::map<std::string, std::set<int>> patterns_by_file(const ReadTable& read, const std::vector<Shape>& shapes) {
  struct Values {
    std::uint64_t usual = 0;
    std::uint64_t other = 0;
  };
  std::map<std::string, Values> values;
  std::map<std::string, std::set<int>> patterns;
  for (const Shape& shape : shapes) {
    if (shape.pattern == kUsual) values[shape.path].usual += shape.values;
    if (shape.pattern < 0) continue;
    values[shape.path].other += shape.values;
    patterns[shape.path].insert(shape.pattern);
  }
  for (const auto& [path, found] : values) {
    // Near the middle a single row would decide whether half of the others are read.
    if (found.other > found.usual || 2 * found.other <= found.usual) continue;
    throw InputError({one_line(path.empty() ? read.table.files.front() : path), 0, time_column(read)},
                     fmt::format("{} times are ISO 8601 or Unix time and {} are written in another way; set "
                                 "data.time_format to a list of patterns for all of them",
                                 with_commas(found.usual), with_commas(found.other)));
  }
  std::erase_if(patterns, [&](const auto& entry) { return values[entry.first].other <= values[entry.first].usual; });
  return patterns;
}

[[noreturn]] void refuse(const ReadTable& read, const Shape& shape, const std::string& why) {
  const CommonPattern& pattern = common_patterns()[static_cast<std::size_t>(shape.pattern)];
  throw InputError({one_line(shape.path.empty() ? read.table.files.front() : shape.path), 0, time_column(read)},
                   fmt::format("{} {}; set data.time_format = \"{}\" (month first) or \"{}\" (day first)",
                               quoted_value(shape.example), why, pattern.pattern, pattern.day_first));
}

// Whether the day comes first in the patterns that can have either order.
bool day_comes_first(const ReadTable& read, const std::vector<Shape>& shapes,
                     const std::map<std::string, std::set<int>>& files) {
  const Shape* any = nullptr;
  std::uint64_t day_first = 0;
  std::uint64_t month_first = 0;
  std::uint64_t told_apart = 0;
  for (const Shape& shape : shapes) {
    if (shape.pattern < 0 || !files.contains(shape.path)) continue;
    if (common_patterns()[static_cast<std::size_t>(shape.pattern)].day_first.empty()) continue;
    any = &shape;
    day_first += shape.day_first;
    month_first += shape.month_first;
    told_apart += shape.told_apart;
  }
  if (any == nullptr) return false;
  const std::uint64_t most = std::max(day_first, month_first);
  const std::uint64_t least = std::min(day_first, month_first);
  if (kFew * least > most) {
    refuse(read, *any, "and the other times: some can only have the day first, others only the month");
  }
  if (most == 0 && told_apart > 0) {
    refuse(read, *any, "can have the month or the day first, and no time in the data tells which");
  }
  // A few rows, or the bad one of a single person, must not decide how everybody's are read.
  if (kFew * most < told_apart) {
    refuse(read, *any,
           fmt::format("can have the month or the day first, and only {} of {} times tell which", with_commas(most),
                       with_commas(told_apart)));
  }
  return day_first > month_first;
}

// The table without the files that have patterns, if any is left, and one for each set of patterns.
std::vector<ReadTable> split(const ReadTable& read, const std::map<std::string, std::vector<std::string>>& patterns) {
  std::map<std::vector<std::string>, ReadTable> parts;
  for (const std::string& file : read.table.files) {
    // Only delimited text says which file a row is of.
    const auto found = patterns.contains("") ? patterns.find("") : patterns.find(file);
    const std::vector<std::string> its = found == patterns.end() ? std::vector<std::string>() : found->second;
    ReadTable& part = parts.try_emplace(its, ReadTable{{read.table.layout, {}}, read.fields}).first->second;
    part.fields.patterns = its;
    part.table.files.push_back(file);
  }
  std::vector<ReadTable> tables;
  tables.reserve(parts.size());
  for (auto& [its, part] : parts) tables.push_back(std::move(part));
  return tables;
}

}  // namespace

std::vector<TimeShape> survey_times(storage::Database& database, const ReadTable& read) {
  std::vector<TimeShape> shapes;
  storage::QueryRows rows = database.execute(survey_sql(read), {storage::literal_paths(read.table.files)});
  while (rows.next()) {
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      const auto text = [&](std::size_t column) { return std::string(rows.text(column, row)); };
      const auto count = [&](std::size_t column) { return static_cast<std::uint64_t>(rows.integer(column, row)); };
      shapes.push_back({text(0), text(1), text(2), text(3), count(4), count(5), count(6), count(7)});
    }
  }
  return shapes;
}

std::vector<TimeShape> added(const std::vector<TimeShape>& some, const std::vector<TimeShape>& others) {
  std::map<std::pair<std::string, std::string>, TimeShape> all;
  for (const std::vector<TimeShape>* part : {&some, &others}) {
    for (const TimeShape& shape : *part) {
      const auto [place, is_new] = all.try_emplace({shape.path, shape.shape}, shape);
      if (is_new) continue;
      TimeShape& sum = place->second;
      sum.example = std::min(sum.example, shape.example);
      sum.another = std::max(sum.another, shape.another);
      sum.values += shape.values;
      sum.day_first += shape.day_first;
      sum.month_first += shape.month_first;
      sum.told_apart += shape.told_apart;
    }
  }
  std::vector<TimeShape> shapes;
  shapes.reserve(all.size());
  for (auto& [place, shape] : all) shapes.push_back(std::move(shape));
  return shapes;
}

std::map<std::string, std::vector<std::string>> patterns_of(storage::Database& database, const ReadTable& read,
                                                            const std::vector<TimeShape>& found) {
  const std::vector<Shape> shapes = find_ways(database, found);
  const std::map<std::string, std::set<int>> files = patterns_by_file(read, shapes);
  const bool day_first = day_comes_first(read, shapes, files);
  std::map<std::string, std::vector<std::string>> patterns;
  for (const auto& [path, numbers] : files) {
    for (const int number : numbers) {
      const CommonPattern& common = common_patterns()[static_cast<std::size_t>(number)];
      patterns[path].push_back(day_first && !common.day_first.empty() ? common.day_first : common.pattern);
    }
  }
  return patterns;
}

std::vector<std::string> find_time_patterns(storage::Database& database, std::vector<ReadTable>& tables) {
  std::vector<ReadTable> parts;
  std::vector<std::string> all;
  for (const ReadTable& read : tables) {
    const auto patterns = patterns_of(database, read, survey_times(database, read));
    for (const auto& [path, its] : patterns) {
      for (const std::string& pattern : its) {
        if (std::find(all.begin(), all.end(), pattern) == all.end()) all.push_back(pattern);
      }
    }
    for (ReadTable& part : split(read, patterns)) parts.push_back(std::move(part));
  }
  tables = std::move(parts);
  return all;
}

}  // namespace hearsay::ingest
