// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

#include <algorithm>

#include "engine/estimate.h"

namespace hearsay::engine {

std::uint64_t Engine::cached_bytes() const {
  const std::lock_guard one_at_a_time(running_);
  return cached_bytes_ + kept_errors_.bytes();
}

// Only priors that are there for every study: another study's own may have the same name and mean something else.
std::shared_ptr<const belief::Series> Engine::find_prior(const prior::PriorEntry& entry,
                                                         const prior::Knowledge& knowledge, std::uint64_t room) {
  const std::vector<const prior::PriorEntry*>& shared = prior::all_priors();
  if (std::find(shared.begin(), shared.end(), &entry) == shared.end()) return entry.create(knowledge);
  const auto kept = std::find_if(priors_.begin(), priors_.end(), [&](const Kept& one) { return one.entry == &entry; });
  if (kept != priors_.end()) {
    priors_.splice(priors_.begin(), priors_, kept);
    return kept->series;
  }
  std::shared_ptr<const belief::Series> series = entry.create(knowledge);
  const std::uint64_t bytes = series->bytes();
  if (bytes > room) return series;
  while (cached_bytes_ + bytes > room) {
    cached_bytes_ -= priors_.back().bytes;
    priors_.pop_back();
  }
  priors_.push_front({&entry, series, bytes});
  cached_bytes_ += bytes;
  return series;
}

void Engine::run(const experiment::Study& study, const LoadOptions& options, const Sink& sink) {
  check_study(study, loaded_, options);
  const std::lock_guard one_at_a_time(running_);
  // The estimate has one prior in it at a time; what is left over may hold others, and errors.
  const std::uint64_t need = estimate_run(study, size_of(loaded_.dataset), options.threads).bytes;
  const std::uint64_t left = options.limit() - std::min(options.limit(), need);
  const std::uint64_t room = left - left / 4;
  kept_errors_.limit(left / 4);
  if (cached_bytes_ > room) {
    priors_.clear();
    cached_bytes_ = 0;
  }
  goal::Ground ground = study.ground(loaded_.dataset, {options.threads, options.progress, options.stop});
  if (keeps_priors_) {
    ground.find_prior = [&](const prior::PriorEntry& entry, const prior::Knowledge& knowledge) {
      return find_prior(entry, knowledge, room);
    };
    ground.kept = &kept_errors_;
  }
  const goal::Releases releases(ground);
  ground.releases = &releases;
  // All of them before any is run: what one refuses is refused at once.
  std::vector<std::unique_ptr<goal::Goal>> goals;
  for (const goal::GoalEntry* entry : study.goals) goals.push_back(entry->create(ground));
  if (sink.release) releases.measure(sink.release);
  for (std::size_t i = 0; i < goals.size(); ++i) {
    const goal::GoalEntry* entry = study.goals[i];
    const std::unique_ptr<goal::Goal> goal = std::move(goals[i]);
    const goal::Emit emit = [&](const goal::Measurement& measurement) { sink.measurement(*entry, measurement); };
    for (const std::string& part : goal->parts()) {
      const auto work = [&](const goal::Emit& take) { goal->run(part, take); };
      if (sink.part) {
        sink.part(entry->info.name + "-" + part, work, emit);
      } else {
        work(emit);
      }
    }
  }
}

}  // namespace hearsay::engine
