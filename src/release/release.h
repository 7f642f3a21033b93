// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/ids.h"

namespace hearsay::release {

// One epoch of a release, as the adversary sees it. `dense` holds every ROI's count, null last; `rois` those above 0,
// ascending.
struct EpochCounts {
  std::span<const double> dense;
  std::span<const RoiId> rois;
  double total = 0;  // sum of dense
};

// The published time series: how many people, where, when. Counts above 0 only, so its size follows the visits.
class Release {
 public:
  Release(std::size_t rois, std::size_t epochs)
      : rois_(rois), columns_(epochs), dense_(rois * epochs <= kFewCounts ? rois * epochs : 0) {}

  std::size_t epochs() const { return columns_.size(); }
  std::size_t rois() const { return rois_; }  // null included
  // `counts` has one number a ROI, null last; those at or below 0 are dropped.
  void set(EpochId epoch, std::span<const double> counts);
  // Returns views of this release or, where it is large, of `dense`, which is filled (and resized to rois()).
  EpochCounts at(EpochId epoch, std::vector<double>& dense) const;
  // The same with one person fewer wherever somebody was counted.
  Release one_fewer() const;

 private:
  struct Column {
    std::vector<RoiId> rois;
    std::vector<double> counts;
    double total = 0;
  };
  static constexpr std::size_t kFewCounts = std::size_t{1} << 22;

  std::size_t rois_;
  std::vector<Column> columns_;
  std::vector<double> dense_;  // by epoch and ROI, where there are few
};

}  // namespace hearsay::release
