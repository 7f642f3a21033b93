// SPDX-License-Identifier: Apache-2.0
//
// What may be published: of many chains of defences the most useful one within limits on what being counted costs, on
// how well somebody tells who was counted, and on the error of counts. Made by looking at the data, so for its owner's
// eyes: docs/advice.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "advice/candidates.h"
#include "engine/engine.h"
#include "release/a_year.h"
#include "results/manifest.h"

namespace hearsay::advice {

// What a release must keep to; a limit left out does not bind.
struct Limits {
  std::optional<double> own_loss;    // share of her error that being counted takes, 0 to 1
  std::optional<double> membership;  // AUC, 0.5 to 1
  std::optional<double> mae;         // mean absolute error of a count, from 0
};

struct Options {
  // How much is spent. The schedule follows from this number, the data and the seed; the clock only ends a search that
  // takes longer, and the advice then says so.
  double budget_seconds = 60;
  std::uint64_t seed = 1;
  engine::LoadOptions load = {};           // threads, progress, stop
  std::string study_name = {};             // its file, as the command that publishes names it; empty: it has none
  std::vector<Candidate> candidates = {};  // tried in the place of candidates_for()
};

// A mean and its 95% interval, or what of it is known so far.
struct Value {
  double mean = 0;
  double low = 0;
  double high = 0;
};

// A candidate and what was found of it. What was not measured is unset.
struct Priced {
  Candidate candidate;
  release::Guarantee guarantee;
  std::optional<Value> mae;
  std::optional<Value> own_loss;
  std::string own_goal;  // where being counted costs most
  std::string own_prior;
  std::optional<Value> membership;
  std::size_t draws = 0;    // of the noise, for own loss
  std::size_t people = 0;   // whose errors were measured
  std::size_t targets = 0;  // of membership, as played
  std::size_t trials = 0;
  bool unplayable = false;         // no attack on membership of the study has anything to say of it
  std::size_t rung = 0;            // the last it was measured in, from 0
  double left_out = 0;             // share of the counts above 0 that it does not publish, or as 0
  bool publishes_nothing = false;  // no count above 0
  std::string worse_than;          // a baseline that is nearer to the true counts by MAE; empty: none is
};

// By how much a release is over a limit.
struct Miss {
  std::string limit;  // "own_loss", "membership" or "mae"
  double allowed = 0;
  double found = 0;  // the upper end
};

struct Advice {
  Limits limits;
  std::uint64_t seed = 1;
  double budget_seconds = 0;
  std::size_t candidates = 0;        // tried
  std::vector<std::size_t> rungs;    // candidates measured in each
  std::size_t measured = 0;          // candidates whose own loss was measured
  std::size_t unmeasured = 0;        // left out, or measured a little only, because the budget was spent
  std::size_t nothing = 0;           // candidates that publish nothing
  std::size_t unplayable = 0;        // candidates that no attack on membership can be played against
  bool cut_short = false;            // by the clock: another run may differ
  std::vector<std::string> priors;   // the adversaries that matter: those that candidates are priced by
  std::vector<std::string> attacks;  // that use the counts
  bool last_by_all = false;          // those measured in the last rung were priced by all of the study's
  std::string no_membership;         // why it was not measured; empty: it was
  // By MAE; no other is better in all three. Chosen and nearest are in it. A guarantee that is not sound is not there.
  std::vector<Priced> frontier;
  std::optional<std::size_t> chosen;       // of the frontier; none where no candidate keeps to the limits
  std::optional<std::size_t> nearest;      // then the one that misses least
  std::vector<Miss> misses;                // of the nearest
  std::vector<std::string> impossible;     // limits that no candidate measured keeps to, whatever the others are
  std::vector<std::string> steps;          // of the chosen or nearest, a sentence a step
  std::vector<std::string> reasons;        // why it has no sound guarantee; empty: it has one
  std::optional<release::AYear> a_year;    // of a sound one
  std::string command;                     // that publishes it; empty where there is nothing to publish
  std::vector<std::string> command_notes;  // what to fill in, what its flags are for
  std::vector<std::string> sentences;      // the answer, and what may be published of it
};

// Tries candidates on data kept by an engine. The same for the same data, study, limits, budget and seed, whatever the
// number of threads, unless it was cut short. Throws ConfigError where no limit is given, where one or the budget is
// out of range, and where the study asks for membership that the data does not allow.
Advice advise(engine::Engine& engine, const experiment::Study& study, const Limits& limits, const Options& options);

// As docs/report-schema.md describes it.
results::Json advice_json(const Advice& advice);

inline constexpr const char* kAdviceName = "advice.json";

// The document of a page that has the advice alone.
results::Json advice_document(const Advice& advice, const experiment::Study& study);
// Writes a folder with advice.json, the document and its page. Throws ConfigError where `out` holds something else.
void write_advice(const Advice& advice, const experiment::Study& study, const std::string& out);

}  // namespace hearsay::advice
