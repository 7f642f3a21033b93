// SPDX-License-Identifier: Apache-2.0
#include "look/middle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ingest/columns.h"
#include "ingest/roi_list.h"
#include "ingest/zone_map.h"
#include "look/time_zones.h"

namespace hearsay::look {
namespace {

constexpr std::size_t kRows = 100'000;
// About 1% of the globe is as near as kInTown to a town of the list, so a point seldom swaps into one by chance.
constexpr double kInTown = 60;         // kilometres
constexpr double kFarFromTowns = 150;  // kilometres
constexpr double kAntarctica = -60;    // degrees

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::optional<Point> middle_of(const std::vector<ingest::Roi>& rois) {
  std::vector<double> lats;
  std::vector<double> lngs;
  for (const ingest::Roi& roi : rois) {
    if (!roi.lat || !roi.lng) continue;
    lats.push_back(*roi.lat);
    lngs.push_back(*roi.lng);
  }
  if (lats.empty()) return std::nullopt;
  return Point{median(lats), median(lngs)};
}

bool on_globe(const Point& point) {
  return std::abs(point.lat) <= 90 && std::abs(point.lng) <= 180;
}

}  // namespace

std::optional<Point> middle_of(storage::Database& database, const storage::Table& table, const ingest::Source& source,
                               const std::string& lat, const std::string& lng) {
  const auto column = [&](const std::string& name) {
    return ingest::find_column(table.layout, table.files.front(), name, source.columns);
  };
  const std::optional<std::size_t> lats = column(lat);
  const std::optional<std::size_t> lngs = column(lng);
  if (!lats || !lngs || *lats == *lngs) return std::nullopt;
  const auto degrees = [](std::size_t index) {
    return fmt::format("TRY_CAST(replace(CAST(c{} AS VARCHAR), ',', '.') AS DOUBLE)", index);
  };
  storage::QueryRows rows = database.execute(
      fmt::format("SELECT median(a), median(b) FROM (SELECT {} AS a, {} AS b FROM ({}) LIMIT {}) WHERE isfinite(a) AND "
                  "isfinite(b)",
                  degrees(*lats), degrees(*lngs), storage::scan_sql(table.layout, {*lats, *lngs}, 1), kRows),
      {storage::literal_paths(table.files)});
  if (!rows.next() || rows.is_null(0, 0)) return std::nullopt;
  return Point{rows.number(0, 0), rows.number(1, 0)};
}

std::optional<Point> middle_of(storage::Database& database, const ingest::RoiRule& rois) {
  if (const auto* ids = std::get_if<ingest::RoiIds>(&rois); ids != nullptr && !ids->list.empty()) {
    return middle_of(ingest::read_roi_list(database, *ids));
  }
  if (const auto* zones = std::get_if<ingest::Zones>(&rois)) return middle_of(ingest::ZoneMap(*zones).rois());
  return std::nullopt;
}

Swapped looks_swapped(const Point& point) {
  const Point other{point.lng, point.lat};
  if (!on_globe(other)) return Swapped::kNo;
  if (!on_globe(point) || point.lat < kAntarctica) return Swapped::kSurely;
  const double as_given = nearest_town(point.lat, point.lng).kilometres;
  const double as_swapped = nearest_town(other.lat, other.lng).kilometres;
  if (as_given < kFarFromTowns || 3 * as_swapped > as_given) return Swapped::kNo;
  return as_swapped <= kInTown ? Swapped::kSurely : Swapped::kPerhaps;
}

}  // namespace hearsay::look
