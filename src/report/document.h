// SPDX-License-Identifier: Apache-2.0
//
// What report.html shows, as one JSON document: docs/report-schema.md.
#pragma once

#include <string>
#include <vector>

#include "report/adversaries.h"
#include "report/findings.h"
#include "report/paper_figures.h"
#include "results/collected.h"
#include "results/manifest.h"

namespace hearsay::report {

inline constexpr int kDocumentSchema = 4;

// A row of a comparison with the paper.
struct PaperRow {
  Figure figure;
  double here = 0;
  double difference = 0;
  std::string note;
};

// Best responses to the raw counts.
results::Json best_json(const std::vector<results::SummaryRow>& summary);

// Collects results as they come; keeps quantiles, not users. What rests on fewer people than the study's least_people
// does not come into the document.
class DocumentBuilder {
 public:
  // Both outlive it.
  DocumentBuilder(const experiment::Study& study, const results::DataFacts& facts) : study_(study), facts_(facts) {}

  // What inference found by epoch and place, then by user.
  void take(const goal::Measurement& measurement);
  void take(const results::PeopleFigures& people);
  // ROI errors of every profiling combination of the raw release, for rois.csv.
  using Places = results::PlaceErrors;
  const std::vector<Places>& places() const { return places_; }

  results::Json json(const engine::Provenance& provenance, const std::string& study_name,
                     const results::Collected& found, const std::vector<PaperRow>& paper) const;

 private:
  struct Curve {
    goal::Combination combination;
    std::vector<double> steps;  // mean errors of users in order of their errors, a step's users at a time
    std::vector<double> epochs;
    std::vector<double> without;  // the same on counts that leave out each user in turn; empty without a control
  };
  struct Box {
    goal::Combination combination;
    results::Distribution gains;
  };
  // What somebody got wrong at a place or in an hour: with what she knew before, with counts that leave out each person
  // in turn (where there is a control) and with the counts.
  struct Errors {
    double before = 0;
    std::optional<double> without;
    double with = 0;
    // What being counted costs or, without a control, the share of the error before that the counts took.
    double taken() const { return without ? *without - with : before > 0 ? 1 - with / before : 0; }
    results::Json json() const;
  };

  const Curve* curve_of(const goal::Combination& adversary) const;
  // Null where there are none.
  const Places* places_of(const goal::Combination& adversary) const;
  // The baseline of an adversary's losses.
  goal::Combination baseline_of(const Adversary& adversary) const;
  bool enough(std::size_t people) const { return people >= study_.results.least_people; }
  // A percentile of so many people's numbers, null where too few lie on one side of it.
  results::Json percentile_json(double value, double share, std::size_t people) const;
  // Of all users'.
  results::Json percentile_json(double value, double share) const {
    return percentile_json(value, share, facts_.users);
  }
  results::Json summary_json(const std::vector<results::SummaryRow>& summary) const;
  // By place; none where too few people were there. Empty where she is not scored by place.
  std::vector<std::optional<Errors>> place_errors(const Adversary& adversary) const;
  results::Json worst_hour(const Adversary& adversary) const;
  results::Json worst_roi(const Adversary& adversary) const;
  results::Json places_json(const Adversary& adversary) const;
  results::Json groups_json(const Adversary& adversary) const;
  results::Json exposed_json(const results::Exposed& exposed) const;
  results::Json adversary_json(const Adversary& adversary, const std::vector<results::SummaryRow>& summary) const;
  // Number among the adversaries of the one whom the findings are about.
  std::optional<std::size_t> chosen_of(const std::vector<results::SummaryRow>& summary) const;
  // `adversary`: of that one, as the document has her.
  Details details_of(std::size_t chosen, const results::Json& adversary) const;
  results::Json rois() const;
  results::Json curves() const;
  results::Json hours() const;
  results::Json defences(const results::Collected& found) const;
  // What goals found that have no part of their own.
  results::Json measured(const std::vector<results::MeasuredGoal>& goals) const;

  const experiment::Study& study_;
  const results::DataFacts& facts_;
  std::vector<Curve> curves_;
  std::vector<Places> places_;
  std::vector<Box> boxes_;
  Adversaries adversaries_;
};

}  // namespace hearsay::report
