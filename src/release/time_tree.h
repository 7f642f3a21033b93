// SPDX-License-Identifier: Apache-2.0
//
// A binary tree of sums over the epochs of a series, and what noisy sums say of its leaves. Hay, Rastogi, Miklau,
// Suciu: Boosting the Accuracy of Differentially Private Histograms Through Consistency. VLDB 2010.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hearsay::release {

// Level l has the sums of 2^l epochs each, the last of fewer where they do not divide the epochs; the highest level has
// one sum, of all. Every epoch is in one sum a level.
class TimeTree {
 public:
  explicit TimeTree(std::size_t epochs);  // at least 1

  std::size_t levels() const { return starts_.size() - 1; }
  std::size_t nodes() const { return starts_.back(); }

  // All sums, by level from the epochs up.
  std::vector<double> sums(std::span<const double> series) const;
  // The series whose sums are nearest to `noisy` in squares: what noise of the same variance on all sums leaves as the
  // best estimate that is linear and without bias. In time that is linear in the epochs.
  void fit(std::span<const double> noisy, std::span<double> series) const;
  // The variance of each epoch of fit(), where the noise of sums has variance 1.
  std::vector<double> variances() const;

  // How far sums are moved, in squares of the 2-norm, where `cells` counts change by at most 1 each, of which at most
  // `of_a_place` are in one tree.
  double squares(double cells, double of_a_place) const;

 private:
  std::size_t size(std::size_t level) const { return starts_[level + 1] - starts_[level]; }

  std::vector<std::size_t> starts_;  // of levels in what sums() gives, and the end
  std::vector<double> below_;  // of each node: the variance of what the sums below it, its own included, say of it
  std::vector<double> of_children_;  // the variance of the sum of what they say of its children; of a leaf 0
};

}  // namespace hearsay::release
