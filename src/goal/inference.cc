// SPDX-License-Identifier: Apache-2.0
#include "goal/inference.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "base/parallel.h"
#include "goal/numbers.h"
#include "goal/ranges.h"
#include "goal/read_releases.h"
#include "goal/releases.h"
#include "goal/sampled_control.h"
#include "release/aggregate.h"

namespace hearsay::goal {
namespace {

// Errors of every user, epoch and place.
struct Errors {
  std::vector<double> users;
  std::vector<double> active;
  metric::MeanErrors means;

  ErrorsOf shown(std::span<const double> sorted) const { return {users, sorted, active, means.epochs, means.rois}; }
};

// One attack with one reading of its output.
struct ReadErrors {
  std::string decision;
  Errors with;
  Errors without;  // empty: the same as with, or not measured
};

using GoalErrors = std::vector<std::vector<ReadErrors>>;        // by goal and decision
using AttackErrors = std::vector<std::shared_ptr<GoalErrors>>;  // by attack; none: not run

const metric::MetricEntry& comparison_with(metric::Baseline baseline) {
  return **std::find_if(metric::all_metrics().begin(), metric::all_metrics().end(),
                        [&](const metric::MetricEntry* entry) { return entry->baseline == baseline; });
}

}  // namespace

class Inference::Run {
 public:
  explicit Run(const Ground& ground)
      : ground_(ground),
        adversary_(ground.adversary),
        options_(ground.options),
        truth_(ground.dataset.truth()),
        raw_(release::aggregate(truth_, options_.threads)),
        raw_fewer_(adversary_.control ? std::optional(OneFewer{release::Published(raw_.counts().one_fewer())})
                                      : std::nullopt),
        releases_(ground),
        setting_{truth_.crowd(), truth_.epochs(), adversary_.metric},
        loss_(comparison_with(metric::Baseline::kPrior)),
        gain_(comparison_with(metric::Baseline::kRaw)) {
    for (const attack::AttackEntry* entry : adversary_.attacks) attacks_.push_back(entry->create());
    for (const decision::DecisionEntry* entry : adversary_.decisions) decisions_.push_back(entry->create());
    without_prior_.resize(attacks_.size());
    for (const prior::PriorEntry* prior : adversary_.priors) planned_ += 1 + defended(*prior);
  }

  void run(const prior::PriorEntry& prior, const TakeResult& take, const TakeLessons& lessons) {
    take_ = &take;
    attacked_ = 0;
    for (const prior::PriorEntry* earlier : adversary_.priors) {
      if (earlier == &prior) break;
      attacked_ += 1 + defended(*earlier);
    }
    run_prior(prior, lessons);
  }

 private:
  // Releases other than the raw one that a prior is used against.
  std::size_t defended(const prior::PriorEntry& prior) const {
    std::size_t releases = 0;
    for (const Defence& defence : ground_.defences) {
      if (Defence::covers(defence.priors, prior.info.name)) releases += defence.repeats;
    }
    return releases;
  }

  void run_prior(const prior::PriorEntry& entry, const TakeLessons& lessons) {
    ground_.check_stop();
    const std::shared_ptr<const belief::Series> series = ground_.prior(entry);
    KnownPrior known{entry, series, {}, 1 + defended(entry), {*series, truth_.crowd(), options_.threads}};
    if (lessons) lessons(known.series->lessons());
    known.summaries.resize(attacks_.size());
    Combination combination;
    combination.prior = entry.info.name;
    combination.release = kRaw;
    std::vector<Attacked> batch = {{&raw_, raw_fewer_ ? &*raw_fewer_ : nullptr, nullptr, 0, {}}};
    attack_releases(known, batch);
    const AttackErrors raw = std::move(batch.front().errors);
    for (std::size_t a = 0; a < attacks_.size(); ++a) hand_over(combination, a, raw[a], *raw[0], nullptr);
    std::deque<release::Published> releases;
    std::deque<OneFewer> releases_fewer;
    batch.clear();
    const auto finish_batch = [&] {
      attack_releases(known, batch);
      for (const Attacked& one : batch) {
        combination.release = one.defence->chain.name();
        combination.parameter = one.defence->parameter;
        combination.repeat = one.repeat;
        for (std::size_t a = 1; a < attacks_.size(); ++a) {
          hand_over(combination, a, one.errors[a], *raw[0], raw[a].get());
        }
      }
      batch.clear();
      releases.clear();
      releases_fewer.clear();
    };
    for (const Defence& defence : ground_.defences) {
      if (!Defence::covers(defence.priors, entry.info.name)) continue;
      for (std::size_t repeat = 1; repeat <= defence.repeats; ++repeat) {
        releases.push_back(releases_.defend(defence, repeat).publish());
        batch.push_back({&releases.back(), nullptr, &defence, repeat, {}});
        if (auto fewer = adversary_.control ? releases_.one_fewer(defence, repeat) : std::nullopt) {
          releases_fewer.push_back(std::move(*fewer));
          batch.back().one_fewer = &releases_fewer.back();
        }
        if (batch.size() == most_at_once()) finish_batch();
      }
    }
    if (!batch.empty()) finish_batch();
  }

  // A prior, and what attacks must know of everybody in it.
  struct KnownPrior {
    const prior::PriorEntry& entry;
    std::shared_ptr<const belief::Series> series;
    std::vector<std::optional<Summaries>>
        summaries;             // by attack; made when first needed, and dropped after the last use
    std::size_t releases = 0;  // still to attack
    ReadReleases read;
  };

  // A release to attack, and what came of it.
  struct Attacked {
    const release::Published* release;
    const OneFewer* one_fewer;  // none where it cannot be had, or nobody asks
    const Defence* defence;     // none for the raw release
    std::size_t repeat;
    AttackErrors errors;
  };

  // Releases attacked in one pass over the users: several where plans and errors are small.
  std::size_t most_at_once() const {
    constexpr std::size_t kMost = 8;
    constexpr std::size_t kNumbers = std::size_t{1} << 22;
    const std::size_t each = std::max(truth_.crowd().rois * truth_.epochs(), 4 * truth_.crowd().users);
    return std::clamp<std::size_t>(kNumbers / each, 1, kMost);
  }

  // Attacks that ignore the release run on the raw one only.
  void attack_releases(KnownPrior& prior, std::vector<Attacked>& batch) {
    prior.releases -= batch.size();
    std::vector<GoalErrors*> places;  // by contest
    std::vector<Contest> contests;
    std::vector<Sampled> sampled;
    for (Attacked& one : batch) one.errors.resize(attacks_.size());
    for (std::size_t a = 0; a < attacks_.size(); ++a) {
      const attack::AttackEntry& attack = *adversary_.attacks[a];
      for (Attacked& one : batch) {
        if (one.defence == nullptr && without_prior_[a]) {
          one.errors[a] = without_prior_[a];
          continue;
        }
        const bool wanted =
            one.defence == nullptr || (attack.uses_release && Defence::covers(one.defence->attacks, attack.info.name));
        if (!wanted || (attack.needs_rates && !prior.entry.rates)) continue;
        one.errors[a] = std::make_shared<GoalErrors>(adversary_.goals.size());
        places.push_back(one.errors[a].get());
        // What a prior expects is nothing to an attack that has none.
        const attack::Reads reads = attack.uses_prior ? attacks_[a]->reads() : attack::Reads::kRule;
        const release::Published& release = prior.read.of(*one.release, reads);
        const auto plans_of = [&](const release::Published& counts) {
          return make_plans(*attacks_[a], summaries_of(prior, a), *prior.series, counts, truth_.crowd(),
                            options_.threads);
        };
        Contest contest{attacks_[a].get(),
                        &release,
                        !attack.uses_release,
                        attack.whole_crowd,
                        attack.output == attack::Output::kAssignment,
                        plans_of(release),
                        readings_of(prior.entry, attack, one.defence, *one.errors[a])};
        if (attack.uses_release && attack.by_cell && one.one_fewer != nullptr) {
          contest.one_fewer = &prior.read.of(one.one_fewer->counts, reads);
          contest.counted = one.one_fewer->counted ? &*one.one_fewer->counted : nullptr;
          contest.plans_fewer = plans_of(*contest.one_fewer);
        } else if (attack.uses_release && adversary_.control) {
          const bool everybody = !attack.whole_crowd && is_exact(one);
          const auto at = static_cast<std::size_t>(&one - batch.data());
          if (one.defence != nullptr && reads != attack::Reads::kRule) prior.read.expect();
          sampled.push_back({contests.size(), &*prior.summaries[a], {at, reads}, everybody});
        }
        contests.push_back(std::move(contest));
        if (one.defence == nullptr && !attack.uses_prior) without_prior_[a] = one.errors[a];
      }
      const bool again = prior.summaries[a] && !sampled.empty() && sampled.back().summaries == &*prior.summaries[a];
      if (prior.releases == 0 && !again) prior.summaries[a].reset();
    }
    const auto progress = [&](std::size_t done, std::size_t all) {
      if (!options_.progress) return;
      const std::size_t epochs = truth_.epochs();
      options_.progress("attacking", attacked_ * epochs + done * batch.size() * epochs / all, planned_ * epochs);
    };
    const Arena arena{*prior.series, truth_, setting_, options_.threads, options_.blocks, options_.stop, progress};
    run_contests(arena, contests);
    ground_.check_stop();
    measure_sample(
        arena, contests, sampled,
        [&](const SampledRelease& release, UserId user) {
          return prior.read.read(counts_without(batch[release.number], user), release.reads);
        },
        adversary_.control_sample);
    ground_.check_stop();
    attacked_ += batch.size();
    for (std::size_t i = 0; i < contests.size(); ++i) finish(contests[i], *places[i]);
    prior.read.clear();
  }

  // Whether taking people out of the data leaves all noise as it is, and they are few enough for all to be taken out.
  bool is_exact(const Attacked& attacked) const {
    constexpr std::size_t kFew = 1'000'000;  // cells; a second or two for each draw
    const bool few = truth_.crowd().users * truth_.crowd().rois * truth_.epochs() <= kFew;
    return few && (attacked.defence == nullptr || attacked.defence->chain.by_place());
  }

  release::Published counts_without(const Attacked& attacked, UserId user) const {
    if (attacked.defence != nullptr) return releases_.without(*attacked.defence, attacked.repeat, user);
    return release::Draft(truth_, std::nullopt, 1).without(user, false).publish({});
  }

  const Summaries& summaries_of(KnownPrior& prior, std::size_t a) const {
    std::optional<Summaries>& made = prior.summaries[a];
    if (!made) {
      ground_.check_stop();
      made = summarise(*attacks_[a], *prior.series, truth_.crowd(), options_.threads, options_.blocks);
    }
    return *made;
  }

  // Of what an attack concludes from a prior.
  static belief::Kind kind_of(const attack::AttackEntry& attack, const prior::PriorEntry& prior) {
    const bool as_prior = attack.output == attack::Output::kAsPrior;
    if (attack.output == attack::Output::kAssignment || (as_prior && prior.binary)) return belief::Kind::kAssignment;
    const bool rates = attack.output == attack::Output::kRates || (as_prior && prior.only_rates);
    return rates ? belief::Kind::kRates : belief::Kind::kDistribution;
  }

  // How the output of an attack is read for the goals wanted; puts a place for each into `errors`.
  std::vector<Reading> readings_of(const prior::PriorEntry& prior, const attack::AttackEntry& attack,
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

  // The errors that the scores of a contest stand for, in the order of its readings.
  void finish(Contest& contest, GoalErrors& errors) const {
    std::vector<ReadErrors*> places;
    for (std::vector<ReadErrors>& goal : errors) {
      for (ReadErrors& place : goal) places.push_back(&place);
    }
    parallel_for(places.size(), options_.threads, [&](std::size_t i, std::size_t) {
      Reading& reading = contest.readings[i];
      const auto taken = [&](metric::Scores& scores) {
        const metric::MeanErrors means =
            scores.epochs.empty() ? metric::MeanErrors() : reading.metric->means(setting_, scores);
        return Errors{std::move(scores.users), std::move(scores.active), means};
      };
      places[i]->with = taken(reading.scores);
      places[i]->without = taken(reading.without);
    });
  }

  // `raw`: the same attack on the raw release, where this is another one.
  void hand_over(Combination combination, std::size_t a, const std::shared_ptr<GoalErrors>& attacked,
                 const GoalErrors& priors, const GoalErrors* raw) const {
    ground_.check_stop();
    if (!attacked) return;
    combination.attack = adversary_.attacks[a]->info.name;
    for (std::size_t g = 0; g < attacked->size(); ++g) {
      combination.goal = adversary_.goals[g]->goal;
      for (std::size_t d = 0; d < (*attacked)[g].size(); ++d) {
        hand_over(combination, a, (*attacked)[g][d], priors[g], raw == nullptr ? nullptr : &(*raw)[g][d]);
      }
    }
  }

  // One reading, against each of its baselines.
  void hand_over(Combination combination, std::size_t a, const ReadErrors& score, const std::vector<ReadErrors>& priors,
                 const ReadErrors* raw) const {
    combination.decision = score.decision;
    mark(combination, adversary_);
    const bool controlled = adversary_.control;
    const Errors& without = adversary_.attacks[a]->uses_release ? score.without : score.with;
    std::vector<double> own(controlled ? without.users.size() : 0);
    for (std::size_t user = 0; user < own.size(); ++user) own[user] = without.users[user] - score.with.users[user];
    std::vector<double> sorted;
    std::vector<double> sorted_without;
    std::vector<double> sorted_own;
    parallel_for(controlled ? 3 : 1, options_.threads, [&](std::size_t i, std::size_t) {
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
      (*take_)(result);
      return;
    }
    const std::string& prior_name = adversary_.attacks.front()->info.name;
    for (const ReadErrors* baseline : baselines_of(score, priors)) {
      result.combination.baseline = baseline->decision.empty() ? prior_name : prior_name + "/" + baseline->decision;
      const Changes loss(loss_, score.with.users, baseline->with.users, options_);
      std::optional<Changes> loss_without;
      if (!own.empty()) loss_without.emplace(loss_, without.users, baseline->with.users, options_);
      result.losses = loss.clipped;
      result.plain_losses = loss.plain;
      if (loss_without) result.losses_without = loss_without->clipped;
      (*take_)(result);
    }
    if (raw == nullptr) return;
    result.losses = result.plain_losses = result.losses_without = {};
    result.combination.baseline = kRaw;
    const Changes gain(gain_, score.with.users, raw->with.users, options_);
    result.gains = gain.clipped;
    result.plain_gains = gain.plain;
    (*take_)(result);
  }

  // The reading of the prior with the same decision, or all of them where none has it.
  static std::vector<const ReadErrors*> baselines_of(const ReadErrors& score, const std::vector<ReadErrors>& priors) {
    std::vector<const ReadErrors*> all;
    for (const ReadErrors& prior : priors) {
      if (prior.decision == score.decision) return {&prior};
      all.push_back(&prior);
    }
    return all;
  }

  const Ground& ground_;
  const AdversarySpec& adversary_;
  const RunOptions& options_;
  const TakeResult* take_ = nullptr;
  dataset::Truth truth_;
  release::Published raw_;
  std::optional<OneFewer> raw_fewer_;  // with one person fewer everywhere; none without a control
  Releases releases_;
  metric::Setting setting_;
  std::vector<std::unique_ptr<attack::Attack>> attacks_;
  std::vector<std::unique_ptr<decision::Decision>> decisions_;
  AttackErrors without_prior_;  // on the raw release, of attacks that use no prior
  const metric::MetricEntry& loss_;
  const metric::MetricEntry& gain_;
  std::size_t planned_ = 0;  // releases to attack, over all priors
  std::size_t attacked_ = 0;
};

Inference::Inference(const Ground& ground) : run_(std::make_unique<Run>(ground)) {}
Inference::~Inference() = default;

void Inference::run(const prior::PriorEntry& prior, const TakeResult& take, const TakeLessons& lessons) {
  run_->run(prior, take, lessons);
}

void infer(const Ground& ground, const TakeResult& take) {
  Inference inference(ground);
  for (const prior::PriorEntry* prior : ground.adversary.priors) inference.run(*prior, take);
}

}  // namespace hearsay::goal
