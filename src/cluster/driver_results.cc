// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "cluster/driver.h"
#include "cluster/ground.h"
#include "goal/goal.h"
#include "goal/inference.h"
#include "goal/releases.h"

namespace hearsay::cluster {

// The results of people taken out say what all results are about. They count where everybody's were not measured.
void Driver::measure_taken_out() {
  std::map<std::uint32_t, std::shared_ptr<const belief::Series>> series;
  const ShareGround ground(told_, study(), *taken_out_, settings_.threads,
                           [&](std::uint32_t prior, const goal::PlanId& id, const release::Published& release) {
                             return plans_without(*series.at(prior), prior, id, release);
                           });
  for (const std::uint32_t p : told_.priors) series[p] = ground.prior(p);
  goal::Inference inference(ground.ground());
  told_.results.clear();
  std::vector<Row> controls;
  ResultRows rows(told_, study(), *taken_out_, controls, results::Part::kControl);
  for (const std::uint32_t p : told_.priors) {
    rows.open(p);
    inference.run(
        *study().adversary.priors[p],
        [&](const goal::Result& result) {
          controls.clear();
          rows.add(result);
          const bool sampled = result.without.epochs.empty() && !result.without.users.empty();
          told_.results[p].push_back({result.combination, sampled ? controls.front().value : ""});
        },
        [&](std::span<const belief::Lesson> lessons) { lessons_[p].assign(lessons.begin(), lessons.end()); });
  }
}

void Driver::finish_infer() {
  for (const std::uint32_t p : told_.priors) {
    for (std::uint32_t i = 0; i < told_.results[p].size(); ++i) {
      BytesReader errors(values_.at(Key{Merge::kScores, Subject::kErrors, {p, i}}));
      BytesReader people(values_.at(Key{Merge::kTally, Subject::kPeople, {p, i}}));
      found_[p].push_back({ErrorSums::read(errors), results::read_figures(people)});
    }
  }
  told_.plans.clear();
  told_.results.clear();
}

bool Driver::asks_for_names() {
  if (told_.stage == Stage::kName || !study().results.show_users || everybody_) return false;
  const results::DataFacts facts = facts_of(told_, study());
  std::set<std::uint32_t> named(facts.chosen.users.begin(), facts.chosen.users.end());
  const auto name = [&](const results::Exposed& exposed) {
    for (const results::Exposed::User& one : exposed.most) named.insert(static_cast<std::uint32_t>(one.user));
  };
  for (const std::vector<Found>& of_prior : found_) {
    for (const Found& found : of_prior) {
      if (found.people.loss) name(found.people.loss->exposed);
      if (found.people.own) name(found.people.own->exposed);
    }
  }
  told_.named.assign(named.begin(), named.end());
  return !named.empty();
}

std::string Driver::id_of(std::uint32_t number) const {
  return everybody_ ? everybody_->user_ids()[number] : names_.at(number);
}

void Driver::hand_over(const DriverSink& sink) const {
  const ShareGround ground(told_, study(), *taken_out_, settings_.threads);
  goal::Releases(ground.ground()).measure(sink.release);
  for (const goal::GoalEntry* entry : study().goals) {
    if (entry->of_errors) {
      hand_over_inference(*entry, sink);
      continue;
    }
    const goal::Ground all = study().ground(*everybody_, {.threads = settings_.threads});
    const auto goal = entry->create(all);
    const auto emit = [&](const goal::Measurement& measurement) { sink.measurement(*entry, measurement); };
    for (const std::string& part : goal->parts()) goal->run(part, emit);
  }
}

void Driver::hand_over_inference(const goal::GoalEntry& goal, const DriverSink& sink) const {
  const metric::Setting setting{taken_out_->crowd(), study().calendar().inference(), study().adversary.metric};
  const goal::Emit emit = [&](const goal::Measurement& measurement) { sink.measurement(goal, measurement); };
  for (std::size_t p = 0; p < found_.size(); ++p) {
    goal::emit_lessons(study().adversary.priors[p]->info.name, lessons_[p], emit);
    goal::AdversaryEmitter adversary;
    for (const Found& found : found_[p]) {
      goal::Result result;
      result.combination = found.people.row.combination;
      const auto& goals = study().adversary.goals;
      const auto metric = std::find_if(goals.begin(), goals.end(),
                                       [&](const auto* one) { return one->goal == result.combination.goal; });
      metric::MeanErrors with;
      metric::MeanErrors without;
      if (!found.errors.with.epochs.empty()) with = (*metric)->means(setting, found.errors.with);
      if (!found.errors.without.epochs.empty()) without = (*metric)->means(setting, found.errors.without);
      result.with.epochs = with.epochs;
      result.with.rois = with.rois;
      result.without.epochs = without.epochs;
      result.without.rois = without.rois;
      adversary.emit(result, emit);
      sink.people(found.people);
    }
  }
}

}  // namespace hearsay::cluster
