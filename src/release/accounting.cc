// SPDX-License-Identifier: Apache-2.0
#include "release/accounting.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace hearsay::release {
namespace {

constexpr std::array kUnits = {Unit::kEvent,   Unit::kUserPlace, Unit::kUserEpoch,
                               Unit::kUserDay, Unit::kUserWeek,  Unit::kUser};

double at_order(double rho, double delta, double order) {
  return order * rho + std::log1p(-1 / order) - std::log(delta * order) / (order - 1);
}

}  // namespace

double epsilon_of(double rho, double delta) {
  if (rho <= 0) return 0;
  // Convex in the order's distance from 1 as far as it matters: a search by thirds on its logarithm.
  double low = -20;
  double high = 20;
  const auto value = [&](double x) { return at_order(rho, delta, 1 + std::exp(x)); };
  for (int step = 0; step < 200; ++step) {
    const double third = (high - low) / 3;
    if (value(low + third) < value(high - third)) {
      high -= third;
    } else {
      low += third;
    }
  }
  return std::fmax(0.0, value((low + high) / 2));
}

double rho_of(double epsilon, double delta) {
  double low = 0;
  double high = epsilon + 1;
  while (epsilon_of(high, delta) < epsilon) high *= 2;
  for (int step = 0; step < 200 && low < high; ++step) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    (epsilon_of(middle, delta) <= epsilon ? low : high) = middle;
  }
  return low;
}

Guarantee laplace_guarantee(const Reach& reach, Unit unit, double epsilon) {
  const double a_count = epsilon / reach.cells(unit);
  const double moved = reach.cells(unit) + reach.null_cells(unit);
  Guarantee guarantee{epsilon, name_of(unit), "", a_count * moved};
  for (const Unit other : kUnits) {
    if (other != unit) guarantee.others.push_back({a_count * reach.cells(other), name_of(other), 0});
  }
  return guarantee;
}

Guarantee gaussian_guarantee(const Reach& reach, Unit unit, double rho, double delta) {
  // Counts that change by 1 each.
  return gaussian_guarantee(
      unit, rho, delta, [&](Unit any) { return reach.cells(any); }, reach.null_cells(unit));
}

Guarantee gaussian_guarantee(Unit unit, double rho, double delta, const std::function<double(Unit)>& squares,
                             double null_squares) {
  const double a_square = rho / squares(unit);
  const double moved = squares(unit) + null_squares;
  Guarantee guarantee{epsilon_of(rho, delta), name_of(unit), "", epsilon_of(a_square * moved, delta)};
  guarantee.delta = delta;
  guarantee.rho = rho;
  if (delta > kLargestDelta) {
    guarantee.note = fmt::format(
        "With a chance of {:g} epsilon does not hold, and people may be given away outright: "
        "delta should be {:g} or less, and less than 1 / people.",
        delta, kLargestDelta);
  }
  for (const Unit other : kUnits) {
    if (other == unit) continue;
    guarantee.others.push_back({epsilon_of(a_square * squares(other), delta), name_of(other), delta});
  }
  return guarantee;
}

Guarantee repeated(const Guarantee& guarantee, std::size_t times) {
  if (!guarantee.epsilon) return guarantee;
  const auto number = static_cast<double>(times);
  Guarantee all = guarantee;
  all.others.clear();
  if (guarantee.rho) {
    all.rho = *guarantee.rho * number;
    all.epsilon = epsilon_of(*all.rho, guarantee.delta);
    all.epsilon_with_null.reset();
    return all;
  }
  all.epsilon = *guarantee.epsilon * number;
  all.delta = guarantee.delta * number;
  if (guarantee.epsilon_with_null) all.epsilon_with_null = *guarantee.epsilon_with_null * number;
  return all;
}

Guarantee amplified(const Guarantee& guarantee, double rate) {
  Guarantee less = guarantee;
  const auto amplify = [&](double epsilon) { return std::log1p(rate * std::expm1(epsilon)); };
  if (!guarantee.epsilon) return less;
  if (guarantee.unit != name_of(Unit::kUser)) {
    less.note += std::string(less.note.empty() ? "" : " ") +
                 "Sampling people does not add to it: whoever is known to be in the sample is hidden no better.";
  } else {
    less.epsilon = amplify(*guarantee.epsilon);
    if (guarantee.epsilon_with_null) less.epsilon_with_null = amplify(*guarantee.epsilon_with_null);
    less.delta = rate * guarantee.delta;
    less.rho.reset();  // no such rule for it
    less.note += fmt::format(
        "{}Each person is in the sample with chance {:g}, which nobody may know of anybody: {:.4g} "
        "of those in it.",
        less.note.empty() ? "" : " ", rate, *guarantee.epsilon);
  }
  for (Claim& claim : less.others) {
    if (claim.unit != name_of(Unit::kUser)) continue;
    claim.epsilon = amplify(claim.epsilon);
    claim.delta *= rate;
  }
  return less;
}

}  // namespace hearsay::release
