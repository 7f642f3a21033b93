// SPDX-License-Identifier: Apache-2.0
//
// What became of some rows, before anything is concluded from all of them. Facts of parts add up, in any order.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hearsay::ingest {

// The earliest and latest of some times; earliest > latest where there is none.
struct TimeSpan {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  void add(std::int64_t time);
  void add(const TimeSpan& other);
  bool empty() const { return first > last; }
};

// A box around points, in degrees; south > north where there is none.
struct Extent {
  double south = std::numeric_limits<double>::infinity();
  double north = -std::numeric_limits<double>::infinity();
  double west = std::numeric_limits<double>::infinity();
  double east = -std::numeric_limits<double>::infinity();
  void add(double lat, double lng);
  void add(const Extent& other);
};

// As in Tally, and what else is told of all rows.
struct Facts {
  std::uint64_t rows = 0;
  std::uint64_t events = 0;
  std::uint64_t used = 0;
  std::uint64_t outside_period = 0;
  std::uint64_t outside_rois = 0;
  std::uint64_t at_midnight = 0;
  std::vector<std::uint64_t> by_epoch;  // used events, repeats included; epochs after the last may be missing
  std::map<std::string, std::uint64_t> bad_rows;
  TimeSpan civil;
  TimeSpan absolute;      // outside the period, where the clock shifts do not hold
  Extent elsewhere;       // of events in the period that are outside the places, where those have coordinates
  bool odd_time = false;  // given up at a time that is none: nothing else holds

  void add(const Facts& other);
  // For another process.
  std::string bytes() const;
  static Facts from_bytes(std::string_view bytes);
};

}  // namespace hearsay::ingest
