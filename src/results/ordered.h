// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "results/fixed_sum.h"

namespace hearsay::results {

// Numbers in ascending order: all of them at hand (OrderedSpan), or no more than their bins (OrderedBins).
class Ordered {
 public:
  virtual ~Ordered() = default;
  virtual std::size_t size() const = 0;
  virtual double at(std::size_t place) const = 0;
  // Of the numbers at [begin, end).
  virtual FixedSum sum(std::size_t begin, std::size_t end) const = 0;

  FixedSum sum() const { return sum(0, size()); }
};

class OrderedSpan final : public Ordered {
 public:
  explicit OrderedSpan(std::span<const double> sorted) : sorted_(sorted) {}
  std::size_t size() const override { return sorted_.size(); }
  double at(std::size_t place) const override { return sorted_[place]; }
  FixedSum sum(std::size_t begin, std::size_t end) const override {
    FixedSum sum;
    for (const double number : sorted_.subspan(begin, end - begin)) sum.add(number);
    return sum;
  }

 private:
  std::span<const double> sorted_;
};

// The value below which a share of them lies, linear between neighbours. There is at least one.
double percentile(const Ordered& numbers, double share);

// Means of about equally many numbers at a time, at least `least` and in at most 401 steps; none where there are fewer
// numbers than that.
std::vector<double> step_means(const Ordered& numbers, std::size_t least);
// The share of users below the middle of each step.
std::vector<double> step_shares(std::size_t users, std::size_t least);

}  // namespace hearsay::results
