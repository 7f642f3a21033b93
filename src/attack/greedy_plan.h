// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "attack/greedy_summary.h"

namespace hearsay::attack {

inline std::size_t whole_people(double count, const dataset::Crowd& crowd) {
  return static_cast<std::size_t>(std::llround(std::clamp(count, 0.0, static_cast<double>(crowd.people()))));
}

// With few ROIs, cuts are by ROI; with many, of those only that have a count.
inline constexpr std::size_t kFewRois = 4096;

// Whom the places of one epoch take in.
struct GreedyPlan final : Plan {
  explicit GreedyPlan(const dataset::Crowd& crowd) : cuts(crowd.rois <= kFewRois ? crowd.rois : 0, kNobody) {}

  std::vector<Cut> cuts;  // null not among them
  Cut null_cut = kNobody;
  std::vector<RoiId> rois;                   // those that have a count, ascending
  std::vector<std::uint32_t> limits;         // of these; empty where all are 0
  std::vector<std::uint32_t> sorted_limits;  // those above 0, ascending
  std::uint32_t highest_limit() const { return sorted_limits.empty() ? 0 : sorted_limits.back(); }

  // Takes the next of the ROIs that have a count; close() after the last.
  void add(RoiId roi, const GreedySummary::RoiCut& found) {
    if (by_count_) {
      cuts.push_back(found.cut);
    } else {
      cuts[index_of(roi)] = found.cut;
    }
    rois.push_back(roi);
    limits.push_back(found.limit);
    if (found.limit > 0) sorted_limits.push_back(found.limit);
  }
  void close() {
    std::sort(sorted_limits.begin(), sorted_limits.end());
    if (sorted_limits.empty()) limits.clear();
  }

  void write(BytesWriter& bytes) const override {
    bytes.put(null_cut.probability);
    bytes.put(null_cut.place);
    bytes.put(rois);
    for (std::size_t i = 0; i < rois.size(); ++i) {
      const Cut& cut = cuts[by_count_ ? i : index_of(rois[i])];
      bytes.put(cut.probability);
      bytes.put(cut.place);
      bytes.put(limits.empty() ? std::uint32_t{0} : limits[i]);
    }
  }
  // One part of a plan; those that have nothing to say of null say that nobody is there.
  void read(BytesReader& bytes) {
    Cut null = kNobody;
    bytes.get(null.probability);
    bytes.get(null.place);
    if (null.probability <= 1) null_cut = null;
    for (const RoiId roi : bytes.get<std::vector<RoiId>>()) {
      GreedySummary::RoiCut found{kNobody};
      bytes.get(found.cut.probability);
      bytes.get(found.cut.place);
      bytes.get(found.limit);
      add(roi, found);
    }
  }

 private:
  bool by_count_ = cuts.empty();  // cuts are of those ROIs only
};

}  // namespace hearsay::attack
