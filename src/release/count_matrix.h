// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/ids.h"
#include "release/release.h"

namespace hearsay::release {

// Counts by ROI (null last) and epoch, negative and fractional ones too: what a mechanism works on.
class CountMatrix {
 public:
  CountMatrix(std::size_t rois, std::size_t epochs) : rois_(rois), epochs_(epochs), counts_(rois * epochs) {}
  explicit CountMatrix(const Release& release);

  std::size_t rois() const { return rois_; }
  std::size_t epochs() const { return epochs_; }
  std::span<double> series(std::size_t roi) { return std::span(counts_).subspan(roi * epochs_, epochs_); }
  std::span<const double> series(std::size_t roi) const { return std::span(counts_).subspan(roi * epochs_, epochs_); }
  std::span<double> all() { return counts_; }
  std::span<const double> all() const { return counts_; }

  Release to_release() const;

  void write(BytesWriter& bytes) const;
  static CountMatrix read(BytesReader& bytes);

 private:
  std::size_t rois_;
  std::size_t epochs_;
  std::vector<double> counts_;
};

inline double sum_of(std::span<const double> counts) {
  return std::accumulate(counts.begin(), counts.end(), 0.0);
}

}  // namespace hearsay::release
