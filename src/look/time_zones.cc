// SPDX-License-Identifier: Apache-2.0
#include "look/time_zones.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

namespace hearsay::look {

extern const char* const kTimeZonesCsv;  // data/time_zones.csv: zone,lat,lng

Town nearest_town(double lat, double lng) {
  constexpr double kRadian = std::numbers::pi / 180;
  constexpr double kEarthRadius = 6371;  // kilometres
  std::istringstream lines(kTimeZonesCsv);
  std::string line;
  std::getline(lines, line);
  Town nearest;
  double closest = -2;  // cosine of the angle between them
  while (std::getline(lines, line)) {
    const std::size_t first = line.find(',');
    const std::size_t second = line.find(',', first + 1);
    if (second == std::string::npos) continue;
    const double there = std::stod(line.substr(first + 1)) * kRadian;
    const double apart = (std::stod(line.substr(second + 1)) - lng) * kRadian;
    const double cosine =
        std::sin(lat * kRadian) * std::sin(there) + std::cos(lat * kRadian) * std::cos(there) * std::cos(apart);
    if (cosine <= closest) continue;
    closest = cosine;
    nearest.time_zone = line.substr(0, first);
  }
  nearest.kilometres = kEarthRadius * std::acos(std::clamp(closest, -1.0, 1.0));
  return nearest;
}

}  // namespace hearsay::look
