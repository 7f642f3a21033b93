// SPDX-License-Identifier: Apache-2.0
#include "goal/inference.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "goal/error_book.h"
#include "goal/kept_errors.h"
#include "goal/ranges.h"
#include "goal/read_releases.h"
#include "goal/releases.h"
#include "goal/sampled_control.h"
#include "release/aggregate.h"

namespace hearsay::goal {

class Inference::Run {
 public:
  explicit Run(const Ground& ground)
      : ground_(ground),
        adversary_(ground.adversary),
        options_(ground.options),
        truth_(ground.dataset.truth()),
        own_releases_(ground.releases == nullptr ? std::make_unique<Releases>(ground) : nullptr),
        releases_(own_releases_ ? *own_releases_ : *ground.releases),
        raw_(first_release()),
        raw_fewer_(first_fewer()),
        book_(ground) {
    for (const attack::AttackEntry* entry : adversary_.attacks) attacks_.push_back(entry->create());
    without_prior_.resize(attacks_.size());
    for (const prior::PriorEntry* prior : adversary_.priors) planned_ += 1 + defended(*prior);
  }

  void run(const prior::PriorEntry& prior, const TakeResult& take, const TakeLessons& lessons) {
    attacked_ = 0;
    for (const prior::PriorEntry* earlier : adversary_.priors) {
      if (earlier == &prior) break;
      attacked_ += 1 + defended(*earlier);
    }
    KnownPrior known = known_prior(prior);
    if (lessons) lessons(known.series->lessons());
    AttackErrors raw;
    for_batches(known, [&](std::vector<Attacked>& batch) {
      attack_releases(known, batch);
      if (batch.front().defence == nullptr) raw = batch.front().errors;
      for (const Attacked& one : batch) {
        Combination combination;
        combination.prior = prior.info.name;
        combination.release = one.defence == nullptr ? kRaw : one.defence->chain.name();
        combination.parameter = one.defence == nullptr ? "" : one.defence->parameter;
        combination.repeat = one.repeat;
        // The prior itself is handed over once: it is the same whatever was published.
        for (std::size_t a = one.defence == nullptr ? 0 : 1; a < attacks_.size(); ++a) {
          book_.hand_over(combination, a, one.errors[a], *raw[0], one.defence == nullptr ? nullptr : raw[a].get(),
                          take);
        }
      }
    });
  }

  void ask(const prior::PriorEntry& prior, const TakeRequest& take) {
    KnownPrior known = known_prior(prior);
    for_batches(known, [&](std::vector<Attacked>& batch) {
      bouts_of(known, batch, [&](const PlanId& id, const release::Published& release) {
        take(id, release);
        return Plans();
      });
      known.read.clear();
    });
  }

 private:
  // A prior, and what attacks must know of everybody in it.
  struct KnownPrior {
    const prior::PriorEntry& entry;
    std::shared_ptr<const belief::Series> series;
    // By attack; made when first needed, and dropped after the last use.
    std::vector<std::optional<Summaries>> summaries;
    std::size_t releases = 0;  // still to attack
    ReadReleases read;
  };

  // A release to attack, and what came of it.
  struct Attacked {
    const release::Published* release;
    std::size_t number;         // as in PlanId
    const OneFewer* one_fewer;  // none where it cannot be had, or nobody asks
    const Defence* defence;     // none for the raw release, or what is published in its place
    std::size_t repeat;
    AttackErrors errors;
  };

  // Attacks on a batch of releases, ready to be run.
  struct Bouts {
    std::vector<GoalErrors*> places;  // by contest
    std::vector<Contest> contests;
    std::vector<Sampled> sampled;
  };
  using FindPlans = std::function<Plans(const PlanId& id, const release::Published& release)>;

  release::Published first_release() const {
    if (ground_.published != nullptr) return releases_.defend(*ground_.published, 1).publish();
    return release::Published(ground_.whole != nullptr ? ground_.whole->counts.to_release()
                                                       : release::aggregate(truth_, options_.threads));
  }

  std::optional<OneFewer> first_fewer() const {
    if (!adversary_.control) return std::nullopt;
    if (ground_.published != nullptr) return releases_.one_fewer(*ground_.published, 1);
    return OneFewer{release::Published(raw_.counts().one_fewer())};
  }

  // What drew the counts of a release; none for the raw ones.
  const Defence* drawn_by(const Attacked& attacked) const {
    return attacked.defence != nullptr ? attacked.defence : ground_.published;
  }

  // Whether the people to be taken out of the data one by one are at hand.
  bool takes_out() const { return ground_.whole == nullptr || ground_.whole->takes_out; }

  // Releases other than the raw one that a prior is used against.
  std::size_t defended(const prior::PriorEntry& prior) const {
    std::size_t releases = 0;
    for (const Defence& defence : ground_.defences) {
      if (Defence::covers(defence.priors, prior.info.name)) releases += defence.repeats;
    }
    return releases;
  }

  KnownPrior known_prior(const prior::PriorEntry& entry) const {
    ground_.check_stop();
    const std::shared_ptr<const belief::Series> series = ground_.prior(entry);
    ReadReleases read(*series, truth_.crowd(), options_.threads);
    if (ground_.whole != nullptr) read.expect(ground_.whole->expected, entry.info.name);
    return {entry, series, std::vector<std::optional<Summaries>>(attacks_.size()), 1 + defended(entry),
            std::move(read)};
  }

  // Releases attacked in one pass over the users: several where plans and errors are small.
  std::size_t most_at_once() const {
    constexpr std::size_t kMost = 8;
    constexpr std::size_t kNumbers = std::size_t{1} << 22;
    const std::size_t each = std::max(truth_.crowd().rois * truth_.epochs(), 4 * truth_.crowd().users);
    return std::clamp<std::size_t>(kNumbers / each, 1, kMost);
  }

  // The raw release, then the draws of the defences that the prior is used against, several at a time.
  template <typename Work>
  void for_batches(const KnownPrior& known, const Work& work) {
    std::vector<Attacked> batch = {{&raw_, 0, raw_fewer_ ? &*raw_fewer_ : nullptr, nullptr, 0, {}}};
    work(batch);
    batch.clear();
    std::deque<release::Published> releases;
    std::deque<OneFewer> releases_fewer;
    const auto finish_batch = [&] {
      work(batch);
      batch.clear();
      releases.clear();
      releases_fewer.clear();
    };
    std::size_t number = 0;
    for (const Defence& defence : ground_.defences) {
      for (std::size_t repeat = 1; repeat <= defence.repeats; ++repeat) {
        ++number;
        if (!Defence::covers(defence.priors, known.entry.info.name)) continue;
        releases.push_back(releases_.defend(defence, repeat).publish());
        batch.push_back({&releases.back(), number, nullptr, &defence, repeat, {}});
        if (auto fewer = adversary_.control ? releases_.one_fewer(defence, repeat) : std::nullopt) {
          releases_fewer.push_back(std::move(*fewer));
          batch.back().one_fewer = &releases_fewer.back();
        }
        if (batch.size() == most_at_once()) finish_batch();
      }
    }
    if (!batch.empty()) finish_batch();
  }

  // Attacks that ignore the release run on the raw one only.
  Bouts bouts_of(KnownPrior& prior, std::vector<Attacked>& batch, const FindPlans& find_plans) {
    prior.releases -= batch.size();
    Bouts bouts;
    for (Attacked& one : batch) one.errors.resize(attacks_.size());
    for (std::size_t a = 0; a < attacks_.size(); ++a) {
      const attack::AttackEntry& attack = *adversary_.attacks[a];
      for (Attacked& one : batch) {
        if (one.defence == nullptr && without_prior_[a]) {
          one.errors[a] = without_prior_[a];
          continue;
        }
        if (one.defence == nullptr && !attack.uses_release) {
          if (std::shared_ptr<GoalErrors> kept = kept_errors(prior.entry, attack)) {
            one.errors[a] = std::move(kept);
            continue;
          }
        }
        const bool wanted =
            one.defence == nullptr || (attack.uses_release && Defence::covers(one.defence->attacks, attack.info.name));
        if (!wanted || (attack.needs_rates && !prior.entry.rates)) continue;
        one.errors[a] = std::make_shared<GoalErrors>(adversary_.goals.size());
        bouts.places.push_back(one.errors[a].get());
        // What a prior expects is nothing to an attack that has none.
        const attack::Reads reads = attack.uses_prior ? attacks_[a]->reads() : attack::Reads::kRule;
        const release::Published& release = prior.read.of(*one.release, reads);
        const PlanId id{a, one.number};
        Contest contest{attacks_[a].get(),
                        &release,
                        !attack.uses_release,
                        attack.whole_crowd,
                        attack.output == attack::Output::kAssignment,
                        find_plans(id, release),
                        book_.readings_of(prior.entry, attack, one.defence, *one.errors[a])};
        if (attack.uses_release && attack.by_cell && one.one_fewer != nullptr) {
          contest.one_fewer = &prior.read.of(one.one_fewer->counts, reads);
          contest.counted = one.one_fewer->counted ? &*one.one_fewer->counted : nullptr;
          contest.plans_fewer = find_plans({a, one.number, true}, *contest.one_fewer);
        } else if (attack.uses_release && adversary_.control) {
          const bool everybody = !attack.whole_crowd && is_exact(one);
          const auto at = static_cast<std::size_t>(&one - batch.data());
          if (drawn_by(one) != nullptr && reads != attack::Reads::kRule) prior.read.expect();
          bouts.sampled.push_back({bouts.contests.size(), id, {at, reads}, everybody});
        }
        bouts.contests.push_back(std::move(contest));
        if (one.defence == nullptr && !attack.uses_prior) without_prior_[a] = one.errors[a];
      }
      const bool again = !bouts.sampled.empty() && bouts.sampled.back().plans.attack == a;
      if (prior.releases == 0 && !again) prior.summaries[a].reset();
    }
    return bouts;
  }

  void attack_releases(KnownPrior& prior, std::vector<Attacked>& batch) {
    const auto find_plans = [&](const PlanId& id, const release::Published& release) {
      return plans_of(prior, id, release, options_.threads);
    };
    Bouts bouts = bouts_of(prior, batch, find_plans);
    const auto progress = [&](std::size_t done, std::size_t all) {
      if (!options_.progress) return;
      const std::size_t epochs = truth_.epochs();
      options_.progress("attacking", attacked_ * epochs + done * batch.size() * epochs / all, planned_ * epochs);
    };
    const Arena arena{*prior.series,   truth_,        book_.setting(), options_.threads,
                      options_.blocks, options_.stop, progress,        book_.measured()};
    run_contests(arena, bouts.contests);
    ground_.check_stop();
    if (takes_out()) {
      const CountsWithout counts = [&](const SampledRelease& release, UserId user) {
        return without(prior, batch, release, user);
      };
      const PlansWithout plans = [&](const Sampled& one, UserId user, const release::Published& release) {
        return plans_of(prior, plan_without(one, user, truth_.crowd()), release, 1);
      };
      measure_sample(arena, bouts.contests, bouts.sampled, counts, plans, adversary_.control_sample);
      ground_.check_stop();
    }
    attacked_ += batch.size();
    for (std::size_t i = 0; i < bouts.contests.size(); ++i) book_.finish(bouts.contests[i], *bouts.places[i]);
    prior.read.clear();
    if (batch.front().defence == nullptr) keep_errors(prior.entry, batch.front().errors);
  }

  // What an attack errs by whatever is published, if an earlier study measured it.
  std::shared_ptr<GoalErrors> kept_errors(const prior::PriorEntry& prior, const attack::AttackEntry& attack) const {
    return ground_.kept == nullptr ? nullptr : ground_.kept->find(KeptErrors::key_of(ground_, prior, attack));
  }

  void keep_errors(const prior::PriorEntry& prior, const AttackErrors& errors) const {
    for (std::size_t a = 0; a < attacks_.size() && ground_.kept != nullptr; ++a) {
      const std::string key = KeptErrors::key_of(ground_, prior, *adversary_.attacks[a]);
      if (!key.empty() && errors[a]) ground_.kept->keep(key, errors[a]);
    }
  }

  // Whether taking people out of the data leaves all noise as it is, and they are few enough for all to be taken out.
  bool is_exact(const Attacked& attacked) const {
    return few_cells(truth_.crowd(), truth_.epochs()) &&
           (drawn_by(attacked) == nullptr || drawn_by(attacked)->chain.by_place());
  }

  release::Published without(const KnownPrior& prior, const std::vector<Attacked>& batch, const SampledRelease& release,
                             UserId user) const {
    return prior.read.read(counts_without(batch[release.number], user), release.reads);
  }

  release::Published counts_without(const Attacked& attacked, UserId user) const {
    if (const Defence* defence = drawn_by(attacked)) {
      return releases_.without(*defence, std::max<std::size_t>(1, attacked.repeat), user);
    }
    const release::Draft raw = release::Draft(truth_, std::nullopt, 1);
    const release::Draft others = raw.without(user, false);
    if (ground_.whole == nullptr) return others.publish({});
    release::CountMatrix counts = ground_.whole->counts;
    for (std::size_t i = 0; i < counts.all().size(); ++i) {
      counts.all()[i] -= raw.counts().all()[i] - others.counts().all()[i];
    }
    return {counts, others.geometry(), truth_.crowd().people(), {}, {}};
  }

  Plans plans_of(KnownPrior& prior, const PlanId& id, const release::Published& release, std::size_t threads) const {
    if (ground_.whole != nullptr) return ground_.whole->plans(prior.entry.info.name, id, release);
    std::optional<Summaries>& made = prior.summaries[id.attack];
    if (!made) {
      ground_.check_stop();
      made = summarise(*attacks_[id.attack], *prior.series, truth_.crowd(), options_.threads, options_.blocks);
    }
    return make_plans(*attacks_[id.attack], *made, *prior.series, release, truth_.crowd(), threads);
  }

  const Ground& ground_;
  const AdversarySpec& adversary_;
  const RunOptions& options_;
  dataset::Truth truth_;
  std::unique_ptr<Releases> own_releases_;  // where nobody has made them
  const Releases& releases_;
  release::Published raw_;             // or what is published in its place
  std::optional<OneFewer> raw_fewer_;  // with one person fewer everywhere; none where that cannot be had
  ErrorBook book_;
  std::vector<std::unique_ptr<attack::Attack>> attacks_;
  AttackErrors without_prior_;  // on the raw release, of attacks that use no prior
  std::size_t planned_ = 0;     // releases to attack, over all priors
  std::size_t attacked_ = 0;
};

Inference::Inference(const Ground& ground) : run_(std::make_unique<Run>(ground)) {}
Inference::~Inference() = default;

void Inference::run(const prior::PriorEntry& prior, const TakeResult& take, const TakeLessons& lessons) {
  run_->run(prior, take, lessons);
}

void Inference::ask(const prior::PriorEntry& prior, const TakeRequest& take) {
  run_->ask(prior, take);
}

void infer(const Ground& ground, const TakeResult& take) {
  Inference inference(ground);
  for (const prior::PriorEntry* prior : ground.adversary.priors) inference.run(*prior, take);
}

}  // namespace hearsay::goal
