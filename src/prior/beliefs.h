// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"

namespace hearsay::prior {

// One row over all ROIs (null last) that many users have in common.
struct Background {
  std::span<const double> weights;  // >= 0, one a ROI
  double total = 0;                 // their sum, > 0
};

// What the adversary believes about every user in one epoch, before or after an attack. Three kinds of user:
// - listed, in a table with rows: a sparse row of its own;
// - listed, in a table with a background instead (begins, rois and weights empty): the background;
// - not listed: in null with probability 1, or the background where `everyone` is set.
// Rows are weights, not probabilities: a probability is weight / sum of the row. Counts as weights keep products and
// comparisons exact. A view: valid as long as whatever made it says.
struct Beliefs {
  std::span<const UserId> users;          // ascending
  std::span<const std::uint32_t> begins;  // users.size() + 1 positions in rois and weights
  std::span<const RoiId> rois;            // ascending in a row, no row empty
  std::span<const double> weights;        // > 0; empty: 1 each
  std::span<const double> totals;         // sum of each row's weights; empty: not made yet
  const Background* background = nullptr;
  bool everyone = false;
  bool binary = false;  // an assignment (every ROI listed is a prediction), not a distribution
  // Assignments only: besides what its row lists, every user numbered below limits[roi] is in that ROI. Both empty
  // where there is no such ROI.
  std::span<const std::uint32_t> limits;         // by ROI
  std::span<const std::uint32_t> sorted_limits;  // those above 0, ascending

  std::span<const RoiId> rois_of(std::size_t row) const {
    return rois.subspan(begins[row], begins[row + 1] - begins[row]);
  }
  // Users numbered below this have an ROI by the limits.
  std::uint32_t covered() const { return sorted_limits.empty() ? 0 : sorted_limits.back(); }
  double total_of(std::size_t row) const;
  // These rows alone; begins stay positions in the whole of rois and weights.
  Beliefs rows(std::size_t first, std::size_t count) const;
  // Empty where all weights are 1.
  std::span<const double> weights_of(std::size_t row) const {
    return weights.empty() ? weights : weights.subspan(begins[row], begins[row + 1] - begins[row]);
  }
};

// Sum of a row's weights.
double row_total(std::span<const RoiId> rois, std::span<const double> weights);

inline double Beliefs::total_of(std::size_t row) const {
  return totals.empty() ? row_total(rois_of(row), weights_of(row)) : totals[row];
}

// Owns what a Beliefs shows; kept and refilled from epoch to epoch.
struct BeliefTable {
  std::vector<UserId> users;
  std::vector<std::uint32_t> begins;
  std::vector<RoiId> rois;
  std::vector<double> weights;
  std::vector<double> totals;  // filled by whoever has them at hand, or empty

  void clear();
  // Adds an entry of a row; users ascending, ROIs ascending in a row. close() ends the table. All three throw
  // ConfigError where the table gets more entries than positions can tell (base/table_position.h).
  void add(UserId user, RoiId roi, double weight);
  // Adds the rows of another table that is not closed either, of users after those of this one.
  void append(const BeliefTable& next);
  void close();
  Beliefs rows() const;
  // The users listed, all with `background` as their row.
  Beliefs shared(const Background& background) const;
};

}  // namespace hearsay::prior
