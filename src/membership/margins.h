// SPDX-License-Identifier: Apache-2.0
//
// What a release itself says of how likely somebody is in a cell: the product of its margins over places and epochs.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "membership/distinguisher.h"

namespace hearsay::membership {

// Walks cells in ascending order and says which place and epoch they are.
class CellWalk {
 public:
  explicit CellWalk(const Grid& grid) : epochs_(grid.epochs), end_(grid.epochs) {}
  void go(std::uint32_t cell) {
    while (cell >= end_) {
      ++place_;
      end_ += epochs_;
    }
    epoch_ = cell + epochs_ - end_;
  }
  std::size_t place() const { return place_; }
  std::size_t epoch() const { return epoch_; }

 private:
  std::size_t epochs_;
  std::size_t end_;
  std::size_t place_ = 0;
  std::size_t epoch_ = 0;
};

class Margins {
 public:
  Margins(const Grid& grid, std::size_t group)
      : grid_(grid),
        group_(static_cast<double>(group)),
        least_inverse_(1 + 1 / group_),
        places_(grid.places),
        epochs_(grid.epochs) {}

  // Of counts without any that is missing.
  void sum(std::span<const double> counts) {
    clear();
    for (std::size_t place = 0; place < grid_.places; ++place) {
      add_row(place, counts.subspan(place * grid_.epochs, grid_.epochs));
    }
    finish();
  }
  void clear() {
    std::fill(places_.begin(), places_.end(), 0.0);
    std::fill(epochs_.begin(), epochs_.end(), 0.0);
  }
  // Has the sums of another, of the same grid and group.
  void start_from(const Margins& other) {
    places_ = other.places_;
    epochs_ = other.epochs_;
  }
  void add_row(std::size_t place, std::span<const double> row) {
    double total = 0;
    for (std::size_t epoch = 0; epoch < row.size(); ++epoch) {
      total += row[epoch];
      epochs_[epoch] += row[epoch];
    }
    places_[place] += total;
  }
  void add(std::size_t place, std::size_t epoch, double count) {
    places_[place] += count;
    epochs_[epoch] += count;
  }
  void finish() {
    double total = 0;
    for (const double sum : places_) total += sum;
    factor_ = total > 0 ? 1 / (total * group_) : 0;
    busiest_ = *std::max_element(epochs_.begin(), epochs_.end());
  }

  // Somebody is there with this chance; a place that seems to have everybody in it has room for one more.
  double chance(std::size_t place, std::size_t epoch) const {
    return std::min(std::max(places_[place], 0.0) * std::max(epochs_[epoch], 0.0) * factor_, most());
  }
  // (1 - chance) / chance, without a division; invert() was called before. Where a margin is 0 it means nothing.
  double against(std::size_t place, std::size_t epoch) const {
    return std::max(place_inverses_[place] * epoch_inverses_[epoch], least_inverse_) - 1;
  }
  void invert() {
    place_inverses_.resize(places_.size());
    epoch_inverses_.resize(epochs_.size());
    for (std::size_t i = 0; i < places_.size(); ++i) {
      place_inverses_[i] = places_[i] > 0 ? 1 / (places_[i] * factor_) : 0;
    }
    for (std::size_t i = 0; i < epochs_.size(); ++i) epoch_inverses_[i] = epochs_[i] > 0 ? 1 / epochs_[i] : 0;
  }
  double most() const { return group_ / (group_ + 1); }
  // What it is made of: the product of a place's share and an epoch's sum, where both are above 0.
  double share(std::size_t place) const { return places_[place] * factor_; }
  std::span<const double> epochs() const { return epochs_; }
  // The largest chance at a place.
  double most_at(std::size_t place) const { return std::min(places_[place] * busiest_ * factor_, most()); }
  // Sum of log(1 - chance) over all places and the epochs known of a target.
  double log_absent(const Target& target);

 private:
  Grid grid_;
  double group_;
  double least_inverse_;  // of a chance
  std::vector<double> places_;
  std::vector<double> epochs_;
  double factor_ = 0;
  double busiest_ = 0;  // of the epochs
  std::vector<double> place_inverses_;
  std::vector<double> epoch_inverses_;
  std::vector<double> place_powers_;
  std::vector<double> epoch_powers_;
  std::vector<double> place_shares_;
  std::vector<double> epoch_shares_;
};

}  // namespace hearsay::membership
