// SPDX-License-Identifier: Apache-2.0
#include "results/summary.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/radix_sort.h"

namespace hearsay::results {
namespace {

constexpr double kMostInUnits = 1024;

std::vector<double> sorted_copy(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  sort_numbers(sorted);
  return sorted;
}

// Sums that do not depend on how users are numbered: of whole numbers of 2^-60, the upper and the lower half of them
// apart. Numbers too large for that are sorted first.
// What is not a number does not count.
template <typename Value>
double mean_of(std::size_t size, const Value& value) {
  __int128 upper = 0;
  __int128 lower = 0;
  bool fits = true;
  std::size_t count = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double number = value(i);
    if (std::isnan(number)) continue;
    ++count;
    fits = fits && std::fabs(number) < kMostInUnits;
    const double scaled = (fits ? number : 0) * 0x1p30;
    const auto whole = static_cast<std::int64_t>(scaled);
    upper += whole;
    lower += static_cast<std::int64_t>((scaled - static_cast<double>(whole)) * 0x1p30);
  }
  if (fits) {
    const auto sum = static_cast<long double>(upper) * 0x1p-30L + static_cast<long double>(lower) * 0x1p-60L;
    return static_cast<double>(sum / static_cast<long double>(count));
  }
  std::vector<double> numbers;
  for (std::size_t i = 0; i < size; ++i) {
    if (!std::isnan(value(i))) numbers.push_back(value(i));
  }
  sort_numbers(numbers);
  long double sum = 0;
  for (const double number : numbers) sum += number;
  return static_cast<double>(sum / static_cast<long double>(count));
}

template <typename Holds>
double share(std::span<const double> values, const Holds& holds) {
  return static_cast<double>(std::count_if(values.begin(), values.end(), holds)) / static_cast<double>(values.size());
}

// Half the width of the 95% interval of a mean of independent numbers.
double half_width_of(const Distribution& sample, std::size_t count) {
  constexpr double kNormal = 1.959963984540054;
  const auto n = static_cast<double>(count);
  return count < 2 ? 0 : kNormal * sample.deviation / std::sqrt(n - 1);
}

// How many are numbers.
std::size_t count_of(std::span<const double> values) {
  return values.size() - static_cast<std::size_t>(
                             std::count_if(values.begin(), values.end(), [](double one) { return std::isnan(one); }));
}

std::optional<Control> control_of(const goal::Measurement& users, double error) {
  const goal::Numbers& without = users.of("without");
  const goal::Numbers& own = users.of("own");
  if (without.sorted.empty()) return std::nullopt;
  Control control;
  control.users = without.sorted.size();
  control.without = distribution_of_sorted(without.sorted);
  control.own = distribution_of_sorted(own.sorted);
  control.own_clipped = mean_of(own.sorted.size(), [&](std::size_t i) { return std::max(0.0, own.sorted[i]); });
  control.own_loss =
      mean_of(own.values.size(), [&](std::size_t i) { return own_loss(own.values[i], without.values[i]); });
  control.counted = share(own.sorted, [](double one) { return one > kRounding; });
  if (control.users < users.of("error").values.size()) {
    control.half_width = half_width_of(control.own, control.users);
    control.without.mean = error + control.own.mean;
  }
  const std::span<const double> losses = users.of("loss_without").values;
  if (!losses.empty()) control.loss_without = hearsay::results::mean_of(losses);
  return control;
}

std::optional<ActiveErrors> active_of(const goal::Measurement& users) {
  const std::span<const double> with = users.of("active").values;
  const std::span<const double> without = users.of("active_without").values;
  const std::size_t people = count_of(with);
  if (people == 0) return std::nullopt;
  ActiveErrors active{people, hearsay::results::mean_of(with), std::nullopt};
  if (count_of(without) == people) active.without = hearsay::results::mean_of(without);
  return active;
}

}  // namespace

double own_loss(double own, double without) {
  return own <= 0 ? 0 : own / without;  // of what is not a number, not a number
}

double mean_of(std::span<const double> values) {
  return mean_of(values.size(), [&](std::size_t i) { return values[i]; });
}

double percentile(std::span<const double> sorted, double share) {
  assert(!sorted.empty());
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

Distribution distribution_of(std::span<const double> values) {
  return distribution_of_sorted(sorted_copy(values));
}

Distribution distribution_of_sorted(std::span<const double> sorted) {
  if (sorted.empty()) return {};
  Distribution distribution;
  distribution.mean = mean_of(sorted);
  distribution.deviation = std::sqrt(mean_of(
      sorted.size(), [&](std::size_t i) { return (sorted[i] - distribution.mean) * (sorted[i] - distribution.mean); }));
  distribution.p05 = percentile(sorted, 0.05);
  distribution.p25 = percentile(sorted, 0.25);
  distribution.p50 = percentile(sorted, 0.50);
  distribution.p75 = percentile(sorted, 0.75);
  distribution.p95 = percentile(sorted, 0.95);
  return distribution;
}

std::string prior_reading(const goal::Combination& key) {
  const std::size_t slash = key.baseline.find('/');
  return slash == std::string::npos ? "" : key.baseline.substr(slash + 1);
}

SummaryRow summarize(const std::string& dataset, const goal::Combination& combination, const goal::Measurement& users) {
  const goal::Numbers& errors = users.of("error");
  const std::span<const double> losses = users.of("loss").values;
  const std::span<const double> gains = users.of("gain").values;
  SummaryRow row;
  row.dataset = dataset;
  row.combination = combination;
  row.users = errors.values.size();
  row.error = distribution_of_sorted(errors.sorted);
  if (!losses.empty()) {
    const std::span<const double> plain = users.of("loss_signed").values;
    row.loss_mean = mean_of(losses);
    row.loss_signed_mean = mean_of(plain);
    row.improved = share(plain, [](double loss) { return loss > kRounding; });
  }
  if (!gains.empty()) {
    row.gain_mean = mean_of(gains);
    row.improved = share(users.of("gain_signed").values, [](double gain) { return gain < -kRounding; });
  }
  row.control = control_of(users, row.error.mean);
  row.active = active_of(users);
  return row;
}

}  // namespace hearsay::results
