// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace hearsay::results {

// A sum of numbers that does not depend on their order, nor on how they were divided: of whole numbers of 2^-60, the
// upper and the lower half of them apart. What is not a number does not count.
class FixedSum {
 public:
  // Sums of 2^32 such numbers fit.
  static bool fits(double number) { return std::fabs(number) < 0x1p64; }

  // `times` the number. Throws std::range_error where it does not fit.
  void add(double number, std::uint64_t times = 1) {
    if (std::isnan(number)) return;
    const double scaled = number * 0x1p30;
    if (std::fabs(number) < 1024) {  // nearly always, and quicker
      const auto whole = static_cast<std::int64_t>(scaled);
      upper_ += static_cast<__int128>(whole) * times;
      lower_ += static_cast<__int128>(static_cast<std::int64_t>(below(scaled, static_cast<double>(whole)))) * times;
    } else if (fits(number)) {
      const auto whole = static_cast<__int128>(scaled);
      upper_ += whole * times;
      lower_ += static_cast<__int128>(below(scaled, static_cast<double>(whole))) * times;
    } else {
      throw std::range_error("a number is too large to be added up");
    }
    count_ += times;
  }
  void add(const FixedSum& other) {
    upper_ += other.upper_;
    lower_ += other.lower_;
    count_ += other.count_;
  }
  // Takes away numbers that were added.
  void remove(const FixedSum& other) {
    upper_ -= other.upper_;
    lower_ -= other.lower_;
    count_ -= other.count_;
  }

  std::uint64_t count() const { return static_cast<std::uint64_t>(count_); }
  // Not a number where there are none.
  double mean() const {
    const auto sum = static_cast<long double>(upper_) * 0x1p-30L + static_cast<long double>(lower_) * 0x1p-60L;
    return static_cast<double>(sum / static_cast<long double>(count_));
  }

 private:
  static double below(double scaled, double whole) { return (scaled - whole) * 0x1p30; }

  __int128 upper_ = 0;
  __int128 lower_ = 0;
  __int128 count_ = 0;  // as wide as the others, so that its bytes have no gap
};

// The deviation of numbers, likewise: they are added up and so are their squares, in whole numbers of 2^-50 and 2^-80.
// A deviation below 1e-9 may be told as 0.
class FixedSquares {
 public:
  // Throws std::range_error where it does not fit: errors do, of 2^28 people.
  void add(double number) {
    if (std::isnan(number)) return;
    if (!(std::fabs(number) < 512)) throw std::range_error("a number is too large for its square to be added up");
    const auto whole = static_cast<std::int64_t>(number * 0x1p50);
    sum_ += whole;
    squares_ += static_cast<__int128>(whole) * whole >> 20;
    ++count_;
  }
  void add(const FixedSquares& other) {
    sum_ += other.sum_;
    squares_ += other.squares_;
    count_ += other.count_;
  }
  // Of the population (divided by n). Not a number where there are none.
  double deviation() const {
    const auto n = static_cast<long double>(count_);
    const long double mean = static_cast<long double>(sum_) * 0x1p-50L / n;
    const long double variance = static_cast<long double>(squares_) * 0x1p-80L / n - mean * mean;
    return std::sqrt(static_cast<double>(variance < 1e-18L ? 0 * variance : variance));
  }

 private:
  __int128 sum_ = 0;
  __int128 squares_ = 0;
  __int128 count_ = 0;
};

}  // namespace hearsay::results
