// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hearsay::trajectory {

struct Position {
  double lat = 0;
  double lng = 0;
};

// Where places are, and how far it is from one to another. The unit is the mean distance of the people counted from
// the centre of them all. A place without a position, and null, is one unit away from everything else.
class Places {
 public:
  // By place, null not among them; weights: how many people were counted there.
  Places(const std::vector<std::optional<Position>>& positions, std::span<const double> weights);

  std::uint32_t null() const { return static_cast<std::uint32_t>(points_.size() - 1); }
  double distance(std::uint32_t from, std::uint32_t to) const;
  // From where somebody would be who moves on as from `before` to `now`; from `now` where that is not known.
  double distance_ahead(std::uint32_t before, std::uint32_t now, std::uint32_t to) const;

 private:
  struct Point {
    double x = 0;
    double y = 0;
    bool known = false;
  };
  std::vector<Point> points_;  // null is the last
};

}  // namespace hearsay::trajectory
