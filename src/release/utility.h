// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "release/draft.h"

namespace hearsay::release {

// What a perturbed release is still good for, beside the raw one. Null is left out everywhere. A coarse release is
// judged as it is expanded to the study's own places and epochs, unless said otherwise.
struct Utility {
  // Mean over all (ROI, epoch) of |perturbed - raw| / max(beta, raw), beta = 0.1% of the mean epoch total, null
  // included: what the paper's tables were made with.
  double mre = 0;
  // The same an ROI at a time with beta = 0.1% of the ROI's own sum (the paper's formula to the letter), averaged over
  // the ROIs with a visit.
  double mre_per_roi = 0;
  double mae = 0;            // mean absolute error
  double top10_overlap = 0;  // share of an epoch's ten busiest ROIs that stay among its ten busiest; mean over epochs
  double suppressed = 0;     // share of counts above 0 that became 0 or less

  // Mean absolute error of the counts whose true number is 0, 1 to 9, 10 to 99, and 100 or more; none where there is no
  // such count.
  std::optional<double> mae_0;
  std::optional<double> mae_1_9;
  std::optional<double> mae_10_99;
  std::optional<double> mae_100;
  // Spearman's correlation of the ROIs in order of an epoch's counts, true and perturbed: Pearson's correlation of the
  // ranks, equal counts with the mean of theirs; 0 for an epoch whose perturbed counts are all equal. Mean over the
  // epochs with two different true counts or more; none where there is no such epoch.
  std::optional<double> rank_correlation;
  // Relative errors of sums: sum of |perturbed - raw| by sum of raw. Of the counts of all ROIs by epoch of the day, of
  // each ROI over all epochs, and of each epoch over all ROIs. None where nobody was anywhere.
  std::optional<double> daily_profile;
  std::optional<double> place_totals;
  std::optional<double> epoch_totals;
  // Each count is forecast as that of the same ROI one day before, from the perturbed counts and, to compare with, from
  // the true ones: mean absolute error of the counts from the second day on. None in less than two days.
  std::optional<double> forecast_mae;
  std::optional<double> forecast_mae_raw;

  // What only the draft itself can tell: the share of the counts, on its own places and epochs, that it has; and MRE
  // and MAE on those, where people are truly counted once a coarse place and epoch. The same as above for a release
  // that is not coarse.
  std::optional<double> published;
  std::optional<double> mre_own_grid;
  std::optional<double> mae_own_grid;
};

// One of the measures, by the name that it has in tables.
struct UtilityNumber {
  std::string name;
  std::optional<double> value;
};

// All of them, in the order of tables.
std::vector<UtilityNumber> numbers_of(const Utility& utility);

// Of counts alone. `per_day`: epochs of a day; 0: not known, and nothing that goes by day is measured.
Utility measure_utility(const CountMatrix& raw, const CountMatrix& perturbed, std::size_t per_day = 0);

// Of a draft. `raw`: the true counts by the study's places and epochs; `own_raw`: by those of the draft.
Utility measure_utility(const CountMatrix& raw, const CountMatrix& own_raw, const Draft& draft, std::size_t per_day);

// The mean absolute error of a draft alone.
double mean_absolute_error(const CountMatrix& raw, const Draft& draft);

// The true counts by other places and epochs than those of `raw`, which is fine: a person is counted once a place and
// epoch. People declared but not seen are left out.
CountMatrix true_counts(const Draft& raw, const Geometry& geometry);

}  // namespace hearsay::release
