// SPDX-License-Identifier: Apache-2.0
//
// What a crowd does in common: the largest factors of the visits of people she knows.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "membership/distinguisher.h"

namespace hearsay::membership {

// The counts of a group vary by D + m F F', with D by cell and a few columns F: the inverse of that weighs what a count
// tells (Woodbury's identity), and costs a few numbers a cell. The question outlives it.
class Factors {
 public:
  // At most as many factors as people known.
  Factors(const Question& question, std::size_t factors);
  std::size_t size() const { return size_; }

  // (count - m q) / D.
  double pull(std::size_t cell, double count) const {
    const double q = question_.crowd.chances[cell];
    return ((count != count ? 0.0 : count) - group_ * q) * inverse_[cell];
  }
  // Adds a cell's pull to what the counts say of each factor.
  void add(std::size_t cell, double pull, std::span<double> shared) const {
    for (std::size_t f = 0; f < size_; ++f) shared[f] += columns_[cell * size_ + f] * pull;
  }
  // The sum over all cells of chance x pull.
  double expected(std::span<const double> counts) const {
    double sum = 0;
    for (std::size_t cell = 0; cell < counts.size(); ++cell) {
      sum += question_.crowd.chances[cell] * pull(cell, counts[cell]);
    }
    return sum;
  }
  // What a target does of each factor, weighed.
  std::unique_ptr<Lesson> of_target(Target target) const;
  // How much of the pull of a target's cells is what the crowd does in common.
  double common(const Lesson& target, std::span<const double> shared) const;

 private:
  void find_columns();
  void invert();

  const Question& question_;
  double group_;
  std::size_t size_;
  std::vector<double> columns_;  // F, by cell and factor
  std::vector<double> inverse_;  // 1 / D, by cell
  std::vector<double> core_;     // (1 / m + F' D^-1 F)^-1, by factor and factor
  std::vector<double> crowd_;    // F' D^-1 q, by factor
};

}  // namespace hearsay::membership
