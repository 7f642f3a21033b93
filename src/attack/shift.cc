// SPDX-License-Identifier: Apache-2.0
#include "attack/shift.h"

#include <algorithm>
#include <cmath>

namespace hearsay::attack {
namespace {

// Large enough for every chance to be 1, small enough for products to be numbers.
constexpr double kEverybody = 1e250;
constexpr int kMostSteps = 200;

// Calls take(group) for all groups.
template <typename Take>
void for_all(OddsGroups groups, const Take& take) {
  for (const std::span<const OddsGroup> list : groups) {
    for (const OddsGroup& group : list) take(group);
  }
}

// Sum of chances, and how fast it grows with the logarithm of the shift.
Expected sums_at(OddsGroups groups, double shift) {
  Expected sums;
  for_all(groups, [&](const OddsGroup& group) {
    const double odds = group.odds * shift;
    const double mean = group.people * (odds / (1 + odds));
    sums.mean += mean;
    sums.variance += mean / (1 + odds);
  });
  return sums;
}

}  // namespace

double odds_of(double chance) {
  const double kept = std::clamp(chance, kLeastChance, 1 - kLeastChance);
  return kept / (1 - kept);
}

Expected expected_of(OddsGroups groups) {
  return sums_at(groups, 1);
}

double likely_count(double published, const release::Missing* missing, const release::Rule& rule,
                    const Expected& expected, double share) {
  if (missing != nullptr) return std::clamp(expected.mean, missing->least / share, missing->most / share);
  if (rule.top && published >= static_cast<double>(*rule.top)) return std::max(expected.mean, published / share);
  if (share < 1) {
    // The draw of the sample is noise, too.
    const double noise = rule.variance / (share * share) + expected.mean * (1 - share) / share;
    const double weight = noise > 0 ? expected.variance / (expected.variance + noise) : 1;
    return std::max(0.0, expected.mean + weight * (published / share - expected.mean));
  }
  if (rule.exact) {
    if (rule.base <= 1) return published;
    const double least = std::max(0.0, published - static_cast<double>(rule.base / 2));
    const double most = published - static_cast<double>(rule.base / 2) + static_cast<double>(rule.base) - 1;
    return std::clamp(expected.mean, std::min(least, most), most);
  }
  // The most likely of a normal count with that mean and variance, seen through the noise.
  if (rule.scale > 0) {
    const double reach = expected.variance / rule.scale;
    return std::max(0.0, std::clamp(published, expected.mean - reach, expected.mean + reach));
  }
  if (rule.variance <= 0) return published;
  const double weight = expected.variance / (expected.variance + rule.variance);
  return std::max(0.0, expected.mean + weight * (published - expected.mean));
}

double shift_for(OddsGroups groups, double count) {
  double people = 0;
  for_all(groups, [&](const OddsGroup& group) { people += group.people; });
  if (count <= 0) return 0;
  if (count >= people) return kEverybody;
  // Newton's steps on the logarithm of the shift, halving the interval that holds it where they leave it. The sum
  // grows with the shift.
  double least = -std::log(kEverybody);
  double most = std::log(kEverybody);
  double at = 0;
  for (int step = 0; step < kMostSteps; ++step) {
    const Expected sums = sums_at(groups, std::exp(at));
    const double over = sums.mean - count;
    if (std::abs(over) <= 1e-15 * count) break;
    (over > 0 ? most : least) = at;
    const double next = at - over / sums.variance;
    const double kept = next > least && next < most ? next : (least + most) / 2;
    if (kept == at) break;
    at = kept;
  }
  return std::exp(at);
}

}  // namespace hearsay::attack
