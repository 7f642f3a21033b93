// SPDX-License-Identifier: Apache-2.0
//
// What report.html shows, as one JSON document: docs/report-schema.md.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "report/paper_figures.h"
#include "report/people_groups.h"
#include "results/manifest.h"

namespace hearsay::report {

inline constexpr int kDocumentSchema = 2;

// A row of a comparison with the paper.
struct PaperRow {
  Figure figure;
  double here = 0;
  double difference = 0;
  std::string note;
};

// Collects results as they come; keeps quantiles, not users. What rests on fewer people than the study's least_people
// does not come into the document.
class DocumentBuilder {
 public:
  DocumentBuilder(const experiment::Study& study, const dataset::Dataset& dataset) : study_(study), dataset_(dataset) {}

  // What inference found.
  void take(const goal::Measurement& measurement);
  // ROI errors of every profiling combination of the raw release, for rois.csv.
  using Places = results::PlaceErrors;
  const std::vector<Places>& places() const { return places_; }

  results::Json json(const engine::Provenance& provenance, const std::string& study_name,
                     const results::ResultTables& tables, const std::vector<PaperRow>& paper) const;

 private:
  struct Curve {
    goal::Combination combination;
    std::vector<double> steps;  // mean errors of users in order of their errors, a step's users at a time
    std::vector<double> epochs;
  };
  struct Box {
    goal::Combination combination;
    results::Distribution gains;
  };
  // The adversary to whom the raw release gives most, against the reading of the prior that errs least: the page's
  // tiles and groups of people are all about her.
  struct Worst {
    goal::Combination combination;
    double mean = -1;
    std::vector<double> losses;  // by user
  };

  // Whom the counts help most where people really are (null left out), for the map: her prior's errors and her own.
  // Null where no prior errs there.
  std::pair<const Places*, const Places*> adversary_by_place(const std::vector<std::uint64_t>& visits) const;
  void take_users(const goal::Combination& key, const goal::Measurement& users);
  bool is_worst(const goal::Combination& key, double mean) const;
  bool enough(std::size_t people) const { return people >= study_.results.least_people; }
  // A percentile, null where too few users lie on one side of it.
  results::Json percentile_json(double value, double share) const;
  results::Json summary_json(const std::vector<results::SummaryRow>& summary) const;
  results::Json worst_hour() const;
  results::Json worst_roi() const;
  results::Json tiles() const;
  results::Json rois() const;
  std::vector<Grouping> groupings() const;
  results::Json who(const std::vector<Grouping>& groupings) const;
  results::Json curves() const;
  results::Json hours() const;
  results::Json defences(const results::ResultTables& tables) const;
  // What other goals found.
  results::Json measured(const std::vector<results::MeasuredGoal>& goals) const;

  const experiment::Study& study_;
  const dataset::Dataset& dataset_;
  std::vector<Curve> curves_;
  std::vector<Places> places_;
  std::vector<Box> boxes_;
  // Mean errors of the priors by goal and prior, then by reading.
  std::map<std::pair<std::string, std::string>, std::map<std::string, double>> prior_means_;
  Worst worst_;
};

}  // namespace hearsay::report
