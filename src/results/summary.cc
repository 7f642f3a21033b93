// SPDX-License-Identifier: Apache-2.0
#include "results/summary.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "base/radix_sort.h"

namespace hearsay::results {

double own_loss(double own, double without) {
  return own <= 0 ? 0 : own / without;  // of what is not a number, not a number
}

// Numbers too large for a sum of whole numbers are sorted first.
double mean_of(std::span<const double> values) {
  FixedSum sum;
  if (std::all_of(values.begin(), values.end(), [](double one) { return std::isnan(one) || FixedSum::fits(one); })) {
    for (const double value : values) sum.add(value);
    return sum.mean();
  }
  std::vector<double> numbers;
  std::copy_if(values.begin(), values.end(), std::back_inserter(numbers), [](double one) { return !std::isnan(one); });
  sort_numbers(numbers);
  return static_cast<double>(std::accumulate(numbers.begin(), numbers.end(), 0.0L) /
                             static_cast<long double>(numbers.size()));
}

Distribution distribution_of(const Ordered& numbers, double mean, double deviation) {
  if (numbers.size() == 0) return {};
  return {.mean = mean,
          .deviation = deviation,
          .p05 = percentile(numbers, 0.05),
          .p25 = percentile(numbers, 0.25),
          .p50 = percentile(numbers, 0.50),
          .p75 = percentile(numbers, 0.75),
          .p95 = percentile(numbers, 0.95)};
}

Distribution distribution_of(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  sort_numbers(sorted);
  const double mean = mean_of(sorted);
  std::vector<double> squares;
  for (const double number : sorted) squares.push_back((number - mean) * (number - mean));
  return distribution_of(OrderedSpan(sorted), mean, std::sqrt(mean_of(squares)));
}

std::string prior_reading(const goal::Combination& key) {
  const std::size_t slash = key.baseline.find('/');
  return slash == std::string::npos ? "" : key.baseline.substr(slash + 1);
}

}  // namespace hearsay::results
