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
  CountMatrix counts(rois, bytes.get<std::uint64_t>());
  bytes.get(counts.counts_);
  return counts;
}

}  // namespace hearsay::release
