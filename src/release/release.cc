// SPDX-License-Identifier: Apache-2.0
#include "release/release.h"

#include <algorithm>

namespace hearsay::release {

void Release::set(EpochId epoch, std::span<const double> counts) {
  Column column;
  for (std::size_t roi = 0; roi < counts.size(); ++roi) {
    if (counts[roi] <= 0) continue;
    column.rois.push_back(static_cast<RoiId>(roi));
    column.counts.push_back(counts[roi]);
    column.total += counts[roi];
  }
  if (!dense_.empty()) {
    double* place = &dense_[index_of(epoch) * rois_];
    std::fill(place, place + rois_, 0.0);
    for (std::size_t i = 0; i < column.rois.size(); ++i) place[index_of(column.rois[i])] = column.counts[i];
  }
  columns_[index_of(epoch)] = std::move(column);
}

EpochCounts Release::at(EpochId epoch, std::vector<double>& dense) const {
  const Column& column = columns_[index_of(epoch)];
  if (!dense_.empty()) return {std::span(dense_).subspan(index_of(epoch) * rois_, rois_), column.rois, column.total};
  dense.assign(rois_, 0.0);
  for (std::size_t i = 0; i < column.rois.size(); ++i) dense[index_of(column.rois[i])] = column.counts[i];
  return {dense, column.rois, column.total};
}

Release Release::one_fewer() const {
  Release fewer(rois_, epochs());
  std::vector<double> counts;
  for (std::size_t e = 0; e < epochs(); ++e) {
    const Column& column = columns_[e];
    counts.assign(rois_, 0.0);
    for (std::size_t i = 0; i < column.rois.size(); ++i) counts[index_of(column.rois[i])] = column.counts[i] - 1;
    fewer.set(static_cast<EpochId>(e), counts);
  }
  return fewer;
}

}  // namespace hearsay::release
