// SPDX-License-Identifier: Apache-2.0
#include "ingest/roi_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/errors.h"
#include "ingest/columns.h"
#include "storage/plain_bytes.h"
#include "storage/sql_text.h"

namespace hearsay::ingest {
namespace {

// Column numbers of the query below; the text of a coordinate follows its value.
enum Field : std::size_t { kRoi, kName, kLat, kLatText, kLng, kLngText, kZone };

struct List {
  std::string path;
  std::string zone;  // its column; empty: none
  storage::Layout layout;
  std::vector<std::size_t> wanted;  // the columns that are read
  std::string query;
};

// `strict`: whether a row that does not have the shape of the table fails the query; else it is left out.
List open_list(storage::Database& database, const RoiIds& rule, bool strict) {
  const std::string& path = rule.list;
  const std::string& zone = rule.zone;
  if (storage::expand_path(database, path) != std::vector<std::string>{path}) {
    throw InputError({one_line(path), 0, ""}, "expected one file");
  }
  storage::check_compressed_files({path}, 1);
  List list{path, zone, storage::read_layout(database, path), {}, ""};
  list.layout.strict = strict;
  std::vector<std::size_t>& wanted = list.wanted;
  const auto column = [&](const std::optional<std::size_t>& index) -> std::string {
    if (!index) return "NULL::VARCHAR";
    if (std::find(wanted.begin(), wanted.end(), *index) == wanted.end()) wanted.push_back(*index);
    return fmt::format("CAST(c{} AS VARCHAR)", *index);
  };
  std::map<std::string, std::string> mapping;
  for (const auto& [ours, theirs] : rule.columns) mapping["list_" + ours] = theirs;
  const std::string roi = column(require_column(list.layout, path, "list_roi", mapping));
  const std::string name = column(find_column(list.layout, path, "list_name", mapping));
  const std::string lat = column(find_column(list.layout, path, "list_lat", mapping));
  const std::string lng = column(find_column(list.layout, path, "list_lng", mapping));
  const std::string zones =
      column(zone.empty() ? std::nullopt : std::optional(named_column(list.layout, path, zone, "rois.zone")));
  list.query = fmt::format(
      "SELECT {0}, {1}, TRY_CAST(replace({2}, ',', '.') AS DOUBLE), {2}, TRY_CAST(replace({3}, ',', "
      "'.') AS DOUBLE), {3}, {5} FROM ({4})",
      roi, name, lat, lng, storage::scan_sql(list.layout, wanted, 1), zones);
  return list;
}

std::optional<double> coordinate(const storage::QueryRows& rows, std::size_t row, Field value) {
  return rows.is_null(value, row) ? std::nullopt : std::optional(rows.number(value, row));
}

// What is wrong with a coordinate that was given; empty where nothing is.
std::string coordinate_problem(const storage::QueryRows& rows, std::size_t row, Field value, double limit) {
  const std::string_view text = rows.text(value + 1, row);
  const auto degrees = coordinate(rows, row, value);
  if (text.empty() || (degrees && *degrees >= -limit && *degrees <= limit)) return "";
  return fmt::format("{} is not a {}; expected degrees from -{} to {}, or nothing", quoted_value(text),
                     value == kLat ? "latitude" : "longitude", limit, limit);
}

std::string row_problem(const storage::QueryRows& rows, std::size_t row, const std::string& zone,
                        std::unordered_set<std::string>& seen) {
  const std::string id(rows.text(kRoi, row));
  if (id.empty()) return "no value; expected the id of an ROI";
  if (!seen.insert(id).second) return quoted_value(id) + " is in the list twice";
  if (!zone.empty() && rows.text(kZone, row).empty()) {
    return fmt::format("no value in column {}; expected the zone of {}", one_line(zone), quoted_value(id));
  }
  const std::string problem = coordinate_problem(rows, row, kLat, 90);
  return problem.empty() ? coordinate_problem(rows, row, kLng, 180) : problem;
}

// Reads up to the first bad row and says what is wrong with it.
std::string read_rows(storage::Database& database, const List& list, std::vector<Roi>& rois) {
  std::unordered_set<std::string> seen;
  storage::QueryRows rows = database.execute(list.query, {storage::literal_paths({list.path})});
  while (rows.next()) {
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      if (std::string problem = row_problem(rows, row, list.zone, seen); !problem.empty()) return problem;
      rois.push_back({std::string(rows.text(kRoi, row)), std::string(rows.text(kName, row)),
                      coordinate(rows, row, kLat), coordinate(rows, row, kLng), std::string(rows.text(kZone, row))});
    }
  }
  return "";
}

std::vector<Roi> read_list(storage::Database& database, const RoiIds& rule) {
  const std::string& path = rule.list;
  const List list = open_list(database, rule, true);
  std::vector<Roi> rois;
  std::string problem;
  std::optional<storage::Reject> reject;
  try {
    problem = read_rows(database, list, rois);
  } catch (const storage::DatabaseError& error) {
    if (!storage::reject_of(error)) throw;
    rois.clear();
    database.execute("SET threads = 1");  // or it may not be the first
    problem = read_rows(database, open_list(database, rule, false), rois);
    reject = storage::first_reject(database, list.layout, list.wanted, path);
  }
  if (!problem.empty() || reject) {
    const auto record = problem.empty() ? std::nullopt : std::optional<std::uint64_t>(rois.size() + 1);
    const storage::RowPlace place = storage::locate(database, list.layout, path, record, reject);
    throw InputError({one_line(path), place.line, ""},
                     place.is_reject ? fmt::format("{}: {}", reject->reason, reject->problem) : problem);
  }
  if (rois.empty()) throw InputError({one_line(path), 0, ""}, "no rows: the list of ROIs is empty");
  return rois;
}

}  // namespace

std::vector<Roi> read_roi_list(storage::Database& database, const RoiIds& rule) {
  try {
    return read_list(database, rule);
  } catch (const storage::DatabaseError& error) {
    throw InputError({one_line(rule.list), 0, ""}, "cannot be read: " + storage::first_line(error.what()));
  }
}

}  // namespace hearsay::ingest
