// SPDX-License-Identifier: Apache-2.0
#include "results/people_sums.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "goal/numbers.h"

namespace hearsay::results {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kHalf = 0.5;
constexpr double kHundredth = 0.01;
constexpr double kHigh = 0.95;
constexpr std::size_t kMostNamed = 25;

FixedSum sum_of(std::span<const double> numbers) {
  FixedSum sum;
  for (const double number : numbers) sum.add(number);
  return sum;
}

FixedSquares squares_of(std::span<const double> numbers) {
  FixedSquares squares;
  for (const double number : numbers) squares.add(number);
  return squares;
}

double share(std::uint64_t some, std::size_t all) {
  return static_cast<double>(some) / static_cast<double>(all);
}

// Half the width of the 95% interval of a mean of independent numbers.
double half_width_of(const Distribution& sample, std::size_t count) {
  constexpr double kNormal = 1.959963984540054;
  const auto n = static_cast<double>(count);
  return count < 2 ? 0 : kNormal * sample.deviation / std::sqrt(n - 1);
}

bool loses_more(const Exposed::User& a, const Exposed::User& b) {
  return a.lost != b.lost ? a.lost > b.lost : a.user < b.user;
}

// `lost`: by user, the share lost.
template <typename Lost>
Exposed exposed(std::size_t users, const UsersAtHand& at_hand, const Lost& lost) {
  Exposed found;
  for (std::size_t user = 0; user < users; ++user) {
    const Exposed::User one{at_hand.number_of(user), lost(user)};
    if (!(one.lost >= kHalf)) continue;
    ++found.users;
    if (found.most.size() == kMostNamed && !loses_more(one, found.most.back())) continue;
    if (found.most.size() == kMostNamed) found.most.pop_back();
    found.most.insert(std::upper_bound(found.most.begin(), found.most.end(), one, loses_more), one);
  }
  return found;
}

void add_exposed(Exposed& to, const Exposed& from) {
  to.users += from.users;
  to.most.insert(to.most.end(), from.most.begin(), from.most.end());
  std::sort(to.most.begin(), to.most.end(), loses_more);
  if (to.most.size() > kMostNamed) to.most.resize(kMostNamed);
}

SumsByGroup sums_by_group(const DataFacts& facts, const UsersAtHand& at_hand, std::span<const double> numbers) {
  SumsByGroup sums;
  for (std::size_t i = 0; i < facts.groupings.size(); ++i) {
    sums.push_back(group_sums(facts.groupings[i], at_hand.groups[i], numbers));
  }
  return sums;
}

// Empty lists are of nobody.
void add_groups(SumsByGroup& to, const SumsByGroup& from) {
  if (to.empty()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    to[i].resize(from[i].size());
    for (std::size_t g = 0; g < from[i].size(); ++g) to[i][g].add(from[i][g]);
  }
}

MeansByGroup means_by_group(const SumsByGroup& sums, std::size_t least) {
  MeansByGroup means;
  for (const std::vector<FixedSum>& one : sums) means.push_back(group_means(one, least));
  return means;
}

void write_exposed(BytesWriter& out, const Exposed& exposed) {
  out.put(exposed.users);
  out.put(exposed.most);
}

void read_exposed(BytesReader& in, Exposed& exposed) {
  in.get(exposed.users);
  in.get(exposed.most);
}

bool is_of_control(std::string_view column) {
  return column.find("without") != std::string_view::npos || column.starts_with("own");
}

}  // namespace

SortedColumn::SortedColumn(const goal::Numbers& numbers) : given_(numbers.sorted) {
  if (given_.empty()) made_ = goal::sorted_numbers(numbers.values);
}

Columns<SortedColumn> sorted_columns(const goal::Combination& combination, const goal::Measurement& users, Part part) {
  const auto column = [&](const char* name, bool wanted) {
    return SortedColumn(wanted ? users.of(name) : goal::Numbers{});
  };
  const bool all = part == Part::kAll;
  SortedColumn own = column("own", true);
  const bool controlled = !own.numbers().empty();
  return {column("error", all), column("without", true), std::move(own),
          column("gain", all && combination.release != goal::kRaw),
          column("loss", all && tells_whom(combination) && !controlled)};
}

bool tells_whom(const goal::Combination& combination) {
  return combination.release == goal::kRaw && combination.uses_release;
}

PeopleSums::PeopleSums(const goal::Combination& combination, const goal::Measurement& users, const DataFacts& facts,
                       const UsersAtHand& at_hand, Part part) {
  const std::span<const double> losses = users.of("loss").values;
  const std::span<const double> own = users.of("own").values;
  const std::span<const double> without = users.of("without").values;
  if (part == Part::kAll) take_errors(users);
  take_control(users);
  take_rows(users, at_hand, part);
  if (!tells_whom(combination)) return;
  if (part == Part::kAll && !losses.empty()) {
    loss_groups_ = sums_by_group(facts, at_hand, losses);
    exposed_by_loss_ = exposed(losses.size(), at_hand, [&](std::size_t user) { return losses[user]; });
  }
  if (own.empty() || (part == Part::kAll && losses.empty())) return;
  own_groups_ = sums_by_group(facts, at_hand, own);
  exposed_by_own_ = exposed(own.size(), at_hand, [&](std::size_t user) { return own_loss(own[user], without[user]); });
}

void PeopleSums::take_errors(const goal::Measurement& users) {
  const std::span<const double> losses = users.of("loss").values;
  const std::span<const double> gains = users.of("gain").values;
  errors_.users = users.of("error").values.size();
  errors_.losses = losses.size();
  errors_.gains = gains.size();
  errors_.squares = squares_of(users.of("error").values);
  errors_.loss = sum_of(losses);
  errors_.gain = sum_of(gains);
  errors_.active = sum_of(users.of("active").values);
  if (!losses.empty()) {
    const std::span<const double> plain = users.of("loss_signed").values;
    errors_.loss_signed = sum_of(plain);
    for (const double loss : plain) errors_.improved += loss > kRounding ? 1 : 0;
  }
  if (!gains.empty()) {
    errors_.improved = 0;
    for (const double gain : users.of("gain_signed").values) errors_.improved += gain < -kRounding ? 1 : 0;
  }
}

void PeopleSums::take_control(const goal::Measurement& users) {
  control_.without_squares = squares_of(users.of("without").values);
  control_.own_squares = squares_of(users.of("own").values);
  const std::span<const double> own = users.of("own").values;
  const std::span<const double> without = users.of("without").values;
  for (std::size_t user = 0; user < own.size(); ++user) {
    if (std::isnan(own[user])) continue;
    const double loss = own_loss(own[user], without[user]);
    control_.own_clipped.add(std::max(0.0, own[user]));
    control_.own_loss.add(loss);
    control_.counted += own[user] > kRounding ? 1 : 0;
    control_.hundredth += loss >= kHundredth ? 1 : 0;
  }
  const std::span<const double> losses = users.of("loss_without").values;
  control_.losses = losses.size();
  control_.loss_without = sum_of(losses);
  control_.active_without = sum_of(users.of("active_without").values);
}

void PeopleSums::take_rows(const goal::Measurement& users, const UsersAtHand& at_hand, Part part) {
  rows_.resize(at_hand.chosen.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i].user = at_hand.number_of(at_hand.chosen[i]);
  const auto fill = [&](std::size_t column, const auto& value) {
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i].numbers[column] = value(at_hand.chosen[i]);
  };
  const std::span<const double> own = users.of("own").values;
  const std::span<const double> without = users.of("without").values;
  for (std::size_t column = 0; column + 1 < kUserColumns.size(); ++column) {
    const bool taken = part == Part::kAll || is_of_control(kUserColumns[column]);
    const std::span<const double> values = taken ? users.of(kUserColumns[column]).values : std::span<const double>{};
    fill(column, [&](std::uint32_t user) { return values.empty() ? kNone : values[user]; });
  }
  fill(kUserColumns.size() - 1, [&](std::uint32_t user) {
    return own.empty() || std::isnan(own[user]) ? kNone : own_loss(own[user], without[user]);
  });
}

void PeopleSums::add(const PeopleSums& other) {
  errors_.users += other.errors_.users;
  errors_.losses += other.errors_.losses;
  errors_.gains += other.errors_.gains;
  errors_.improved += other.errors_.improved;
  control_.losses += other.control_.losses;
  control_.counted += other.control_.counted;
  control_.hundredth += other.control_.hundredth;
  for (FixedSum Errors::*const sum : {&Errors::loss, &Errors::loss_signed, &Errors::gain, &Errors::active}) {
    (errors_.*sum).add(other.errors_.*sum);
  }
  for (FixedSum Controlled::*const sum :
       {&Controlled::own_clipped, &Controlled::own_loss, &Controlled::loss_without, &Controlled::active_without}) {
    (control_.*sum).add(other.control_.*sum);
  }
  errors_.squares.add(other.errors_.squares);
  control_.without_squares.add(other.control_.without_squares);
  control_.own_squares.add(other.control_.own_squares);
  add_exposed(exposed_by_loss_, other.exposed_by_loss_);
  add_exposed(exposed_by_own_, other.exposed_by_own_);
  add_groups(loss_groups_, other.loss_groups_);
  add_groups(own_groups_, other.own_groups_);
  // A person's row may come in two: errors and control.
  std::vector<UserRow> rows;
  rows.reserve(rows_.size() + other.rows_.size());
  std::merge(rows_.begin(), rows_.end(), other.rows_.begin(), other.rows_.end(), std::back_inserter(rows),
             [](const UserRow& a, const UserRow& b) { return a.user < b.user; });
  rows_.clear();
  for (const UserRow& row : rows) {
    if (rows_.empty() || rows_.back().user != row.user) {
      rows_.push_back(row);
      continue;
    }
    for (std::size_t i = 0; i < row.numbers.size(); ++i) {
      if (!std::isnan(row.numbers[i])) rows_.back().numbers[i] = row.numbers[i];
    }
  }
}

void PeopleSums::write(BytesWriter& out) const {
  out.put(errors_);
  out.put(control_);
  write_exposed(out, exposed_by_loss_);
  write_exposed(out, exposed_by_own_);
  out.put(loss_groups_);
  out.put(own_groups_);
  out.put(rows_);
}

void PeopleSums::read(BytesReader& in) {
  in.get(errors_);
  in.get(control_);
  read_exposed(in, exposed_by_loss_);
  read_exposed(in, exposed_by_own_);
  in.get(loss_groups_);
  in.get(own_groups_);
  in.get(rows_);
}

SummaryRow PeopleSums::row(const goal::Combination& combination, const DataFacts& facts,
                           const OrderedColumns& columns) const {
  SummaryRow row;
  row.dataset = facts.name;
  row.combination = combination;
  row.users = errors_.users;
  row.error = distribution_of(columns.error, columns.error.sum().mean(), errors_.squares.deviation());
  if (errors_.losses > 0) {
    row.loss_mean = errors_.loss.mean();
    row.loss_signed_mean = errors_.loss_signed.mean();
  }
  if (errors_.gains > 0) row.gain_mean = errors_.gain.mean();
  if (errors_.losses + errors_.gains > 0) row.improved = share(errors_.improved, errors_.users);
  if (errors_.active.count() > 0) {
    row.active = ActiveErrors{errors_.active.count(), errors_.active.mean(), std::nullopt};
    const FixedSum& without = control_.active_without;
    if (without.count() == errors_.active.count()) row.active->without = without.mean();
  }
  if (columns.without.size() == 0) return row;
  Control& control = row.control.emplace();
  control.users = columns.without.size();
  control.without =
      distribution_of(columns.without, columns.without.sum().mean(), control_.without_squares.deviation());
  control.own = distribution_of(columns.own, columns.own.sum().mean(), control_.own_squares.deviation());
  control.own_clipped = control_.own_clipped.mean();
  control.own_loss = control_.own_loss.mean();
  control.counted = share(control_.counted, columns.own.size());
  if (control.users < row.users) {
    control.half_width = half_width_of(control.own, control.users);
    control.without.mean = row.error.mean + control.own.mean;
  }
  if (control_.losses > 0) control.loss_without = control_.loss_without.mean();
  return row;
}

PeopleFigures PeopleSums::figures(const goal::Combination& combination, const DataFacts& facts,
                                  const OrderedColumns& columns) const {
  PeopleFigures figures;
  figures.row = row(combination, facts, columns);
  figures.rows = rows_;
  if (combination.release == goal::kRaw) {
    figures.error_steps = step_means(columns.error, facts.least_people);
  } else if (errors_.gains > 0) {
    figures.gains = distribution_of(columns.gain, errors_.gain.mean(), 0);
  }
  if (!tells_whom(combination) || errors_.losses == 0) return figures;
  LossFigures& loss = figures.loss.emplace();
  loss.groups = means_by_group(loss_groups_, facts.least_people);
  loss.exposed = exposed_by_loss_;
  if (columns.own.size() == 0) {
    loss.p95 = percentile(columns.loss, kHigh);
    return figures;
  }
  OwnFigures& own = figures.own.emplace();
  own.steps = step_means(columns.own, facts.least_people);
  own.p95 = percentile(columns.own, kHigh);
  own.hundredth = share(control_.hundredth, columns.own.size());
  own.groups = means_by_group(own_groups_, facts.least_people);
  own.exposed = exposed_by_own_;
  return figures;
}

PeopleFigures figures_of(const goal::Combination& combination, const goal::Measurement& users, const DataFacts& facts,
                         const UsersAtHand& at_hand) {
  const Columns<SortedColumn> sorted = sorted_columns(combination, users);
  const Columns<OrderedSpan> ordered = {OrderedSpan(sorted.error.numbers()), OrderedSpan(sorted.without.numbers()),
                                        OrderedSpan(sorted.own.numbers()), OrderedSpan(sorted.gain.numbers()),
                                        OrderedSpan(sorted.loss.numbers())};
  const OrderedColumns columns = {ordered.error, ordered.without, ordered.own, ordered.gain, ordered.loss};
  return PeopleSums(combination, users, facts, at_hand).figures(combination, facts, columns);
}

}  // namespace hearsay::results
