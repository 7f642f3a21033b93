// SPDX-License-Identifier: Apache-2.0
#include "goal/releases.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "release/aggregate.h"
#include "release/baselines.h"

namespace hearsay::goal {

Releases::Releases(const Ground& ground) : ground_(ground) {
  if (ground.defences.empty() && ground.published == nullptr) return;
  if (ground.whole != nullptr) {
    at_hand_.emplace(ground.dataset.truth(), std::nullopt, ground.options.threads);
    raw_ = at_hand_->of_everybody(ground.whole->counts, {}, ground.population);
    seen_ = ground.whole->counts;
    return;
  }
  raw_.emplace(ground.dataset.truth(), ground.population, ground.options.threads);
  if (ground.population) seen_.emplace(release::aggregate(ground.dataset.truth(), ground.options.threads));
}

release::Draft Releases::prepare(const Defence& defence, std::size_t repeat, const release::NoiseSource& noise) const {
  const release::Chain& chain = defence.chain;
  if (ground_.whole == nullptr) return chain.prepare(*raw_, noise);
  const Whole& whole = *ground_.whole;
  const Draw draw{number_of(defence), repeat};
  const auto answers = whole.answers.find(draw);
  return chain.prepare(*at_hand_, noise)
      .of_everybody(chain.gives_visits() ? whole.prepared.at(draw) : whole.counts,
                    answers == whole.answers.end() ? release::Answers() : answers->second, ground_.population);
}

const release::Draft& Releases::prepared(const Defence& defence, std::size_t repeat,
                                         const release::NoiseSource& noise) const {
  const std::string visits = ground_.whole == nullptr ? defence.chain.drawless_visits() : "";
  const bool same_draw = prepared_ && prepared_->defence == &defence && prepared_->repeat == repeat;
  const bool same_visits = prepared_ && !visits.empty() && prepared_->visits == visits;
  if (!same_draw && !same_visits) {
    prepared_.reset();
    prepared_.emplace(Prepared{&defence, repeat, visits, prepare(defence, repeat, noise)});
  }
  return prepared_->draft;
}

Defended Releases::defend(const Defence& defence, std::size_t repeat) const {
  ground_.check_stop();
  const bool keeps = &defence == ground_.published;
  if (keeps && published_) return *published_;
  const auto noise = defence.noise(ground_.seed, repeat);
  Defended defended = finish(prepared(defence, repeat, *noise), *noise, defence);
  if (keeps) published_ = defended;
  return defended;
}

Defended Releases::finish(const release::Draft& prepared, const release::NoiseSource& noise, const Defence& defence) {
  const release::Chain& chain = defence.chain;
  const release::Draft draft = chain.finish(prepared, noise);
  release::CountMatrix counts = draft.counts();
  release::post_process(counts, defence.post_process, draft.users());
  return {draft.with_counts(std::move(counts)), chain.guarantee(prepared), chain.rule(prepared)};
}

std::optional<OneFewer> Releases::one_fewer(const Defence& defence, std::size_t repeat) const {
  const release::Chain& chain = defence.chain;
  if (!chain.by_person() || defence.post_process == release::PostProcess::kProjected) return std::nullopt;
  ground_.check_stop();
  const auto noise = defence.noise(ground_.seed, repeat);
  const release::Draft& before = prepared(defence, repeat, *noise);
  release::CountMatrix counts = before.counts();
  for (double& count : counts.all()) count -= 1;
  OneFewer fewer{finish(before.with_counts(std::move(counts)), *noise, defence).publish()};
  if (!chain.gives_visits()) return fewer;
  const dataset::Truth truth = ground_.dataset.truth();
  fewer.visits = (ground_.whole == nullptr ? before : chain.prepare(*at_hand_, *noise)).fine_visits();
  fewer.counted.emplace(*fewer.visits, dataset::Calendar{.epochs = static_cast<std::uint32_t>(truth.epochs())},
                        truth.crowd());
  return fewer;
}

release::Published Releases::without(const Defence& defence, std::size_t repeat, UserId user) const {
  ground_.check_stop();
  const release::Chain& chain = defence.chain;
  const auto noise = defence.noise(ground_.seed, repeat);
  if (ground_.whole == nullptr) {
    return finish(chain.prepare(raw_->without(user, chain.reads_visits()), *noise), *noise, defence).publish();
  }
  // What a person adds to everybody's counts is what those at hand have less without the person.
  const release::Draft with = chain.prepare(*at_hand_, *noise);
  const release::Draft others = with.without(user, true);
  release::CountMatrix own = with.counts();
  release::Answers answers = chain.ask(with, *noise);
  const auto take_away = [](std::span<double> from, std::span<const double> what) {
    std::transform(from.begin(), from.end(), what.begin(), from.begin(), std::minus<>());
  };
  take_away(own.all(), others.counts().all());
  if (answers.reports) take_away(answers.reports->all(), chain.ask(others, *noise).reports->all());
  const std::span<const double> visits = own.all().first(own.all().size() - own.epochs());
  answers.most_visits = static_cast<std::uint64_t>(std::accumulate(visits.begin(), visits.end(), 0.0));
  return finish(prepare(defence, repeat, *noise).less(own, answers), *noise, defence).publish();
}

void Releases::measure(const std::function<void(const ReleaseResult& result)>& take) const {
  if (!raw_) return;
  const release::CountMatrix& raw = seen_ ? *seen_ : raw_->counts();
  const std::size_t per_day = ground_.dataset.calendar().per_day();
  std::optional<release::Geometry> coarse;  // of the last coarse release
  std::optional<release::CountMatrix> own_raw;
  const auto measured = [&](const release::Draft& draft, const Defence* defence) {
    const release::Geometry& geometry = draft.geometry();
    if (geometry.is_fine()) return release::measure_utility(raw, raw, draft, per_day);
    if (!coarse || coarse->place_of != geometry.place_of || coarse->epoch_of != geometry.epoch_of) {
      coarse = geometry;
      own_raw = defence != nullptr && ground_.whole != nullptr ? ground_.whole->coarse.at(number_of(*defence))
                                                               : release::true_counts(*raw_, geometry);
    }
    return release::measure_utility(raw, *own_raw, draft, per_day);
  };
  const auto measure_draw = [&](const Defence& defence, std::size_t repeat) {
    const Defended defended = defend(defence, repeat);
    take({defence.chain.name(), defence.parameter, repeat, measured(defended.draft, &defence), defended.guarantee});
  };
  if (ground_.published != nullptr) measure_draw(*ground_.published, 1);
  for (const Defence& defence : ground_.defences) {
    for (std::size_t repeat = 1; repeat <= defence.repeats; ++repeat) measure_draw(defence, repeat);
  }
  const dataset::ObservedCounts observed =
      ground_.whole != nullptr ? ground_.whole->observed
                               : dataset::observed_counts(ground_.dataset.observation(), ground_.options.threads);
  for (const release::Baseline& baseline : release::all_baselines()) {
    ground_.check_stop();
    std::optional<release::CountMatrix> counts = baseline.make(observed);
    if (!counts) continue;
    const release::Draft draft = raw_->with_counts(std::move(*counts));
    take({baseline.name, "", 0, measured(draft, nullptr), {}, baseline.words});
  }
}

}  // namespace hearsay::goal
