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

#include "attack/attack.h"
#include "dataset/dataset.h"
#include "decision/decision.h"
#include "experiment/registry.h"
#include "ingest/ingest.h"
#include "metric/metric.h"
#include "prior/prior.h"
#include "release/chain.h"
#include "release/post_process.h"

namespace hearsay::experiment {

// Above this many users, users.parquet is written only if the study asks for it.
inline constexpr std::size_t kManyUsers = 100000;

// What rests on fewer people is not in the report, nor in rois.csv and epochs.csv, unless the study says otherwise.
inline constexpr std::size_t kLeastPeople = 10;

// The least probability that POP predicts, unless the study says otherwise.
inline constexpr double kDelta = 0.5;

// One chain of steps, drawn `repeats` times.
struct Defence {
  release::Chain chain;
  std::string parameter;  // as results print it
  std::size_t repeats = 1;
  release::PostProcess post_process = release::kDefaultPostProcess;
  // Names of the adversaries and goals it is tried against; empty: all of the study.
  std::vector<std::string> priors;
  std::vector<std::string> attacks;
  std::vector<std::string> goals;

  static bool covers(const std::vector<std::string>& names, const std::string& name) {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
  }
};

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
};

// What she knows, what she does, and what of it is measured.
struct AdversarySpec {
  std::vector<const prior::PriorEntry*> priors;
  std::vector<const attack::AttackEntry*> attacks;  // the prior itself always the first of them
  std::vector<const metric::MetricEntry*> goals;
  std::vector<const decision::DecisionEntry*> decisions = decision::all_decisions();
  double delta = kDelta;  // of the decisions that have it, unless given with one of them; set by Study::use_delta
  metric::Options metric;
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
  AdversarySpec adversary;
  std::vector<Defence> defences;  // attacked besides the raw release
  ResultsSpec results;
  std::uint64_t seed = 1;  // of evaluation noise
  std::string as_run;      // the study with its overrides, as TOML

  // Gives the parameter delta to every decision that has it and was not given it.
  void use_delta(double value);
  dataset::Calendar calendar() const { return data.calendar(); }
};

// Reads a study. Paths in it are relative to its folder. `overrides` are `key=value`, value as in TOML (quotes may be
// left out). Throws InputError where the file is missing or is not TOML, ConfigError for any key or value that is not
// known or allowed.
Study load_study(const std::string& path, const std::vector<std::string>& overrides, Registry registry = {});

// The same from text; `name` stands for the file in messages (empty: they name no place), `folder` for its folder.
Study parse_study(const std::string& text, const std::string& name, const std::string& folder,
                  const std::vector<std::string>& overrides, Registry registry = {});

}  // namespace hearsay::experiment
