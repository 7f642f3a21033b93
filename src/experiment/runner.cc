// SPDX-License-Identifier: Apache-2.0
#include "experiment/runner.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <utility>

#include "base/errors.h"
#include "base/parallel.h"
#include "base/radix_sort.h"
#include "release/aggregate.h"

namespace hearsay::experiment {
namespace {

// One attack with one reading of its output: the errors of every user and epoch.
struct Scores {
  std::string decision;
  std::unique_ptr<metric::Scorer> scorer;  // while adding
  std::vector<double> errors;
  std::vector<double> sorted;  // the same, ascending
  std::vector<double> epoch_errors;
  std::vector<double> roi_errors;
};

struct GoalScores {
  std::vector<std::vector<Scores>> goals;  // by goal and decision
  bool pending = true;                     // not all epochs are added
};
using AttackScores = std::vector<std::shared_ptr<GoalScores>>;                        // by attack; none: not run
using Preparations = std::vector<std::vector<std::unique_ptr<attack::Preparation>>>;  // by attack and table

const metric::MetricEntry& comparison(const std::string& name) {
  return **std::find_if(metric::all_metrics().begin(), metric::all_metrics().end(),
                        [&](const metric::MetricEntry* entry) { return entry->info.name == name; });
}

// The clipped and the signed form of a comparison, by user.
struct Changes {
  std::vector<double> clipped;
  std::vector<double> plain;
  Changes(const metric::MetricEntry& metric, const std::vector<double>& errors, const std::vector<double>& baseline,
          std::size_t threads, std::size_t block_users)
      : clipped(errors.size()), plain(errors.size()) {
    parallel_for((errors.size() + block_users - 1) / block_users, threads, [&](std::size_t block, std::size_t) {
      for (std::size_t user = block * block_users; user < std::min(errors.size(), (block + 1) * block_users); ++user) {
        const metric::Change change = metric.compare(errors[user], baseline[user]);
        clipped[user] = change.clipped;
        plain[user] = change.plain;
      }
    });
  }
};

// Epochs that one worker goes through with one table of a prior.
struct Task {
  std::size_t table = 0;
  std::vector<EpochId> epochs;
};

std::vector<Task> plan_tasks(const prior::Prior& prior, std::size_t epochs, std::size_t task_epochs) {
  std::vector<std::vector<EpochId>> by_table(prior.tables());
  for (std::size_t e = 0; e < epochs; ++e) {
    by_table[prior.table_of(static_cast<EpochId>(e))].push_back(static_cast<EpochId>(e));
  }
  std::vector<Task> tasks;
  for (std::size_t table = 0; table < by_table.size(); ++table) {
    const std::vector<EpochId>& all = by_table[table];
    for (std::size_t i = 0; i < all.size(); i += task_epochs) {
      const auto at = [&](std::size_t k) { return all.begin() + static_cast<std::ptrdiff_t>(k); };
      tasks.push_back({table, {at(i), at(std::min(i + task_epochs, all.size()))}});
    }
  }
  return tasks;
}

// The visits of the users below `end` from row `first` on; moves `first` past them.
dataset::EpochVisits users_below(const dataset::EpochVisits& visits, std::size_t& first, UserId end) {
  const auto from = visits.users.begin() + static_cast<std::ptrdiff_t>(first);
  const auto count = static_cast<std::size_t>(std::lower_bound(from, visits.users.end(), end) - from);
  const dataset::EpochVisits part{visits.users.subspan(first, count), visits.begins.subspan(first, count + 1),
                                  visits.rois};
  first += count;
  return part;
}

class Run {
 public:
  Run(const dataset::Dataset& dataset, const Study& study, std::size_t threads, const Progress& progress,
      const Sink& sink, std::stop_token stop, const BlockSizes& blocks)
      : study_(study),
        threads_(threads),
        progress_(progress),
        sink_(sink),
        stop_(std::move(stop)),
        blocks_(blocks),
        truth_(dataset.truth()),
        knowledge_{dataset.observation(), dataset.past(), threads, blocks},
        raw_(release::aggregate(truth_, threads)),
        workspaces_(threads),
        dense_(threads),
        loss_(comparison("LOSS")),
        gain_(comparison("GAIN")) {
    for (const attack::AttackEntry* entry : study.attacks) attacks_.push_back(entry->make());
    without_prior_.resize(attacks_.size());
    if (!study.defences.empty()) {
      counts_.emplace(raw_);
      subject_ = release::with_population(*counts_, study.population, truth_.crowd().users);
    }
    planned_ = study.priors.size();
    for (const Defence& defence : study.defences) {
      planned_ += defence.repeats * static_cast<std::size_t>(std::count_if(
                                        study.priors.begin(), study.priors.end(), [&](const prior::PriorEntry* prior) {
                                          return Defence::covers(defence.priors, prior->info.name);
                                        }));
    }
  }

  void run_all() {
    measure_utility();
    for (const prior::PriorEntry* entry : study_.priors) run_prior(*entry);
  }

 private:
  void check_stop() const {
    if (stop_.stop_requested()) throw Cancelled();
  }

  release::Subject subject() const { return {.counts = *subject_, .truth = truth_, .population = study_.population}; }

  release::CountMatrix perturbed(const Defence& defence, std::size_t repeat) const {
    check_stop();
    const auto noise = release::evaluation_noise(study_.seed, defence.entry->info.name, defence.stream, repeat);
    release::CountMatrix counts = defence.mechanism->perturb(subject(), *noise);
    release::post_process(counts, defence.post_process, truth_.crowd().users);
    return counts;
  }

  void measure_utility() {
    if (!sink_.release) return;
    for (const Defence& defence : study_.defences) {
      for (std::size_t repeat = 1; repeat <= defence.repeats; ++repeat) {
        sink_.release({defence.entry->info.name, defence.parameter, repeat,
                       release::measure_utility(*counts_, perturbed(defence, repeat)),
                       defence.mechanism->guarantee(subject())});
      }
    }
  }

  void run_prior(const prior::PriorEntry& entry) {
    const std::unique_ptr<prior::Prior> prior = entry.make(knowledge_);
    const Preparations preparations = prepare(*prior);
    Combination combination;
    combination.prior = entry.info.name;
    combination.release = kRaw;
    const AttackScores raw = attack_release(entry, *prior, preparations, raw_, nullptr);
    for (std::size_t a = 0; a < attacks_.size(); ++a) hand_over(combination, a, raw[a], *raw[0], nullptr);
    for (const Defence& defence : study_.defences) {
      if (!Defence::covers(defence.priors, entry.info.name)) continue;
      combination.release = defence.entry->info.name;
      combination.parameter = defence.parameter;
      for (std::size_t repeat = 1; repeat <= defence.repeats; ++repeat) {
        combination.repeat = repeat;
        const release::Release release = perturbed(defence, repeat).to_release();
        const AttackScores scores = attack_release(entry, *prior, preparations, release, &defence);
        for (std::size_t a = 1; a < attacks_.size(); ++a) hand_over(combination, a, scores[a], *raw[0], raw[a].get());
      }
    }
  }

  Preparations prepare(const prior::Prior& prior) const {
    Preparations made(attacks_.size());
    for (auto& list : made) list.resize(prior.tables());
    parallel_for(attacks_.size() * prior.tables(), threads_, [&](std::size_t i, std::size_t) {
      if (stop_.stop_requested()) return;
      const std::size_t a = i / prior.tables();
      const std::size_t table = i % prior.tables();
      made[a][table] = attacks_[a]->prepare(prior.table(table), truth_.crowd());
    });
    check_stop();
    return made;
  }

  // `defence`: none for the raw release. Attacks that ignore the release run on the raw one only.
  AttackScores attack_release(const prior::PriorEntry& entry, const prior::Prior& prior,
                              const Preparations& preparations, const release::Release& release,
                              const Defence* defence) {
    AttackScores scores(attacks_.size());
    for (std::size_t a = 0; a < attacks_.size(); ++a) {
      const attack::AttackEntry& attack = *study_.attacks[a];
      if (defence == nullptr && !attack.uses_prior && without_prior_[a]) {
        scores[a] = without_prior_[a];
      } else if (defence == nullptr || (attack.uses_release && Defence::covers(defence->attacks, attack.info.name))) {
        scores[a] = std::make_shared<GoalScores>(make_scores(entry, attack, defence));
        if (defence == nullptr && !attack.uses_prior) without_prior_[a] = scores[a];
      }
    }
    const std::vector<Task> tasks = plan_tasks(prior, truth_.epochs(), blocks_.epochs);
    std::atomic<std::size_t> done{0};
    parallel_for(tasks.size(), threads_, [&](std::size_t t, std::size_t worker) {
      if (stop_.stop_requested()) return;
      const Task& task = tasks[t];
      const prior::Beliefs beliefs = prior.table(task.table);
      std::vector<metric::TrueEpoch> epochs;
      for (const EpochId epoch : task.epochs) epochs.push_back({epoch, truth_.at(epoch)});
      const auto wanted = [&](std::size_t a, bool uses_release) {
        return scores[a] && scores[a]->pending && study_.attacks[a]->uses_release == uses_release;
      };
      // What ignores the release is the same in all these epochs.
      for (std::size_t a = 0; a < attacks_.size(); ++a) {
        if (!wanted(a, false)) continue;
        const release::EpochCounts any = release.at(task.epochs.front(), dense_[worker]);
        add(*scores[a], epochs, infer(a, beliefs, preparations[a][task.table].get(), any, worker), worker);
      }
      for (const metric::TrueEpoch& epoch : epochs) {
        if (stop_.stop_requested()) return;
        const release::EpochCounts counts = release.at(epoch.epoch, dense_[worker]);
        for (std::size_t a = 0; a < attacks_.size(); ++a) {
          if (wanted(a, true)) {
            attack_epoch(a, beliefs, preparations[a][task.table].get(), counts, epoch, *scores[a], worker);
          }
        }
      }
      done += epochs.size();
      if (worker == 0 && progress_) {
        progress_("attacking", attacked_ * truth_.epochs() + done, planned_ * truth_.epochs());
      }
    });
    check_stop();
    ++attacked_;
    finish(scores);
    return scores;
  }

  prior::Beliefs infer(std::size_t a, const prior::Beliefs& beliefs, const attack::Preparation* preparation,
                       const release::EpochCounts& counts, std::size_t worker) {
    return attacks_[a]->infer(beliefs, preparation, counts, truth_.crowd(), workspaces_[worker]);
  }

  static void add(GoalScores& scores, std::span<const metric::TrueEpoch> epochs, const prior::Beliefs& inferred,
                  std::size_t worker) {
    for (auto& goal : scores.goals) {
      for (Scores& score : goal) score.scorer->add(epochs, inferred, worker);
    }
  }

  void attack_epoch(std::size_t a, const prior::Beliefs& beliefs, const attack::Preparation* preparation,
                    const release::EpochCounts& counts, const metric::TrueEpoch& epoch, GoalScores& scores,
                    std::size_t worker) {
    const bool in_parts = study_.attacks[a]->by_row && beliefs.background == nullptr;
    if (!in_parts || beliefs.users.size() <= blocks_.rows) {
      add(scores, {&epoch, 1}, infer(a, beliefs, preparation, counts, worker), worker);
      return;
    }
    std::size_t active = 0;
    for (std::size_t row = 0; row < beliefs.users.size(); row += blocks_.rows) {
      const std::size_t end = std::min(row + blocks_.rows, beliefs.users.size());
      const UserId limit = end < beliefs.users.size() ? beliefs.users[end] : static_cast<UserId>(truth_.crowd().users);
      const metric::TrueEpoch part{epoch.epoch, users_below(epoch.visits, active, limit)};
      add(scores, {&part, 1}, infer(a, beliefs.rows(row, end - row), preparation, counts, worker), worker);
    }
  }

  GoalScores make_scores(const prior::PriorEntry& prior, const attack::AttackEntry& attack,
                         const Defence* defence) const {
    const bool binary =
        attack.output == attack::Output::kAssignment || (attack.output == attack::Output::kAsPrior && prior.binary);
    GoalScores scores;
    for (const metric::MetricEntry* goal : study_.goals) {
      std::vector<Scores>& list = scores.goals.emplace_back();
      if (defence != nullptr && !Defence::covers(defence->goals, goal->goal)) continue;
      for (const std::string& decision : goal->decisions(binary)) {
        list.push_back({decision, goal->make({truth_, study_.metric, threads_}, decision), {}, {}, {}, {}});
      }
    }
    return scores;
  }

  void finish(const AttackScores& scores) const {
    std::vector<Scores*> pending;
    for (const auto& attack : scores) {
      if (!attack || !std::exchange(attack->pending, false)) continue;
      for (auto& goal : attack->goals) {
        for (Scores& score : goal) pending.push_back(&score);
      }
    }
    parallel_for(pending.size(), threads_, [&](std::size_t i, std::size_t) {
      Scores& score = *pending[i];
      score.errors = score.scorer->user_errors();
      score.epoch_errors = score.scorer->epoch_errors();
      score.roi_errors = score.scorer->roi_errors();
      score.scorer.reset();
      score.sorted = score.errors;
      sort_numbers(score.sorted);
    });
  }

  // `raw`: the same attack on the raw release, where this is another one.
  void hand_over(Combination combination, std::size_t a, const std::shared_ptr<GoalScores>& attacked,
                 const GoalScores& priors, const GoalScores* raw) const {
    check_stop();
    if (!attacked) return;
    const auto& scores = attacked->goals;
    combination.attack = study_.attacks[a]->info.name;
    for (std::size_t g = 0; g < scores.size(); ++g) {
      combination.goal = study_.goals[g]->goal;
      for (std::size_t d = 0; d < scores[g].size(); ++d) {
        const Scores& score = scores[g][d];
        combination.decision = score.decision;
        combination.baseline.clear();
        if (a == 0) {
          sink_.result({combination, score.errors, score.sorted, score.epoch_errors, score.roi_errors, {}, {}, {}, {}});
          continue;
        }
        for (const Scores* baseline : baselines_of(score, priors.goals[g])) {
          combination.baseline = baseline->decision.empty() ? "PRIOR" : "PRIOR/" + baseline->decision;
          const Changes loss(loss_, score.errors, baseline->errors, threads_, blocks_.compared_users);
          sink_.result({combination,
                        score.errors,
                        score.sorted,
                        score.epoch_errors,
                        score.roi_errors,
                        loss.clipped,
                        loss.plain,
                        {},
                        {}});
        }
        if (raw == nullptr) continue;
        combination.baseline = kRaw;
        const Changes gain(gain_, score.errors, raw->goals[g][d].errors, threads_, blocks_.compared_users);
        sink_.result({combination,
                      score.errors,
                      score.sorted,
                      score.epoch_errors,
                      score.roi_errors,
                      {},
                      {},
                      gain.clipped,
                      gain.plain});
      }
    }
  }

  // The reading of the prior with the same decision, or all of them where none has it.
  static std::vector<const Scores*> baselines_of(const Scores& score, const std::vector<Scores>& priors) {
    std::vector<const Scores*> all;
    for (const Scores& prior : priors) {
      if (prior.decision == score.decision) return {&prior};
      all.push_back(&prior);
    }
    return all;
  }

  const Study& study_;
  std::size_t threads_;
  const Progress& progress_;
  const Sink& sink_;
  std::stop_token stop_;
  BlockSizes blocks_;
  dataset::Truth truth_;
  prior::Knowledge knowledge_;
  release::Release raw_;
  std::optional<release::CountMatrix> counts_;   // raw_ again, to compare with
  std::optional<release::CountMatrix> subject_;  // what mechanisms work on: null with those declared but not seen
  std::vector<std::unique_ptr<attack::Attack>> attacks_;
  AttackScores without_prior_;  // on the raw release, of attacks that use no prior
  std::vector<attack::Workspace> workspaces_;
  std::vector<std::vector<double>> dense_;
  const metric::MetricEntry& loss_;
  const metric::MetricEntry& gain_;
  std::size_t planned_ = 0;  // releases to attack, over all priors
  std::size_t attacked_ = 0;
};

}  // namespace

void run(const dataset::Dataset& dataset, const Study& study, std::size_t threads, const Progress& progress,
         const Sink& sink, std::stop_token stop, const BlockSizes& blocks) {
  Run(dataset, study, threads, progress, sink, std::move(stop), blocks).run_all();
}

}  // namespace hearsay::experiment
