// SPDX-License-Identifier: Apache-2.0
#include "ingest/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/errors.h"
#include "storage/sql_text.h"

namespace hearsay::ingest {
namespace {

const std::map<std::string, std::vector<std::string>>& all_aliases() {
  static const std::map<std::string, std::vector<std::string>> kAliases = {
      {"uid",
       {"uid",       "user_id", "user",      "userid",   "username", "card_id",       "card",      "cardid",
        "oyster_id", "id",      "cab",       "cab_id",   "taxi",     "taxi_id",       "vehicle",   "vehicle_id",
        "device_id", "person",  "person_id", "agent_id", "imsi",     "subscriber_id", "caller_id", "customer_id"}},
      {"lat", {"lat", "latitude", "stop_lat"}},
      {"lng", {"lng", "lon", "long", "longitude", "stop_lon"}},
      {"datetime",
       {"datetime", "timestamp", "time", "date_time", "date", "ts", "utc", "utc_time", "utctime", "utc_timestamp",
        "utctimestamp", "unix_time", "unixtime", "epoch", "local_time", "event_time", "check_in_time", "checkin_time",
        "gps_time"}},
      {"roi", {"roi",      "roi_id",  "location_id", "locationid", "location", "station",    "station_id", "place",
               "place_id", "poi",     "poi_id",      "venue",      "venue_id", "venueid",    "stop",       "stop_id",
               "zone",     "zone_id", "cell",        "cell_id",    "antenna",  "antenna_id", "tower_id",   "bts_id"}},
      {"start_time",
       {"start_time", "starttime", "start_datetime", "start_date", "started_at", "touch_in_time", "tap_in_time",
        "entry_time", "pickup_datetime", "tpep_pickup_datetime", "lpep_pickup_datetime", "trip_start_timestamp",
        "departure_time"}},
      {"start_roi",
       {"start_roi", "start_station", "start_station_id", "start_location", "start_location_id", "origin", "origin_id",
        "touch_in", "touch_in_station", "tap_in_station", "entry_station", "from_station", "from_station_id",
        "pulocationid"}},
      {"end_time",
       {"end_time", "endtime", "end_datetime", "end_date", "ended_at", "stoptime", "stop_time", "touch_out_time",
        "tap_out_time", "exit_time", "dropoff_datetime", "tpep_dropoff_datetime", "lpep_dropoff_datetime",
        "trip_end_timestamp", "arrival_time"}},
      {"end_roi",
       {"end_roi", "end_station", "end_station_id", "end_location", "end_location_id", "destination", "destination_id",
        "touch_out", "touch_out_station", "tap_out_station", "exit_station", "to_station", "to_station_id",
        "dolocationid"}},
      {"start_name", {"start_station_name", "from_station_name", "start_name"}},
      {"start_lat", {"start_lat", "start_latitude", "start_station_latitude"}},
      {"start_lng", {"start_lng", "start_lon", "start_longitude", "start_station_longitude"}},
      {"end_name", {"end_station_name", "to_station_name", "end_name"}},
      {"end_lat", {"end_lat", "end_latitude", "end_station_latitude"}},
      {"end_lng", {"end_lng", "end_lon", "end_longitude", "end_station_longitude"}},
      {"date", {"date"}},
      {"time", {"time"}},
      {"start_date", {"start_date"}},
      {"end_date", {"end_date"}},
      {"utc_offset", {"utc_offset"}},
      {"polyline", {"polyline"}},
      {"list_roi", {"roi",        "id",      "roi_id",   "location_id", "locationid", "location", "station",
                    "station_id", "place",   "place_id", "poi",         "poi_id",     "venue_id", "venueid",
                    "stop_id",    "zone_id", "cell_id",  "antenna_id",  "tower_id",   "bts_id"}},
      {"list_lat", {"lat", "latitude", "stop_lat"}},
      {"list_lng", {"lng", "lon", "long", "longitude", "stop_lon"}},
      {"list_name",
       {"name", "roi_name", "station_name", "stop_name", "venue_name", "place_name", "zone", "label", "title"}},
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

bool has_any(const storage::Layout& layout, const std::vector<std::string>& names) {
  return std::any_of(layout.columns.begin(), layout.columns.end(), [&](const storage::TableColumn& column) {
    return std::find(names.begin(), names.end(), storage::normalized_name(column.name)) != names.end();
  });
}

std::string named_as(const storage::Layout& layout, const std::vector<std::string>& names) {
  for (const storage::TableColumn& column : layout.columns) {
    if (std::find(names.begin(), names.end(), storage::normalized_name(column.name)) != names.end()) return column.name;
  }
  return "";
}

// Why there is no user, where what the other columns mean says it.
std::string user_hint(const storage::Layout& layout) {
  const std::vector<std::string> rides = {"ride_id", "trip_id", "tid", "rental_id", "journey_id", "trip_no"};
  if (const std::string vehicle = one_line(vehicle_column(layout)); !vehicle.empty()) {
    return fmt::format("; \"{0}\" says which vehicle: data.columns.uid = \"{0}\" would follow vehicles, not people",
                       vehicle);
  }
  if (has_any(layout, {"tpep_pickup_datetime", "lpep_pickup_datetime", "pulocationid"})) {
    return "; these taxi trips say nothing of who rode or drove, so there is nobody to attack: a study needs data that "
           "follows somebody from trip to trip";
  }
  if (const std::string ride = one_line(named_as(layout, rides)); !ride.empty()) {
    return fmt::format(
        "; \"{}\" numbers trips, so each would be a person of its own: a study needs a column that follows somebody "
        "from trip to trip",
        ride);
  }
  return "";
}

// A first line that has numbers in it, as names of columns rarely are.
bool looks_like_data(const storage::Layout& layout) {
  return std::count_if(layout.columns.begin(), layout.columns.end(),
                       [](const auto& column) {
                         const std::size_t first = column.name.find_first_not_of(" -+");
                         return first != std::string::npos && column.name[first] >= '0' && column.name[first] <= '9';
                       }) *
             2 >=
         std::ssize(layout.columns);
}

std::string missing_hint(const storage::Layout& layout, const std::string& name) {
  const bool text = layout.kind == storage::FileKind::kDelimited;
  if (text && !layout.header) {
    return fmt::format("; there is no line of names: name it by number, such as data.columns.{} = 1", name);
  }
  if (text && looks_like_data(layout)) {
    return fmt::format(
        "; the first line looks like data: set data.header = false and name columns by number, such as "
        "data.columns.{} = 1",
        name);
  }
  if (has_any(layout, {"polyline"})) return "; for a column of whole paths set data.format = \"porto\"";
  const std::string hint = name == "uid" ? user_hint(layout) : "";
  return hint.empty() ? nearest(name, layout) : hint;
}

std::vector<std::size_t> columns_named(const storage::Layout& layout, const std::string& name, bool rare = false) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < layout.columns.size(); ++i) {
    const storage::TableColumn& column = layout.columns[i];
    if (column.rare == rare && storage::normalized_name(column.name) == storage::normalized_name(name)) {
      found.push_back(i);
    }
  }
  return found;
}

// The setting that maps a column.
std::string setting_of(const std::string& name) {
  constexpr std::string_view kList = "list_";
  return name.starts_with(kList) ? "rois.columns." + name.substr(kList.size()) : "data.columns." + name;
}

std::optional<std::size_t> only(const std::vector<std::size_t>& found, const storage::Layout& layout,
                                const std::string& file, const std::string& name) {
  if (found.empty()) return std::nullopt;
  if (found.size() == 1) return found.front();
  throw InputError(
      {one_line(file), 0, name},
      fmt::format("ambiguous: \"{}\" and \"{}\" both stand for it; map it explicitly with {}",
                  one_line(layout.columns[found[0]].name), one_line(layout.columns[found[1]].name), setting_of(name)));
}

}  // namespace

std::string vehicle_column(const storage::Layout& layout) {
  return named_as(layout, {"bikeid", "bike_id", "bike", "bike_number", "scooter_id", "medallion"});
}

const std::vector<std::string>& column_aliases(const std::string& name) {
  return all_aliases().at(name);
}

const std::vector<std::string>& mappable_columns() {
  static const std::vector<std::string> kNames = {
      "uid",      "lat",        "lng",        "datetime",  "date",       "time",      "utc_offset",
      "roi",      "start_time", "start_date", "start_roi", "start_name", "start_lat", "start_lng",
      "end_time", "end_date",   "end_roi",    "end_name",  "end_lat",    "end_lng",   "polyline"};
  return kNames;
}

std::size_t named_column(const storage::Layout& layout, const std::string& file, const std::string& column,
                         const std::string& setting) {
  for (const bool rare : {false, true}) {
    for (std::size_t i = 0; i < layout.columns.size(); ++i) {
      if (layout.columns[i].rare == rare && layout.columns[i].name == column) return i;
    }
    if (const auto found = only(columns_named(layout, column, rare), layout, file, column)) return *found;
  }
  std::size_t number = 0;
  const auto [end, problem] = std::from_chars(column.data(), column.data() + column.size(), number);
  const bool whole = problem == std::errc() && end == column.data() + column.size();
  const bool ordered = layout.kind != storage::FileKind::kJsonLines;  // the keys of an object are not
  if (ordered && whole && number >= 1 && number <= layout.columns.size()) return number - 1;
  throw InputError({one_line(file), 0, one_line(column)},
                   fmt::format("not found, though {} names it; the columns are {}{}", setting, listed(names_of(layout)),
                               nearest(column, layout)));
}

std::optional<std::size_t> find_column(const storage::Layout& layout, const std::string& file, const std::string& name,
                                       const std::map<std::string, std::string>& mapping) {
  if (const auto mapped = mapping.find(name); mapped != mapping.end()) {
    return named_column(layout, file, mapped->second, setting_of(name));
  }
  const std::vector<std::string>& aliases = column_aliases(name);
  // A key that few objects have must not change where the others are read.
  for (const bool rare : {false, true}) {
    if (const auto named = only(columns_named(layout, aliases.front(), rare), layout, file, name)) return named;
    std::vector<std::size_t> found;
    for (const std::string& alias : aliases) {
      const std::vector<std::size_t> same = columns_named(layout, alias, rare);
      found.insert(found.end(), same.begin(), same.end());
    }
    // The fare zone of a transit stop is no name of it.
    if (name == "list_roi" && found.size() == 2 && has_any(layout, {"stop_id"})) {
      std::erase_if(found,
                    [&](std::size_t i) { return storage::normalized_name(layout.columns[i].name) == "zone_id"; });
    }
    if (const auto one = only(found, layout, file, name)) return one;
  }
  return std::nullopt;
}

std::size_t require_column(const storage::Layout& layout, const std::string& file, const std::string& name,
                           const std::map<std::string, std::string>& mapping) {
  if (const auto found = find_column(layout, file, name, mapping)) return *found;
  throw InputError({one_line(file), 0, column_aliases(name).front()},
                   fmt::format("not found; the columns are {}{}", listed(names_of(layout)),
                               missing_hint(layout, column_aliases(name).front())));
}

bool has_date_and_time(const storage::Layout& layout, const std::map<std::string, std::string>& mapping) {
  if (mapping.contains("date")) return true;
  if (mapping.contains("datetime")) return false;
  std::size_t found = 0;
  for (const std::string& alias : column_aliases("datetime")) found += columns_named(layout, alias).size();
  return found == 2 && columns_named(layout, "date").size() == 1 && columns_named(layout, "time").size() == 1;
}

}  // namespace hearsay::ingest
