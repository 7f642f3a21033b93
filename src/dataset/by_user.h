// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "base/block_sizes.h"
#include "dataset/visit_store.h"

namespace hearsay::dataset {

// A visit of one user.
struct OwnVisit {
  std::uint32_t roi;
  std::uint32_t epoch;
};

// Calls visit(user, visits) for every user with a visit, its visits by ROI and then epoch; users in no order, on up to
// `threads` threads. Memory: the visits of a few thousand users for each thread.
void walk_by_user(const VisitStore& store, std::size_t users, std::size_t rois, std::size_t threads,
                  const std::function<void(std::size_t user, std::span<const OwnVisit> visits)>& visit,
                  const BlockSizes& blocks = {});

}  // namespace hearsay::dataset
