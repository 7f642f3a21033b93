// SPDX-License-Identifier: Apache-2.0
#include "look/hours.h"

#include <fmt/format.h>

#include <numeric>

namespace hearsay::look {

constexpr std::size_t kDayHours = 24;
constexpr std::size_t kTogether = 3;

namespace {

std::uint64_t events_from(const std::vector<std::uint64_t>& by_hour, std::size_t begin) {
  std::uint64_t events = 0;
  for (std::size_t i = 0; i < kTogether; ++i) events += by_hour[(begin + i) % kDayHours];
  return events;
}

}  // namespace

std::size_t busiest_hours(const std::vector<std::uint64_t>& by_hour) {
  std::size_t begin = 0;
  std::uint64_t most = 0;
  for (std::size_t hour = 0; hour < kDayHours; ++hour) {
    const std::uint64_t events = events_from(by_hour, hour);
    if (events <= most) continue;
    most = events;
    begin = hour;
  }
  return begin;
}

std::string hours_text(std::size_t begin) {
  return fmt::format("{:02}:00 to {:02}:00", begin, (begin + kTogether) % kDayHours);
}

bool tells_something(const std::vector<std::uint64_t>& by_hour) {
  const std::uint64_t all = std::accumulate(by_hour.begin(), by_hour.end(), std::uint64_t{0});
  return events_from(by_hour, busiest_hours(by_hour)) * kDayHours * 2 > all * kTogether * 3;  // half more than even
}

bool at_night(std::size_t begin) {
  return begin <= 3 || begin == kDayHours - 1;  // at least two of the hours are between midnight and six
}

}  // namespace hearsay::look
