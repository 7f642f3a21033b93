// SPDX-License-Identifier: Apache-2.0
//
// Was a person counted? One *_distinguisher.cc file a way to tell. She sees the counts of a group and what she knows of
// the target and of everybody else; who was in the group only the game knows.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/entry.h"
#include "base/parameters.h"
#include "release/rule.h"

namespace hearsay::membership {

// Published counts by place, null left out, and epoch: cell = place * epochs + epoch. A count that is missing is not a
// number.
struct Grid {
  std::size_t places = 0;
  std::size_t epochs = 0;
  std::size_t cells() const { return places * epochs; }
};

// What she knows of the target in one cell: how likely it was there, in (0, 1].
struct Presence {
  std::uint32_t cell = 0;
  double chance = 1;
};

// What she knows of the target, ascending by cell. It was in no other cell of the epochs she knows.
struct Target : std::span<const Presence> {
  std::span<const std::uint8_t> known =
      {};  // by epoch: 1 where she knows of it, else 0, and nothing counts; empty: all
  bool knows(std::size_t epoch) const { return known.empty() || known[epoch] != 0; }
};

// What she knows of everybody else.
struct Crowd {
  std::span<const double> chances = {};  // by cell: that somebody is there, in (0, 1); empty: read them off the release
  std::span<const std::vector<std::uint32_t>> traces = {};  // the cells of each person she knows; may be empty
};

// What is the same for all groups and targets of a game.
struct Question {
  Grid grid;
  std::size_t group = 0;  // people in the counts
  release::Rule rule;     // what was done to their counts
  Crowd crowd;
  std::uint64_t seed = 1;  // of what she draws herself
};

// A count in the place of the one she saw.
struct Changed {
  std::uint32_t cell = 0;
  double count = 0;
};

// What somebody who learns practises on, for one target. Called from several threads at once.
class Practice {
 public:
  virtual ~Practice() = default;
  // Counts of a group like those she is asked about, as published.
  virtual std::span<const double> seen() const = 0;
  // Puts true counts through what is done to the real ones, with noise of her own for each number.
  virtual void release(std::size_t number, std::span<double> counts) const = 0;
  // Groups of which she knows whether the target is in them: made up of people she knows, or past ones. As many with
  // the target as without; 0 where she knows of none.
  virtual std::size_t groups() const = 0;
  // Fills the counts of one, as published. The same each time it is asked for.
  virtual void group(std::size_t number, bool with_target, std::span<double> counts) const = 0;
};

// What was learned about one target.
class Lesson {
 public:
  virtual ~Lesson() = default;
};

// Reads the counts of one group after another. One worker's own.
class Reader {
 public:
  virtual ~Reader() = default;
  // The counts of a group, by cell; they stay where they are until the next call. Nothing of them is changed.
  virtual void open(std::span<const double> counts) = 0;
  // From now on, `changed`, ascending by cell, stands in the place of what was opened, and nothing that was changed
  // before: the game plays many targets on one group, and so only what differs is told. It is there as long as scores
  // are asked for.
  virtual void change(std::span<const Changed> changed) = 0;
  // The larger, the more likely the target is in the group.
  virtual double score(Target target, const Lesson* lesson) = 0;
};

// Works for all workers at once; the question outlives it.
class Distinguisher {
 public:
  virtual ~Distinguisher() = default;
  virtual std::unique_ptr<Reader> reader() const = 0;
  // Once for each target: what of it is to be known before any group is. The same whatever the thread.
  virtual std::unique_ptr<Lesson> learn(Target target, const Practice& practice) const {
    (void)target;
    (void)practice;
    return nullptr;
  }
};

struct DistinguisherEntry {
  EntryInfo info;
  bool needs_groups = false;  // it learns of groups (Practice::groups) and has nothing to say where she knows of none
  bool publishes = false;     // it puts counts of its own through the release (Practice::release)
  bool takes_noise = false;   // it knows what to make of counts with noise
  // Throws ConfigError for parameters out of range.
  std::function<std::unique_ptr<Distinguisher>(const Question& question, const Parameters& parameters)> make;
  std::unique_ptr<Distinguisher> create(const Question& question) const { return make(question, info.values()); }
};

// Every distinguisher. Generated from the files in this folder.
const std::vector<const DistinguisherEntry*>& all_distinguishers();

}  // namespace hearsay::membership
