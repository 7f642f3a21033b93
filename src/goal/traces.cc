// SPDX-License-Identifier: Apache-2.0
#include "goal/traces.h"

#include <algorithm>
#include <limits>

#include "base/errors.h"
#include "base/parallel.h"

namespace hearsay::goal {

Traces::Traces(const membership::Grid& grid, std::size_t users, std::size_t threads,
               const std::function<dataset::EpochVisits(std::size_t epoch)>& at)
    : grid_(grid), begins_(users + 1) {
  if (grid.cells() > std::numeric_limits<std::uint32_t>::max()) {
    throw ConfigError("membership", "", "there are too many places and epochs to play it on");
  }
  for (std::size_t epoch = 0; epoch < grid.epochs; ++epoch) {
    const dataset::EpochVisits visits = at(epoch);
    for (std::size_t row = 0; row < visits.users.size(); ++row) {
      begins_[index_of(visits.users[row]) + 1] += visits.rois_of(row).size();
    }
  }
  for (std::size_t user = 0; user < users; ++user) begins_[user + 1] += begins_[user];
  cells_.resize(begins_.back());
  std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
  for (std::size_t epoch = 0; epoch < grid.epochs; ++epoch) {
    const dataset::EpochVisits visits = at(epoch);
    for (std::size_t row = 0; row < visits.users.size(); ++row) {
      for (const RoiId roi : visits.rois_of(row)) {
        cells_[next[index_of(visits.users[row])]++] = static_cast<std::uint32_t>(index_of(roi) * grid.epochs + epoch);
      }
    }
  }
  constexpr std::size_t kUsers = 1024;  // sorted at a time
  parallel_for((users + kUsers - 1) / kUsers, threads, [&](std::size_t block, std::size_t) {
    for (std::size_t user = block * kUsers; user < std::min(users, (block + 1) * kUsers); ++user) {
      std::sort(cells_.begin() + static_cast<std::ptrdiff_t>(begins_[user]),
                cells_.begin() + static_cast<std::ptrdiff_t>(begins_[user + 1]));
    }
  });
}

}  // namespace hearsay::goal
