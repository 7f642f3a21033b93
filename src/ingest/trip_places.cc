// SPDX-License-Identifier: Apache-2.0
#include "ingest/trip_places.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "ingest/columns.h"

namespace hearsay::ingest {
namespace {

// A struct of what a row says of its start or end; nothing where that is the id alone.
std::string place_sql(const ReadTable& read, const Source& source, const std::string& end,
                      std::set<std::size_t>& wanted) {
  bool more = false;
  const auto text = [&](const std::string& name) -> std::string {
    const auto index = find_column(read.table.layout, read.table.files.front(), name, source.columns);
    if (!index) return "NULL::VARCHAR";
    more = true;
    wanted.insert(*index);
    return fmt::format("CAST(c{} AS VARCHAR)", *index);
  };
  const std::size_t id = read.fields.columns.at(end + "_roi");
  const std::string name = text(end + "_name");
  const std::string lat = text(end + "_lat");
  const std::string lng = text(end + "_lng");
  if (!more) return "";
  wanted.insert(id);
  return fmt::format("{{'id': CAST(c{} AS VARCHAR), 'name': {}, 'lat': {}, 'lng': {}}}", id, name, lat, lng);
}

std::string places_sql(const ReadTable& read, const Source& source, std::size_t parameter) {
  std::set<std::size_t> wanted;
  std::vector<std::string> places;
  for (const char* end : {"start", "end"}) {
    if (const std::string sql = place_sql(read, source, end, wanted); !sql.empty()) places.push_back(sql);
  }
  if (places.empty()) return "";
  return fmt::format("SELECT unnest([{}], recursive := true) FROM ({})", fmt::join(places, ", "),
                     storage::scan_sql(read.table.layout, {wanted.begin(), wanted.end()}, parameter));
}

// All starts and ends as id, name, lat, lng and `known`: whether the two are a position. Nothing where no column says
// more than the id.
std::string all_places_sql(const std::vector<ReadTable>& tables, const Source& source, storage::Values& files) {
  std::vector<std::string> parts;
  for (const ReadTable& read : tables) {
    const std::string sql = places_sql(read, source, files.size() + 1);
    if (sql.empty()) continue;
    parts.push_back("(" + sql + ")");
    files.emplace_back(storage::literal_paths(read.table.files));
  }
  if (parts.empty()) return "";
  // 0, 0 is where no bicycle was ever seen.
  return fmt::format(
      "SELECT *, COALESCE(lat BETWEEN -90 AND 90 AND lng BETWEEN -180 AND 180 AND (lat <> 0 OR lng <> 0), false) AS "
      "known FROM (SELECT id, name, TRY_CAST(lat AS DOUBLE) AS lat, TRY_CAST(lng AS DOUBLE) AS lng FROM ({})) WHERE id "
      "IS NOT NULL",
      fmt::join(parts, " UNION ALL "));
}

}  // namespace

std::vector<std::size_t> place_columns(const ReadTable& read, const Source& source) {
  std::set<std::size_t> wanted;
  for (const char* end : {"start", "end"}) place_sql(read, source, end, wanted);
  return {wanted.begin(), wanted.end()};
}

void name_trip_places(storage::Database& database, const std::vector<ReadTable>& tables, const Source& source,
                      std::vector<Roi>& rois) {
  storage::Values files;
  const std::string places = all_places_sql(tables, source, files);
  if (places.empty()) return;
  std::unordered_map<std::string, Roi*> by_id;
  for (Roi& roi : rois) by_id[roi.id] = &roi;
  storage::QueryRows rows = database.execute(
      fmt::format("SELECT id, max(name), median(lat) FILTER (known), median(lng) FILTER (known) FROM ({}) GROUP BY id",
                  places),
      files);
  while (rows.next()) {
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      const auto found = by_id.find(std::string(rows.text(0, row)));
      if (found == by_id.end()) continue;
      Roi& roi = *found->second;
      roi.name = rows.text(1, row);
      if (rows.is_null(2, row) || rows.is_null(3, row)) continue;
      roi.lat = rows.number(2, row);
      roi.lng = rows.number(3, row);
    }
  }
}

std::vector<SeenPlace> survey_trip_places(storage::Database& database, const std::vector<ReadTable>& tables,
                                          const Source& source) {
  storage::Values files;
  std::vector<SeenPlace> seen;
  const std::string places = all_places_sql(tables, source, files);
  if (places.empty()) return seen;
  storage::QueryRows rows = database.execute(
      fmt::format(
          "SELECT id, max(name), lat, lng, count(*) FROM (SELECT id, name, CASE WHEN known THEN lat END AS lat, "
          "CASE WHEN known THEN lng END AS lng FROM ({})) GROUP BY ALL",
          places),
      files);
  while (rows.next()) {
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      SeenPlace& place = seen.emplace_back();
      place.id = rows.text(0, row);
      place.name = rows.text(1, row);
      if (!rows.is_null(2, row)) place.lat = rows.number(2, row);
      if (!rows.is_null(3, row)) place.lng = rows.number(3, row);
      place.rows = static_cast<std::uint64_t>(rows.integer(4, row));
    }
  }
  return seen;
}

}  // namespace hearsay::ingest
