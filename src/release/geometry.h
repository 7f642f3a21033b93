// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "release/count_matrix.h"

namespace hearsay::release {

// What is known of places and epochs before any data is read.
struct Shape {
  std::optional<std::size_t> epochs;  // none: not known yet
  std::uint32_t columns = 0;          // of the grid; 0: places are no grid
  bool zones = false;                 // whether places lie in zones
};

// The places and epochs of something published, and in which of them each fine one of the study lies. Null, which is
// none of the places, lies in null.
struct Geometry {
  std::size_t places = 0;
  std::size_t epochs = 0;
  std::vector<std::uint32_t> place_of;  // by fine place
  std::vector<std::uint32_t> epoch_of;  // by fine epoch of the inference period
  double share = 1;                     // of all people that are counted, drawn without looking

  // Every fine place and epoch by itself.
  static Geometry fine(std::size_t places, std::size_t epochs);
  // Whether counts are of everybody at every fine place and epoch.
  bool is_fine() const { return places == place_of.size() && epochs == epoch_of.size() && share == 1; }
};

// What counts of a share of all people, or coarse ones, say about all people at the fine places and epochs to somebody
// who knows no better: each count divided by the share, and spread evenly
// over the fine cells it covers, as if each person counted were there in one of them. Of `users` people, those not in
// null are spread over the fine epochs in the same way. Fine counts stay as they are.
CountMatrix expanded(const CountMatrix& counts, const Geometry& geometry, std::size_t users);

}  // namespace hearsay::release
