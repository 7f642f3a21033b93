// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"
#include "belief/beliefs.h"

namespace hearsay::attack {

// The key of the last user that a place takes in: users with a higher probability are in, and of those with the same
// the ones placed at or before `place`.
struct Cut {
  double probability;
  std::uint32_t place;
};

// A user who may be in a place, by the key that cuts go by.
struct Candidate : Cut {
  UserId user;
};

// Buffers of one worker, kept from range to range so that nothing is allocated inside one. An attack may use all of it.
struct Workspace {
  // Whose table was entered last, so that the next release finds it as it was.
  struct Entered {
    const void* attack = nullptr;
    const void* prior = nullptr;
    std::size_t table = 0;
    UserId first{};
    bool operator==(const Entered&) const = default;
  };
  Entered entered;

  std::vector<double> dense;  // counts of the epoch at hand
  belief::RowTable table;
  std::vector<double> background_weights;
  std::vector<double> probabilities;  // of a table's entries
  std::vector<double> elsewhere;      // by ROI: of users without an entry
  std::vector<double> null_chances;   // by user of the range
  std::vector<Cut> cuts;              // by ROI
  std::span<const Cut> open_cuts;     // of the epoch at hand, by ROI
  std::vector<std::uint32_t> limits;  // by ROI
  std::vector<RoiId> limited;         // where limits is not 0

  // Candidates of a table by ROI, each ROI's in the order they are taken in.
  std::vector<RoiId> candidate_rois;
  std::vector<std::size_t> candidate_begins;
  std::vector<Candidate> candidates;
  std::vector<std::uint64_t> keys;
  std::vector<std::uint64_t> scratch;

  // Who was taken in where, by ROI and then by user.
  std::vector<std::uint32_t> taken_users;  // counted from the first of the range
  std::vector<RoiId> taken_rois;
  std::vector<std::uint32_t> user_begins;  // by user of the range, in rois_by_user
  std::vector<RoiId> rois_by_user;
};

}  // namespace hearsay::attack
