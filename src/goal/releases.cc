// SPDX-License-Identifier: Apache-2.0
#include "goal/releases.h"

#include "release/aggregate.h"
#include "release/baselines.h"

namespace hearsay::goal {

Releases::Releases(const Ground& ground) : ground_(ground) {
  if (ground.defences.empty()) return;
  raw_.emplace(ground.dataset.truth(), ground.population, ground.options.threads);
  if (ground.whole != nullptr) {
    raw_ = raw_->of_everybody(ground.whole->counts);
    seen_ = ground.whole->counts;
  } else if (ground.population) {
    seen_.emplace(release::aggregate(ground.dataset.truth(), ground.options.threads));
  }
}

release::Draft Releases::prepare(const Defence& defence, std::size_t repeat, const release::NoiseSource& noise) const {
  release::Draft draft = defence.chain.prepare(*raw_, noise);
  if (ground_.whole == nullptr || !defence.chain.gives_visits()) return draft;
  return draft.of_everybody(ground_.whole->prepared.at({number_of(defence), repeat}));
}

const release::Draft& Releases::prepared(const Defence& defence, std::size_t repeat,
                                         const release::NoiseSource& noise) const {
  if (!prepared_ || prepared_->defence != &defence || prepared_->repeat != repeat) {
    prepared_.reset();
    prepared_.emplace(Prepared{&defence, repeat, prepare(defence, repeat, noise)});
  }
  return prepared_->draft;
}

Defended Releases::defend(const Defence& defence, std::size_t repeat) const {
  ground_.check_stop();
  const release::Chain& chain = defence.chain;
  const auto noise = release::evaluation_noise(ground_.seed, chain.name(), chain.parameter(), repeat);
  return finish(prepared(defence, repeat, *noise), *noise, defence);
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
  const auto noise = release::evaluation_noise(ground_.seed, chain.name(), chain.parameter(), repeat);
  const release::Draft& before = prepared(defence, repeat, *noise);
  release::CountMatrix counts = before.counts();
  for (double& count : counts.all()) count -= 1;
  OneFewer fewer{finish(before.with_counts(std::move(counts)), *noise, defence).publish()};
  if (!chain.gives_visits()) return fewer;
  const dataset::Truth truth = ground_.dataset.truth();
  fewer.visits = before.fine_visits();
  fewer.counted.emplace(*fewer.visits, dataset::Calendar{.epochs = static_cast<std::uint32_t>(truth.epochs())},
                        truth.crowd());
  return fewer;
}

release::Published Releases::without(const Defence& defence, std::size_t repeat, UserId user) const {
  ground_.check_stop();
  const release::Chain& chain = defence.chain;
  const auto noise = release::evaluation_noise(ground_.seed, chain.name(), chain.parameter(), repeat);
  // What is left of the others' visits is the same where it goes by person.
  const release::Draft prepared = chain.prepares_by_person()
                                      ? prepare(defence, repeat, *noise).without(user, chain.finishes_with_visits())
                                      : chain.prepare(raw_->without(user, true), *noise);
  return finish(prepared, *noise, defence).publish();
}

void Releases::measure(const std::function<void(const ReleaseResult& result)>& take) const {
  if (ground_.defences.empty()) return;
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
  for (const Defence& defence : ground_.defences) {
    for (std::size_t repeat = 1; repeat <= defence.repeats; ++repeat) {
      const Defended defended = defend(defence, repeat);
      take({defence.chain.name(), defence.parameter, repeat, measured(defended.draft, &defence), defended.guarantee});
    }
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
