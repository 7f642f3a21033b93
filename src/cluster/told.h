// SPDX-License-Identifier: Apache-2.0
//
// What the driver knows so far and tells every share: the study, who is where among everybody, what adds up over all.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "dataset/observed_counts.h"
#include "experiment/study.h"
#include "goal/combination.h"
#include "goal/whole.h"
#include "results/data_facts.h"

namespace hearsay::cluster {

// The passes over the shares, in this order. Those that a study does not need are left out; those from kContribute on
// are about some of the priors, and come again for the next.
enum class Stage : std::uint8_t {
  kLimit,       // how many visits people have, where only the most active are kept
  kCount,       // counts, who has how many reports, kinds of people
  kPrepare,     // counts after steps that act on people; people to learn from and to take out
  kContribute,  // what learned priors need of everybody
  kExpect,      // what priors expect of counts, for attacks that read noise
  kPlan,        // summaries of people, and what attacks plan of them
  kInfer,       // beliefs and errors
  kName,        // the ids of people that results name
};
const char* title_of(Stage stage);

// A study as text, as experiment::parse_study takes it.
struct StudyText {
  std::string toml;
  std::string name;
  std::string folder;
  std::vector<std::string> overrides;
  experiment::Study parse() const { return experiment::parse_study(toml, name, folder, overrides); }
};

// Who of a share's people is kept, and who they are among everybody.
struct Place {
  std::uint32_t ties = 0;   // of the people with Told::limit visits, the first so many are kept
  std::uint32_t first = 0;  // number of the first one kept
  // By number of visits observed, ascending: the rank of the first person here who has so many.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranks = {};
};

// A release as an attack reads it, to be planned for.
struct Request {
  goal::PlanId id;
  release::Release counts;
};

// The plans of one prior and PlanId: by epoch, parts in the order of places.
using PlanParts = std::vector<std::vector<std::string>>;

struct Told {
  Stage stage = Stage::kCount;
  StudyText study;
  std::vector<ingest::Roi> rois;
  std::uint32_t columns = 0;
  std::uint32_t limit = 0;  // people with more visits are kept, and some with as many; 0: everybody
  std::uint64_t people = 0;
  std::vector<Place> shares;

  goal::Whole whole;
  std::vector<std::uint32_t> priors;             // of the study's, those of this round
  std::map<std::uint32_t, std::string> learned;  // by prior: what it learned of the people it wanted
  std::map<std::uint32_t, std::vector<std::uint64_t>> learned_sums;  // and what everybody contributed
  results::PeopleCounts kinds;                                       // of people, by grouping
  std::vector<std::uint32_t> named;                                  // numbers of people whose ids are asked for
  std::uint64_t range_candidates = 4'000'000;  // a summary is split into ranges of places of about so many
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Request>> requests;  // by prior and attack
  std::vector<attack::PersonKey> taken_out;                          // people for whom alone is planned, too
  std::map<std::uint32_t, std::vector<std::uint32_t>> tables;        // by prior: the table of each epoch
  std::map<std::uint32_t, std::map<goal::PlanId, PlanParts>> plans;  // by prior

  // By prior, in order: what each result is about, and the control of those taken out one by one, where everybody's was
  // not measured (results::PeopleTally as bytes; empty: none).
  struct Result {
    goal::Combination combination;
    std::string control;
  };
  std::map<std::uint32_t, std::vector<Result>> results;

  std::shared_ptr<const results::DataFacts> facts;  // made of the rest where results are merged
  std::shared_ptr<const experiment::Study> parsed;  // what `study` says

  // Whether a goal is pursued on the driver with everybody's visits.
  bool asks_for_everybody() const;

  std::string bytes() const;
  static Told from_bytes(std::string_view bytes);
};

}  // namespace hearsay::cluster
