// SPDX-License-Identifier: Apache-2.0
//
// All that tables and report take from the numbers by user of one combination.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "results/data_facts.h"
#include "results/summary.h"

namespace hearsay::results {

// Columns of users.parquet, the last made of two others.
inline constexpr std::array kUserColumns = {"error",          "active",      "without",     "own",
                                            "active_without", "loss",        "loss_signed", "loss_without",
                                            "gain",           "gain_signed", "own_loss"};

struct UserRow {
  std::uint64_t user = 0;                                // its number among everybody
  std::array<double, kUserColumns.size()> numbers = {};  // not a number: there is none
};

// People who lose at least half of what she does not know about them.
struct Exposed {
  struct User {
    std::uint64_t user = 0;  // its number among everybody
    double lost = 0;
  };
  std::uint64_t users = 0;
  std::vector<User> most;  // up to 25, those who lose most first, ties by number
};

// By grouping, then by group.
using MeansByGroup = std::vector<std::vector<std::optional<double>>>;

// What being counted costs people.
struct OwnFigures {
  std::vector<double> steps;  // of people in order, the mean of a step of them at a time
  double p95 = 0;
  double hundredth = 0;  // share of people of whose error being counted takes a hundredth or more
  MeansByGroup groups;
  Exposed exposed;  // own part at least half of the error without the person
};

// What they lose against the prior.
struct LossFigures {
  std::optional<double> p95;  // without a control only
  MeansByGroup groups;
  Exposed exposed;
};

struct PeopleFigures {
  SummaryRow row;
  // Of a defence, against the raw release; without the deviation.
  std::optional<Distribution> gains;
  // Of the raw release: of people in order of their errors, the mean error of a step of them at a time.
  std::vector<double> error_steps;
  // Of attacks on the raw release, against a prior.
  std::optional<LossFigures> loss;
  std::optional<OwnFigures> own;  // with a control
  std::vector<UserRow> rows;      // of the chosen users, by number
};

// As bytes and back.
void write_figures(const PeopleFigures& figures, BytesWriter& bytes);
PeopleFigures read_figures(BytesReader& bytes);

// `users`: the measurement by user of an inference; `at_hand`: everybody.
PeopleFigures figures_of(const goal::Combination& combination, const goal::Measurement& users, const DataFacts& facts,
                         const UsersAtHand& at_hand);

}  // namespace hearsay::results
