// SPDX-License-Identifier: Apache-2.0
#include "dataset/visit_store.h"

#include <cassert>

#include "base/parallel.h"
#include "base/table_position.h"
#include "ingest/visit_list.h"

namespace hearsay::dataset {

using ingest::VisitList;

VisitStore::VisitStore(std::vector<std::vector<std::uint64_t>> visits, std::size_t threads)
    : first_row_(visits.size() + 1), first_roi_(visits.size() + 1) {
  parallel_for(visits.size(), threads, [&](std::size_t e, std::size_t) {
    const std::vector<std::uint64_t>& keys = visits[e];
    std::size_t rows = keys.empty() ? 0 : 1;
    for (std::size_t i = 1; i < keys.size(); ++i) {
      assert(keys[i - 1] < keys[i]);
      rows += VisitList::user(keys[i]) != VisitList::user(keys[i - 1]) ? 1 : 0;
    }
    first_row_[e + 1] = rows;
    first_roi_[e + 1] = table_position(keys.size());  // the last of the epoch's positions
  });
  for (std::size_t e = 0; e < visits.size(); ++e) {
    first_row_[e + 1] += first_row_[e];
    first_roi_[e + 1] += first_roi_[e];
  }
  users_.resize(first_row_.back());
  begins_.resize(first_row_.back() + visits.size());
  rois_.resize(first_roi_.back());
  parallel_for(visits.size(), threads, [&](std::size_t e, std::size_t) {
    const std::vector<std::uint64_t> keys = std::move(visits[e]);
    std::size_t row = first_row_[e];
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i == 0 || VisitList::user(keys[i]) != VisitList::user(keys[i - 1])) {
        users_[row] = static_cast<UserId>(VisitList::user(keys[i]));
        begins_[row++ + e] = static_cast<std::uint32_t>(i);
      }
      rois_[first_roi_[e] + i] = static_cast<RoiId>(VisitList::roi(keys[i]));
    }
    begins_[row + e] = static_cast<std::uint32_t>(keys.size());
  });
}

EpochVisits VisitStore::at(EpochId epoch) const {
  const std::size_t e = index_of(epoch);
  const std::size_t rows = first_row_[e + 1] - first_row_[e];
  return {std::span(users_).subspan(first_row_[e], rows), std::span(begins_).subspan(first_row_[e] + e, rows + 1),
          std::span(rois_).subspan(first_roi_[e], first_roi_[e + 1] - first_roi_[e])};
}

}  // namespace hearsay::dataset
