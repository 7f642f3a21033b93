// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "belief/beliefs.h"

namespace hearsay::belief {

// Rows or rates as chances of being in each place.
class Chances {
 public:
  // Neither shared beliefs nor an assignment.
  explicit Chances(const Beliefs& beliefs)
      : rates_(std::get_if<Rates>(&beliefs)),
        counts_(std::get_if<Rows>(&beliefs)),
        rows_(rates_ != nullptr ? static_cast<const SparseRows*>(rates_) : counts_) {
    if (rates_ != nullptr) elsewhere_ = rates_->elsewhere.first(rates_->elsewhere.size() - 1);
    for (const double chance : elsewhere_) {
      elsewhere_sum_ += chance;
      elsewhere_most_ = std::max(elsewhere_most_, chance);
    }
  }

  const SparseRows& rows() const { return *rows_; }
  // By ROI but null, of users with no entry there; empty: 0.
  std::span<const double> elsewhere() const { return elsewhere_; }
  double elsewhere_sum() const { return elsewhere_sum_; }
  double elsewhere_most() const { return elsewhere_most_; }
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
  const Rates* rates_;
  const Rows* counts_;
  const SparseRows* rows_;
  std::span<const double> elsewhere_;
  double elsewhere_sum_ = 0;
  double elsewhere_most_ = 0;
  double divisor_ = 1;
};

// Calls take(roi, chance) for the places without an entry whose chance is above 0 and at least `least`, ascending.
// `listed`: the places with an entry, ascending.
template <typename Take>
void for_elsewhere(std::span<const double> elsewhere, std::span<const RoiId> listed, double least, const Take& take) {
  std::size_t i = 0;
  for (std::size_t roi = 0; roi < elsewhere.size(); ++roi) {
    while (i < listed.size() && index_of(listed[i]) < roi) ++i;
    const bool has_entry = i < listed.size() && index_of(listed[i]) == roi;
    if (!has_entry && elsewhere[roi] >= least && elsewhere[roi] > 0) take(static_cast<RoiId>(roi), elsewhere[roi]);
  }
}

}  // namespace hearsay::belief
