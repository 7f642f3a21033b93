// SPDX-License-Identifier: Apache-2.0
//
// The control where it cannot be had for everybody at little cost: an attack that does not go by cell, or a defence in
// which one person's absence may change every count. Some people are taken out of the data, one after another.
#pragma once

#include <compare>
#include <functional>
#include <vector>

#include "goal/ranges.h"

namespace hearsay::goal {

// One of the releases, as attacks read it.
struct SampledRelease {
  std::size_t number;
  attack::Reads reads;  // kRule: as it is
  auto operator<=>(const SampledRelease&) const = default;
};

// A contest to be run again without each person of the sample.
struct Sampled {
  std::size_t contest;     // by number
  PlanId plans;            // those of the contest
  SampledRelease release;  // which of the releases it is about
  bool everybody;          // measured for all users, not some
};

// Whether there are few enough cells of people, places and epochs that everybody may be taken out.
bool few_cells(const dataset::Crowd& crowd, std::size_t epochs);

// Whether a person, by number among everybody, is one of `sample` people evenly spaced by number.
bool is_sampled(std::uint32_t number, std::size_t people, std::size_t sample);

// The plans on the release without a user.
inline PlanId plan_without(const Sampled& one, UserId user, const dataset::Crowd& crowd) {
  PlanId id = one.plans;
  id.without = crowd.number_of(user);
  return id;
}

// A release made of the data without a person. Called from several threads at once.
using CountsWithout = std::function<release::Published(const SampledRelease& release, UserId user)>;

// What an attack plans on it. Called from several threads at once.
using PlansWithout = std::function<Plans(const Sampled& one, UserId user, const release::Published& release)>;

// Fills Reading::without of the contests for `people` of the users, or everybody, evenly spaced by number; the others
// have what is not a number. Stops early, with numbers that mean nothing, after a request to stop.
void measure_sample(const Arena& arena, std::vector<Contest>& contests, const std::vector<Sampled>& sampled,
                    const CountsWithout& counts_without, const PlansWithout& plans_without, std::size_t people);

}  // namespace hearsay::goal
