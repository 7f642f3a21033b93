// SPDX-License-Identifier: Apache-2.0
//
// One prior, a few releases, all attacks: range of users by range of users, all epochs of a range while what is known
// of it is in the cache. Ranges need nothing of each other but what an attack's plan says of everybody.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "attack/attack.h"
#include "base/block_sizes.h"
#include "dataset/dataset.h"
#include "decision/decision.h"
#include "goal/whole.h"
#include "metric/metric.h"

namespace hearsay::goal {

// Ranges of users small enough for the cache, and enough of them for all threads.
std::vector<belief::UserRange> ranges_of(const dataset::Crowd& crowd, std::size_t threads, const BlockSizes& blocks);

// About so many people in all, as AdversarySpec::people says; none for 0, and where that is everybody.
std::vector<belief::UserRange> sampled_ranges(const dataset::Crowd& crowd, std::size_t people);

// What an attack must know of everybody, by table of the prior; empty where it needs nothing.
using Summaries = std::vector<std::unique_ptr<attack::Summary>>;
Summaries summarise(const attack::Attack& attack, const belief::Series& prior, const dataset::Crowd& crowd,
                    std::size_t threads, const BlockSizes& blocks);

// What follows from that and a release.
Plans make_plans(const attack::Attack& attack, const Summaries& summaries, const belief::Series& prior,
                 const release::Published& release, const dataset::Crowd& crowd, std::size_t threads);

// One reading of an attack's output, scored by one metric.
struct Reading {
  const metric::MetricEntry* metric = nullptr;
  const decision::Decision* decision = nullptr;  // none where the metric scores the beliefs themselves
  metric::Scores scores;
  metric::Scores without;  // the same on counts that leave each person out, where the contest has one_fewer
};

// An attack on a release, and how it is read.
struct Contest {
  const attack::Attack* attack = nullptr;
  const release::Published* release = nullptr;
  bool same_in_table = false;  // its result is the same for all epochs of a table
  bool whole_crowd = false;    // it takes everybody in one range
  bool assigns = false;        // its result is an assignment
  Plans plans;
  std::vector<Reading> readings;
  // Of an attack that goes by cell: the release with one person fewer everywhere, and its plans.
  const release::Published* one_fewer = nullptr;
  Plans plans_fewer = {};
  const dataset::Truth* counted = nullptr;  // where one fewer shows people; none: where they are
};

// Everything a contest is about.
struct Arena {
  const belief::Series& prior;
  const dataset::Truth& truth;
  metric::Setting setting;
  std::size_t threads = 1;
  BlockSizes blocks;
  std::stop_token stop;
  std::function<void(std::size_t done, std::size_t all)> progress;  // of ranges; from the calling thread only
  std::vector<belief::UserRange> people = {};                       // whom contests are about; none: everybody
};

// Fills the scores of all readings. Contests of one attack should follow each other. Stops early, with scores that mean
// nothing, after a request to stop.
void run_contests(const Arena& arena, std::vector<Contest>& contests);

// The same about the users of one range, by the calling thread alone. Nobody else's scores mean anything.
void run_range(const Arena& arena, std::vector<Contest>& contests, belief::UserRange range);

}  // namespace hearsay::goal
