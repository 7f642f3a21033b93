// SPDX-License-Identifier: Apache-2.0
#include "advice/own_ledger.h"

#include <algorithm>
#include <cmath>

#include "results/best_response.h"
#include "results/repeats.h"

namespace hearsay::advice {
namespace {

Figures figures_of(std::span<const double> numbers) {
  Figures figures;
  for (std::size_t u = 0; u < numbers.size(); ++u) {
    if (std::isnan(numbers[u])) continue;
    figures.people.push_back(static_cast<std::uint32_t>(u));
    figures.values.push_back(numbers[u]);
  }
  return figures;
}

// Of those who are in both, by how much the first is more.
std::vector<double> differences(const Figures& more, const Figures& less) {
  std::vector<double> all;
  std::size_t j = 0;
  for (std::size_t i = 0; i < more.people.size(); ++i) {
    while (j < less.people.size() && less.people[j] < more.people[i]) ++j;
    if (j == less.people.size()) break;
    if (less.people[j] == more.people[i]) all.push_back(more.values[i] - less.values[j]);
  }
  return all;
}

double mean_of(const std::vector<double>& values) {
  return values.empty() ? 0 : results::mean_of(values);
}

// Half of the 95% interval of the mean of a sample of `users` people, drawn without putting back.
double sample_half_width(std::size_t users, const std::vector<double>& sample) {
  constexpr double kNormal = 1.959963984540054;
  if (sample.size() < 2 || sample.size() == users) return 0;
  const double mean = mean_of(sample);
  double squares = 0;
  for (const double one : sample) squares += (one - mean) * (one - mean);
  const auto n = static_cast<double>(sample.size());
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
    errors.users = std::max(errors.users, numbers.values.size());
    if (numbers.name == "error") errors.with = figures_of(numbers.values);
    if (numbers.name == "without") errors.without = figures_of(numbers.values);
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
    row.error.mean = mean_of(errors.with.values);
    if (errors.without.people.empty()) continue;
    // Of fewer people than errors: what those people's differ by is added to the mean of all.
    row.control.emplace();
    row.control->without.mean = row.error.mean + mean_of(differences(errors.without, errors.with));
  }
  std::vector<OwnPart> parts;
  for (const results::BestResponse& best : results::best_responses(summary)) {
    if (!best.without || best.without->error <= 0) continue;
    const Errors* with =
        find(best.goal, best.prior, best.with.attack, best.with.decision, best.release, best.parameter, best.repeat);
    const Errors* without = find(best.goal, best.prior, best.without->attack, best.without->decision, best.release,
                                 best.parameter, best.repeat);
    if (with == nullptr || without == nullptr) continue;
    const Figures& others = without->combination.uses_release ? without->without : without->with;
    const std::vector<double> own = differences(others, with->with);
    parts.push_back({best.goal, best.prior, best.release, best.parameter, best.repeat,
                     *best.own_part() / best.without->error, sample_half_width(with->users, own) / best.without->error,
                     own.size(), best.with.attack, best.without->attack});
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
