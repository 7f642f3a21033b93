// SPDX-License-Identifier: Apache-2.0
#include "ingest/places.h"

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/errors.h"
#include "ingest/settings.h"
#include "ingest/visit_sink.h"
#include "storage/sql_text.h"

namespace hearsay::ingest {

std::vector<Roi> grid_rois(const Grid& grid) {
  std::vector<Roi> rois;
  rois.reserve(std::size_t{grid.rows} * grid.cols);
  for (std::uint32_t row = 0; row < grid.rows; ++row) {
    for (std::uint32_t col = 0; col < grid.cols; ++col) {
      rois.push_back({std::to_string(std::uint64_t{row} * grid.cols + col), "",
                      grid.south + (grid.north - grid.south) * (row + 0.5) / grid.rows,
                      grid.west + (grid.east - grid.west) * (col + 0.5) / grid.cols});
    }
  }
  return rois;
}

std::vector<Roi> pairs_of(const std::vector<Roi>& places, const std::string& list) {
  if (places.size() * places.size() > kMostCells) {
    throw ConfigError("rois.list", quoted_value(list),
                      fmt::format("{} places make more than {} pairs; use fewer", places.size(), kMostCells));
  }
  std::vector<Roi> pairs;
  pairs.reserve(places.size() * places.size());
  std::string id;
  std::string name;
  for (const Roi& start : places) {
    for (const Roi& end : places) {
      name_pair(start.id, end.id, id);
      name.clear();
      if (!start.name.empty() || !end.name.empty()) {
        name_pair(start.name.empty() ? start.id : start.name, end.name.empty() ? end.id : end.name, name);
      }
      pairs.push_back({id, name, start.lat, start.lng, "", end.lat, end.lng});
    }
  }
  return pairs;
}

std::string bytes_of(const std::vector<Roi>& rois) {
  BytesWriter writer;
  writer.put(static_cast<std::uint64_t>(rois.size()));
  for (const Roi& roi : rois) {
    for (const std::string* text : {&roi.id, &roi.name, &roi.zone}) writer.put(*text);
    for (const std::optional<double>& number : {roi.lat, roi.lng, roi.end_lat, roi.end_lng}) {
      writer.put(number.has_value());
      writer.put(number.value_or(0));
    }
  }
  return writer.take();
}

std::vector<Roi> rois_of(std::string_view bytes) {
  BytesReader reader(bytes);
  const auto count = reader.get<std::uint64_t>();
  std::vector<Roi> rois;
  for (std::uint64_t i = 0; i < count; ++i) {
    Roi& roi = rois.emplace_back();
    for (std::string* text : {&roi.id, &roi.name, &roi.zone}) reader.get(*text);
    for (std::optional<double>* number : {&roi.lat, &roi.lng, &roi.end_lat, &roi.end_lng}) {
      const auto known = reader.get<bool>();
      const auto value = reader.get<double>();
      if (known) *number = value;
    }
  }
  return rois;
}

}  // namespace hearsay::ingest
