// SPDX-License-Identifier: Apache-2.0
//
// What report.html shows, as one JSON document: docs/report-schema.md.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "report/manifest.h"
#include "report/paper_figures.h"
#include "report/people_groups.h"

namespace hearsay::report {

inline constexpr int kDocumentSchema = 1;

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

  void take(const experiment::Result& result);
  // ROI errors of every profiling combination of the raw release, for rois.csv.
  struct Places {
    experiment::Combination combination;
    std::vector<double> errors;
  };
  const std::vector<Places>& places() const { return places_; }

  Json json(const Provenance& provenance, const std::string& study_name, const ResultTables& tables,
            const std::vector<PaperRow>& paper) const;

 private:
  struct Curve {
    experiment::Combination combination;
    std::vector<double> steps;  // mean errors of users in order of their errors, a step's users at a time
    std::vector<double> epochs;
  };
  struct Box {
    experiment::Combination combination;
    Distribution gains;
  };
  // The adversary to whom the raw release gives most, against the reading of the prior that errs least: the page's
  // tiles and groups of people are all about her.
  struct Worst {
    experiment::Combination combination;
    double mean = -1;
    std::vector<double> losses;  // by user
  };

  // Whom the counts help most where people really are (null left out), for the map: her prior's errors and her own.
  // Null where no prior errs there.
  std::pair<const Places*, const Places*> adversary_by_place(const std::vector<std::uint64_t>& visits) const;
  bool is_worst(const experiment::Result& result, double mean) const;
  bool enough(std::size_t people) const { return people >= study_.least_people; }
  // A percentile, null where too few users lie on one side of it.
  Json percentile_json(double value, double share) const;
  Json summary_json(const std::vector<SummaryRow>& summary) const;
  Json worst_hour() const;
  Json worst_roi() const;
  Json tiles() const;
  Json rois() const;
  std::vector<Grouping> groupings() const;
  Json who(const std::vector<Grouping>& groupings) const;
  Json curves() const;
  Json hours() const;
  Json defences(const ResultTables& tables) const;

  const experiment::Study& study_;
  const dataset::Dataset& dataset_;
  std::vector<Curve> curves_;
  std::vector<Places> places_;
  std::vector<Box> boxes_;
  // Mean errors of the priors by goal and prior, then by reading.
  std::map<std::pair<std::string, std::string>, std::map<std::string, double>> prior_means_;
  Worst worst_;
};

// Visits in the inference period, by ROI.
std::vector<std::uint64_t> inference_visits(const dataset::Dataset& dataset);
// Whether so many different people were there in the inference period, by ROI.
std::vector<bool> visited_by(const dataset::Dataset& dataset, std::size_t people);

}  // namespace hearsay::report
