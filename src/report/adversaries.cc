// SPDX-License-Identifier: Apache-2.0
#include "report/adversaries.h"

#include <algorithm>
#include <cmath>

#include "dataset/people.h"
#include "results/summary.h"

namespace hearsay::report {
namespace {

// Enough for a curve that is exact to the eye.
constexpr std::size_t kSteps = 401;
constexpr std::size_t kMostNamed = 25;
constexpr double kHigh = 0.95;

// Ends of steps of about equal size.
std::vector<std::size_t> step_ends(std::size_t users, std::size_t least) {
  const std::size_t count = std::min(kSteps, users / std::max<std::size_t>(least, 1));
  std::vector<std::size_t> ends(count);
  for (std::size_t i = 0; i < count; ++i) ends[i] = users * (i + 1) / count;
  return ends;
}

}  // namespace

std::vector<double> step_means(std::span<const double> sorted, std::size_t least) {
  std::vector<double> means;
  std::size_t begin = 0;
  for (const std::size_t end : step_ends(sorted.size(), least)) {
    means.push_back(results::mean_of(sorted.subspan(begin, end - begin)));
    begin = end;
  }
  return means;
}

std::vector<double> step_shares(std::size_t users, std::size_t least) {
  std::vector<double> shares;
  std::size_t begin = 0;
  for (const std::size_t end : step_ends(users, least)) {
    shares.push_back(static_cast<double>(begin + end) / 2 / static_cast<double>(users));
    begin = end;
  }
  return shares;
}

Adversaries::Adversaries(const dataset::Dataset& dataset, std::size_t least_people, bool show_users)
    : dataset_(dataset), least_(least_people), show_users_(show_users) {
  if (dataset.crowd().users < least_) return;
  const dataset::People people = dataset::describe_people(dataset);
  groupings_.emplace_back("activity", "reports in the study", people.reports, least_);
  groupings_.emplace_back("regularity", "share of reports that repeat an earlier week", people.regularity, least_);
  groupings_.emplace_back("number of places", "distinct places", people.rois, least_);
}

std::vector<GroupMeans> Adversaries::means(std::span<const double> numbers, const Compared& compared) const {
  std::vector<GroupMeans> all;
  for (const PeopleGroups& grouping : groupings_) all.push_back(grouping.means(numbers, compared));
  return all;
}

template <typename Value>
Exposed Adversaries::exposed(std::size_t users, const Value& value) const {
  constexpr double kHalf = 0.5;
  Exposed found;
  std::vector<std::size_t> order;
  for (std::size_t user = 0; user < users; ++user) {
    if (!(value(user) >= kHalf)) continue;
    ++found.users;
    if (show_users_) order.push_back(user);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return value(a) > value(b); });
  for (std::size_t i = 0; i < std::min(kMostNamed, order.size()); ++i) {
    found.ids.emplace_back(dataset_.user_ids()[order[i]]);
  }
  return found;
}

void Adversaries::take_own(Adversary& adversary, const goal::Measurement& users) const {
  const goal::Numbers& own = users.of("own");
  const std::span<const double> without = users.of("without").values;
  if (own.sorted.empty()) return;
  adversary.own_steps = step_means(own.sorted, least_);
  adversary.own_p95 = results::percentile(own.sorted, kHigh);
  adversary.own = means(own.values, kOwnPart);
  const auto loss = [&](std::size_t user) {
    return std::isnan(own.values[user]) ? 0 : results::own_loss(own.values[user], without[user]);
  };
  adversary.exposed_by_own = exposed(own.values.size(), loss);
  std::size_t some = 0;
  for (std::size_t user = 0; user < own.values.size(); ++user) some += loss(user) >= 0.01 ? 1 : 0;
  adversary.own_hundredth = static_cast<double>(some) / static_cast<double>(own.sorted.size());
}

void Adversaries::take_losses(Adversary& adversary, std::span<const double> losses, bool has_own) const {
  adversary.loss = means(losses, kLoss);
  adversary.exposed_by_loss = exposed(losses.size(), [&](std::size_t user) { return losses[user]; });
  if (!has_own) adversary.loss_p95 = results::distribution_of(losses).p95;
}

void Adversaries::take(const goal::Combination& key, const goal::Measurement& users) {
  const double error = results::mean_of(users.of("error").sorted);
  if (key.is_prior()) prior_means_[{key.goal, key.prior}][key.decision] = error;
  const std::span<const double> losses = users.of("loss").values;
  if (!key.uses_release || losses.empty()) return;
  const double baseline = prior_means_.at({key.goal, key.prior}).at(results::prior_reading(key));
  auto found = std::find_if(all_.begin(), all_.end(), [&](const Adversary& one) {
    return one.combination.goal == key.goal && one.combination.prior == key.prior;
  });
  if (found == all_.end() || error < found->error) {
    if (found == all_.end()) found = all_.emplace(all_.end());
    *found = {};
    found->error = error;
    take_own(*found, users);
  } else if (!same_adversary(found->combination, key) || baseline >= found->baseline_error) {
    return;
  }
  found->combination = key;
  found->baseline_error = baseline;
  take_losses(*found, losses, found->own_p95.has_value());
}

}  // namespace hearsay::report
