// SPDX-License-Identifier: Apache-2.0
#include "ingest/zone_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/errors.h"
#include "base/regular_file.h"
#include "ingest/columns.h"
#include "ingest/settings.h"
#include "storage/sql_text.h"

namespace hearsay::ingest {
namespace {

using Json = nlohmann::json;

constexpr std::uintmax_t kLargestFile = 256U << 20;
constexpr double kLattice = 1e7;

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  return "";
}

}  // namespace

void ZoneMap::Box::add(const Point& point) {
  south = std::min(south, point.lat);
  north = std::max(north, point.lat);
  west = std::min(west, point.lng);
  east = std::max(east, point.lng);
}

bool ZoneMap::Box::holds(const Point& point) const {
  return point.lat >= south && point.lat <= north && point.lng >= west && point.lng <= east;
}

// Turns the document into zones, feature by feature.
class ZoneMap::Reading {
 public:
  Reading(const Zones& rule, ZoneMap& map) : rule_(rule), map_(map) {}

  void read() {
    const Json document = parse();
    const auto features = document.find("features");
    if (!document.is_object() || features == document.end() || !features->is_array()) {
      fail("not a GeoJSON FeatureCollection; expected one with a polygon for each zone");
    }
    if (features->empty()) fail("no zones");
    if (features->size() > kMostCells) fail(fmt::format("more than {} zones", kMostCells));
    for (const Json& feature : *features) add(feature);
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    const std::string where = number_ == 0 ? "" : fmt::format("feature {}: ", number_);
    throw InputError({one_line(rule_.list), 0, ""}, where + problem);
  }

  Json parse() const {
    require_regular_file(rule_.list);
    std::error_code problem;
    const std::uintmax_t bytes = std::filesystem::file_size(rule_.list, problem);
    if (problem) fail("no such file");
    if (bytes > kLargestFile) fail(fmt::format("{} bytes; at most {} are read", bytes, kLargestFile));
    std::ifstream in(rule_.list, std::ios::binary);
    // A document that opens a list in a list without end would use up the stack.
    const auto shallow = [](int depth, Json::parse_event_t, Json&) { return depth <= kDeepest; };
    Json document = Json::parse(in, shallow, false);
    if (document.is_discarded()) fail("not JSON");
    return document;
  }

  // The property that the study names, or the first that is usual.
  std::string property(const Json& properties, const std::string& ours) const {
    const auto mapped = rule_.columns.find(ours);
    if (mapped != rule_.columns.end()) {
      if (!properties.contains(mapped->second)) {
        fail(fmt::format("has no property {}, though rois.columns.{} names it", quoted_value(mapped->second), ours));
      }
      return text_of(properties.at(mapped->second));
    }
    for (const std::string& alias : column_aliases("list_" + ours)) {
      for (const auto& [name, value] : properties.items()) {
        if (storage::normalized_name(name) == alias && !text_of(value).empty()) return text_of(value);
      }
    }
    return "";
  }

  void add(const Json& feature) {
    ++number_;
    if (!feature.is_object() || !feature.contains("geometry") || !feature.at("geometry").is_object()) {
      fail("has no geometry; expected a Polygon or MultiPolygon");
    }
    const Json properties = feature.contains("properties") && feature.at("properties").is_object()
                                ? feature.at("properties")
                                : Json::object();
    Roi roi{property(properties, "roi"), property(properties, "name"), std::nullopt, std::nullopt};
    if (roi.id.empty() && feature.contains("id")) roi.id = text_of(feature.at("id"));
    if (roi.id.empty()) fail("has no id; name the property that is unique with rois.columns.roi");
    if (roi.id.size() > kLongestId) fail(fmt::format("has an id of more than {} bytes", kLongestId));
    if (!seen_.insert(roi.id).second) fail(quoted_value(roi.id) + " is the id of two zones");
    Zone zone = zone_of(feature.at("geometry"));
    roi.lat = static_cast<double>(zone.box.south + zone.box.north) / 2 / kLattice;
    roi.lng = static_cast<double>(zone.box.west + zone.box.east) / 2 / kLattice;
    map_.rois_.push_back(std::move(roi));
    map_.zones_.push_back(std::move(zone));
  }

  Zone zone_of(const Json& geometry) const {
    const std::string type = geometry.contains("type") ? text_of(geometry.at("type")) : "";
    const auto coordinates = geometry.find("coordinates");
    if (coordinates == geometry.end() || !coordinates->is_array() || (type != "Polygon" && type != "MultiPolygon")) {
      fail(fmt::format("is a {}; expected a Polygon or MultiPolygon", quoted_value(type)));
    }
    Zone zone;
    if (type == "Polygon") {
      add_polygon(*coordinates, zone);
    } else {
      for (const Json& polygon : *coordinates) add_polygon(polygon, zone);
    }
    if (zone.rings.empty()) fail("has no border");
    return zone;
  }

  void add_polygon(const Json& polygon, Zone& zone) const {
    if (!polygon.is_array()) fail("has a border that is not a list of points");
    for (const Json& border : polygon) {
      if (!border.is_array() || border.size() < 4) fail("has a border of fewer than 4 points");
      std::vector<Point> ring;
      for (const Json& position : border) ring.push_back(point_of(position));
      if (zone.rings.empty()) zone.box = {ring[0].lat, ring[0].lat, ring[0].lng, ring[0].lng};
      for (const Point& point : ring) zone.box.add(point);
      zone.rings.push_back(std::move(ring));
    }
  }

  Point point_of(const Json& position) const {
    const bool numbers =
        position.is_array() && position.size() >= 2 && position[0].is_number() && position[1].is_number();
    const double lng = numbers ? position[0].get<double>() : 0;
    const double lat = numbers ? position[1].get<double>() : 0;
    if (!numbers || !(std::fabs(lng) <= 180) || !(std::fabs(lat) <= 90)) {
      fail(fmt::format("has the point {}; expected longitude and latitude in degrees (WGS 84)",
                       quoted_value(position.dump())));
    }
    return {std::llround(lat * kLattice), std::llround(lng * kLattice)};
  }

  static constexpr int kDeepest = 20;
  const Zones& rule_;
  ZoneMap& map_;
  std::size_t number_ = 0;
  std::unordered_set<std::string> seen_;
};

ZoneMap::ZoneMap(const Zones& rule) {
  Reading(rule, *this).read();
  make_index();
}

std::int64_t ZoneMap::row_of(std::int64_t lat) const {
  return (lat - box_.south) * cells_ / (box_.north - box_.south + 1);
}

std::int64_t ZoneMap::column_of(std::int64_t lng) const {
  return (lng - box_.west) * cells_ / (box_.east - box_.west + 1);
}

std::uint64_t ZoneMap::entries_needed() const {
  std::uint64_t entries = 0;
  for (const Zone& zone : zones_) {
    const std::int64_t rows = row_of(zone.box.north) - row_of(zone.box.south) + 1;
    const std::int64_t columns = column_of(zone.box.east) - column_of(zone.box.west) + 1;
    entries += static_cast<std::uint64_t>(rows * columns);
  }
  return entries;
}

std::uint64_t ZoneMap::index_entries() const {
  std::uint64_t entries = 0;
  for (const std::vector<std::uint32_t>& cell : index_) entries += cell.size();
  return entries;
}

void ZoneMap::make_index() {
  box_ = zones_.front().box;
  for (const Zone& zone : zones_) {
    box_.add({zone.box.south, zone.box.west});
    box_.add({zone.box.north, zone.box.east});
  }
  // Zones that all lie over each other would be in every cell, 65,536 times as much as they are.
  while (cells_ > 1 && entries_needed() > kMostIndexEntries) cells_ /= 2;
  index_.resize(static_cast<std::size_t>(cells_ * cells_));
  for (std::size_t i = 0; i < zones_.size(); ++i) {
    const Box& box = zones_[i].box;
    for (std::int64_t row = row_of(box.south); row <= row_of(box.north); ++row) {
      for (std::int64_t column = column_of(box.west); column <= column_of(box.east); ++column) {
        index_[static_cast<std::size_t>(row * cells_ + column)].push_back(static_cast<std::uint32_t>(i));
      }
    }
  }
}

bool ZoneMap::inside(const Zone& zone, const Point& point) {
  bool odd = false;
  for (const std::vector<Point>& ring : zone.rings) {
    for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
      if ((ring[i].lat > point.lat) == (ring[j].lat > point.lat)) continue;
      // Whether the border is to the east of the point where the ray crosses its latitude. The lower end comes first,
      // so that two zones ask the same of a border that they share. Products of the lattice need 65 bits.
      const Point& low = ring[i].lat < ring[j].lat ? ring[i] : ring[j];
      const Point& high = ring[i].lat < ring[j].lat ? ring[j] : ring[i];
      const __int128 across = static_cast<__int128>(high.lng - low.lng) * (point.lat - low.lat);
      const __int128 along = static_cast<__int128>(point.lng - low.lng) * (high.lat - low.lat);
      if (along < across) odd = !odd;
    }
  }
  return odd;
}

std::optional<std::uint32_t> ZoneMap::find(std::int64_t lat, std::int64_t lng) const {
  const Point point{lat, lng};
  if (!box_.holds(point)) return std::nullopt;
  for (const std::uint32_t zone : index_[static_cast<std::size_t>(row_of(lat) * cells_ + column_of(lng))]) {
    if (zones_[zone].box.holds(point) && inside(zones_[zone], point)) return zone;
  }
  return std::nullopt;
}

}  // namespace hearsay::ingest
