// SPDX-License-Identifier: Apache-2.0
//
// Who is asked about, and what is known of them and of everybody else.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/random.h"
#include "goal/ground.h"
#include "goal/membership_spec.h"
#include "goal/traces.h"

namespace hearsay::goal {

// Puts `number` of them, at most all, drawn at random, first.
void draw_first(std::vector<std::uint32_t>& people, std::size_t number, RandomBits& bits);

// People who were somewhere in the inference period, drawn at random, as many from each third by activity; in the order
// of their numbers.
std::vector<std::uint32_t> choose_targets(const Traces& traces, std::size_t number, std::uint64_t seed);

// What she knows of targets, in one way.
struct KnownTarget {
  std::vector<std::uint8_t> known;  // by epoch; empty: all
  std::vector<membership::Presence> presences;
  membership::Target view() const { return {presences, known}; }
};
// By target.
std::vector<KnownTarget> know_targets(const Ground& ground, const TargetKnowledge& knowledge, const Traces& traces,
                                      const std::vector<std::uint32_t>& targets, std::uint64_t seed);

// What she knows of everybody else, in one way, and whom groups are drawn from.
struct KnownCrowd {
  std::vector<double> chances;  // by cell; empty: read off the release
  std::vector<std::vector<std::uint32_t>> traces;
  std::vector<std::uint32_t> people;  // those whose traces she knows
  std::vector<std::uint32_t> pool;
  membership::Crowd view() const { return {chances, traces}; }
};
KnownCrowd know_crowd(const Ground& ground, const CrowdKnowledge& knowledge, const Traces& traces,
                      const std::vector<std::uint32_t>& targets, std::uint64_t seed);

// The visits of the inference period.
Traces inference_traces(const Ground& ground);
// Those of as many epochs as it has, right before it; none where the study observed fewer.
std::unique_ptr<Traces> past_traces(const Ground& ground);

// Mean number of other people counted in the target's cells, of all people.
std::vector<double> company_of(const Traces& traces, const std::vector<std::uint32_t>& targets);

}  // namespace hearsay::goal
