// SPDX-License-Identifier: Apache-2.0
//
// A small town for tests of those that learn: people with random traces, groups of them, and a target.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "membership/distinguisher.h"

namespace hearsay::membership {

using Trace = std::vector<std::uint32_t>;  // cells, ascending

struct Town {
  Question question;
  std::vector<Trace> people;

  Town(std::size_t places, std::size_t epochs, std::size_t count, std::size_t group, double chance) {
    question.grid = {places, epochs};
    question.group = group;
    SeededBits bits(7);
    people.resize(count);
    for (Trace& trace : people) {
      for (std::uint32_t cell = 0; cell < question.grid.cells(); ++cell) {
        if (bits.unit() < chance) trace.push_back(cell);
      }
    }
  }

  // Counts of a group drawn by number: m others, or m - 1 and the target.
  std::vector<double> counts(std::uint64_t number, const Trace* target) const {
    SeededBits bits(mix(11, number));
    std::vector<std::size_t> order(people.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<double> sums(question.grid.cells());
    const std::size_t others = question.group - (target == nullptr ? 0 : 1);
    for (std::size_t i = 0; i < others; ++i) {
      std::swap(order[i], order[i + bits.below(order.size() - i)]);
      for (const std::uint32_t cell : people[order[i]]) sums[cell] += 1;
    }
    if (target != nullptr) {
      for (const std::uint32_t cell : *target) sums[cell] += 1;
    }
    return sums;
  }
};

class TownPractice final : public Practice {
 public:
  TownPractice(const Town& town, const Trace& target, std::size_t groups)
      : town_(town), target_(target), groups_(groups), seen_(town.counts(999'999, nullptr)) {}
  std::span<const double> seen() const override { return seen_; }
  void release(std::size_t number, std::span<double> counts) const override {
    SeededBits bits(mix(13, number));
    if (town_.question.rule.variance == 0) return;
    for (double& count : counts) count += laplace(bits, std::sqrt(town_.question.rule.variance / 2));
  }
  std::size_t groups() const override { return groups_; }
  void group(std::size_t number, bool with_target, std::span<double> counts) const override {
    const std::vector<double> sums = town_.counts(2 * number + (with_target ? 1 : 0), with_target ? &target_ : nullptr);
    std::copy(sums.begin(), sums.end(), counts.begin());
  }

 private:
  const Town& town_;
  const Trace& target_;
  std::size_t groups_;
  std::vector<double> seen_;
};

inline std::vector<Presence> presences(const Trace& trace) {
  std::vector<Presence> target;
  for (const std::uint32_t cell : trace) target.push_back({cell, 1});
  return target;
}

inline const DistinguisherEntry& named_entry(const std::string& name) {
  const auto& all = all_distinguishers();
  return **std::find_if(all.begin(), all.end(), [&](const auto* entry) { return entry->info.name == name; });
}

inline std::unique_ptr<Distinguisher> make_distinguisher(
    const std::string& name, const Question& question,
    const std::vector<std::pair<std::string, std::string>>& parameters = {}) {
  DistinguisherEntry entry = named_entry(name);
  for (const auto& [parameter, value] : parameters) entry.info.given.set(parameter, value);
  return entry.create(question);
}

struct GameScores {
  std::vector<double> with;
  std::vector<double> without;

  // The share of pairs in the right order, ties half.
  double auc() const {
    double right = 0;
    for (const double in : with) {
      for (const double out : without) right += in > out ? 1 : in == out ? 0.5 : 0;
    }
    return right / static_cast<double>(with.size() * without.size());
  }
};

// Groups that were not practised on; noise, where there is any, of their own.
inline GameScores play(const Town& town, const Trace& target, const Practice& practice,
                       const Distinguisher& distinguisher, std::size_t trials) {
  const std::vector<Presence> known = presences(target);
  const std::unique_ptr<Lesson> lesson = distinguisher.learn({known}, practice);
  const std::unique_ptr<Reader> reader = distinguisher.reader();
  GameScores scores;
  for (std::size_t trial = 0; trial < 2 * trials; ++trial) {
    const bool in = trial % 2 == 1;
    std::vector<double> counts = town.counts(100'000 + trial, in ? &target : nullptr);
    practice.release(100'000 + trial, counts);
    reader->open(counts);
    (in ? scores.with : scores.without).push_back(reader->score({known}, {}, lesson.get()));
  }
  return scores;
}

}  // namespace hearsay::membership
