// SPDX-License-Identifier: Apache-2.0
#include "belief/beliefs.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/table_position.h"

namespace hearsay::belief {
namespace {

// First and number of those of `users` that are in the range.
std::pair<std::size_t, std::size_t> place_in(std::span<const UserId> users, UserRange range) {
  const auto first = std::lower_bound(users.begin(), users.end(), range.begin);
  const auto last = std::lower_bound(first, users.end(), range.end);
  return {static_cast<std::size_t>(first - users.begin()), static_cast<std::size_t>(last - first)};
}

void narrow(SparseRows& rows, std::size_t first, std::size_t count) {
  rows.users = rows.users.subspan(first, count);
  if (!rows.begins.empty()) rows.begins = rows.begins.subspan(first, count + 1);
}

}  // namespace

double Rows::total_of(std::size_t row) const {
  if (!totals.empty()) return totals[row];
  const auto own = weights_of(row);
  return own.empty() ? static_cast<double>(rois_of(row).size()) : std::accumulate(own.begin(), own.end(), 0.0);
}

Kind kind_of(const Beliefs& beliefs) {
  if (std::holds_alternative<Assignment>(beliefs)) return Kind::kAssignment;
  return std::holds_alternative<Rates>(beliefs) ? Kind::kRates : Kind::kDistribution;
}

Rows uniform_rows(const SparseRows& rows) {
  Rows same;
  static_cast<SparseRows&>(same) = rows;
  return same;
}

Beliefs as_distribution(const Beliefs& beliefs) {
  const auto* rates = std::get_if<Rates>(&beliefs);
  if (rates == nullptr) return beliefs;
  Rows rows;
  static_cast<SparseRows&>(rows) = *rates;
  rows.weights = rates->chances;
  return rows;
}

Beliefs of_range(const Beliefs& beliefs, UserRange range) {
  Beliefs part = beliefs;
  const auto [first, count] = place_in(users_of(beliefs), range);
  if (auto* rows = std::get_if<Rows>(&part)) {
    narrow(*rows, first, count);
    if (!rows->totals.empty()) rows->totals = rows->totals.subspan(first, count);
  } else if (auto* shared = std::get_if<Shared>(&part)) {
    shared->users = shared->users.subspan(first, count);
  } else if (auto* rates = std::get_if<Rates>(&part)) {
    narrow(*rates, first, count);
  } else {
    narrow(std::get<Assignment>(part), first, count);
  }
  return part;
}

std::span<const UserId> users_of(const Beliefs& beliefs) {
  return std::visit([](const auto& kind) { return kind.users; }, beliefs);
}

std::uint64_t RowTable::bytes() const {
  return users.size() * sizeof(UserId) + begins.size() * sizeof(std::uint32_t) + rois.size() * sizeof(RoiId) +
         (weights.size() + totals.size()) * sizeof(double);
}

void RowTable::clear() {
  users.clear();
  begins.clear();
  rois.clear();
  weights.clear();
  totals.clear();
}

void RowTable::add(UserId user, RoiId roi, double weight) {
  if (users.empty() || users.back() != user) {
    users.push_back(user);
    begins.push_back(table_position(rois.size()));
  }
  rois.push_back(roi);
  weights.push_back(weight);
}

void RowTable::append(const RowTable& next) {
  users.insert(users.end(), next.users.begin(), next.users.end());
  table_position(rois.size() + next.rois.size());  // or none of the sums below holds
  const std::uint32_t offset = table_position(rois.size());
  for (const std::uint32_t begin : next.begins) begins.push_back(offset + begin);
  rois.insert(rois.end(), next.rois.begin(), next.rois.end());
  weights.insert(weights.end(), next.weights.begin(), next.weights.end());
}

void RowTable::close() {
  begins.push_back(table_position(rois.size()));
}

Rows RowTable::rows() const {
  return {{users, begins, rois}, weights, totals};
}

Rates RowTable::rates(std::span<const double> elsewhere) const {
  return {{users, begins, rois}, weights, elsewhere};
}

Assignment RowTable::assignment() const {
  return {{users, begins, rois}, {}, {}, {}};
}

}  // namespace hearsay::belief
