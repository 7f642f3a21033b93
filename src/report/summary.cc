// SPDX-License-Identifier: Apache-2.0
#include "report/summary.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace hearsay::report {
namespace {

// Two attacks that infer the same by different sums differ by less; that is no improvement.
constexpr double kRounding = 1e-12;

// Sorted, so that a sum over them does not depend on how users are numbered.
std::vector<double> sorted_copy(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

double mean_of_sorted(std::span<const double> sorted) {
  long double sum = 0;
  for (const double value : sorted) sum += value;
  return static_cast<double>(sum / static_cast<long double>(sorted.size()));
}

template <typename Holds>
double share(std::span<const double> values, const Holds& holds) {
  return static_cast<double>(std::count_if(values.begin(), values.end(), holds)) / static_cast<double>(values.size());
}

}  // namespace

double percentile(std::span<const double> sorted, double share) {
  assert(!sorted.empty());
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

Distribution distribution_of(std::span<const double> values) {
  if (values.empty()) return {};
  const std::vector<double> sorted = sorted_copy(values);
  Distribution distribution;
  distribution.mean = mean_of_sorted(sorted);
  long double squares = 0;
  for (const double value : sorted) {
    const long double distance = static_cast<long double>(value) - distribution.mean;
    squares += distance * distance;
  }
  distribution.deviation = static_cast<double>(std::sqrt(squares / static_cast<long double>(sorted.size())));
  distribution.p05 = percentile(sorted, 0.05);
  distribution.p25 = percentile(sorted, 0.25);
  distribution.p50 = percentile(sorted, 0.50);
  distribution.p75 = percentile(sorted, 0.75);
  distribution.p95 = percentile(sorted, 0.95);
  return distribution;
}

SummaryRow summarize(const std::string& dataset, const experiment::Result& result) {
  SummaryRow row;
  row.dataset = dataset;
  row.combination = result.combination;
  row.users = result.errors.size();
  row.error = distribution_of(result.errors);
  if (!result.losses.empty()) {
    row.loss_mean = mean_of_sorted(sorted_copy(result.losses));
    row.loss_signed_mean = mean_of_sorted(sorted_copy(result.plain_losses));
    row.improved = share(result.plain_losses, [](double loss) { return loss > kRounding; });
  }
  if (!result.gains.empty()) {
    row.gain_mean = mean_of_sorted(sorted_copy(result.gains));
    row.improved = share(result.plain_gains, [](double gain) { return gain < -kRounding; });
  }
  return row;
}

}  // namespace hearsay::report
