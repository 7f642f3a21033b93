// SPDX-License-Identifier: Apache-2.0
#include "goal/ranges.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/parallel.h"

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
  metric::Buffers buffers;
  std::vector<metric::TrueEpoch> of_table;
};

class RangeRun {
 public:
  RangeRun(const Arena& arena, std::vector<Contest>& contests)
      : arena_(arena), contests_(contests), tables_(epochs_by_table(arena.prior, arena.truth.epochs())) {
    for (Contest& contest : contests_) {
      for (Reading& reading : contest.readings) reading.scores.users.resize(arena.setting.crowd.users);
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
  // One reading of the output, over one range.
  struct Open {
    std::unique_ptr<metric::Scorer> scorer;
    std::unique_ptr<decision::Reading> reading;  // none where the metric scores the beliefs themselves
    bool looks_ahead = false;
  };

  void run_contest(Contest& contest, belief::UserRange range, const std::vector<metric::TrueEpoch>& truth,
                   Worker& worker) {
    std::vector<Open> open;
    bool look = false;
    for (const Reading& reading : contest.readings) {
      Open& one = open.emplace_back();
      one.scorer = reading.metric->make(arena_.setting, range, worker.buffers);
      if (reading.decision == nullptr) continue;
      one.reading = reading.decision->read(range, arena_.setting.crowd);
      one.looks_ahead = reading.decision->looks_ahead();
      look = look || one.looks_ahead;
    }
    const auto inference = contest.attack->infer(
        {arena_.prior, range, *contest.release, contest.plans, arena_.setting.crowd, worker.workspace});
    if (look) {
      for_epochs(contest, truth, *inference, worker, [&](auto epochs, const belief::Beliefs& beliefs) {
        for (const Open& one : open) {
          if (!one.looks_ahead) continue;
          for (const metric::TrueEpoch& epoch : epochs) one.reading->look_at(epoch.epoch, beliefs);
        }
      });
    }
    for_epochs(contest, truth, *inference, worker, [&](auto epochs, const belief::Beliefs& beliefs) {
      for (const Open& one : open) score(one, epochs, beliefs);
    });
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < open.size(); ++i) {
      metric::Scores& scores = contest.readings[i].scores;
      open[i].scorer->finish(std::span(scores.users).subspan(index_of(range.begin), range.size()), scores);
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
    if (one.reading == nullptr) {
      one.scorer->add(epochs, {beliefs});
    } else if (!one.looks_ahead) {
      one.scorer->add(epochs, one.reading->predict(epochs.front().epoch, beliefs));
    } else {
      // Its predictions may differ from epoch to epoch though the beliefs do not.
      for (const metric::TrueEpoch& epoch : epochs) {
        one.scorer->add({&epoch, 1}, one.reading->predict(epoch.epoch, beliefs));
      }
    }
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
    made[table][range] = attack.summarise(belief::of_range(prior.table(table), ranges[range]), crowd);
  });
  Summaries all(prior.tables());
  parallel_for(prior.tables(), threads, [&](std::size_t table, std::size_t) {
    // Neighbours first, so that everything is copied only so often as ranges can be halved.
    Summaries& list = made[table];
    for (std::size_t step = 1; step < list.size(); step *= 2) {
      for (std::size_t i = 0; i + step < list.size() && list[i]; i += 2 * step) list[i]->add(std::move(list[i + step]));
    }
    if (!list.empty()) all[table] = std::move(list.front());
  });
  if (std::all_of(all.begin(), all.end(), [](const auto& summary) { return summary == nullptr; })) all.clear();
  return all;
}

Plans make_plans(const attack::Attack& attack, const Summaries& summaries, const belief::Series& prior,
                 const release::Release& release, const dataset::Crowd& crowd, std::size_t threads) {
  if (summaries.empty()) return {};
  Plans plans(release.epochs());
  std::vector<std::vector<double>> dense(threads);
  parallel_for(plans.size(), threads, [&](std::size_t e, std::size_t worker) {
    const auto epoch = static_cast<EpochId>(e);
    plans[e] = attack.plan(*summaries[prior.table_of(epoch)], release.at(epoch, dense[worker]), crowd);
  });
  return plans;
}

void run_contests(const Arena& arena, std::vector<Contest>& contests) {
  std::vector<belief::UserRange> ranges = ranges_of(arena.setting.crowd, arena.threads, arena.blocks);
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

}  // namespace hearsay::goal
