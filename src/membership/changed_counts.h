// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "membership/distinguisher.h"

namespace hearsay::membership {

// The counts with some of them changed; ascending cells are asked for.
class ChangedCounts {
 public:
  ChangedCounts(std::span<const double> counts, std::span<const Changed> changed)
      : counts_(counts), changed_(changed) {}
  double at(std::uint32_t cell) {
    while (next_ < changed_.size() && changed_[next_].cell < cell) ++next_;
    return next_ < changed_.size() && changed_[next_].cell == cell ? changed_[next_].count : counts_[cell];
  }

 private:
  std::span<const double> counts_;
  std::span<const Changed> changed_;
  std::size_t next_ = 0;
};

}  // namespace hearsay::membership
