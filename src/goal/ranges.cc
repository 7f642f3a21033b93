// SPDX-License-Identifier: Apache-2.0
#include "goal/ranges.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

#include "base/parallel.h"
#include "goal/without.h"

namespace hearsay::goal {
namespace {

// Fewer tables than this are summarised in parts.
constexpr std::size_t kManyTables = 16;

std::vector<belief::UserRange> split(std::size_t users, std::size_t size) {
  std::vector<belief::UserRange> ranges;
  for (std::size_t begin = 0; begin < users; begin += size) {
    ranges.push_back({static_cast<UserId>(begin), static_cast<UserId>(std::min(users, begin + size))});
  }
  return ranges;
}

// What was true of the users of a range, epoch by epoch.
std::vector<metric::TrueEpoch> true_epochs(const dataset::Truth& truth, belief::UserRange range) {
  std::vector<metric::TrueEpoch> epochs;
  for (std::size_t e = 0; e < truth.epochs(); ++e) {
    const auto epoch = static_cast<EpochId>(e);
    const dataset::EpochVisits all = truth.at(epoch);
    const auto from = std::lower_bound(all.users.begin(), all.users.end(), range.begin);
    const auto first = static_cast<std::size_t>(from - all.users.begin());
    const auto count = static_cast<std::size_t>(std::lower_bound(from, all.users.end(), range.end) - from);
    epochs.push_back({epoch, {all.users.subspan(first, count), all.begins.subspan(first, count + 1), all.rois}});
  }
  return epochs;
}

std::vector<std::vector<std::size_t>> epochs_by_table(const belief::Series& prior, std::size_t epochs) {
  std::vector<std::vector<std::size_t>> tables(prior.tables());
  for (std::size_t e = 0; e < epochs; ++e) tables[prior.table_of(static_cast<EpochId>(e))].push_back(e);
  return tables;
}

struct Worker {
  attack::Workspace workspace;
  attack::Workspace workspace_fewer;
  Without without;
  metric::Buffers buffers;
  std::vector<metric::TrueEpoch> of_table;
};

class RangeRun {
 public:
  RangeRun(const Arena& arena, std::vector<Contest>& contests)
      : arena_(arena), contests_(contests), tables_(epochs_by_table(arena.prior, arena.truth.epochs())) {
    for (Contest& contest : contests_) {
      for (Reading& reading : contest.readings) {
        make_room(reading.scores);
        if (contest.one_fewer != nullptr) make_room(reading.without);
      }
    }
  }

  // The contests that take everybody at once, or the others.
  void run(belief::UserRange range, bool whole_crowd, Worker& worker) {
    const std::vector<metric::TrueEpoch> truth = true_epochs(arena_.truth, range);
    for (Contest& contest : contests_) {
      if (arena_.stop.stop_requested()) return;
      if (contest.whole_crowd == whole_crowd) run_contest(contest, range, truth, worker);
    }
  }

 private:
  void make_room(metric::Scores& scores) const {
    scores.users.resize(arena_.setting.crowd.users);
    scores.active.resize(arena_.setting.crowd.users);
  }

  // One reading of the output, over one range.
  struct Open {
    std::unique_ptr<metric::Scorer> scorer;
    std::unique_ptr<decision::Reading> reading;  // none where the metric scores the beliefs themselves
    bool looks_ahead = false;
    bool takes_changes = false;  // of assignments
  };

  // All readings of what is believed with the counts, or without each person in them.
  class Side {
   public:
    Side(const Arena& arena, const Contest& contest, belief::UserRange range, Worker& worker) {
      for (const Reading& reading : contest.readings) {
        Open& one = open_.emplace_back();
        one.scorer = reading.metric->make(arena.setting, range, worker.buffers);
        const bool as_is = reading.decision == nullptr || reading.decision->as_is();
        one.takes_changes = contest.assigns && as_is && one.scorer->takes_changes();
        if (reading.decision == nullptr) continue;
        one.reading = reading.decision->read(range, arena.setting.crowd);
        one.looks_ahead = reading.decision->looks_ahead();
        looks_ahead_ = looks_ahead_ || one.looks_ahead;
      }
    }
    bool looks_ahead() const { return looks_ahead_; }
    void look_at(std::span<const metric::TrueEpoch> epochs, const belief::Beliefs& beliefs) {
      for (const Open& one : open_) {
        if (!one.looks_ahead) continue;
        one.reading->look_at(beliefs, epochs.size());
      }
    }
    void score(std::span<const metric::TrueEpoch> epochs, const belief::Beliefs& beliefs) {
      for (const Open& one : open_) RangeRun::score(one, epochs, beliefs);
    }
    // Of beliefs that are nearly those that another side scored.
    void score_changes(const metric::TrueEpoch& epoch, const belief::Beliefs& with, const belief::Beliefs& without) {
      for (const Open& one : open_) {
        if (one.takes_changes) {
          one.scorer->change(epoch, std::get<belief::Assignment>(with), std::get<belief::Assignment>(without));
        } else {
          RangeRun::score(one, {&epoch, 1}, without);
        }
      }
    }
    void put_on_top_of(const Side& other) {
      for (std::size_t i = 0; i < open_.size(); ++i) {
        if (open_[i].takes_changes) open_[i].scorer->add_sums(*other.open_[i].scorer);
      }
    }
    void finish(std::size_t reading, belief::UserRange range, metric::Scores& scores) const {
      const std::size_t first = index_of(range.begin);
      open_[reading].scorer->finish(std::span(scores.users).subspan(first, range.size()),
                                    std::span(scores.active).subspan(first, range.size()), scores);
    }

   private:
    std::vector<Open> open_;
    bool looks_ahead_ = false;
  };

  // What is believed on counts that leave each person out.
  class Fewer {
   public:
    Fewer(const Arena& arena, const Contest& contest, belief::UserRange range, Worker& worker)
        : arena_(arena), contest_(contest), range_(range), worker_(worker) {
      if (contest.counted != nullptr) counted_ = true_epochs(*contest.counted, range);
    }

    belief::Beliefs at(const metric::TrueEpoch& truth, const belief::Beliefs& with) {
      const dataset::Crowd& crowd = arena_.setting.crowd;
      const dataset::EpochVisits& visits = counted_.empty() ? truth.visits : counted_[index_of(truth.epoch)].visits;
      const auto* assigned = std::get_if<belief::Assignment>(&with);
      if (assigned == nullptr) {
        if (!inference_) {
          inference_ = contest_.attack->infer(
              {arena_.prior, range_, *contest_.one_fewer, contest_.plans_fewer, crowd, worker_.workspace_fewer});
        }
        return worker_.without.distributions(visits, with, inference_->at(truth.epoch), crowd.null_roi());
      }
      const belief::Beliefs prior =
          contest_.attack->seen(belief::of_range(arena_.prior.table(arena_.prior.table_of(truth.epoch)), range_));
      const release::EpochCounts counts = contest_.one_fewer->fine().at(truth.epoch, worker_.workspace_fewer.dense);
      const attack::Plan* plan =
          contest_.plans_fewer.empty() ? nullptr : contest_.plans_fewer[index_of(truth.epoch)].get();
      const auto still_in = [&](UserId user, RoiId roi) {
        return contest_.attack->assigns(prior, user, roi, counts, plan, crowd);
      };
      return worker_.without.assignment(visits, *assigned, still_in, crowd.null_roi());
    }

   private:
    const Arena& arena_;
    const Contest& contest_;
    belief::UserRange range_;
    Worker& worker_;
    std::unique_ptr<attack::Inference> inference_;
    std::vector<metric::TrueEpoch> counted_;  // by epoch; empty: the truth
  };

  void run_contest(Contest& contest, belief::UserRange range, const std::vector<metric::TrueEpoch>& truth,
                   Worker& worker) {
    Side with(arena_, contest, range, worker);
    std::optional<Side> without;
    if (contest.one_fewer != nullptr) without.emplace(arena_, contest, range, worker);
    Fewer fewer(arena_, contest, range, worker);
    const auto inference = contest.attack->infer(
        {arena_.prior, range, *contest.release, contest.plans, arena_.setting.crowd, worker.workspace});
    if (with.looks_ahead()) {
      for_epochs(contest, truth, *inference, worker, [&](auto epochs, const belief::Beliefs& beliefs) {
        with.look_at(epochs, beliefs);
        if (without) without->look_at(epochs, fewer.at(epochs.front(), beliefs));
      });
    }
    for_epochs(contest, truth, *inference, worker, [&](auto epochs, const belief::Beliefs& beliefs) {
      with.score(epochs, beliefs);
      if (without) without->score_changes(epochs.front(), beliefs, fewer.at(epochs.front(), beliefs));
    });
    if (without) without->put_on_top_of(with);
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < contest.readings.size(); ++i) {
      with.finish(i, range, contest.readings[i].scores);
      if (without) without->finish(i, range, contest.readings[i].without);
    }
  }

  // Calls work(epochs, beliefs) for all epochs, those with the same beliefs together.
  template <typename Work>
  void for_epochs(const Contest& contest, const std::vector<metric::TrueEpoch>& truth, attack::Inference& inference,
                  Worker& worker, const Work& work) const {
    for (const std::vector<std::size_t>& epochs : tables_) {
      if (epochs.empty()) continue;
      if (!contest.same_in_table) {
        for (const std::size_t e : epochs) {
          work(std::span<const metric::TrueEpoch>(&truth[e], 1), inference.at(truth[e].epoch));
        }
        continue;
      }
      worker.of_table.clear();
      for (const std::size_t e : epochs) worker.of_table.push_back(truth[e]);
      work(std::span<const metric::TrueEpoch>(worker.of_table), inference.at(truth[epochs.front()].epoch));
    }
  }

  static void score(const Open& one, std::span<const metric::TrueEpoch> epochs, const belief::Beliefs& beliefs) {
    one.scorer->add(epochs, one.reading == nullptr ? decision::Prediction{beliefs} : one.reading->predict(beliefs));
  }

  const Arena& arena_;
  std::vector<Contest>& contests_;
  std::vector<std::vector<std::size_t>> tables_;
  std::mutex mutex_;  // guards the sums of all scores
};

}  // namespace

std::vector<belief::UserRange> ranges_of(const dataset::Crowd& crowd, std::size_t threads, const BlockSizes& blocks) {
  // What is filled anew for every range and epoch has a number a ROI, so that many ROIs want large ranges.
  const std::size_t for_cache = crowd.users / std::max(blocks.users, crowd.rois * 2) + 1;
  const std::size_t for_threads = threads == 1 ? 1 : std::min(4 * threads, crowd.users / blocks.least_users + 1);
  const std::size_t ranges = std::max(for_cache, for_threads);
  return split(crowd.users, std::max<std::size_t>(1, (crowd.users + ranges - 1) / ranges));
}

std::vector<belief::UserRange> sampled_ranges(const dataset::Crowd& crowd, std::size_t people) {
  constexpr std::size_t kStretches = 16;
  if (people == 0 || people >= crowd.users) return {};
  const std::size_t stretches = std::min(kStretches, people);
  std::vector<belief::UserRange> ranges;
  std::size_t end = 0;
  for (std::size_t i = 0; i < stretches; ++i) {
    // Where nearly everybody is taken, the stretch before may go further than this one would begin.
    const std::size_t begin = std::max(end, i * crowd.users / stretches);
    end = begin + (i + 1) * people / stretches - i * people / stretches;
    ranges.push_back({static_cast<UserId>(begin), static_cast<UserId>(end)});
  }
  return ranges;
}

Summaries summarise(const attack::Attack& attack, const belief::Series& prior, const dataset::Crowd& crowd,
                    std::size_t threads, const BlockSizes& blocks) {
  const std::size_t users = crowd.users;
  const std::size_t parts =
      prior.tables() >= kManyTables ? 1 : std::max<std::size_t>(1, users / blocks.summarised_users);
  const std::size_t wanted = std::min(parts, 2 * threads);
  const std::vector<belief::UserRange> ranges = split(users, (users + wanted - 1) / std::max<std::size_t>(1, wanted));
  std::vector<Summaries> made(prior.tables());
  for (Summaries& of_table : made) of_table.resize(ranges.size());
  parallel_for(prior.tables() * ranges.size(), threads, [&](std::size_t i, std::size_t) {
    const std::size_t table = i / ranges.size();
    const std::size_t range = i % ranges.size();
    made[table][range] = attack.summarise(attack.seen(belief::of_range(prior.table(table), ranges[range])), crowd);
  });
  Summaries all(prior.tables());
  parallel_for(prior.tables(), threads,
               [&](std::size_t table, std::size_t) { all[table] = attack::added(std::move(made[table])); });
  if (std::all_of(all.begin(), all.end(), [](const auto& summary) { return summary == nullptr; })) all.clear();
  return all;
}

Plans make_plans(const attack::Attack& attack, const Summaries& summaries, const belief::Series& prior,
                 const release::Published& release, const dataset::Crowd& crowd, std::size_t threads) {
  if (summaries.empty()) return {};
  const release::Release& counts = release.fine();
  const attack::Evidence evidence{summaries, prior, release, crowd};
  Plans plans(counts.epochs());
  std::vector<std::vector<double>> dense(threads);
  parallel_for(plans.size(), threads, [&](std::size_t e, std::size_t worker) {
    const auto epoch = static_cast<EpochId>(e);
    plans[e] = attack.plan(evidence, epoch, counts.at(epoch, dense[worker]));
  });
  return plans;
}

void run_contests(const Arena& arena, std::vector<Contest>& contests) {
  std::vector<belief::UserRange> ranges =
      arena.people.empty() ? ranges_of(arena.setting.crowd, arena.threads, arena.blocks) : arena.people;
  ranges.push_back({UserId{0}, static_cast<UserId>(arena.setting.crowd.users)});  // for those that take everybody
  RangeRun run(arena, contests);
  std::vector<Worker> workers(arena.threads);
  std::atomic<std::size_t> done{0};
  parallel_for(ranges.size(), arena.threads, [&](std::size_t i, std::size_t worker) {
    if (arena.stop.stop_requested()) return;
    run.run(ranges[i], i + 1 == ranges.size(), workers[worker]);
    ++done;
    if (worker == 0 && arena.progress) arena.progress(done, ranges.size());
  });
}

void run_range(const Arena& arena, std::vector<Contest>& contests, belief::UserRange range) {
  RangeRun run(arena, contests);
  Worker worker;
  run.run(range, false, worker);
  run.run({UserId{0}, static_cast<UserId>(arena.setting.crowd.users)}, true, worker);
}

}  // namespace hearsay::goal
