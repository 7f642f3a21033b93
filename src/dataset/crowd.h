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
// numbered by id.
struct Crowd {
  std::size_t users = 0;
  std::size_t rois = 0;
  // By user: its place among all by reports in the observation period, most first, ties by id.
  std::span<const std::uint32_t> ranks = {};
  std::uint32_t columns = 0;                  // of the grid, cells row by row; 0: ROIs are no grid
  std::span<const std::uint32_t> zones = {};  // by ROI, null aside: the number of its zone; empty: there are none
  RoiId null_roi() const { return static_cast<RoiId>(rois - 1); }
};

}  // namespace hearsay::dataset
