// SPDX-License-Identifier: Apache-2.0
#include "release/count_matrix.h"

namespace hearsay::release {

CountMatrix::CountMatrix(const Release& release) : CountMatrix(release.rois(), release.epochs()) {
  std::vector<double> dense;
  for (std::size_t epoch = 0; epoch < epochs_; ++epoch) {
    const EpochCounts counts = release.at(static_cast<EpochId>(epoch), dense);
    for (const RoiId roi : counts.rois) series(index_of(roi))[epoch] = counts.dense[index_of(roi)];
  }
}

Release CountMatrix::to_release() const {
  Release release(rois_, epochs_);
  std::vector<double> column(rois_);
  for (std::size_t epoch = 0; epoch < epochs_; ++epoch) {
    for (std::size_t roi = 0; roi < rois_; ++roi) column[roi] = series(roi)[epoch];
    release.set(static_cast<EpochId>(epoch), column);
  }
  return release;
}

void CountMatrix::write(BytesWriter& bytes) const {
  bytes.put(static_cast<std::uint64_t>(rois_));
  bytes.put(static_cast<std::uint64_t>(epochs_));
  bytes.put(counts_);
}

CountMatrix CountMatrix::read(BytesReader& bytes) {
  const auto rois = bytes.get<std::uint64_t>();
  CountMatrix counts(0, 0);
  counts.rois_ = rois;
  bytes.get(counts.epochs_);
  bytes.get(counts.counts_);
  if (counts.counts_.size() != counts.rois_ * counts.epochs_) throw std::out_of_range("not as many counts as said");
  return counts;
}

}  // namespace hearsay::release
