// SPDX-License-Identifier: Apache-2.0
//
// Numbers of many people by stretches that add up.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "results/ordered.h"

namespace hearsay::results {

// Equal numbers.
struct Run {
  double number = 0;
  std::uint64_t count = 0;
};

// All numbers of one stretch of 2^-20 that has many different ones.
struct Bin {
  double least = 0;
  double largest = 0;
  FixedSum sum;                  // its count is theirs
  std::uint64_t at_least = 0;    // how many are the least, and
  std::uint64_t at_largest = 0;  // the largest
};

// Each different number with how often it is there or, where there are more than most_numbers() of them, no more than a
// bin of the stretches that have many. Which it is depends on the numbers alone, not on how they were put together.
// Memory: 16 bytes a number kept, 80 a bin; however many people there are, no more than kFew numbers in each of the
// 2^20 stretches between 0 and 1.
class Bins {
 public:
  static constexpr std::size_t kFew = 16;
  static std::size_t most_numbers() { return most_numbers_; }

  Bins() = default;
  // Throws std::range_error where a number is not below 2^32.
  explicit Bins(std::span<const double> sorted);

  void add(const Bins& other);
  void write(BytesWriter& out) const;
  void read(BytesReader& in);
  const std::vector<Run>& runs() const { return runs_; }
  const std::vector<Bin>& crowded() const { return crowded_; }

 private:
  friend class FewNumbers;
  inline static std::size_t most_numbers_ = std::size_t{1} << 18;

  void collapse();

  bool many_ = false;         // more than most_numbers() were there
  std::vector<Run> runs_;     // ascending
  std::vector<Bin> crowded_;  // ascending; no run lies in the stretch of one
};

// For tests: as long as it lives, no more different numbers are kept.
class FewNumbers {
 public:
  explicit FewNumbers(std::size_t most) : before_(std::exchange(Bins::most_numbers_, most)) {}
  FewNumbers(const FewNumbers&) = delete;
  FewNumbers& operator=(const FewNumbers&) = delete;
  ~FewNumbers() { Bins::most_numbers_ = before_; }

 private:
  std::size_t before_;
};

// The numbers as the bins tell them: exact but for those of a crowded stretch that are neither its least nor its
// largest; these are taken to lie on a line between the two, so that they are off by less than 2^-20. The sum of a
// whole stretch is exact. The bins outlive it.
class OrderedBins final : public Ordered {
 public:
  explicit OrderedBins(const Bins& bins);
  std::size_t size() const override { return segments_.empty() ? 0 : segments_.back().end; }
  double at(std::size_t place) const override;
  FixedSum sum(std::size_t begin, std::size_t end) const override;

 private:
  // A run or a crowded stretch, by its number among those.
  struct Segment {
    std::uint64_t end = 0;  // among all numbers
    std::uint32_t number = 0;
    bool crowded = false;
  };
  // The segment that a place is in, and the place within it.
  std::pair<std::size_t, std::size_t> find(std::size_t place) const;

  const Bins& bins_;
  std::vector<Segment> segments_;
};

}  // namespace hearsay::results
