// SPDX-License-Identifier: Apache-2.0
#include "release/baselines.h"

namespace hearsay::release {
namespace {

std::uint32_t epochs_of_week(const dataset::Calendar& calendar) {
  return 7 * calendar.per_day();
}

// Each count the mean over the epochs from `first` on of the observation period that lie whole periods before it.
CountMatrix mean_of_period(const dataset::ObservedCounts& observed, std::uint32_t period, std::uint32_t first) {
  const dataset::Calendar& calendar = observed.calendar;
  CountMatrix counts(observed.rois, calendar.inference());
  for (std::uint32_t epoch = 0; epoch < calendar.inference(); ++epoch) {
    if (epoch >= period) {
      for (std::size_t roi = 0; roi < observed.rois; ++roi) {
        counts.series(roi)[epoch] = counts.series(roi)[epoch - period];
      }
      continue;
    }
    double epochs = 0;
    for (std::uint32_t before = calendar.observe + epoch; before >= first + period; before -= period) {
      const std::span<const std::uint64_t> visits = observed.at(before - period);
      for (std::size_t roi = 0; roi < observed.rois; ++roi) {
        counts.series(roi)[epoch] += static_cast<double>(visits[roi]);
      }
      ++epochs;
    }
    for (std::size_t roi = 0; roi < observed.rois; ++roi) counts.series(roi)[epoch] /= epochs;
  }
  return counts;
}

std::optional<CountMatrix> zeros(const dataset::ObservedCounts& observed) {
  return CountMatrix(observed.rois, observed.calendar.inference());
}

std::optional<CountMatrix> last_week(const dataset::ObservedCounts& observed) {
  const std::uint32_t week = epochs_of_week(observed.calendar);
  if (observed.calendar.observe < week) return std::nullopt;
  return mean_of_period(observed, week, observed.calendar.observe - week);
}

std::optional<CountMatrix> average_week(const dataset::ObservedCounts& observed) {
  const dataset::Calendar& calendar = observed.calendar;
  const std::uint32_t week = epochs_of_week(calendar);
  if (calendar.observe >= week) return mean_of_period(observed, week, 0);
  if (calendar.observe >= calendar.per_day()) return mean_of_period(observed, calendar.per_day(), 0);
  return std::nullopt;
}

}  // namespace

const std::vector<Baseline>& all_baselines() {
  static const std::vector<Baseline> all = {{"ZEROS", "publishing zeros", zeros},
                                            {"LAST_WEEK_COUNTS", "publishing last week's counts", last_week},
                                            {"AVERAGE_WEEK", "publishing the average week", average_week}};
  return all;
}

}  // namespace hearsay::release
