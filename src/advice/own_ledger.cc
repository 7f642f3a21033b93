// SPDX-License-Identifier: Apache-2.0
#include "advice/own_ledger.h"

#include <algorithm>
#include <cmath>

#include "results/best_response.h"
#include "results/repeats.h"

namespace hearsay::advice {
namespace {

// The mean of what are numbers, and how many there are.
struct Mean {
  double value = 0;
  std::size_t count = 0;
};

template <typename Number>
Mean mean_of_numbers(std::size_t users, const Number& number) {
  Mean mean;
  for (std::size_t u = 0; u < users; ++u) {
    const double one = number(u);
    if (std::isnan(one)) continue;
    mean.value += one;
    ++mean.count;
  }
  if (mean.count > 0) mean.value /= static_cast<double>(mean.count);
  return mean;
}

// Half of the 95% interval of the mean of a sample of `users` people, drawn without putting back.
template <typename Number>
double sample_half_width(std::size_t users, const Mean& mean, const Number& number) {
  constexpr double kNormal = 1.959963984540054;
  if (mean.count < 2 || mean.count == users) return 0;
  double squares = 0;
  for (std::size_t u = 0; u < users; ++u) {
    const double one = number(u);
    if (!std::isnan(one)) squares += (one - mean.value) * (one - mean.value);
  }
  const auto n = static_cast<double>(mean.count);
  const double left = 1 - n / static_cast<double>(users);
  return kNormal * std::sqrt(squares / (n - 1) / n * left);
}

}  // namespace

void OwnLedger::take(const goal::Measurement& measurement) {
  if (measurement.unit != goal::Unit::kUser) return;
  goal::Combination combination = goal::combination_of(measurement.key, adversary_);
  const goal::Key key = goal::key_of(combination, "baseline");
  if (!places_.try_emplace(key, all_.size()).second) return;
  Errors& errors = all_.emplace_back();
  errors.combination = std::move(combination);
  for (const goal::Numbers& numbers : measurement.numbers) {
    if (numbers.name == "error") errors.with.assign(numbers.values.begin(), numbers.values.end());
    if (numbers.name == "without") errors.without.assign(numbers.values.begin(), numbers.values.end());
  }
}

// Of what ignores the release, that on the raw one: it is the same whatever was published.
const OwnLedger::Errors* OwnLedger::find(const std::string& goal, const std::string& prior, const std::string& attack,
                                         const std::string& decision, const std::string& release,
                                         const std::string& parameter, std::size_t repeat) const {
  goal::Combination key;
  key.goal = goal;
  key.prior = prior;
  key.attack = attack;
  key.decision = decision;
  key.release = release;
  key.parameter = parameter;
  key.repeat = repeat;
  auto found = places_.find(goal::key_of(key, "baseline"));
  if (found != places_.end()) return &all_[found->second];
  key.release = goal::kRaw;
  key.parameter = "";
  key.repeat = 0;
  found = places_.find(goal::key_of(key, "baseline"));
  return found == places_.end() ? nullptr : &all_[found->second];
}

std::vector<OwnPart> OwnLedger::parts() const {
  std::vector<results::SummaryRow> summary;
  for (const Errors& errors : all_) {
    results::SummaryRow& row = summary.emplace_back();
    row.combination = errors.combination;
    const std::size_t users = errors.with.size();
    row.error.mean = mean_of_numbers(users, [&](std::size_t u) { return errors.with[u]; }).value;
    if (errors.without.empty()) continue;
    // Of fewer people than errors: what those people's differ by is added to the mean of all.
    const Mean own = mean_of_numbers(users, [&](std::size_t u) { return errors.without[u] - errors.with[u]; });
    row.control.emplace();
    row.control->without.mean = row.error.mean + own.value;
  }
  std::vector<OwnPart> parts;
  for (const results::BestResponse& best : results::best_responses(summary)) {
    if (!best.without || best.without->error <= 0) continue;
    const Errors* with =
        find(best.goal, best.prior, best.with.attack, best.with.decision, best.release, best.parameter, best.repeat);
    const Errors* without = find(best.goal, best.prior, best.without->attack, best.without->decision, best.release,
                                 best.parameter, best.repeat);
    if (with == nullptr || without == nullptr) continue;
    const std::vector<double>& others = without->combination.uses_release ? without->without : without->with;
    const auto own = [&](std::size_t u) { return others[u] - with->with[u]; };
    const Mean mean = mean_of_numbers(others.size(), own);
    parts.push_back({best.goal, best.prior, best.release, best.parameter, best.repeat,
                     *best.own_part() / best.without->error,
                     sample_half_width(others.size(), mean, own) / best.without->error, mean.count, best.with.attack,
                     best.without->attack});
  }
  return parts;
}

OwnLoss own_loss_of(const std::vector<OwnPart>& parts, const std::string& release, const std::string& parameter) {
  std::map<std::pair<std::string, std::string>, std::vector<const OwnPart*>> by_adversary;
  for (const OwnPart& part : parts) {
    if (part.release == release && part.parameter == parameter) by_adversary[{part.goal, part.prior}].push_back(&part);
  }
  OwnLoss most;
  bool first = true;
  for (const auto& [adversary, draws] : by_adversary) {
    std::vector<double> shares;
    double of_people = 0;
    for (const OwnPart* part : draws) {
      shares.push_back(part->share);
      of_people = std::max(of_people, part->half_width);
    }
    const results::Interval interval = results::interval_of(shares);
    const double half = std::hypot(interval.half_width.value_or(0), of_people);
    const Value value{interval.mean, interval.mean - half, interval.mean + half};
    if (first || value.mean > most.value.mean) {
      most.goal = adversary.first;
      most.prior = adversary.second;
    }
    most.people = std::max(most.people, draws.front()->people);
    most.value = first ? value
                       : Value{std::max(most.value.mean, value.mean), std::max(most.value.low, value.low),
                               std::max(most.value.high, value.high)};
    first = false;
  }
  return most;
}

}  // namespace hearsay::advice
