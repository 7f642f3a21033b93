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
  std::size_t contest;         // by number
  const Summaries* summaries;  // of its attack
  SampledRelease release;      // which of the releases it is about
  bool everybody;              // measured for all users, not some
};

// A release made of the data without a person. Called from several threads at once.
using CountsWithout = std::function<release::Published(const SampledRelease& release, UserId user)>;

// Fills Reading::without of the contests for `people` of the users, or everybody, evenly spaced by number; the others
// have what is not a number. Stops early, with numbers that mean nothing, after a request to stop.
void measure_sample(const Arena& arena, std::vector<Contest>& contests, const std::vector<Sampled>& sampled,
                    const CountsWithout& counts_without, std::size_t people);

}  // namespace hearsay::goal
