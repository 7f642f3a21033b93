// SPDX-License-Identifier: Apache-2.0
#include "advice/pricing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "advice/own_ledger.h"
#include "base/errors.h"
#include "base/parallel.h"
#include "goal/membership_game.h"
#include "goal/releases.h"
#include "release/utility.h"
#include "results/repeats.h"

namespace hearsay::advice {
namespace {

const goal::GoalEntry* goal_named(const experiment::Registry& registry, const std::string& name) {
  const auto found = std::find_if(registry.goals.begin(), registry.goals.end(),
                                  [&](const goal::GoalEntry* entry) { return entry->info.name == name; });
  return found == registry.goals.end() ? nullptr : *found;
}

// Smallest and largest of the groups that a study has by default; where people are drawn from a part of all, all of
// them, as that is not known here.
std::vector<std::size_t> two_groups(const goal::MembershipSpec& spec, std::size_t users) {
  std::vector<std::size_t> groups = spec.groups;
  const bool everybody = std::all_of(spec.crowd.begin(), spec.crowd.end(), [](const goal::CrowdKnowledge& knowledge) {
    return knowledge.kind == goal::CrowdKnowledge::Kind::kNone;
  });
  if (groups.empty() && everybody) {
    for (const std::size_t group : goal::kUsualGroups) {
      if (group * goal::kHonestShare <= users) groups.push_back(group);
    }
  }
  if (groups.size() <= 2) return groups;
  const auto [least, most] = std::minmax_element(groups.begin(), groups.end());
  return {*least, *most};
}

std::optional<std::span<const double>> numbers_named(const goal::Measurement& measurement, const std::string& name) {
  for (const goal::Numbers& numbers : measurement.numbers) {
    if (numbers.name == name) return numbers.values;
  }
  return std::nullopt;
}

// Takes what a draw is good for, the share left out added up.
void count(const release::CountMatrix& raw, const release::Draft& draft, Counted& counted) {
  counted.errors.push_back(release::mean_absolute_error(raw, draft));
  const release::CountMatrix shown = release::expanded(draft.counts(), draft.geometry(), draft.users());
  std::size_t present = 0;
  std::size_t gone = 0;
  bool nothing = true;
  for (std::size_t roi = 0; roi + 1 < raw.rois(); ++roi) {  // null aside
    const auto before = raw.series(roi);
    const auto after = shown.series(roi);
    for (std::size_t t = 0; t < before.size(); ++t) {
      nothing = nothing && after[t] <= 0;
      present += before[t] > 0 ? 1 : 0;
      gone += before[t] > 0 && after[t] <= 0 ? 1 : 0;
    }
  }
  counted.left_out += present > 0 ? static_cast<double>(gone) / static_cast<double>(present) : 0;
  counted.nothing = nothing && (counted.errors.size() == 1 || counted.nothing);
}

}  // namespace

experiment::Study Pricing::study_of(std::span<Priced* const> candidates, const char* goal, std::size_t draws) const {
  experiment::Study study = study_;
  study.seed = seed_;
  study.adversary.control = true;
  // A study that plays games alone names no errors: being counted then may cost any of them.
  if (study.adversary.goals.empty()) {
    const auto& metrics = metric::all_metrics();
    std::copy_if(metrics.begin(), metrics.end(), std::back_inserter(study.adversary.goals),
                 [](const metric::MetricEntry* entry) { return entry->make != nullptr; });
  }
  study.goals.clear();
  if (const goal::GoalEntry* entry = goal_named(study.registry, goal)) study.goals.push_back(entry);
  study.defences.clear();
  for (const Priced* priced : candidates) {
    const release::Chain& chain = priced->candidate.chain;
    study.defences.push_back({chain, chain.parameter(), draws, release::kDefaultPostProcess, {}, {}, {}});
  }
  return study;
}

bool Pricing::find_adversaries(std::size_t people, Adversaries& found) {
  constexpr std::size_t kPriors = 2;
  experiment::Study study = study_of({}, "inference", 1);
  study.adversary.people = people;
  study.adversary.control_sample = 4;
  OwnLedger ledger(study.adversary);
  engine::Sink sink;
  sink.measurement = [&](const goal::GoalEntry&, const goal::Measurement& measurement) { ledger.take(measurement); };
  if (!guard_.run("finding who takes most", [&](const auto& load) { engine_.run(study, load, sink); })) return false;
  std::vector<OwnPart> parts = ledger.parts();
  std::stable_sort(parts.begin(), parts.end(), [](const OwnPart& a, const OwnPart& b) { return a.share > b.share; });
  std::vector<std::string> attacks;
  const auto note = [&](const std::string& attack) {
    if (std::find(attacks.begin(), attacks.end(), attack) == attacks.end()) attacks.push_back(attack);
  };
  found = {};
  for (const OwnPart& part : parts) {
    const auto prior = std::find_if(study.adversary.priors.begin(), study.adversary.priors.end(),
                                    [&](const auto* entry) { return entry->info.name == part.prior; });
    const bool known = std::find(found.priors.begin(), found.priors.end(), *prior) != found.priors.end();
    if (!known && found.priors.size() == kPriors) continue;
    if (!known) found.priors.push_back(*prior);
    note(part.with_attack);
    note(part.without_attack);
  }
  for (const attack::AttackEntry* entry : study.adversary.attacks) {
    const bool best = std::find(attacks.begin(), attacks.end(), entry->info.name) != attacks.end();
    if (!entry->uses_release || best) found.attacks.push_back(entry);
  }
  // In the order of the study, which decides between equal strategies.
  std::vector<const prior::PriorEntry*> ordered;
  for (const prior::PriorEntry* entry : study.adversary.priors) {
    if (std::find(found.priors.begin(), found.priors.end(), entry) != found.priors.end()) ordered.push_back(entry);
  }
  found.priors = ordered;
  return true;
}

bool Pricing::baselines(const Candidate& any, std::vector<goal::ReleaseResult>& found) {
  Priced priced;
  priced.candidate = any;
  Priced* const one = &priced;
  const experiment::Study study = study_of({&one, 1}, "", 1);
  engine::Sink sink;
  std::vector<goal::ReleaseResult> all;
  sink.release = [&](const goal::ReleaseResult& release) {
    if (!release.baseline.empty()) all.push_back(release);
  };
  if (!guard_.run("counting", [&](const auto& load) { engine_.run(study, load, sink); })) return false;
  found = std::move(all);
  return true;
}

bool Pricing::errors(std::span<Priced* const> candidates, std::size_t draws, std::vector<Counted>& found) {
  const experiment::Study study = study_of(candidates, "", draws);
  std::vector<Counted> all(candidates.size());
  const bool done = guard_.run("counting", [&](const engine::LoadOptions& load) {
    const dataset::Dataset& dataset = engine_.loaded().dataset;
    const goal::Ground ground = study.ground(dataset);
    const release::CountMatrix raw = release::Draft(dataset.truth(), std::nullopt, load.threads).counts();
    std::vector<std::unique_ptr<goal::Releases>> releases(std::max<std::size_t>(1, load.threads));
    // Those of the same larger places and longer epochs one after another: they are merged once.
    std::vector<std::size_t> order(candidates.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return study.defences[a].chain.drawless_visits() < study.defences[b].chain.drawless_visits();
    });
    parallel_for(candidates.size(), load.threads, [&](std::size_t place, std::size_t worker) {
      const std::size_t i = order[place];
      if (load.stop.stop_requested()) return;
      if (releases[worker] == nullptr) releases[worker] = std::make_unique<goal::Releases>(ground);
      for (std::size_t repeat = 1; repeat <= draws; ++repeat) {
        if (load.stop.stop_requested()) return;
        const goal::Defended defended = releases[worker]->defend(study.defences[i], repeat);
        count(raw, defended.draft, all[i]);
        candidates[i]->guarantee = defended.guarantee;
      }
      all[i].left_out /= static_cast<double>(draws);
      if (worker == 0 && load.progress) load.progress("", place, candidates.size());
    });
  });
  if (done) found = std::move(all);
  return done;
}

bool Pricing::own_losses(std::span<Priced* const> candidates, const Adversaries& adversaries, const OwnFidelity& how,
                         std::vector<OwnLoss>& found) {
  experiment::Study study = study_of(candidates, "inference", how.draws);
  study.adversary.priors = adversaries.priors;
  study.adversary.attacks = adversaries.attacks;
  study.adversary.people = how.people;
  study.adversary.control_sample = how.control_sample;
  OwnLedger ledger(study.adversary);
  engine::Sink sink;
  sink.measurement = [&](const goal::GoalEntry&, const goal::Measurement& measurement) { ledger.take(measurement); };
  if (!guard_.run("what being counted costs", [&](const auto& load) { engine_.run(study, load, sink); })) return false;
  const std::vector<OwnPart> parts = ledger.parts();
  found.assign(candidates.size(), {});
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    found[i] = own_loss_of(parts, candidates[i]->candidate.chain.name(), candidates[i]->candidate.chain.parameter());
  }
  return true;
}

bool Pricing::memberships(std::span<Priced* const> candidates, const GameFidelity& how,
                          const std::function<bool(std::size_t candidate)>& wanted,
                          const std::function<void(std::size_t candidate, const std::optional<Played>& played)>& take) {
  experiment::Study study = study_of(candidates, "membership", 1);
  goal::MembershipSpec& spec = study.adversary.membership;
  spec.targets = spec.targets == 0 ? how.targets : std::min(spec.targets, how.targets);
  spec.trials = std::min(spec.trials, how.trials);
  spec.seed = seed_;
  if (!how.all_groups) spec.groups = two_groups(spec, engine_.loaded().dataset.crowd().users);
  engine::Sink sink;
  std::optional<Played> strongest;
  sink.measurement = [&](const goal::GoalEntry&, const goal::Measurement& measurement) {
    const auto areas = numbers_named(measurement, "auc");
    if (!areas || areas->empty()) return;
    const results::Interval interval = results::interval_of(*areas);
    const double half = interval.half_width.value_or(0.5);
    const Value value{interval.mean, std::max(0.0, interval.mean - half), std::min(1.0, interval.mean + half)};
    const auto trials = numbers_named(measurement, "trials");
    if (!strongest) strongest = {value, areas->size(), trials ? static_cast<std::size_t>(trials->front()) : 0};
    strongest->value = {std::max(strongest->value.mean, value.mean), std::max(strongest->value.low, value.low),
                        std::max(strongest->value.high, value.high)};
  };
  std::size_t next = 0;
  sink.part = [&](const std::string& part, const auto& work, const goal::Emit& emit) {
    if (part.ends_with(std::string("-") + goal::kRaw)) return;
    const std::size_t candidate = next++;
    if (!wanted(candidate)) return;
    strongest.reset();
    work(emit);
    take(candidate, strongest);
  };
  return guard_.run("who was counted", [&](const auto& load) { engine_.run(study, load, sink); });
}

}  // namespace hearsay::advice
