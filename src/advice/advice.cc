// SPDX-License-Identifier: Apache-2.0
#include "advice/advice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "advice/search.h"
#include "advice/words.h"
#include "base/errors.h"
#include "experiment/release_command.h"
#include "release/worth.h"

namespace hearsay::advice {
namespace {

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
  const bool has_file = !options.study_name.empty();
  const release::Draft draft(dataset.truth(), study.data.population, options.load.threads);
  experiment::ReleaseCommand command =
      experiment::release_command(has_file ? options.study_name : "STUDY.toml", study,
                                  {one.candidate.chain, "", 1, release::kDefaultPostProcess, {}, {}, {}}, one.guarantee,
                                  release::mostly_noise(one.candidate.chain, draft));
  advice.command = std::move(command.line);
  advice.command_notes = std::move(command.notes);
  if (!has_file) {
    advice.command_notes.insert(advice.command_notes.begin(),
                                "STUDY.toml is a study file that you have yet to write, about a file with these data: "
                                "they were handed over in memory.");
  }
}

// A guarantee that does not hold is not stated.
void leave_out_unsound(const experiment::Study& study, std::vector<Priced>& frontier) {
  for (Priced& one : frontier) {
    const std::vector<std::string> reasons = experiment::reasons_against(study, one.guarantee);
    if (reasons.empty()) continue;
    one.guarantee = {};
    one.guarantee.note = fmt::format("{}", fmt::join(reasons, " "));
  }
}

}  // namespace

Advice advise(engine::Engine& engine, const experiment::Study& study, const Limits& limits, const Options& options) {
  check_limits(limits);
  check_budget(options.budget_seconds);
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
  const auto number_of = [&](const auto& is) {
    return static_cast<std::size_t>(std::count_if(found.all.begin(), found.all.end(), is));
  };
  advice.measured = number_of([](const Priced& one) { return one.own_loss.has_value(); });
  advice.nothing = number_of([](const Priced& one) { return one.publishes_nothing; });
  advice.unplayable = number_of([](const Priced& one) { return one.unplayable; });
  advice.unmeasured = found.unmeasured;
  advice.cut_short = found.cut_short;
  advice.no_membership = found.no_membership;
  advice.priors = names_of(found.adversaries.priors);
  std::vector<const attack::AttackEntry*> attacks;
  std::copy_if(found.adversaries.attacks.begin(), found.adversaries.attacks.end(), std::back_inserter(attacks),
               uses_release);
  advice.attacks = names_of(attacks);
  advice.last_by_all = found.by_all;

  const std::optional<std::size_t> chosen = most_useful(found.all, limits);
  const std::optional<std::size_t> shown = chosen ? chosen : nearest_to(found.all, limits);
  const std::size_t place = write_frontier(found.all, shown, advice);
  if (shown) {
    (chosen ? advice.chosen : advice.nearest) = place;
    if (!chosen) {
      advice.misses = misses_of(advice.frontier[place], limits);
      advice.impossible = met_by_none(found.all, limits);
    }
    write_shown(advice.frontier[place], study, engine.loaded().dataset, options, advice);
  }
  leave_out_unsound(study, advice.frontier);
  advice.sentences = answer_of(advice);
  return advice;
}

}  // namespace hearsay::advice
