// SPDX-License-Identifier: Apache-2.0
#include "goal/releases.h"

#include "release/aggregate.h"

namespace hearsay::goal {

Releases::Releases(const Ground& ground) : ground_(ground) {
  if (ground.defences.empty()) return;
  raw_.emplace(ground.dataset.truth(), ground.population, ground.options.threads);
  if (ground.population) seen_.emplace(release::aggregate(ground.dataset.truth(), ground.options.threads));
}

Defended Releases::defend(const Defence& defence, std::size_t repeat) const {
  return defend(*raw_, defence, repeat);
}

Defended Releases::defend(const release::Draft& raw, const Defence& defence, std::size_t repeat) const {
  ground_.check_stop();
  const release::Chain& chain = defence.chain;
  const auto noise = release::evaluation_noise(ground_.seed, chain.name(), chain.parameter(), repeat);
  return finish(chain.prepare(raw, *noise), *noise, defence);
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
  const release::Draft prepared = chain.prepare(*raw_, *noise);
  release::CountMatrix counts = prepared.counts();
  for (double& count : counts.all()) count -= 1;
  OneFewer fewer{finish(prepared.with_counts(std::move(counts)), *noise, defence).publish()};
  if (!chain.gives_visits()) return fewer;
  const dataset::Truth truth = ground_.dataset.truth();
  fewer.visits = prepared.fine_visits();
  fewer.counted.emplace(*fewer.visits, dataset::Calendar{.epochs = static_cast<std::uint32_t>(truth.epochs())},
                        truth.crowd());
  return fewer;
}

release::Published Releases::without(const Defence& defence, std::size_t repeat, UserId user) const {
  return defend(raw_->without(user, defence.chain.reads_visits()), defence, repeat).publish();
}

void Releases::measure(const std::function<void(const ReleaseResult& result)>& take) const {
  for (const Defence& defence : ground_.defences) {
    for (std::size_t repeat = 1; repeat <= defence.repeats; ++repeat) {
      const Defended defended = defend(defence, repeat);
      const release::Draft& draft = defended.draft;
      const release::CountMatrix fine = release::expanded(draft.counts(), draft.geometry(), draft.users());
      take({defence.chain.name(), defence.parameter, repeat,
            release::measure_utility(seen_ ? *seen_ : raw_->counts(), fine), defended.guarantee});
    }
  }
}

}  // namespace hearsay::goal
