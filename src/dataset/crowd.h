// SPDX-License-Identifier: Apache-2.0
//
// What everybody knows of a data set, the adversary included: its size and its calendar, and no visit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/ids.h"

namespace hearsay::dataset {

inline constexpr std::uint32_t kDaySeconds = 86400;

struct Calendar {
  std::uint32_t epoch_seconds = 3600;
  std::uint32_t epochs = 0;   // of the study period
  std::uint32_t observe = 0;  // the first of them, seen by the adversary; the rest is the inference period
  std::uint32_t inference() const { return epochs - observe; }
  std::uint32_t per_day() const { return kDaySeconds / epoch_seconds; }
};

// How many users and ROIs (null included, last) there are, who reports most, and which ROIs lie together. Users are
// numbered by id. They may be some of all people, the others being worked on elsewhere: what holds of everybody is told
// by people(), number_of() and ranks.
struct Crowd {
  std::size_t users = 0;  // at hand
  std::size_t rois = 0;
  // By user: its place among all by reports in the observation period, most first, ties by id.
  std::span<const std::uint32_t> ranks = {};
  std::uint32_t columns = 0;                  // of the grid, cells row by row; 0: ROIs are no grid
  std::span<const std::uint32_t> zones = {};  // by ROI, null aside: the number of its zone; empty: there are none
  std::size_t others = 0;                       // people not at hand
  std::span<const std::uint32_t> numbers = {};  // by user: its number among everybody; empty: its own
  std::size_t people() const { return users + others; }
  std::uint32_t number_of(UserId user) const {
    return numbers.empty() ? static_cast<std::uint32_t>(user) : numbers[index_of(user)];
  }
  RoiId null_roi() const { return static_cast<RoiId>(rois - 1); }
};

}  // namespace hearsay::dataset
