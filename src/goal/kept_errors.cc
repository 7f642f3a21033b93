// SPDX-License-Identifier: Apache-2.0
#include "goal/kept_errors.h"

#include <fmt/format.h>

#include <algorithm>

namespace hearsay::goal {
namespace {

template <typename Entry>
bool is_built_in(const std::vector<const Entry*>& all, const Entry& entry) {
  return std::find(all.begin(), all.end(), &entry) != all.end();
}

template <typename Number>
std::uint64_t bytes_of(const std::vector<Number>& numbers) {
  return numbers.capacity() * sizeof(Number);
}

std::uint64_t bytes_of(const Errors& errors) {
  const metric::Scores& sums = errors.sums;
  return bytes_of(errors.users) + bytes_of(errors.active) + bytes_of(errors.means.epochs) +
         bytes_of(errors.means.rois) + bytes_of(sums.users) + bytes_of(sums.active) + bytes_of(sums.epochs) +
         bytes_of(sums.places);
}

std::uint64_t bytes_of(const GoalErrors& errors) {
  std::uint64_t bytes = sizeof(GoalErrors);
  for (const std::vector<ReadErrors>& goal : errors) {
    bytes += bytes_of<ReadErrors>(goal);
    for (const ReadErrors& read : goal) bytes += bytes_of(read.with) + bytes_of(read.without);
  }
  return bytes;
}

}  // namespace

void KeptErrors::clear() {
  kept_.clear();
  bytes_ = 0;
}

void KeptErrors::limit(std::uint64_t bytes) {
  limit_ = bytes;
  if (bytes_ > limit_) clear();
}

void KeptErrors::keep(const std::string& key, const std::shared_ptr<GoalErrors>& errors) {
  const std::uint64_t bytes = bytes_of(*errors);
  if (bytes > limit_ || kept_.contains(key)) return;
  if (bytes_ + bytes > limit_) clear();
  kept_[key] = errors;
  bytes_ += bytes;
}

std::string KeptErrors::key_of(const Ground& ground, const prior::PriorEntry& prior,
                               const attack::AttackEntry& attack) {
  const AdversarySpec& her = ground.adversary;
  if (attack.uses_release || ground.whole != nullptr || !is_built_in(prior::all_priors(), prior) ||
      !is_built_in(attack::all_attacks(), attack)) {
    return {};
  }
  std::string key = fmt::format("{} {} {} {} {} {}", attack.uses_prior ? prior.info.name : "", attack.info.name,
                                her.control, her.people, her.delta, her.metric.log_base);
  for (const metric::MetricEntry* goal : her.goals) key += " " + goal->goal;
  for (const decision::DecisionEntry* one : her.decisions) key += " " + one->info.name + " " + one->info.given.label();
  return key;
}

}  // namespace hearsay::goal
