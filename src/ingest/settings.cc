// SPDX-License-Identifier: Apache-2.0
#include "ingest/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/errors.h"
#include "ingest/columns.h"
#include "ingest/time_zone.h"
#include "storage/sql_text.h"

namespace hearsay::ingest {
namespace {

constexpr double kLattice = 1e7;

std::int64_t lattice(const char* parameter, double degrees, double limit) {
  if (!(degrees >= -limit && degrees <= limit)) {
    throw ConfigError(parameter, fmt::format("{}", degrees), fmt::format("expected degrees from -{0} to {0}", limit));
  }
  return std::llround(degrees * kLattice);
}

}  // namespace

void check_source(const Source& source, const RoiRule& rois) {
  const bool by_grid = std::holds_alternative<Grid>(rois);
  if (source.paths.empty() && source.table == nullptr) throw ConfigError("data.paths", "", "no file is given");
  if (source.format == Format::kTrips && by_grid) {
    throw ConfigError("rois", "grid", "trips go from id to id and have no coordinates; use ids");
  }
  if (source.format == Format::kCabs && !by_grid) {
    throw ConfigError("rois", "ids", "cab files hold coordinates and no ids; use a grid");
  }
  if (source.format == Format::kCabs && source.paths.size() != 1) {
    throw ConfigError("data.paths", fmt::format("{} paths", source.paths.size()),
                      "expected one directory of cab files");
  }
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
