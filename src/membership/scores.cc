// SPDX-License-Identifier: Apache-2.0
#include "membership/scores.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <functional>
#include <limits>

namespace hearsay::membership {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kRisk = 0.05;                     // of an interval, both sides together
constexpr double kDeviations = 1.959963984540054;  // that hold all but kRisk of a normal distribution

// For each of `scores` the share of the others below it, ties half; in pairs, without the one of the same number.
std::vector<double> shares_below(std::span<const double> scores, std::span<const double> others, Groups groups) {
  std::vector<double> sorted(others.begin(), others.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> shares;
  shares.reserve(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), scores[i]);
    auto twice = (first - sorted.begin()) + (last - sorted.begin());
    if (groups == Groups::kPaired) twice -= scores[i] > others[i] ? 2 : scores[i] == others[i] ? 1 : 0;
    const std::size_t compared = sorted.size() - (groups == Groups::kPaired ? 1 : 0);
    shares.push_back(static_cast<double>(twice) / (2 * static_cast<double>(compared)));
  }
  return shares;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// Of the mean.
double variance_of(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const double mean = mean_of(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size() - 1) / static_cast<double>(values.size());
}

}  // namespace

double least_proportion(std::size_t successes, std::size_t trials, double risk) {
  if (successes == 0) return 0;
  return boost::math::ibeta_inv(static_cast<double>(successes), static_cast<double>(trials - successes + 1), risk);
}

double most_proportion(std::size_t successes, std::size_t trials, double risk) {
  if (successes == trials) return 1;
  return boost::math::ibetac_inv(static_cast<double>(successes + 1), static_cast<double>(trials - successes), risk);
}

Estimate area_under_curve(std::span<const double> with, std::span<const double> without, Groups groups) {
  if (with.empty() || without.empty() || (groups == Groups::kPaired && with.size() < 2))
    return {kNotANumber, kNotANumber, kNotANumber};
  const std::vector<double> above = shares_below(with, without, groups);
  const double area = mean_of(above);
  const double variance = variance_of(above) + variance_of(shares_below(without, with, groups));
  if (area <= 0 || area >= 1 || variance <= 0) {
    const std::size_t pairs = std::min(with.size(), without.size());
    const auto right = static_cast<std::size_t>(std::lround(area * static_cast<double>(pairs)));
    return {area, least_proportion(right, pairs, kRisk / 2), most_proportion(right, pairs, kRisk / 2)};
  }
  const double logit = std::log(area / (1 - area));
  const double width = kDeviations * std::sqrt(variance) / (area * (1 - area));
  return {area, 1 / (1 + std::exp(width - logit)), 1 / (1 + std::exp(-width - logit))};
}

Estimate true_positive_rate(std::span<const double> with, std::span<const double> without, double false_positives) {
  const auto allowed = static_cast<std::size_t>(false_positives * static_cast<double>(without.size()) + 1e-9);
  if (allowed == 0 || with.empty()) return {kNotANumber, kNotANumber, kNotANumber};
  std::vector<double> order(without.begin(), without.end());
  const auto cut = order.begin() + static_cast<std::ptrdiff_t>(allowed);
  std::nth_element(order.begin(), cut, order.end(), std::greater<>());
  const double threshold = *cut;
  const auto found = static_cast<std::size_t>(
      std::count_if(with.begin(), with.end(), [&](double score) { return score > threshold; }));
  return {static_cast<double>(found) / static_cast<double>(with.size()),
          least_proportion(found, with.size(), kRisk / 2), most_proportion(found, with.size(), kRisk / 2)};
}

}  // namespace hearsay::membership
