// SPDX-License-Identifier: Apache-2.0
#include "goal/inference.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "base/parallel.h"
#include "base/radix_sort.h"
#include "goal/ranges.h"
#include "goal/releases.h"
#include "release/aggregate.h"

namespace hearsay::goal {
namespace {

// One attack with one reading of its output: the errors of every user and epoch.
struct ReadErrors {
  std::string decision;
  std::vector<double> errors;
  std::vector<double> sorted;  // the same, ascending
  metric::MeanErrors means;
};

using GoalErrors = std::vector<std::vector<ReadErrors>>;        // by goal and decision
using AttackErrors = std::vector<std::shared_ptr<GoalErrors>>;  // by attack; none: not run

const metric::MetricEntry& comparison_with(metric::Baseline baseline) {
  return **std::find_if(metric::all_metrics().begin(), metric::all_metrics().end(),
                        [&](const metric::MetricEntry* entry) { return entry->baseline == baseline; });
}

// The clipped and the signed form of a comparison, by user.
struct Changes {
  std::vector<double> clipped;
  std::vector<double> plain;
  Changes(const metric::MetricEntry& metric, const std::vector<double>& errors, const std::vector<double>& baseline,
          const RunOptions& options)
      : clipped(errors.size()), plain(errors.size()) {
    const std::size_t size = options.blocks.compared_users;
    parallel_for((errors.size() + size - 1) / size, options.threads, [&](std::size_t block, std::size_t) {
      for (std::size_t user = block * size; user < std::min(errors.size(), (block + 1) * size); ++user) {
        const metric::Change change = metric.compare(errors[user], baseline[user]);
        clipped[user] = change.clipped;
        plain[user] = change.plain;
      }
    });
  }
};

}  // namespace

class Inference::Run {
 public:
  explicit Run(const Ground& ground)
      : ground_(ground),
        adversary_(ground.adversary),
        options_(ground.options),
        truth_(ground.dataset.truth()),
        raw_(release::aggregate(truth_, options_.threads)),
        releases_(ground),
        setting_{truth_.crowd(), truth_.epochs(), adversary_.metric},
        loss_(comparison_with(metric::Baseline::kPrior)),
        gain_(comparison_with(metric::Baseline::kRaw)) {
    for (const attack::AttackEntry* entry : adversary_.attacks) attacks_.push_back(entry->create());
    for (const decision::DecisionEntry* entry : adversary_.decisions) decisions_.push_back(entry->create());
    without_prior_.resize(attacks_.size());
    for (const prior::PriorEntry* prior : adversary_.priors) planned_ += 1 + defended(*prior);
  }

  void run(const prior::PriorEntry& prior, const TakeResult& take) {
    take_ = &take;
    attacked_ = 0;
    for (const prior::PriorEntry* earlier : adversary_.priors) {
      if (earlier == &prior) break;
      attacked_ += 1 + defended(*earlier);
    }
    run_prior(prior);
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

  void run_prior(const prior::PriorEntry& entry) {
    ground_.check_stop();
    KnownPrior known{entry, ground_.prior(entry), {}, 1 + defended(entry)};
    known.summaries.resize(attacks_.size());
    Combination combination;
    combination.prior = entry.info.name;
    combination.release = kRaw;
    std::vector<Attacked> batch = {{&raw_, nullptr, 0, {}}};
    attack_releases(known, batch);
    const AttackErrors raw = std::move(batch.front().errors);
    for (std::size_t a = 0; a < attacks_.size(); ++a) hand_over(combination, a, raw[a], *raw[0], nullptr);
    std::deque<release::Published> releases;
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
    };
    for (const Defence& defence : ground_.defences) {
      if (!Defence::covers(defence.priors, entry.info.name)) continue;
      for (std::size_t repeat = 1; repeat <= defence.repeats; ++repeat) {
        releases.push_back(releases_.defend(defence, repeat).publish());
        batch.push_back({&releases.back(), &defence, repeat, {}});
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
  };

  // A release to attack, and what came of it.
  struct Attacked {
    const release::Published* release;
    const Defence* defence;  // none for the raw release
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
        if (!wanted) continue;
        one.errors[a] = std::make_shared<GoalErrors>(adversary_.goals.size());
        places.push_back(one.errors[a].get());
        contests.push_back({attacks_[a].get(), one.release, !attack.uses_release, attack.whole_crowd,
                            make_plans(*attacks_[a], summaries_of(prior, a), *prior.series, one.release->fine(),
                                       truth_.crowd(), options_.threads),
                            readings_of(prior.entry, attack, one.defence, *one.errors[a])});
        if (one.defence == nullptr && !attack.uses_prior) without_prior_[a] = one.errors[a];
      }
      if (prior.releases == 0) prior.summaries[a].reset();
    }
    const auto progress = [&](std::size_t done, std::size_t all) {
      if (!options_.progress) return;
      const std::size_t epochs = truth_.epochs();
      options_.progress("attacking", attacked_ * epochs + done * batch.size() * epochs / all, planned_ * epochs);
    };
    run_contests({*prior.series, truth_, setting_, options_.threads, options_.blocks, options_.stop, progress},
                 contests);
    ground_.check_stop();
    attacked_ += batch.size();
    for (std::size_t i = 0; i < contests.size(); ++i) finish(contests[i], *places[i]);
  }

  const Summaries& summaries_of(KnownPrior& prior, std::size_t a) const {
    std::optional<Summaries>& made = prior.summaries[a];
    if (!made) {
      ground_.check_stop();
      made = summarise(*attacks_[a], *prior.series, truth_.crowd(), options_.threads, options_.blocks);
    }
    return *made;
  }

  // How the output of an attack is read for the goals wanted; puts a place for each into `errors`.
  std::vector<Reading> readings_of(const prior::PriorEntry& prior, const attack::AttackEntry& attack,
                                   const Defence* defence, GoalErrors& errors) const {
    const bool assigns =
        attack.output == attack::Output::kAssignment || (attack.output == attack::Output::kAsPrior && prior.binary);
    std::vector<Reading> readings;
    for (std::size_t g = 0; g < adversary_.goals.size(); ++g) {
      const metric::MetricEntry& metric = *adversary_.goals[g];
      if (defence != nullptr && !Defence::covers(defence->goals, metric.goal)) continue;
      if (!metric.decides) {
        readings.push_back({&metric, nullptr, {}});
        errors[g].emplace_back();
        continue;
      }
      for (std::size_t d = 0; d < decisions_.size(); ++d) {
        const decision::DecisionEntry& decision = *adversary_.decisions[d];
        if (decision.of_assignments != assigns) continue;
        readings.push_back({&metric, decisions_[d].get(), {}});
        errors[g].push_back({decision.info.name, {}, {}, {}});
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
      places[i]->means = reading.metric->means(setting_, reading.scores);
      places[i]->errors = std::move(reading.scores.users);
      places[i]->sorted = places[i]->errors;
      sort_numbers(places[i]->sorted);
    });
  }

  // `raw`: the same attack on the raw release, where this is another one.
  void hand_over(Combination combination, std::size_t a, const std::shared_ptr<GoalErrors>& attacked,
                 const GoalErrors& priors, const GoalErrors* raw) const {
    ground_.check_stop();
    if (!attacked) return;
    const GoalErrors& scores = *attacked;
    const attack::AttackEntry& attack = *adversary_.attacks[a];
    const std::string& prior_name = adversary_.attacks.front()->info.name;
    combination.attack = attack.info.name;
    combination.uses_release = attack.uses_release;
    combination.uses_prior = attack.uses_prior;
    for (std::size_t g = 0; g < scores.size(); ++g) {
      combination.goal = adversary_.goals[g]->goal;
      for (std::size_t d = 0; d < scores[g].size(); ++d) {
        const ReadErrors& score = scores[g][d];
        combination.decision = score.decision;
        combination.baseline.clear();
        if (a == 0) {
          (*take_)({combination, score.errors, score.sorted, score.means.epochs, score.means.rois, {}, {}, {}, {}});
          continue;
        }
        for (const ReadErrors* baseline : baselines_of(score, priors[g])) {
          combination.baseline = baseline->decision.empty() ? prior_name : prior_name + "/" + baseline->decision;
          const Changes loss(loss_, score.errors, baseline->errors, options_);
          (*take_)({combination,
                    score.errors,
                    score.sorted,
                    score.means.epochs,
                    score.means.rois,
                    loss.clipped,
                    loss.plain,
                    {},
                    {}});
        }
        if (raw == nullptr) continue;
        combination.baseline = kRaw;
        const Changes gain(gain_, score.errors, (*raw)[g][d].errors, options_);
        (*take_)({combination,
                  score.errors,
                  score.sorted,
                  score.means.epochs,
                  score.means.rois,
                  {},
                  {},
                  gain.clipped,
                  gain.plain});
      }
    }
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

void Inference::run(const prior::PriorEntry& prior, const TakeResult& take) {
  run_->run(prior, take);
}

void infer(const Ground& ground, const TakeResult& take) {
  Inference inference(ground);
  for (const prior::PriorEntry* prior : ground.adversary.priors) inference.run(*prior, take);
}

}  // namespace hearsay::goal
