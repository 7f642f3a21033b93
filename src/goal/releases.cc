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
  const release::Draft prepared = chain.prepare(raw, *noise);
  const release::Draft draft = chain.finish(prepared, *noise);
  release::CountMatrix counts = draft.counts();
  release::post_process(counts, defence.post_process, draft.users());
  return {draft.with_counts(std::move(counts)), chain.guarantee(prepared), chain.rule(prepared)};
}

std::optional<release::Published> Releases::one_fewer(const Defence& defence, std::size_t repeat) const {
  if (!defence.chain.by_cell() || defence.post_process == release::PostProcess::kProjected) return std::nullopt;
  release::CountMatrix counts = raw_->counts();
  for (double& count : counts.all()) count -= 1;
  return defend(raw_->with_counts(std::move(counts)), defence, repeat).publish();
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
