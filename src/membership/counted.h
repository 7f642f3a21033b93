// SPDX-License-Identifier: Apache-2.0
//
// What a published count says of the true one, by a rule without noise.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "membership/distinguisher.h"

namespace hearsay::membership {

// The true counts that a published one may stand for.
struct CountRange {
  double low = 0;
  double high = 0;
};

class Counted {
 public:
  Counted(const release::Rule& rule, std::size_t group)
      : rule_(rule), group_(static_cast<double>(group)), odds_(group + 1) {
    for (std::size_t k = 0; k < group; ++k) {
      odds_[k] = static_cast<double>(group - k) / static_cast<double>(k + 1);
    }
  }

  // Whether published counts are the true ones, all of them.
  bool plain() const { return !rule_.hidden && !rule_.top && rule_.base <= 1; }

  CountRange range(double published) const {
    const double hidden = rule_.hidden ? static_cast<double>(*rule_.hidden) : -1;
    if (std::isnan(published)) return {0, std::min(hidden, group_)};
    if (rule_.top && published >= static_cast<double>(*rule_.top)) {
      return {std::clamp(published, 0.0, group_), group_};
    }
    if (rule_.base <= 1) return {std::clamp(published, 0.0, group_), std::clamp(published, 0.0, group_)};
    const double half = static_cast<double>(rule_.base) / 2;
    const double low = std::clamp(std::max(std::ceil(published - half), hidden + 1), 0.0, group_);
    return {low, std::clamp(std::ceil(published + half) - 1, low, group_)};
  }

  // Mean of the true count, of `group` people each there with `chance`, given what was published. The likelihood of
  // what was published is to that without the target as this is to the mean without it: if the target was there,
  // expected / (group chance), else (group - expected) / (group (1 - chance)).
  double expected(double published, double chance) const {
    const CountRange range = this->range(published);
    if (range.low == range.high || chance <= 0) return range.low;
    const double ratio = chance / (1 - chance);
    double weight = 1;
    double weights = 1;
    double above = 0;  // of weight x how far above the lowest
    const auto low = static_cast<std::size_t>(range.low);
    const auto steps = static_cast<std::size_t>(range.high - range.low);
    for (std::size_t i = 1; i <= steps; ++i) {
      weight *= ratio * odds_[low + i - 1];
      weights += weight;
      above += weight * static_cast<double>(i);
      if (weights > 1e200) {
        weight *= 1e-200;
        weights *= 1e-200;
        above *= 1e-200;
      }
    }
    return range.low + above / weights;
  }

  // Whether nothing is learned of a count that is missing where at most `mean` people are expected: it would have been
  // missing anyway, but for a chance that no sum shows.
  bool surely_hidden(double mean) const {
    if (!rule_.hidden) return false;
    double tail = 1;
    for (std::uint64_t k = 1; k <= *rule_.hidden + 1; ++k) tail *= mean / static_cast<double>(k);
    return mean < 1 && tail < 1e-18;
  }

 private:
  release::Rule rule_;
  double group_;
  std::vector<double> odds_;  // by k: (group - k) / (k + 1), how chances of counts follow each other
};

}  // namespace hearsay::membership
