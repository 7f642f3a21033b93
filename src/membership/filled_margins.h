// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "membership/counted.h"
#include "membership/margins.h"

namespace hearsay::membership {

// Margins of counts of which some are missing, or rounded to nothing: those are taken for what they are on average at a
// place whose other counts are as they are.
class FilledMargins {
 public:
  FilledMargins(const Question& question, const Counted& counted)
      : question_(question), counted_(counted), margins_(question.grid, question.group), row_(question.grid.epochs) {}

  void fill(std::span<const double> counts) {
    margins_.clear();
    for (std::size_t place = 0; place < question_.grid.places; ++place) {
      const std::span<const double> row = counts.subspan(place * row_.size(), row_.size());
      double sum = 0;
      std::size_t low = 0;
      for (const double count : row) {
        if (is_low(count)) {
          ++low;
        } else {
          sum += count;
        }
      }
      const double filled = low == 0 ? 0 : low_count(sum, low);
      for (std::size_t epoch = 0; epoch < row.size(); ++epoch) row_[epoch] = is_low(row[epoch]) ? filled : row[epoch];
      margins_.add_row(place, row_);
    }
    margins_.finish();
  }

  const Margins& margins() const { return margins_; }

 private:
  static constexpr int kRounds = 8;

  bool is_low(double count) const { return std::isnan(count) || (question_.rule.base > 1 && count == 0); }

  // Mean of the `low` counts of a place whose others have this sum, where all epochs are alike.
  double low_count(double sum, std::size_t low) const {
    const double published = question_.rule.hidden ? std::numeric_limits<double>::quiet_NaN() : 0.0;
    const CountRange range = counted_.range(published);
    double mean = (range.low + range.high) / 2;
    const auto people = static_cast<double>(question_.grid.epochs * question_.group);
    for (int round = 0; round < kRounds; ++round) {
      const double chance = (sum + static_cast<double>(low) * mean) / people;
      mean = counted_.expected(published, std::min(chance, margins_.most()));
    }
    return mean;
  }

  const Question& question_;
  const Counted& counted_;
  Margins margins_;
  std::vector<double> row_;
};

}  // namespace hearsay::membership
