// SPDX-License-Identifier: Apache-2.0
//
// What is made of errors by user. Some of them may not be numbers: of users not measured.
#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "base/radix_sort.h"
#include "goal/ground.h"
#include "metric/metric.h"

namespace hearsay::goal {

// Those of them that are numbers, ascending.
inline std::vector<double> sorted_numbers(std::span<const double> values) {
  std::vector<double> sorted;
  sorted.reserve(values.size());
  std::copy_if(values.begin(), values.end(), std::back_inserter(sorted), [](double one) { return !std::isnan(one); });
  sort_numbers(sorted);
  return sorted;
}

// The clipped and the signed form of a comparison, by user.
struct Changes {
  std::vector<double> clipped;
  std::vector<double> plain;
  Changes(const metric::MetricEntry& metric, const std::vector<double>& errors, const std::vector<double>& baseline,
          const RunOptions& options)
      : clipped(errors.size()), plain(errors.size()) {
    const std::size_t size = options.blocks.compared_users;
    parallel_for((errors.size() + size - 1) / size, options.threads, [&](std::size_t block, std::size_t) {
      for (std::size_t user = block * size; user < std::min(errors.size(), (block + 1) * size); ++user) {
        if (std::isnan(errors[user])) {
          clipped[user] = plain[user] = errors[user];
          continue;
        }
        const metric::Change change = metric.compare(errors[user], baseline[user]);
        clipped[user] = change.clipped;
        plain[user] = change.plain;
      }
    });
  }
};

}  // namespace hearsay::goal
