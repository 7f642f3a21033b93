// SPDX-License-Identifier: Apache-2.0
#include "dataset/visit_store.h"

#include <cassert>

namespace hearsay::dataset {

void VisitStore::add(EpochId epoch, UserId user, RoiId roi) {
  assert(index_of(epoch) >= open_epoch_ && index_of(epoch) < epochs());
  close_epochs_before(index_of(epoch));
  const std::size_t first_row = first_row_[open_epoch_];
  const auto position = static_cast<std::uint32_t>(rois_.size() - first_roi_[open_epoch_]);
  if (users_.size() == first_row || users_.back() != user) {
    assert(users_.size() == first_row || users_.back() < user);
    users_.push_back(user);
    begins_.push_back(position);
  } else if (rois_.back() == roi) {
    return;
  }
  rois_.push_back(roi);
}

void VisitStore::finish() {
  close_epochs_before(epochs());
}

void VisitStore::close_epochs_before(std::size_t epoch) {
  for (; open_epoch_ < epoch; ++open_epoch_) {
    begins_.push_back(static_cast<std::uint32_t>(rois_.size() - first_roi_[open_epoch_]));
    first_row_[open_epoch_ + 1] = users_.size();
    first_roi_[open_epoch_ + 1] = rois_.size();
  }
}

EpochVisits VisitStore::at(EpochId epoch) const {
  const std::size_t e = index_of(epoch);
  assert(e < open_epoch_);
  const std::size_t rows = first_row_[e + 1] - first_row_[e];
  return {std::span(users_).subspan(first_row_[e], rows), std::span(begins_).subspan(first_row_[e] + e, rows + 1),
          std::span(rois_).subspan(first_roi_[e], first_roi_[e + 1] - first_roi_[e])};
}

}  // namespace hearsay::dataset
