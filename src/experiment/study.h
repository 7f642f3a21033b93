// SPDX-License-Identifier: Apache-2.0
//
// A study file: which data, which places and times, which adversaries. docs/study.md describes every key.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dataset/dataset.h"
#include "experiment/registry.h"
#include "goal/goal.h"
#include "ingest/ingest.h"

namespace hearsay::experiment {

// Of study files; a file says which it is written in (`schema`), and one that does not is written in the first.
inline constexpr std::uint64_t kStudySchema = 1;

// Above this many users, users.parquet is written only if the study asks for it.
inline constexpr std::size_t kManyUsers = 100000;

// What rests on fewer people is not in the report, nor in rois.csv and epochs.csv, unless the study says otherwise.
inline constexpr std::size_t kLeastPeople = 10;

// Which data, which places, which time.
struct DataSpec {
  std::string name;     // label in results
  std::string account;  // whose budget releases spend; empty: not named
  ingest::Source source;
  ingest::RoiRule rois;
  ingest::Period period;
  std::uint32_t observe = 0;              // epochs
  std::size_t user_limit = 0;             // 0: all
  std::optional<std::size_t> population;  // people in all, seen or not, as declared

  dataset::Calendar calendar() const { return {period.epoch_seconds, period.epochs, observe}; }
  // What is published of it, before it is read.
  release::Shape shape() const;
};

// What results and report hold.
struct ResultsSpec {
  std::optional<std::size_t> user_rows;  // users in users.parquet, evenly spaced by id; unset: all up to kManyUsers
  bool show_users = false;               // the report may name the most exposed users
  std::size_t least_people = kLeastPeople;
};

struct Study {
  Registry registry;  // what it could name
  DataSpec data;
  goal::AdversarySpec adversary;
  std::vector<const goal::GoalEntry*> goals = {};  // what is measured
  std::vector<goal::Defence> defences;             // attacked besides the raw release
  // In the place of the raw release: results are then about what this one publishes. No study file says so.
  std::optional<goal::Defence> published = {};
  ResultsSpec results;
  std::uint64_t seed = 1;                    // of evaluation noise
  std::string as_run;                        // the study with its overrides, as TOML
  std::vector<std::string> overrides = {};   // `key=value`, as they were given beside its file
  std::vector<std::string> deprecated = {};  // old spellings in it, a sentence each, with the new one

  // Gives the parameter delta to every decision that has it and was not given it.
  void use_delta(double value);
  dataset::Calendar calendar() const { return data.calendar(); }
  // Civil time at which an epoch starts, counted from the first of the study.
  std::int64_t start_of(std::size_t epoch) const;
  // What its goals are pursued on; the study and the data outlive it.
  goal::Ground ground(const dataset::Dataset& dataset, goal::RunOptions options = {}) const;
};

// Everything that keeps a guarantee from holding: of the release, and of a study that looks at the data to decide what
// to count. Empty where nothing does.
std::vector<std::string> reasons_against(const Study& study, const release::Guarantee& guarantee);

// Reads a study. Paths in it are relative to its folder. `overrides` are `key=value`, value as in TOML (quotes may be
// left out). Throws InputError where the file is missing or is not TOML, ConfigError for any key or value that is not
// known or allowed.
Study load_study(const std::string& path, const std::vector<std::string>& overrides, Registry registry = {});

// The same from text; `name` stands for the file in messages (empty: they name no place), `folder` for its folder.
Study parse_study(const std::string& text, const std::string& name, const std::string& folder,
                  const std::vector<std::string>& overrides, Registry registry = {});

}  // namespace hearsay::experiment
