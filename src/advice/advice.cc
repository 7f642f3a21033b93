// SPDX-License-Identifier: Apache-2.0
#include "advice/advice.h"

#include <algorithm>

#include "advice/search.h"
#include "advice/words.h"
#include "base/errors.h"
#include "experiment/release_command.h"
#include "release/worth.h"

namespace hearsay::advice {
namespace {

constexpr std::size_t kRungs = 3;  // after that of errors

// The most useful of those that keep to the limits; those measured best are asked first.
std::optional<std::size_t> choose(const std::vector<Priced>& all, const Limits& limits) {
  for (std::size_t rung = kRungs; rung > 0; --rung) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].rung < rung || !keeps_to(all[i], limits)) continue;
      if (!best || all[i].mae->mean < all[*best].mae->mean) best = i;
    }
    if (best) return best;
  }
  return std::nullopt;
}

bool is_measured(const Priced& one, const Limits& limits) {
  return one.rung > 0 && one.mae && one.own_loss && (one.membership || !limits.membership);
}

std::optional<std::size_t> nearest_to(const std::vector<Priced>& all, const Limits& limits) {
  std::optional<std::size_t> nearest;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_measured(all[i], limits)) continue;
    if (!nearest || distance_from(all[i], limits) < distance_from(all[*nearest], limits)) nearest = i;
  }
  return nearest;
}

// Of each limit alone, whether anything measured keeps to it.
std::vector<std::string> impossible_of(const std::vector<Priced>& all, const Limits& limits) {
  std::vector<std::string> names;
  const auto ask = [&](const char* name, std::optional<double> Limits::*limit) {
    if (!(limits.*limit)) return;
    Limits alone;
    alone.*limit = limits.*limit;
    if (std::none_of(all.begin(), all.end(), [&](const Priced& one) { return keeps_to(one, alone); })) {
      names.emplace_back(name);
    }
  };
  ask("own_loss", &Limits::own_loss);
  ask("membership", &Limits::membership);
  ask("mae", &Limits::mae);
  return names;
}

template <typename Entry>
std::vector<std::string> names_of(const std::vector<const Entry*>& entries) {
  std::vector<std::string> names;
  for (const Entry* entry : entries) names.push_back(entry->info.name);
  return names;
}

// The frontier, and where the one shown is in it.
std::size_t write_frontier(const std::vector<Priced>& all, std::optional<std::size_t> shown, Advice& advice) {
  std::vector<std::size_t> numbers = frontier_of(all, advice.no_membership.empty());
  if (shown && std::find(numbers.begin(), numbers.end(), *shown) == numbers.end()) numbers.push_back(*shown);
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](std::size_t a, std::size_t b) { return all[a].mae->mean < all[b].mae->mean; });
  for (const std::size_t number : numbers) advice.frontier.push_back(all[number]);
  return shown ? static_cast<std::size_t>(std::find(numbers.begin(), numbers.end(), *shown) - numbers.begin()) : 0;
}

void write_shown(const Priced& one, const experiment::Study& study, const dataset::Dataset& dataset,
                 const Options& options, Advice& advice) {
  advice.steps = steps_in_words(one.candidate, study);
  advice.reasons = experiment::reasons_against(study, one.guarantee);
  if (advice.reasons.empty()) {
    const dataset::Calendar calendar = study.calendar();
    advice.a_year = release::a_year(one.guarantee, std::uint64_t{calendar.inference()} * calendar.epoch_seconds);
  }
  const release::Draft draft(dataset.truth(), study.data.population, options.load.threads);
  experiment::ReleaseCommand command = experiment::release_command(
      options.study_name, study, {one.candidate.chain, "", 1, release::kDefaultPostProcess, {}, {}, {}}, one.guarantee,
      release::mostly_noise(one.candidate.chain, draft));
  advice.command = std::move(command.line);
  advice.command_notes = std::move(command.notes);
}

}  // namespace

Advice advise(engine::Engine& engine, const experiment::Study& study, const Limits& limits, const Options& options) {
  check_limits(limits);
  if (!(options.budget_seconds > 0)) {
    throw ConfigError("budget", std::to_string(options.budget_seconds), "must be above 0 seconds");
  }
  const auto uses_release = [](const attack::AttackEntry* entry) { return entry->uses_release; };
  const std::vector<const attack::AttackEntry*>& tried = study.adversary.attacks;
  if (std::none_of(tried.begin(), tried.end(), uses_release)) {
    throw ConfigError("study.attacks", "", "must name one that uses the counts: being counted costs nothing otherwise");
  }
  Guard guard(options.load, options.budget_seconds);
  const Found found = search(engine, study, limits, options, guard);
  Advice advice;
  advice.limits = limits;
  advice.seed = options.seed;
  advice.budget_seconds = options.budget_seconds;
  advice.candidates = found.all.size();
  advice.rungs = found.rungs;
  advice.unmeasured = found.unmeasured;
  advice.cut_short = found.cut_short;
  advice.no_membership = found.no_membership;
  advice.priors = names_of(found.adversaries.priors);
  std::vector<const attack::AttackEntry*> attacks;
  std::copy_if(found.adversaries.attacks.begin(), found.adversaries.attacks.end(), std::back_inserter(attacks),
               uses_release);
  advice.attacks = names_of(attacks);
  advice.last_by_all = found.by_all;

  const std::optional<std::size_t> chosen = choose(found.all, limits);
  const std::optional<std::size_t> shown = chosen ? chosen : nearest_to(found.all, limits);
  const std::size_t place = write_frontier(found.all, shown, advice);
  if (shown) {
    (chosen ? advice.chosen : advice.nearest) = place;
    if (!chosen) {
      advice.misses = misses_of(advice.frontier[place], limits);
      advice.impossible = impossible_of(found.all, limits);
    }
    write_shown(advice.frontier[place], study, engine.loaded().dataset, options, advice);
  }
  advice.sentences = answer_of(advice);
  return advice;
}

}  // namespace hearsay::advice
