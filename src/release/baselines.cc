// SPDX-License-Identifier: Apache-2.0
#include "release/baselines.h"

namespace hearsay::release {
namespace {

std::uint32_t epochs_of_week(const dataset::Calendar& calendar) {
  return 7 * calendar.per_day();
}

// Each count the mean over the epochs from `first` on of the observation period that lie whole periods before it.
CountMatrix mean_of_period(const dataset::Observation& observation, std::uint32_t period, std::uint32_t first) {
  const dataset::Calendar& calendar = observation.calendar();
  const dataset::Crowd& crowd = observation.crowd();
  CountMatrix counts(crowd.rois, calendar.inference());
  for (std::uint32_t epoch = 0; epoch < calendar.inference(); ++epoch) {
    if (epoch >= period) {
      for (std::size_t roi = 0; roi < crowd.rois; ++roi) {
        counts.series(roi)[epoch] = counts.series(roi)[epoch - period];
      }
      continue;
    }
    double observed = 0;
    for (std::uint32_t before = calendar.observe + epoch; before >= first + period; before -= period) {
      const dataset::EpochVisits visits = observation.at(static_cast<EpochId>(before - period));
      for (const RoiId roi : visits.rois) ++counts.series(index_of(roi))[epoch];
      counts.series(crowd.rois - 1)[epoch] += static_cast<double>(crowd.users - visits.users.size());
      ++observed;
    }
    for (std::size_t roi = 0; roi < crowd.rois; ++roi) counts.series(roi)[epoch] /= observed;
  }
  return counts;
}

std::optional<CountMatrix> zeros(const dataset::Observation& observation) {
  return CountMatrix(observation.crowd().rois, observation.calendar().inference());
}

std::optional<CountMatrix> last_week(const dataset::Observation& observation) {
  const dataset::Calendar& calendar = observation.calendar();
  const std::uint32_t week = epochs_of_week(calendar);
  if (calendar.observe < week) return std::nullopt;
  return mean_of_period(observation, week, calendar.observe - week);
}

std::optional<CountMatrix> average_week(const dataset::Observation& observation) {
  const dataset::Calendar& calendar = observation.calendar();
  const std::uint32_t week = epochs_of_week(calendar);
  if (calendar.observe >= week) return mean_of_period(observation, week, 0);
  if (calendar.observe >= calendar.per_day()) return mean_of_period(observation, calendar.per_day(), 0);
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
