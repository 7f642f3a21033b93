// SPDX-License-Identifier: Apache-2.0
//
// What report.html shows, as one JSON document: docs/report-schema.md.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/manifest.h"
#include "report/paper_figures.h"

namespace hearsay::report {

inline constexpr int kDocumentSchema = 1;

// A row of a comparison with the paper.
struct PaperRow {
  Figure figure;
  double here = 0;
  double difference = 0;
  std::string note;
};

// Collects results as they come; keeps quantiles, not users.
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
    std::vector<double> quantiles;  // over users
    std::vector<double> epochs;
  };
  struct Box {
    experiment::Combination combination;
    Distribution gains;
  };
  // The adversary to whom the raw release gives most: the page's tiles, map and groups of people are about her.
  struct Worst {
    experiment::Combination combination;
    double mean = -1;
    std::vector<double> losses;  // by user
  };

  // Whom the counts help most where people really are (null left out): her prior's errors and her own.
  std::pair<const Places*, const Places*> adversary_by_place(const std::vector<std::uint64_t>& visits) const;
  Json tiles(const Json& map) const;
  Json rois() const;
  Json who() const;
  Json curves() const;
  Json hours() const;
  Json defences(const ResultTables& tables) const;

  const experiment::Study& study_;
  const dataset::Dataset& dataset_;
  std::vector<Curve> curves_;
  std::vector<Places> places_;
  std::vector<Box> boxes_;
  Worst worst_;
};

// Visits in the inference period, by ROI.
std::vector<std::uint64_t> inference_visits(const dataset::Dataset& dataset);

}  // namespace hearsay::report
