// SPDX-License-Identifier: Apache-2.0
//
// Numbers of many people by bins that add up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "results/ordered.h"

namespace hearsay::results {

// Numbers in one stretch of 2^-20.
struct Bin {
  double least = 0;
  double largest = 0;
  FixedSum sum;                  // its count is theirs
  std::uint64_t at_least = 0;    // how many are the least, and
  std::uint64_t at_largest = 0;  // the largest
};

// Those that hold a number, ascending. Memory: 80 bytes each, of which there are 2^20 between 0 and 1, however many
// people there are.
class Bins {
 public:
  Bins() = default;
  // Throws std::range_error where a number is not below 2^32.
  explicit Bins(std::span<const double> sorted);

  void add(const Bins& other);
  // 16 bytes for a bin whose numbers are equal, as most are of few people.
  void write(BytesWriter& out) const;
  void read(BytesReader& in);
  const std::vector<Bin>& all() const { return bins_; }

 private:
  std::vector<Bin> bins_;
};

// The numbers as the bins tell them, each to 2^-20. Those that are the least or largest of their bin are exact, and so
// is the sum of a whole bin; others are taken to lie on a line between the two. The bins outlive it.
class OrderedBins final : public Ordered {
 public:
  explicit OrderedBins(const Bins& bins);
  std::size_t size() const override { return ends_.empty() ? 0 : ends_.back(); }
  double at(std::size_t place) const override;
  FixedSum sum(std::size_t begin, std::size_t end) const override;

 private:
  // The bin that a place is in.
  std::size_t bin_at(std::size_t place) const;

  const std::vector<Bin>& bins_;
  std::vector<std::size_t> ends_;  // of each bin, among all numbers
};

}  // namespace hearsay::results
