// SPDX-License-Identifier: Apache-2.0
#include "goal/error_book.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/parallel.h"
#include "goal/numbers.h"

namespace hearsay::goal {
namespace {

const metric::MetricEntry& comparison_with(metric::Baseline baseline) {
  return **std::find_if(metric::all_metrics().begin(), metric::all_metrics().end(),
                        [&](const metric::MetricEntry* entry) { return entry->baseline == baseline; });
}

// Of what an attack concludes from a prior.
belief::Kind kind_of(const attack::AttackEntry& attack, const prior::PriorEntry& prior) {
  const bool as_prior = attack.output == attack::Output::kAsPrior;
  if (attack.output == attack::Output::kAssignment || (as_prior && prior.binary)) return belief::Kind::kAssignment;
  const bool rates = attack.output == attack::Output::kRates || (as_prior && prior.only_rates);
  return rates ? belief::Kind::kRates : belief::Kind::kDistribution;
}

// The reading of the prior with the same decision, or all of them where none has it.
std::vector<const ReadErrors*> baselines_of(const ReadErrors& score, const std::vector<ReadErrors>& priors) {
  std::vector<const ReadErrors*> all;
  for (const ReadErrors& prior : priors) {
    if (prior.decision == score.decision) return {&prior};
    all.push_back(&prior);
  }
  return all;
}

}  // namespace

ErrorBook::ErrorBook(const Ground& ground)
    : ground_(ground),
      adversary_(ground.adversary),
      setting_{ground.dataset.crowd(), ground.dataset.truth().epochs(), ground.adversary.metric},
      measured_(sampled_ranges(setting_.crowd, adversary_.people)),
      loss_(comparison_with(metric::Baseline::kPrior)),
      gain_(comparison_with(metric::Baseline::kRaw)) {
  for (const decision::DecisionEntry* entry : adversary_.decisions) decisions_.push_back(entry->create());
}

std::vector<Reading> ErrorBook::readings_of(const prior::PriorEntry& prior, const attack::AttackEntry& attack,
                                            const Defence* defence, GoalErrors& errors) const {
  const belief::Kind kind = kind_of(attack, prior);
  std::vector<Reading> readings;
  for (std::size_t g = 0; g < adversary_.goals.size(); ++g) {
    const metric::MetricEntry& metric = *adversary_.goals[g];
    if (defence != nullptr && !Defence::covers(defence->goals, metric.goal)) continue;
    if (!metric.decides && kind != belief::Kind::kRates) {
      readings.push_back({&metric, nullptr, {}, {}});
      errors[g].emplace_back();
    }
    for (std::size_t d = 0; d < decisions_.size(); ++d) {
      const decision::DecisionEntry& decision = *adversary_.decisions[d];
      if (!decision.reads(kind, metric.decides)) continue;
      if (decision.of_rates && !attack.uses_prior) continue;  // which knows nothing of any person
      readings.push_back({&metric, decisions_[d].get(), {}, {}});
      errors[g].push_back({decision.info.name, {}, {}});
    }
  }
  return readings;
}

void ErrorBook::keep_measured(std::vector<double>& by_user) const {
  if (measured_.empty() || by_user.empty()) return;
  std::size_t end = 0;
  const auto leave_out = [&](std::size_t until) {
    std::fill(by_user.begin() + static_cast<std::ptrdiff_t>(end), by_user.begin() + static_cast<std::ptrdiff_t>(until),
              std::numeric_limits<double>::quiet_NaN());
  };
  for (const belief::UserRange& range : measured_) {
    leave_out(index_of(range.begin));
    end = index_of(range.end);
  }
  leave_out(by_user.size());
}

void ErrorBook::finish(Contest& contest, GoalErrors& errors) const {
  std::vector<ReadErrors*> places;
  for (std::vector<ReadErrors>& goal : errors) {
    for (ReadErrors& place : goal) places.push_back(&place);
  }
  parallel_for(places.size(), ground_.options.threads, [&](std::size_t i, std::size_t) {
    Reading& reading = contest.readings[i];
    const auto taken = [&](metric::Scores& scores) {
      const metric::MeanErrors means =
          scores.epochs.empty() ? metric::MeanErrors() : reading.metric->means(setting_, scores);
      Errors errors_of{std::move(scores.users), std::move(scores.active), means};
      keep_measured(errors_of.users);
      keep_measured(errors_of.active);
      errors_of.sums = std::move(scores);
      return errors_of;
    };
    places[i]->with = taken(reading.scores);
    places[i]->without = taken(reading.without);
  });
}

void ErrorBook::hand_over(Combination combination, std::size_t a, const std::shared_ptr<GoalErrors>& attacked,
                          const GoalErrors& priors, const GoalErrors* raw, const TakeResult& take) const {
  ground_.check_stop();
  if (!attacked) return;
  combination.attack = adversary_.attacks[a]->info.name;
  for (std::size_t g = 0; g < attacked->size(); ++g) {
    combination.goal = adversary_.goals[g]->goal;
    for (std::size_t d = 0; d < (*attacked)[g].size(); ++d) {
      hand_over(combination, a, (*attacked)[g][d], priors[g], raw == nullptr ? nullptr : &(*raw)[g][d], take);
    }
  }
}

void ErrorBook::hand_over(Combination combination, std::size_t a, const ReadErrors& score,
                          const std::vector<ReadErrors>& priors, const ReadErrors* raw, const TakeResult& take) const {
  combination.decision = score.decision;
  mark(combination, adversary_);
  const bool controlled = adversary_.control;
  const Errors& without = adversary_.attacks[a]->uses_release ? score.without : score.with;
  std::vector<double> own(controlled ? without.users.size() : 0);
  for (std::size_t user = 0; user < own.size(); ++user) own[user] = without.users[user] - score.with.users[user];
  std::vector<double> sorted;
  std::vector<double> sorted_without;
  std::vector<double> sorted_own;
  parallel_for(controlled ? 3 : 1, ground_.options.threads, [&](std::size_t i, std::size_t) {
    if (i == 0) sorted = sorted_numbers(score.with.users);
    if (i == 1) sorted_without = sorted_numbers(without.users);
    if (i == 2) sorted_own = sorted_numbers(own);
  });
  Result result;
  result.combination = std::move(combination);
  result.with = score.with.shown(sorted);
  if (controlled) result.without = without.shown(sorted_without);
  result.own = own;
  result.sorted_own = sorted_own;
  if (a == 0) {
    take(result);
    return;
  }
  const std::string& prior_name = adversary_.attacks.front()->info.name;
  for (const ReadErrors* baseline : baselines_of(score, priors)) {
    result.combination.baseline = baseline->decision.empty() ? prior_name : prior_name + "/" + baseline->decision;
    const Changes loss(loss_, score.with.users, baseline->with.users, ground_.options);
    std::optional<Changes> loss_without;
    if (!own.empty()) loss_without.emplace(loss_, without.users, baseline->with.users, ground_.options);
    result.losses = loss.clipped;
    result.plain_losses = loss.plain;
    if (loss_without) result.losses_without = loss_without->clipped;
    take(result);
  }
  if (raw == nullptr) return;
  result.losses = result.plain_losses = result.losses_without = {};
  result.combination.baseline = kRaw;
  const Changes gain(gain_, score.with.users, raw->with.users, ground_.options);
  result.gains = gain.clipped;
  result.plain_gains = gain.plain;
  take(result);
}

}  // namespace hearsay::goal
