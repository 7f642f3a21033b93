// SPDX-License-Identifier: Apache-2.0
//
// The paper's San Francisco study, and how far from its figures this program lands.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dataset/statistics.h"
#include "experiment/study.h"
#include "job/run_study.h"
#include "report/paper_figures.h"

namespace hearsay::reproduction {

// Differences up to these are what rounding, noise and the unprinted grid explain.
inline constexpr double kCloseEnough = 0.02;    // of errors and losses on the raw release
inline constexpr double kCloseGain = 0.03;      // of privacy gain
inline constexpr double kCloseMre = 0.06;       // of mean relative errors, or
inline constexpr double kCloseMreShare = 0.15;  // this share of them

struct FigureCheck {
  report::Figure figure;
  double here = 0;
  double difference = 0;             // here - paper
  bool known = false;                // listed as not reached on this data
  std::optional<double> half_width;  // of the 95% interval over repeats
  bool close() const;
};

struct StatisticCheck {
  report::PaperStatistic statistic;
  double mean = 0;
  std::optional<double> deviation;
};

struct Reproduction {
  std::vector<FigureCheck> figures;
  std::vector<StatisticCheck> statistics;
  std::size_t not_run = 0;  // figures of this data set about releases that were not run
};

// The study as the paper ran it; `data` is the directory of cab files.
experiment::Study san_francisco_study(const std::string& data);

Reproduction compare_with_paper(const std::string& dataset, const std::vector<results::SummaryRow>& summary,
                                const std::vector<goal::ReleaseResult>& releases,
                                const dataset::Statistics& statistics);

std::string reproduction_text(const Reproduction& reproduction);
std::string reproduction_markdown(const Reproduction& reproduction);

struct ReproductionOutcome {
  job::Outcome outcome;
  Reproduction reproduction;
};

// Runs the study and writes reproduction.csv and reproduction.md besides the usual files.
ReproductionOutcome reproduce_san_francisco(const std::string& data, const job::RunOptions& options);

}  // namespace hearsay::reproduction
