// SPDX-License-Identifier: Apache-2.0
//
// NDSS 2018 on the San Francisco cabs, run again: Pyrgelis, Troncoso, De Cristofaro: Knock Knock, Who's There?
// Membership Inference on Aggregate Location Data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/stage_clock.h"
#include "dataset/dataset.h"
#include "engine/loading.h"
#include "reproduction/knock_knock_game.h"
#include "results/result_folder.h"

namespace hearsay::reproduction {

// Larger differences are named.
inline constexpr double kCloseArea = 0.03;

// As they played it, where that is known.
struct KnockKnockGame {
  std::size_t targets = 50;  // of each third of the cabs by the number of places they visited
  // Groups of each target. Theirs: same groups 150; different groups 400, 300 of them to learn from. How many they drew
  // from the known fifth is chosen here.
  std::size_t subset_practice = 400;
  std::size_t subset_tests = 100;
  std::size_t same = 150;
  std::size_t different_practice = 300;
  std::size_t different_tests = 100;
  std::uint64_t seed = 1;
};

// Areas under the curve of all targets for one prior and group size.
struct KnockKnockRow {
  Setting setting;
  std::optional<double> paper_best;      // of four classifiers
  std::optional<double> paper_logistic;  // by logistic regression
  std::vector<double> learned;           // by target
  std::vector<double> likelihood;
  double median_learned() const;
  double median_likelihood() const;
  // From their logistic regression.
  std::optional<double> difference() const;
};

struct KnockKnock {
  KnockKnockGame game;
  std::size_t targets = 0;
  std::vector<KnockKnockRow> rows;
  std::vector<Setting> not_run;  // too few people
};

// `dataset` is three weeks of hours. Throws Cancelled where it is asked to stop.
KnockKnock play_knock_knock(const dataset::Dataset& dataset, const KnockKnockGame& game,
                            const engine::LoadOptions& options);

// Why it differs, where that is known; empty where it is close.
std::string difference_note(const KnockKnockRow& row);
std::string knock_knock_text(const KnockKnock& found);
std::string knock_knock_markdown(const KnockKnock& found);

struct KnockKnockOutcome {
  KnockKnock found;
  std::vector<std::string> warnings;
  std::vector<results::ResultFile> files;
  double seconds = 0;
  std::uint64_t peak_bytes = 0;
};

// Loads the cabs, plays and writes knock_knock.csv, knock_knock.md and a manifest into the folder `out`. Throws
// InputError and ConfigError as loading does, and where there are too few cabs for any group.
KnockKnockOutcome reproduce_knock_knock(const std::string& data, const std::string& out, const KnockKnockGame& game,
                                        const engine::LoadOptions& options);

}  // namespace hearsay::reproduction
