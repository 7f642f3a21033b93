// SPDX-License-Identifier: Apache-2.0
#include "experiment/runner.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>

#include "base/parallel.h"
#include "release/aggregate.h"

namespace hearsay::experiment {
namespace {

// One attack with one reading of its output: the errors of every user and epoch.
struct Scores {
  std::string decision;
  std::unique_ptr<metric::Scorer> scorer;  // while adding
  std::vector<double> errors;
  std::vector<double> epoch_errors;
};

using GoalScores = std::vector<std::vector<Scores>>;  // by goal and decision

const metric::MetricEntry& loss_entry() {
  return **std::find_if(metric::all_metrics().begin(), metric::all_metrics().end(),
                        [](const metric::MetricEntry* entry) { return entry->info.name == "LOSS"; });
}

class Run {
 public:
  Run(const dataset::Dataset& dataset, const Study& study, std::size_t threads, const Progress& progress,
      const std::function<void(const Result&)>& take)
      : study_(study),
        threads_(threads),
        progress_(progress),
        take_(take),
        truth_(dataset.truth()),
        knowledge_{dataset.observation(), dataset.past(), threads},
        raw_(release::aggregate(truth_, threads)),
        workspaces_(threads),
        dense_(threads),
        loss_(loss_entry()) {
    for (const attack::AttackEntry* entry : study.attacks) attacks_.push_back(entry->make());
  }

  void run_all() {
    for (const prior::PriorEntry* entry : study_.priors) {
      run_prior(*entry);
      ++priors_done_;
    }
  }

 private:
  void run_prior(const prior::PriorEntry& entry) {
    const std::unique_ptr<prior::Prior> prior = entry.make(knowledge_);
    std::vector<GoalScores> scores(attacks_.size());
    std::vector<std::size_t> active;  // attacks to run: those whose result is not known from another prior
    for (std::size_t a = 0; a < attacks_.size(); ++a) {
      if (!study_.attacks[a]->uses_prior && prior_free_.contains(a)) continue;
      scores[a] = make_scores(entry, *study_.attacks[a]);
      active.push_back(a);
    }
    const auto preparations = prepare(*prior, active);
    std::atomic<std::size_t> done{0};
    parallel_for(truth_.epochs(), threads_, [&](std::size_t e, std::size_t worker) {
      const auto epoch = static_cast<EpochId>(e);
      const std::size_t table = prior->table_of(epoch);
      const prior::Beliefs beliefs = prior->table(table);
      const release::EpochCounts counts = raw_.at(epoch, dense_[worker]);
      const dataset::EpochVisits truth = truth_.at(epoch);
      for (const std::size_t a : active) {
        const prior::Beliefs inferred =
            attacks_[a]->infer(beliefs, preparations[a][table].get(), counts, truth_.crowd(), workspaces_[worker]);
        for (auto& goal : scores[a]) {
          for (Scores& score : goal) score.scorer->add(epoch, truth, inferred, worker);
        }
      }
      ++done;
      if (worker == 0 && progress_) {
        progress_("attacking", priors_done_ * truth_.epochs() + done, study_.priors.size() * truth_.epochs());
      }
    });
    for (const std::size_t a : active) {
      finish(scores[a]);
      if (!study_.attacks[a]->uses_prior) prior_free_[a] = std::move(scores[a]);
    }
    for (std::size_t a = 0; a < attacks_.size(); ++a) {
      hand_over(entry, a, study_.attacks[a]->uses_prior ? scores[a] : prior_free_.at(a), scores[0]);
    }
  }

  GoalScores make_scores(const prior::PriorEntry& prior, const attack::AttackEntry& attack) const {
    const bool binary = attack.output == attack::Output::kAssignment ||
                        (attack.output == attack::Output::kAsPrior && prior.binary);
    GoalScores goals;
    for (const metric::MetricEntry* goal : study_.goals) {
      std::vector<Scores>& list = goals.emplace_back();
      for (const std::string& decision : goal->decisions(binary)) {
        list.push_back({decision, goal->make({truth_, study_.metric, threads_}, decision), {}, {}});
      }
    }
    return goals;
  }

  static void finish(GoalScores& goals) {
    for (auto& goal : goals) {
      for (Scores& score : goal) {
        score.errors = score.scorer->user_errors();
        score.epoch_errors = score.scorer->epoch_errors();
        score.scorer.reset();
      }
    }
  }

  // By attack and table of the prior.
  std::vector<std::vector<std::unique_ptr<attack::Preparation>>> prepare(const prior::Prior& prior,
                                                                         const std::vector<std::size_t>& active) {
    std::vector<std::vector<std::unique_ptr<attack::Preparation>>> made(attacks_.size());
    for (auto& list : made) list.resize(prior.tables());
    parallel_for(active.size() * prior.tables(), threads_, [&](std::size_t i, std::size_t) {
      const std::size_t a = active[i / prior.tables()];
      const std::size_t table = i % prior.tables();
      made[a][table] = attacks_[a]->prepare(prior.table(table), truth_.crowd());
    });
    return made;
  }

  void hand_over(const prior::PriorEntry& prior, std::size_t a, const GoalScores& scores, const GoalScores& baselines) {
    for (std::size_t g = 0; g < study_.goals.size(); ++g) {
      for (const Scores& score : scores[g]) {
        Combination combination;
        combination.goal = study_.goals[g]->goal;
        combination.prior = prior.info.name;
        combination.attack = study_.attacks[a]->info.name;
        combination.decision = score.decision;
        combination.release = "RAW";
        if (a == 0) {
          take_({combination, score.errors, {}, {}, score.epoch_errors});
          continue;
        }
        for (const Scores* baseline : baselines_of(score, baselines[g])) {
          combination.baseline = baseline->decision.empty() ? "PRIOR" : "PRIOR/" + baseline->decision;
          compare(combination, score, *baseline);
        }
      }
    }
  }

  // The reading of the prior with the same decision, or all of them where none has it.
  static std::vector<const Scores*> baselines_of(const Scores& score, const std::vector<Scores>& baselines) {
    std::vector<const Scores*> all;
    for (const Scores& baseline : baselines) {
      if (baseline.decision == score.decision) return {&baseline};
      all.push_back(&baseline);
    }
    return all;
  }

  void compare(const Combination& combination, const Scores& score, const Scores& baseline) {
    std::vector<double> clipped(score.errors.size());
    std::vector<double> plain(score.errors.size());
    for (std::size_t user = 0; user < score.errors.size(); ++user) {
      const metric::Change change = loss_.compare(score.errors[user], baseline.errors[user]);
      clipped[user] = change.clipped;
      plain[user] = change.plain;
    }
    take_({combination, score.errors, clipped, plain, score.epoch_errors});
  }

  const Study& study_;
  std::size_t threads_;
  const Progress& progress_;
  const std::function<void(const Result&)>& take_;
  dataset::Truth truth_;
  prior::Knowledge knowledge_;
  release::Release raw_;
  std::vector<std::unique_ptr<attack::Attack>> attacks_;
  std::vector<attack::Workspace> workspaces_;
  std::vector<std::vector<double>> dense_;
  const metric::MetricEntry& loss_;
  std::map<std::size_t, GoalScores> prior_free_;  // by attack
  std::size_t priors_done_ = 0;
};

}  // namespace

void run(const dataset::Dataset& dataset, const Study& study, std::size_t threads, const Progress& progress,
         const std::function<void(const Result&)>& take) {
  Run(dataset, study, threads, progress, take).run_all();
}

}  // namespace hearsay::experiment
