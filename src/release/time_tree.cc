// SPDX-License-Identifier: Apache-2.0
#include "release/time_tree.h"

#include <algorithm>
#include <cmath>

namespace hearsay::release {

TimeTree::TimeTree(std::size_t epochs) : starts_{0, epochs} {
  while (size(levels() - 1) > 1) starts_.push_back(starts_.back() + (size(levels() - 1) + 1) / 2);
  below_.assign(nodes(), 1);
  of_children_.assign(nodes(), 0);
  for (std::size_t level = 1; level < levels(); ++level) {
    for (std::size_t i = 0; i < size(level - 1); ++i)
      of_children_[starts_[level] + i / 2] += below_[starts_[level - 1] + i];
    for (std::size_t node = starts_[level]; node < starts_[level + 1]; ++node) {
      below_[node] = of_children_[node] / (of_children_[node] + 1);
    }
  }
}

std::vector<double> TimeTree::sums(std::span<const double> series) const {
  std::vector<double> sums(nodes());
  std::copy(series.begin(), series.end(), sums.begin());
  for (std::size_t level = 1; level < levels(); ++level) {
    for (std::size_t i = 0; i < size(level - 1); ++i) sums[starts_[level] + i / 2] += sums[starts_[level - 1] + i];
  }
  return sums;
}

// Up: a node's own sum and that of what its children say, weighed by their variances. Down: what is missing to the
// parent's final value is shared by the children in proportion to their variances.
void TimeTree::fit(std::span<const double> noisy, std::span<double> series) const {
  std::vector<double> said(noisy.begin(), noisy.end());
  std::vector<double> children(nodes());
  for (std::size_t level = 1; level < levels(); ++level) {
    for (std::size_t i = 0; i < size(level - 1); ++i) children[starts_[level] + i / 2] += said[starts_[level - 1] + i];
    for (std::size_t node = starts_[level]; node < starts_[level + 1]; ++node) {
      said[node] += (children[node] - said[node]) / (of_children_[node] + 1);
    }
  }
  for (std::size_t level = levels() - 1; level-- > 0;) {
    for (std::size_t i = 0; i < size(level); ++i) {
      const std::size_t node = starts_[level] + i;
      const std::size_t parent = starts_[level + 1] + i / 2;
      said[node] += below_[node] / of_children_[parent] * (said[parent] - children[parent]);
    }
  }
  std::copy_n(said.begin(), series.size(), series.begin());
}

std::vector<double> TimeTree::variances() const {
  std::vector<double> variance = below_;
  for (std::size_t level = levels() - 1; level-- > 0;) {
    for (std::size_t i = 0; i < size(level); ++i) {
      const std::size_t node = starts_[level] + i;
      const std::size_t parent = starts_[level + 1] + i / 2;
      const double share = below_[node] / of_children_[parent];
      variance[node] += share * share * (variance[parent] - of_children_[parent]);
    }
  }
  variance.resize(starts_[1]);
  return variance;
}

// A sum changes by at most the number of changed counts in it, and those of a level by no more than all there are:
// squares are largest where as few sums as can be take as much as they can.
double TimeTree::squares(double cells, double of_a_place) const {
  double squares = 0;
  for (std::size_t level = 0; level < levels(); ++level) {
    const double most = std::min(of_a_place, std::ldexp(1.0, static_cast<int>(level)));
    const double full = std::floor(cells / most);
    const double rest = cells - full * most;
    squares += full * most * most + rest * rest;
  }
  return squares;
}

}  // namespace hearsay::release
