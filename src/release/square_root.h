// SPDX-License-Identifier: Apache-2.0
//
// The square root R of running sums: R R x is, for each epoch, the sum of x up to it. R is triangular, with r(s - t)
// for epoch t in s, and so is what undoes it. Fichtenberger, Henzinger, Upadhyay: Constant Matters. ICML 2023.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hearsay::release {

// What it does takes time with the square of the epochs.
class SquareRoot {
 public:
  explicit SquareRoot(std::size_t epochs);  // at least 1

  // R x.
  std::vector<double> times(std::span<const double> series) const;
  // The x with R x as given.
  void solve(std::span<const double> product, std::span<double> series) const;
  // The variance of each epoch of solve(), where the noise of R x has variance 1.
  std::vector<double> variances() const;

  // How far R x is moved, in squares of the 2-norm, where `cells` counts change by at most 1 each, at most `of_a_place`
  // of them in one series and in at most so many series.
  double squares(double cells, double of_a_place, double places) const;

 private:
  // The largest sum of so many entries of a row of R'R.
  double largest_of_a_row(std::size_t entries) const;

  std::vector<double> root_;     // r
  std::vector<double> inverse_;  // of what undoes R
};

}  // namespace hearsay::release
