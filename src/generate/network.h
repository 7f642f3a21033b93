// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"

namespace hearsay::generate {

struct Station {
  std::string name;
  double lat = 0;
  double lng = 0;
  std::uint32_t line = 0;
  double homes = 0;   // how many live near it, in no unit
  double visits = 0;  // how many are drawn to it
};

// A city's stations on lines that cross near its centre, and where people go from each of them.
class Network {
 public:
  static constexpr std::size_t kStations = 582;

  explicit Network(std::uint64_t seed);

  const std::vector<Station>& stations() const { return stations_; }
  std::size_t draw_home(RandomBits& bits) const;
  // Work or school, for somebody who lives at `home`: by attraction, distance and whether the line goes there.
  std::size_t draw_work(RandomBits& bits, std::size_t home) const;
  // Anywhere else to go from a station.
  std::size_t draw_outing(RandomBits& bits, std::size_t from) const;
  double kilometres(std::size_t from, std::size_t to) const;
  // Touch to touch, on an ordinary day.
  double travel_seconds(std::size_t from, std::size_t to) const;

 private:
  void lay_lines(RandomBits& bits);
  void name_stations(RandomBits& bits);

  std::vector<Station> stations_;
  std::vector<double> x_;  // kilometres east of the centre
  std::vector<double> y_;
  std::vector<float> home_sums_;    // running sums of weights to draw from
  std::vector<float> work_sums_;    // by home
  std::vector<float> outing_sums_;  // by station
};

}  // namespace hearsay::generate
