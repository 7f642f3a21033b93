// SPDX-License-Identifier: Apache-2.0
#include "look/city.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace hearsay::look {
namespace {

constexpr double kCity = 50;            // kilometres across
constexpr double kDegree = 111.2;       // kilometres
constexpr double kBlock = 0.25;         // degrees; the densest such block is where the search begins
constexpr double kNear = 0.01;          // degrees
constexpr std::int64_t kStep = 10'000;  // of the lattice of 1e-7 degree: edges have three decimals
constexpr int kMostMoves = 10;

double shrinking(double lat) {
  return std::max(0.01, std::cos(lat * std::numbers::pi / 180));
}

// Degrees, closed.
struct Window {
  double south = -90;
  double north = 90;
  double west = -180;
  double east = 180;

  std::string sql() const {
    return fmt::format("bad = 0 AND lat BETWEEN {} AND {} AND lng BETWEEN {} AND {}", south, north, west, east);
  }
};

Window around(double lat, double lng) {
  const double high = kCity / 2 / kDegree;
  const double wide = high / shrinking(lat);
  return {lat - high, lat + high, lng - wide, lng + wide};
}

// The first row; empty where there is none, or where nothing was counted.
template <std::size_t kColumns>
std::optional<std::array<double, kColumns>> row_of(storage::Database& database, const std::string& sql) {
  storage::QueryRows rows = database.execute(sql);
  if (!rows.next() || rows.is_null(0, 0)) return std::nullopt;
  std::array<double, kColumns> values{};
  for (std::size_t i = 0; i < kColumns; ++i) values[i] = rows.number(i, 0);
  return values;
}

// The densest block, moved to the middle of the events about it until it stays where it is.
Window densest(storage::Database& database) {
  const auto block = row_of<2>(
      database, fmt::format("SELECT floor(lat / {0}) AS y, floor(lng / {0}) AS x FROM seen WHERE bad = 0 GROUP BY y, x "
                            "ORDER BY count(*) DESC, y, x LIMIT 1",
                            kBlock));
  Window window = around(((*block)[0] + 0.5) * kBlock, ((*block)[1] + 0.5) * kBlock);
  for (int i = 0; i < kMostMoves; ++i) {
    const auto middle =
        row_of<2>(database, fmt::format("SELECT median(lat), median(lng) FROM seen WHERE {}", window.sql()));
    if (!middle) break;
    const Window moved = around((*middle)[0], (*middle)[1]);
    const bool stays = std::abs(moved.south - window.south) < kNear && std::abs(moved.west - window.west) < kNear;
    window = moved;
    if (stays) break;
  }
  return window;
}

struct Edges {
  double low = 0;
  double high = 0;
};

// A few events far out would only make the cells larger.
Edges edges_of(double least, double p01, double p99, double largest) {
  const double near = std::max((p99 - p01) / 4, kNear);
  return {p01 - least <= near ? least : p01, largest - p99 <= near ? largest : p99};
}

std::int64_t lattice(double degrees) {
  return std::llround(degrees * 1e7);
}

// The number of whole steps at or below.
std::int64_t steps_below(double degrees) {
  const std::int64_t units = lattice(degrees);
  return units / kStep - (units % kStep < 0 ? 1 : 0);
}

// What lies on the northern or eastern edge is not in the box, so these edges are beyond the last event.
ingest::Grid box_of(const Edges& lat, const Edges& lng) {
  const auto degrees = [](std::int64_t steps) { return static_cast<double>(steps) * kStep / 1e7; };
  return {std::min(89.999, degrees(steps_below(lat.low))),
          std::min(90.0, degrees(steps_below(lat.high) + 1)),
          std::min(179.999, degrees(steps_below(lng.low))),
          std::min(180.0, degrees(steps_below(lng.high) + 1)),
          0,
          0};
}

std::uint64_t events_in(storage::Database& database, const ingest::Grid& box) {
  const auto count =
      row_of<1>(database, fmt::format("SELECT CAST(count(*) AS DOUBLE) FROM seen WHERE bad = 0 AND round(lat * 1e7) >= "
                                      "{} AND round(lat * 1e7) < {} AND round(lng * 1e7) >= {} AND round(lng * 1e7) < "
                                      "{}",
                                      lattice(box.south), lattice(box.north), lattice(box.west), lattice(box.east)));
  return static_cast<std::uint64_t>((*count)[0]);
}

}  // namespace

double height_of(const ingest::Grid& box) {
  return (box.north - box.south) * kDegree;
}

double width_of(const ingest::Grid& box) {
  return (box.east - box.west) * kDegree * shrinking((box.south + box.north) / 2);
}

std::optional<City> find_city(storage::Database& database) {
  const auto whole =
      row_of<4>(database, "SELECT min(lat), max(lat), min(lng), max(lng) FROM seen WHERE bad = 0 AND lat IS NOT NULL");
  if (!whole) return std::nullopt;
  const ingest::Grid all{(*whole)[0], (*whole)[1], (*whole)[2], (*whole)[3], 0, 0};
  City city;
  city.is_part = height_of(all) > kCity || width_of(all) > kCity;
  const Window window = city.is_part ? densest(database) : Window{};
  const auto edges = row_of<10>(
      database, fmt::format("SELECT min(lat), quantile_disc(lat, 0.01), quantile_disc(lat, 0.99), max(lat), min(lng), "
                            "quantile_disc(lng, 0.01), quantile_disc(lng, 0.99), max(lng), median(lat), median(lng) "
                            "FROM seen WHERE {}",
                            window.sql()));
  if (!edges) return std::nullopt;
  const auto& [south, south01, north99, north, west, west01, east99, east, lat, lng] = *edges;
  city.box = box_of(edges_of(south, south01, north99, north), edges_of(west, west01, east99, east));
  city.lat = lat;
  city.lng = lng;
  city.inside = events_in(database, city.box);
  return city;
}

}  // namespace hearsay::look
