// SPDX-License-Identifier: Apache-2.0
#include "ingest/columns.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.h"
#include "storage/sql_text.h"

namespace hearsay::ingest {
namespace {

const std::map<std::string, std::vector<std::string>>& all_aliases() {
  static const std::map<std::string, std::vector<std::string>> kAliases = {
      {"uid",
       {"uid", "user_id", "user", "userid", "username", "card_id", "card", "cardid", "oyster_id", "id", "cab", "cab_id",
        "taxi", "taxi_id", "vehicle", "vehicle_id", "device_id", "person", "person_id"}},
      {"lat", {"lat", "latitude"}},
      {"lng", {"lng", "lon", "long", "longitude"}},
      {"datetime",
       {"datetime", "timestamp", "time", "date_time", "date", "ts", "utc", "utc_time", "utc_timestamp", "unix_time",
        "unixtime", "epoch", "local_time", "event_time", "check_in_time", "checkin_time"}},
      {"roi",
       {"roi", "roi_id", "location_id", "location", "station", "station_id", "place", "place_id", "poi", "poi_id",
        "venue", "venue_id", "venueid", "stop", "stop_id", "zone", "zone_id", "cell", "cell_id"}},
      {"start_time",
       {"start_time", "starttime", "start_datetime", "started_at", "touch_in_time", "tap_in_time", "entry_time",
        "pickup_datetime", "departure_time"}},
      {"start_roi",
       {"start_roi", "start_station", "start_station_id", "start_location", "start_location_id", "origin", "origin_id",
        "touch_in", "touch_in_station", "tap_in_station", "entry_station", "from_station", "from_station_id"}},
      {"end_time",
       {"end_time", "endtime", "end_datetime", "ended_at", "touch_out_time", "tap_out_time", "exit_time",
        "dropoff_datetime", "arrival_time"}},
      {"end_roi",
       {"end_roi", "end_station", "end_station_id", "end_location", "end_location_id", "destination", "destination_id",
        "touch_out", "touch_out_station", "tap_out_station", "exit_station", "to_station", "to_station_id"}},
      {"list_roi",
       {"roi", "id", "roi_id", "location_id", "location", "station", "station_id", "place", "place_id", "poi", "poi_id",
        "venue_id", "venueid", "stop_id", "zone_id", "cell_id"}},
      {"list_name", {"name", "roi_name", "station_name", "stop_name", "venue_name", "place_name", "label", "title"}},
  };
  return kAliases;
}

std::vector<std::string> names_of(const storage::Layout& layout) {
  std::vector<std::string> names;
  for (const storage::TableColumn& column : layout.columns) names.push_back(one_line(column.name));
  return names;
}

std::string nearest(const std::string& given, const storage::Layout& layout) {
  const std::string text = suggestion(given, names_of(layout));
  return text.starts_with("; did") ? text : "";
}

std::vector<std::size_t> columns_named(const storage::Layout& layout, const std::string& name) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < layout.columns.size(); ++i) {
    if (storage::normalized_name(layout.columns[i].name) == storage::normalized_name(name)) found.push_back(i);
  }
  return found;
}

std::optional<std::size_t> only(const std::vector<std::size_t>& found, const storage::Layout& layout,
                                const std::string& file, const std::string& name) {
  if (found.empty()) return std::nullopt;
  if (found.size() == 1) return found.front();
  throw InputError({one_line(file), 0, name},
                   fmt::format("ambiguous: \"{}\" and \"{}\" both stand for it; map it explicitly with data.columns.{}",
                               one_line(layout.columns[found[0]].name), one_line(layout.columns[found[1]].name), name));
}

}  // namespace

const std::vector<std::string>& column_aliases(const std::string& name) {
  return all_aliases().at(name);
}

const std::vector<std::string>& mappable_columns() {
  static const std::vector<std::string> kNames = {"uid",        "lat",       "lng",      "datetime", "roi",
                                                  "start_time", "start_roi", "end_time", "end_roi"};
  return kNames;
}

std::size_t named_column(const storage::Layout& layout, const std::string& file, const std::string& column,
                         const std::string& setting) {
  for (std::size_t i = 0; i < layout.columns.size(); ++i) {
    if (layout.columns[i].name == column) return i;
  }
  if (const auto found = only(columns_named(layout, column), layout, file, column)) return *found;
  throw InputError({one_line(file), 0, one_line(column)},
                   fmt::format("not found, though {} names it; the columns are {}{}", setting, listed(names_of(layout)),
                               nearest(column, layout)));
}

std::optional<std::size_t> find_column(const storage::Layout& layout, const std::string& file, const std::string& name,
                                       const std::map<std::string, std::string>& mapping) {
  if (const auto mapped = mapping.find(name); mapped != mapping.end()) {
    return named_column(layout, file, mapped->second, "data.columns." + name);
  }
  const std::vector<std::string>& aliases = column_aliases(name);
  if (const auto named = only(columns_named(layout, aliases.front()), layout, file, name)) return named;
  std::vector<std::size_t> found;
  for (const std::string& alias : aliases) {
    const std::vector<std::size_t> same = columns_named(layout, alias);
    found.insert(found.end(), same.begin(), same.end());
  }
  return only(found, layout, file, name);
}

std::size_t require_column(const storage::Layout& layout, const std::string& file, const std::string& name,
                           const std::map<std::string, std::string>& mapping) {
  if (const auto found = find_column(layout, file, name, mapping)) return *found;
  throw InputError({one_line(file), 0, column_aliases(name).front()},
                   fmt::format("not found; the columns are {}{}", listed(names_of(layout)),
                               nearest(column_aliases(name).front(), layout)));
}

}  // namespace hearsay::ingest
