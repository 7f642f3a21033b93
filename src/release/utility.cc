// SPDX-License-Identifier: Apache-2.0
#include "release/utility.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hearsay::release {
namespace {

double sum_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double relative_error(std::span<const double> raw, std::span<const double> perturbed, double beta) {
  double sum = 0;
  for (std::size_t t = 0; t < raw.size(); ++t) sum += std::fabs(perturbed[t] - raw[t]) / std::max(beta, raw[t]);
  return sum;
}

// The busiest ROIs of an epoch, ties to the first; those at 0 are not busy.
std::vector<std::size_t> busiest(const CountMatrix& counts, std::size_t epoch) {
  constexpr std::ptrdiff_t kMost = 10;
  std::vector<std::size_t> order;
  for (std::size_t roi = 0; roi + 1 < counts.rois(); ++roi) {
    if (counts.series(roi)[epoch] > 0) order.push_back(roi);
  }
  const auto end = order.begin() + std::min<std::ptrdiff_t>(kMost, std::ssize(order));
  std::partial_sort(order.begin(), end, order.end(), [&](std::size_t a, std::size_t b) {
    const double x = counts.series(a)[epoch];
    const double y = counts.series(b)[epoch];
    return x != y ? x > y : a < b;
  });
  order.erase(end, order.end());
  std::sort(order.begin(), order.end());
  return order;
}

double top_overlap(const CountMatrix& raw, const CountMatrix& perturbed) {
  double sum = 0;
  std::size_t epochs = 0;
  for (std::size_t epoch = 0; epoch < raw.epochs(); ++epoch) {
    const std::vector<std::size_t> before = busiest(raw, epoch);
    if (before.empty()) continue;
    const std::vector<std::size_t> after = busiest(perturbed, epoch);
    std::vector<std::size_t> both;
    std::set_intersection(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(both));
    sum += static_cast<double>(both.size()) / static_cast<double>(before.size());
    ++epochs;
  }
  return epochs == 0 ? 1 : sum / static_cast<double>(epochs);
}

}  // namespace

Utility measure_utility(const CountMatrix& raw, const CountMatrix& perturbed) {
  const std::size_t rois = raw.rois() - 1;
  const auto epochs = static_cast<double>(raw.epochs());
  const double beta = 0.001 * sum_of(raw.all()) / epochs;
  Utility utility;
  std::size_t visited = 0;
  double present = 0;
  double gone = 0;
  for (std::size_t roi = 0; roi < rois; ++roi) {
    const auto before = raw.series(roi);
    const auto after = perturbed.series(roi);
    utility.mre += relative_error(before, after, beta);
    const double total = sum_of(before);
    if (total > 0) {
      utility.mre_per_roi += relative_error(before, after, 0.001 * total) / epochs;
      ++visited;
    }
    for (std::size_t t = 0; t < before.size(); ++t) {
      utility.mae += std::fabs(after[t] - before[t]);
      present += before[t] > 0 ? 1 : 0;
      gone += before[t] > 0 && after[t] <= 0 ? 1 : 0;
    }
  }
  utility.mre /= static_cast<double>(rois) * epochs;
  utility.mae /= static_cast<double>(rois) * epochs;
  if (visited > 0) utility.mre_per_roi /= static_cast<double>(visited);
  utility.suppressed = present > 0 ? gone / present : 0;
  utility.top10_overlap = top_overlap(raw, perturbed);
  return utility;
}

}  // namespace hearsay::release
