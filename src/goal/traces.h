// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "dataset/visit_store.h"
#include "membership/distinguisher.h"

namespace hearsay::goal {

// Where everybody was in some epochs, person by person: cells of a grid, ascending. 4 bytes a visit.
class Traces {
 public:
  // at(epoch): the visits in one of the epochs of the grid. Throws ConfigError where there are more cells than numbers
  // for them.
  Traces(const membership::Grid& grid, std::size_t users, std::size_t threads,
         const std::function<dataset::EpochVisits(std::size_t epoch)>& at);

  const membership::Grid& grid() const { return grid_; }
  std::size_t users() const { return begins_.size() - 1; }
  std::span<const std::uint32_t> of(std::size_t user) const {
    return std::span(cells_).subspan(begins_[user], begins_[user + 1] - begins_[user]);
  }

 private:
  membership::Grid grid_;
  std::vector<std::size_t> begins_;
  std::vector<std::uint32_t> cells_;
};

}  // namespace hearsay::goal
