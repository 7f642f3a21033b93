// SPDX-License-Identifier: Apache-2.0
#include "ingest/visit_query.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ingest/civil_time.h"

namespace hearsay::ingest {
namespace {

// Events of one table: bad, uid, us, form, and lat, lng or place.
std::string table_events_sql(const ReadTable& read, std::size_t parameter) {
  const std::string rows = checked_rows_sql(read.table.layout, read.fields, parameter);
  if (read.fields.format != Format::kTrips) {
    const char* where = read.fields.by_grid ? "lat_value AS lat, lng_value AS lng" : "roi_text AS place";
    return fmt::format("SELECT bad, uid_text AS uid, datetime_us AS us, datetime_form AS form, {} FROM ({})", where,
                       rows);
  }
  return fmt::format(
      "SELECT bad, uid_text AS uid, CASE WHEN side = 0 THEN start_time_us ELSE end_time_us END AS us, "
      "CASE WHEN side = 0 THEN start_time_form ELSE end_time_form END AS form, "
      "CASE WHEN side = 0 THEN start_roi_text ELSE end_roi_text END AS place "
      "FROM ({}) CROSS JOIN (VALUES (0), (1)) AS sides(side) WHERE bad = 0 OR side = 0",
      rows);
}

// Adds civil, and y and x on the lattice.
std::string placed_events_sql(const VisitQuery& query) {
  std::vector<std::string> tables;
  for (std::size_t i = 0; i < query.tables.size(); ++i) {
    tables.push_back(fmt::format("({})", table_events_sql(query.tables[i], i + 1)));
  }
  // A bad row may hold a coordinate that does not fit the lattice.
  const std::string lattice = query.grid == nullptr ? ""
                                                    : ", CASE WHEN bad = 0 THEN round(lat * 1e7)::BIGINT END AS y, "
                                                      "CASE WHEN bad = 0 THEN round(lng * 1e7)::BIGINT END AS x";
  return fmt::format("SELECT *, CASE WHEN form = {} THEN us ELSE {} END AS civil{} FROM ({})", kCivilForm, query.civil,
                     lattice, fmt::join(tables, " UNION ALL "));
}

std::string in_period(const VisitQuery& query) {
  return fmt::format("civil >= {} AND civil < {}", query.period.begin, query.period.end);
}

}  // namespace

std::string grouping_sql(const VisitQuery& query) {
  std::string in_box = "true";
  std::string place = "place";
  if (query.grid != nullptr) {
    const GridLattice& box = query.box;
    in_box = fmt::format("y >= {} AND y < {} AND x >= {} AND x < {}", box.south, box.north, box.west, box.east);
    place =
        fmt::format("CAST((y - ({})) * {} // {} * {} + (x - ({})) * {} // {} AS UINTEGER)", box.south, query.grid->rows,
                    box.north - box.south, query.grid->cols, box.west, query.grid->cols, box.east - box.west);
  }
  const std::string kinds = fmt::format(
      "SELECT *, CAST(CASE WHEN bad > 0 THEN {} + bad WHEN NOT ({}) THEN CASE WHEN form = {} THEN {} ELSE {} END "
      "WHEN {} THEN {} ELSE {} END AS UTINYINT) AS kind FROM ({})",
      kFirstBad, in_period(query), kCivilForm, kOutsideCivil, kOutsideAbsolute, in_box, kVisit, kOutsideBox,
      placed_events_sql(query));
  return fmt::format(
      "CREATE TEMP TABLE grouped AS SELECT kind, CASE WHEN kind = 0 THEN uid END AS uid, "
      "CASE WHEN kind = 0 THEN CAST((civil - ({})) // {} AS UINTEGER) END AS epoch, "
      "CASE WHEN kind = 0 THEN {} END AS place, count(*) AS n, "
      "min(CASE WHEN kind = {} THEN us ELSE civil END) AS first_us, "
      "max(CASE WHEN kind = {} THEN us ELSE civil END) AS last_us FROM ({}) GROUP BY ALL",
      query.period.begin, query.period.epoch, place, kOutsideAbsolute, kOutsideAbsolute, kinds);
}

std::string extent_sql(const VisitQuery& query) {
  return fmt::format("SELECT min(lat), max(lat), min(lng), max(lng) FROM ({}) WHERE bad = 0 AND {}",
                     placed_events_sql(query), in_period(query));
}

Parameters file_parameters(const VisitQuery& query) {
  Parameters parameters;
  for (const ReadTable& read : query.tables) parameters.emplace_back(literal_paths(read.table.files));
  return parameters;
}

}  // namespace hearsay::ingest
