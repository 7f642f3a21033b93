// SPDX-License-Identifier: Apache-2.0
//
// What holds of everybody, told to where only some people are at hand: counts that were added up elsewhere, and what
// attacks planned of them. Where all people are at hand, all of it is made of the data.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "attack/attack.h"
#include "dataset/observed_counts.h"
#include "release/answers.h"
#include "release/count_matrix.h"

namespace hearsay::goal {

// What follows from the summaries of all and a release, by epoch; empty for an attack without summaries.
using Plans = std::vector<std::unique_ptr<attack::Plan>>;

// Which plans of one prior.
struct PlanId {
  std::size_t attack = 0;                     // of those of the study
  std::size_t release = 0;                    // 0: the raw one; then every draw of every defence, in order
  bool fewer = false;                         // of the release with one person fewer everywhere
  std::optional<std::uint32_t> without = {};  // of the release without this person, by number among everybody
  auto operator<=>(const PlanId&) const = default;
};

// A draw of a defence: which one, and from 1 which repeat.
using Draw = std::pair<std::size_t, std::size_t>;

struct Whole {
  dataset::ObservedCounts observed;
  release::CountMatrix counts{0, 0};              // true ones, of the inference period
  std::map<Draw, release::CountMatrix> prepared;  // after the steps that give visits, of chains that have some
  std::map<std::size_t, release::CountMatrix>
      coarse;                                // by defence on places or epochs of its own: true counts of those
  std::map<Draw, release::Answers> answers;  // of chains whose steps ask for some
  // By prior: what its tables expect of every place (attack::expected_units), where an attack asks for that.
  std::map<std::string, std::vector<std::vector<std::uint64_t>>> expected;
  std::function<Plans(const std::string& prior, const PlanId& id, const release::Published& release)> plans;
  bool takes_out = false;  // whether the people at hand are those to be taken out one by one
};

}  // namespace hearsay::goal
