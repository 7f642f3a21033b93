// SPDX-License-Identifier: Apache-2.0
#include "ingest/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/errors.h"
#include "ingest/columns.h"
#include "ingest/time_pattern.h"
#include "ingest/time_zone.h"
#include "storage/sql_text.h"

namespace hearsay::ingest {
namespace {

constexpr double kLattice = 1e7;
constexpr std::size_t kMostPatterns = 20;
constexpr std::uint32_t kMostSkipped = 10'000;

std::int64_t lattice(const char* parameter, double degrees, double limit) {
  if (!(degrees >= -limit && degrees <= limit)) {
    throw ConfigError(parameter, fmt::format("{}", degrees), fmt::format("expected degrees from -{0} to {0}", limit));
  }
  return std::llround(degrees * kLattice);
}

// Patterns, and columns that go together.
void check_times(const Source& source) {
  for (const std::string& pattern : source.time_patterns) {
    const std::string problem = pattern_problem(pattern);
    if (!problem.empty()) throw ConfigError("data.time_format", quoted_value(pattern), problem);
  }
  if (source.time_patterns.size() > kMostPatterns) {
    throw ConfigError("data.time_format", fmt::format("{} patterns", source.time_patterns.size()),
                      fmt::format("expected at most {}", kMostPatterns));
  }
  const auto refuse = [&](const char* column, const char* problem) {
    throw ConfigError(std::string("data.columns.") + column, quoted_value(source.columns.at(column)), problem);
  };
  const auto has = [&](const char* column) { return source.columns.contains(column); };
  if (has("date") != has("time")) {
    refuse(has("date") ? "date" : "time", "a time in two columns needs both data.columns.date and data.columns.time");
  }
  if (has("date") && has("datetime")) {
    refuse("datetime", "the time is either in one column (datetime) or in two (date, time)");
  }
  const bool trips = source.format == Format::kTrips;
  for (const char* column : {"date", "time"}) {
    if (trips && has(column)) refuse(column, "trips have start_time and end_time, each with a date column of its own");
  }
  for (const char* column : {"start_date", "end_date"}) {
    if (!trips && has(column)) refuse(column, "events have no start and end; use date and time");
  }
}

void check_text(const Source& source) {
  const storage::TextOptions& text = source.text;
  const bool known =
      text.encoding.empty() || text.encoding == "utf-8" || text.encoding == "latin-1" || text.encoding == "utf-16";
  if (!known) {
    throw ConfigError("data.encoding", quoted_value(text.encoding),
                      "expected \"utf-8\", \"latin-1\" or \"utf-16\"; convert other files to UTF-8 (iconv -t UTF-8)");
  }
  const char separator = text.separator;
  if (separator == '"' || separator == '\n' || separator == '\r' || static_cast<unsigned char>(separator) > 126) {
    throw ConfigError("data.separator", quoted_value(std::string(1, separator)),
                      "expected one character that is no quote and no line break");
  }
  if (text.skip > kMostSkipped) {
    throw ConfigError("data.skip", std::to_string(text.skip), fmt::format("expected at most {} lines", kMostSkipped));
  }
  if (source.user.from != UserRule::From::kColumn && source.columns.contains("uid")) {
    throw ConfigError("data.columns.uid", quoted_value(source.columns.at("uid")),
                      "data.user takes the user from the path of the file; set one of the two");
  }
  if (source.user.from != UserRule::From::kColumn && source.table != nullptr) {
    throw ConfigError("data.user", "", "a table in memory has no path; name the column of the user");
  }
}

}  // namespace

void check_source(const Source& source, const RoiRule& rois) {
  const bool by_grid = by_coordinates(rois);
  if (source.paths.empty() && source.table == nullptr) throw ConfigError("data.paths", "", "no file is given");
  if (source.format == Format::kTrips && by_grid) {
    throw ConfigError("rois", "grid", "trips go from id to id and have no coordinates; use ids");
  }
  if (const auto* ids = std::get_if<RoiIds>(&rois); ids != nullptr && ids->pairs && source.format != Format::kTrips) {
    throw ConfigError("rois", "flows", "flows are of trips; set data.format = \"trips\"");
  }
  if (source.format == Format::kCabs && !by_grid) {
    throw ConfigError("rois", "ids", "cab files hold coordinates and no ids; use a grid");
  }
  if (source.format == Format::kCabs && source.paths.size() != 1) {
    throw ConfigError("data.paths", fmt::format("{} paths", source.paths.size()),
                      "expected one directory of cab files");
  }
  check_times(source);
  check_text(source);
  const std::vector<std::string>& known = mappable_columns();
  for (const auto& [name, column] : source.columns) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw ConfigError("data.columns." + one_line(name), quoted_value(column),
                        "not a column we use" + suggestion(name, known));
    }
    if (source.format == Format::kCabs) {
      throw ConfigError("data.columns." + name, quoted_value(column), "cab files have no header, so no names to map");
    }
  }
}

CivilPeriod check_period(const Period& period) {
  const auto begin = parse_civil(period.start);
  if (!begin) {
    throw ConfigError("period.start", quoted_value(period.start),
                      "expected a civil time without offset such as 2010-03-01 00:00:00");
  }
  if (period.epoch_seconds == 0 || 86400 % period.epoch_seconds != 0) {
    throw ConfigError("period.epoch_seconds", std::to_string(period.epoch_seconds),
                      "expected a divisor of a day (86400)");
  }
  if (period.epochs == 0) throw ConfigError("period.epochs", "0", "expected at least 1");
  if (period.epochs > kMostEpochs) {
    throw ConfigError("period.epochs", std::to_string(period.epochs),
                      fmt::format("more than {} epochs; use longer ones", kMostEpochs));
  }
  const std::int64_t epoch = period.epoch_seconds * kSecond;
  if (*begin + period.epochs * epoch > kYearTenThousand) {
    throw ConfigError("period.start", quoted_value(period.start), "the study must end before the year 10000");
  }
  return {*begin, *begin + period.epochs * epoch, epoch};
}

GridLattice check_grid(const Grid& grid) {
  if (grid.rows == 0) throw ConfigError("rois.rows", "0", "expected at least 1");
  if (grid.cols == 0) throw ConfigError("rois.cols", "0", "expected at least 1");
  if (std::uint64_t{grid.rows} * grid.cols > kMostCells) {
    throw ConfigError(
        "rois.rows", std::to_string(grid.rows),
        fmt::format("with {} columns that is more than {} cells; use larger ones", grid.cols, kMostCells));
  }
  const GridLattice box{lattice("rois.south", grid.south, 90), lattice("rois.north", grid.north, 90),
                        lattice("rois.west", grid.west, 180), lattice("rois.east", grid.east, 180)};
  if (box.north <= box.south) {
    throw ConfigError("rois.north", fmt::format("{}", grid.north),
                      fmt::format("expected more than south = {}", grid.south));
  }
  if (box.east <= box.west) {
    throw ConfigError("rois.east", fmt::format("{}", grid.east),
                      fmt::format("expected more than west = {}", grid.west));
  }
  return box;
}

}  // namespace hearsay::ingest
