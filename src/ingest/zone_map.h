// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/ingest.h"

namespace hearsay::ingest {

// Polygons on a lattice of 1e-7 degree, so that what is inside is exact. A point is in a zone if a ray from it to the
// east crosses its borders an odd number of times, an end of a border counting as above the ray where it is not below:
// of zones that share a border with the same corners, exactly one has a point on it. Holes are outside. Of zones that
// overlap, the first in the file has the point.
class ZoneMap {
 public:
  // Reads a GeoJSON FeatureCollection of Polygons and MultiPolygons. Throws InputError.
  explicit ZoneMap(const Zones& rule);

  // With the middle of its box as its place.
  const std::vector<Roi>& rois() const { return rois_; }

  // The zone of a point, in units of the lattice. Looks at the zones whose boxes meet one cell of an index.
  std::optional<std::uint32_t> find(std::int64_t lat, std::int64_t lng) const;

  // For tests: the entries of the index, which has larger cells where zones overlap so much that it would be large.
  std::uint64_t index_entries() const;
  static constexpr std::uint64_t kMostIndexEntries = 4'000'000;  // of 4 bytes

 private:
  struct Point {
    std::int64_t lat = 0;
    std::int64_t lng = 0;
  };
  struct Box {
    std::int64_t south = 0;
    std::int64_t north = 0;
    std::int64_t west = 0;
    std::int64_t east = 0;
    void add(const Point& point);
    bool holds(const Point& point) const;
  };
  struct Zone {
    std::vector<std::vector<Point>> rings;
    Box box;
  };

  class Reading;
  static bool inside(const Zone& zone, const Point& point);
  void make_index();
  std::int64_t row_of(std::int64_t lat) const;
  std::int64_t column_of(std::int64_t lng) const;
  std::uint64_t entries_needed() const;

  std::vector<Roi> rois_;
  std::vector<Zone> zones_;
  Box box_;
  std::int64_t cells_ = 256;                       // of the index, each way
  std::vector<std::vector<std::uint32_t>> index_;  // row by row; zones ascending
};

}  // namespace hearsay::ingest
