// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"

namespace hearsay::dataset {

// One epoch's visits: the users who reported an ROI, ascending, each with the distinct ROIs it reported, ascending. A
// user not listed was in null. A view: valid as long as the store it came from.
struct EpochVisits {
  std::span<const UserId> users;
  std::span<const std::uint32_t> begins;  // users.size() + 1 positions in rois
  std::span<const RoiId> rois;

  std::span<const RoiId> rois_of(std::size_t row) const {
    return rois.subspan(begins[row], begins[row + 1] - begins[row]);
  }
};

// Every visit of a study period, epoch by epoch. 4 bytes a visit, 8 bytes a user and epoch with a visit.
class VisitStore {
 public:
  VisitStore() = default;
  // `visits` holds for each epoch ingest::VisitList::key(user, roi), ascending, without repeats. Throws ConfigError
  // where an epoch has more visits than positions can tell (base/table_position.h).
  VisitStore(std::vector<std::vector<std::uint64_t>> visits, std::size_t threads);

  std::size_t epochs() const { return first_row_.size() - 1; }
  std::size_t size() const { return rois_.size(); }
  EpochVisits at(EpochId epoch) const;

 private:
  std::vector<std::size_t> first_row_;  // by epoch
  std::vector<std::size_t> first_roi_;  // by epoch
  std::vector<UserId> users_;           // by row
  std::vector<std::uint32_t> begins_;   // by row and one more an epoch, relative to first_roi_
  std::vector<RoiId> rois_;
};

}  // namespace hearsay::dataset
