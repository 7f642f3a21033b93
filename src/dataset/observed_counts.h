// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dataset/dataset.h"

namespace hearsay::dataset {

// How many people were where in the observation period: what is known of a crowd without knowing any person. Those of
// shares add up to those of everybody.
struct ObservedCounts {
  Calendar calendar = {};
  std::size_t people = 0;
  std::size_t rois = 0;               // null included
  std::vector<std::uint64_t> visits;  // by epoch of the observation period and ROI; those in null reported nothing
  std::uint64_t total = 0;            // of all visits, null aside

  std::span<const std::uint64_t> at(std::uint32_t epoch) const { return std::span(visits).subspan(epoch * rois, rois); }
  // Adds those of other people, of the same places and calendar.
  void add(const ObservedCounts& others);

  std::string to_bytes() const;
  static ObservedCounts from_bytes(std::string_view bytes);
};

// Of the people at hand. Cost: one pass over the observation. Memory: 8 bytes an epoch and ROI.
ObservedCounts observed_counts(const Observation& observation, std::size_t threads = 1);

}  // namespace hearsay::dataset
