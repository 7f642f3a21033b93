// SPDX-License-Identifier: Apache-2.0
#include "release/square_root.h"

#include <algorithm>

namespace hearsay::release {
namespace {

void convolve(std::span<const double> by, std::span<const double> series, std::span<double> product) {
  for (std::size_t t = 0; t < series.size(); ++t) {
    double sum = 0;
    for (std::size_t s = 0; s <= t; ++s) sum += by[t - s] * series[s];
    product[t] = sum;
  }
}

}  // namespace

// The coefficients of 1 / sqrt(1 - x), whose square is 1 + x + x^2..., and those of sqrt(1 - x).
SquareRoot::SquareRoot(std::size_t epochs) : root_(epochs, 1), inverse_(epochs, 1) {
  for (std::size_t k = 1; k < epochs; ++k) {
    const auto twice = static_cast<double>(2 * k);
    root_[k] = root_[k - 1] * (twice - 1) / twice;
    inverse_[k] = inverse_[k - 1] * (twice - 3) / twice;
  }
}

std::vector<double> SquareRoot::times(std::span<const double> series) const {
  std::vector<double> product(series.size());
  convolve(root_, series, product);
  return product;
}

void SquareRoot::solve(std::span<const double> product, std::span<double> series) const {
  convolve(inverse_, product, series);
}

std::vector<double> SquareRoot::variances() const {
  std::vector<double> variances;
  double sum = 0;
  for (const double weight : inverse_) variances.push_back(sum += weight * weight);
  return variances;
}

// R'R has nothing below 0: changes of one sign move R x furthest. Each of the changed counts adds its row's entries at
// the changed counts of its place; and no place moves by more than with all of its counts.
double SquareRoot::squares(double cells, double of_a_place, double places) const {
  double all = 0;
  double sum = 0;
  for (const double weight : root_) {
    sum += weight;
    all += sum * sum;
  }
  return std::min(cells * largest_of_a_row(static_cast<std::size_t>(of_a_place)), places * all);
}

// Row i has for epoch j the sum of r(s) r(s + d) over s from 0 to T' - 1 - max(i, j), d their distance: the nearer, the
// larger, before i and after it. Rows from the last up, as their sums grow by a term each time.
double SquareRoot::largest_of_a_row(std::size_t entries) const {
  const std::size_t n = root_.size();
  std::vector<double> before(n);  // by distance
  std::vector<double> after(n);
  double largest = 0;
  for (std::size_t length = 1; length <= n; ++length) {
    const std::size_t row = n - length;
    for (std::size_t d = 0; d <= row; ++d) before[d] += root_[length - 1] * root_[length - 1 + d];
    for (std::size_t d = 1; d < length; ++d) after[d] += root_[length - 1 - d] * root_[length - 1];
    double sum = 0;
    std::size_t left = 0;
    std::size_t right = 1;
    for (std::size_t taken = 0; taken < entries; ++taken) {
      if (left <= row && (right >= length || before[left] >= after[right])) {
        sum += before[left++];
      } else if (right < length) {
        sum += after[right++];
      }
    }
    largest = std::max(largest, sum);
  }
  return largest;
}

}  // namespace hearsay::release
