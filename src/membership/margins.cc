// SPDX-License-Identifier: Apache-2.0
#include "membership/margins.h"

#include <cmath>

#include "membership/log_product.h"

namespace hearsay::membership {
namespace {

// Places where the chance stays below this are summed together.
constexpr double kSmallShare = 0.25;

// One more power of each; their sum, four at a time so that no sum waits for another.
double raise(std::vector<double>& powers, const std::vector<double>& shares) {
  double sums[4] = {};
  const std::size_t size = powers.size();
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += powers[i + lane] *= shares[i + lane];
  }
  for (; i < size; ++i) sums[0] += powers[i] *= shares[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

// log(1 - p e) is the sum of -(p e)^k / k, and the sum of p^k e^k over all cells is the product of two sums: so the
// cells need not be walked where p e is small.
double Margins::log_absent(const Target& target) {
  double largest = 0;
  for (std::size_t epoch = 0; epoch < grid_.epochs; ++epoch) {
    if (target.knows(epoch)) largest = std::max(largest, epochs_[epoch]);
  }
  if (largest <= 0 || factor_ == 0) return 0;
  epoch_shares_.clear();
  for (std::size_t epoch = 0; epoch < grid_.epochs; ++epoch) {
    if (target.knows(epoch) && epochs_[epoch] > 0) epoch_shares_.push_back(epochs_[epoch] / largest);
  }
  place_shares_.clear();
  double sum = 0;
  double largest_share = 0;
  for (std::size_t place = 0; place < grid_.places; ++place) {
    const double share = places_[place] * largest * factor_;
    if (share <= 0) continue;
    if (share < kSmallShare) {
      place_shares_.push_back(share);
      largest_share = std::max(largest_share, share);
      continue;
    }
    LogProduct absent;
    for (std::size_t epoch = 0; epoch < grid_.epochs; ++epoch) {
      if (target.knows(epoch)) absent.multiply(1 - chance(place, epoch));
    }
    sum += absent.log();
  }
  place_powers_.assign(place_shares_.size(), 1.0);
  epoch_powers_.assign(epoch_shares_.size(), 1.0);
  // What is left after a term is less than a third of it.
  double term = 1;
  for (double k = 1; !place_shares_.empty() && term > 1e-17; ++k) {
    const double places = raise(place_powers_, place_shares_);
    term = places * raise(epoch_powers_, epoch_shares_) / k;
    sum -= term;
  }
  return sum;
}

}  // namespace hearsay::membership
