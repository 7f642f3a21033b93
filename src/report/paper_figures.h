// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hearsay::report {

// One number the paper reports (data/paper_figures.csv). Keys as in summary.csv.
struct Figure {
  std::string dataset;
  std::string goal;
  std::string prior;
  std::string attack;
  std::string decision;
  std::string release;
  std::string parameter;
  std::string baseline;
  std::string metric;  // error, loss, gain or mre
  double value = 0;
};

// One statistic of its data section (data/paper_statistics.csv).
struct PaperStatistic {
  std::string dataset;
  std::string statistic;
  double paper_mean = 0;
  std::optional<double> paper_deviation;
  std::optional<double> expected_mean;  // what the ROIs and rules used here are known to give
  std::optional<double> expected_deviation;
};

// One number of Pyrgelis, Troncoso, De Cristofaro: Knock Knock, Who's There?, NDSS 2018 (data/knock_knock.csv): a
// median over targets.
struct KnockKnockFigure {
  std::string prior;
  std::uint64_t group = 0;
  std::string classifier;
  std::string metric;  // auc or loss
  double value = 0;
};

// All are built into the program.
std::vector<Figure> paper_figures();
std::vector<PaperStatistic> paper_statistics();
std::vector<KnockKnockFigure> knock_knock_figures();

}  // namespace hearsay::report
