// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "release/release.h"

namespace hearsay::trajectory {

// So many people at a place; null is the last place.
struct Crowd {
  std::uint32_t place = 0;
  std::uint32_t people = 0;
  bool operator==(const Crowd&) const = default;
};

// Published counts of an epoch as `people` people, each at one place or in null; by ascending place. Null has its
// count, less the `unseen` people who are in it always, rounded and at most all; the others are shared out in
// proportion to the counts of places, by largest remainder, the first of several that are equal. Where no place has a
// count, all are in null.
std::vector<Crowd> whole_people(const release::EpochCounts& counts, std::size_t people, std::size_t unseen = 0);

}  // namespace hearsay::trajectory
