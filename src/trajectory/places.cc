// SPDX-License-Identifier: Apache-2.0
#include "trajectory/places.h"

#include <cmath>
#include <numbers>

namespace hearsay::trajectory {

Places::Places(const std::vector<std::optional<Position>>& positions, std::span<const double> weights)
    : points_(positions.size() + 1) {
  double weight = 0;
  Position centre;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!positions[i]) continue;
    weight += weights[i];
    centre.lat += weights[i] * positions[i]->lat;
    centre.lng += weights[i] * positions[i]->lng;
  }
  if (!(weight > 0)) return;
  centre = {centre.lat / weight, centre.lng / weight};
  const double shrink = std::cos(centre.lat * std::numbers::pi / 180);
  double mean = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!positions[i]) continue;
    points_[i] = {(positions[i]->lng - centre.lng) * shrink, positions[i]->lat - centre.lat, true};
    mean += weights[i] / weight * std::hypot(points_[i].x, points_[i].y);
  }
  for (Point& point : points_) {
    // Everybody at one place: there is no unit, and no distance to measure.
    point = mean > 0 ? Point{point.x / mean, point.y / mean, point.known} : Point{};
  }
}

double Places::distance(std::uint32_t from, std::uint32_t to) const {
  if (from == to) return 0;
  const Point& a = points_[from];
  const Point& b = points_[to];
  return a.known && b.known ? std::hypot(a.x - b.x, a.y - b.y) : 1;
}

double Places::distance_ahead(std::uint32_t before, std::uint32_t now, std::uint32_t to) const {
  const Point& a = points_[before];
  const Point& b = points_[now];
  const Point& c = points_[to];
  if (!a.known || !b.known || !c.known) return distance(now, to);
  return std::hypot(2 * b.x - a.x - c.x, 2 * b.y - a.y - c.y);
}

}  // namespace hearsay::trajectory
