// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "belief/beliefs.h"

namespace hearsay::decision {

// Rows or rates as chances of being in each place.
class Chances {
 public:
  // Neither shared beliefs nor an assignment.
  explicit Chances(const belief::Beliefs& beliefs)
      : rates_(std::get_if<belief::Rates>(&beliefs)),
        counts_(std::get_if<belief::Rows>(&beliefs)),
        rows_(rates_ != nullptr ? static_cast<const belief::SparseRows*>(rates_) : counts_) {}

  const belief::SparseRows& rows() const { return *rows_; }
  // By ROI, of users with no entry there; empty: 0.
  std::span<const double> elsewhere() const {
    return rates_ != nullptr ? rates_->elsewhere : std::span<const double>();
  }
  // Of users not listed.
  double unlisted_null() const { return rates_ != nullptr ? rates_->elsewhere.back() : 1; }

  // To be called before the next, for each row. Counts of epochs are rates; other weights are shares of the row.
  void enter(std::size_t row) {
    if (rates_ == nullptr) divisor_ = counts_->trials > 0 ? counts_->trials : counts_->total_of(row);
  }
  double operator[](std::size_t entry) const {
    return rates_ != nullptr ? rates_->chances[entry] : counts_->weight(entry) / divisor_;
  }

 private:
  const belief::Rates* rates_;
  const belief::Rows* counts_;
  const belief::SparseRows* rows_;
  double divisor_ = 1;
};

}  // namespace hearsay::decision
