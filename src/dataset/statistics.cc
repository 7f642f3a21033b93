// SPDX-License-Identifier: Apache-2.0
#include "dataset/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dataset/by_user.h"

namespace hearsay::dataset {
namespace {

Spread spread_of(const std::vector<std::uint64_t>& values) {
  if (values.empty()) return {};
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const std::uint64_t value : values) {
    const double distance = static_cast<double>(value) - mean;
    squares += distance * distance;
  }
  return {mean, std::sqrt(squares / n)};
}

std::vector<std::uint64_t> distinct_rois_per_user(const Dataset& dataset, std::size_t threads,
                                                  const BlockSizes& blocks) {
  std::vector<std::uint64_t> distinct(dataset.crowd().users);
  walk_by_user(
      dataset.visits(), distinct.size(), dataset.crowd().rois, threads,
      [&](std::size_t user, std::span<const OwnVisit> visits) {
        for (std::size_t i = 0; i < visits.size(); ++i) {
          distinct[user] += i == 0 || visits[i].roi != visits[i - 1].roi ? 1 : 0;
        }
      },
      blocks);
  return distinct;
}

}  // namespace

Statistics describe(const Dataset& dataset, std::size_t threads, const BlockSizes& blocks) {
  const std::size_t users = dataset.crowd().users;
  const std::size_t rois = dataset.rois().size();
  std::vector<std::uint64_t> reports(users);
  std::vector<std::uint64_t> inferred(users);
  std::vector<std::uint64_t> active(users);
  std::vector<std::uint64_t> roi_reports(rois);
  std::vector<std::uint64_t> roi_active(rois);
  for (std::size_t e = 0; e < dataset.visits().epochs(); ++e) {
    const EpochVisits epoch = dataset.visits().at(static_cast<EpochId>(e));
    const bool inference = e >= dataset.calendar().observe;
    for (std::size_t row = 0; row < epoch.users.size(); ++row) {
      const std::size_t user = index_of(epoch.users[row]);
      const std::size_t count = epoch.rois_of(row).size();
      reports[user] += count;
      ++active[user];
      if (inference) inferred[user] += count;
    }
    if (!inference) continue;
    std::vector<bool> here(rois);
    for (const RoiId roi : epoch.rois) {
      ++roi_reports[index_of(roi)];
      if (!here[index_of(roi)]) ++roi_active[index_of(roi)];
      here[index_of(roi)] = true;
    }
  }
  std::erase(roi_active, 0U);
  Statistics statistics;
  statistics.users = users;
  statistics.rois = rois;
  statistics.reports = dataset.visits().size();
  statistics.reports_per_user = spread_of(reports);
  statistics.rois_per_user = spread_of(distinct_rois_per_user(dataset, threads, blocks));
  statistics.active_epochs_per_user = spread_of(active);
  statistics.reports_per_roi = spread_of(roi_reports);
  statistics.active_epochs_per_roi = spread_of(roi_active);
  if (users > 0) statistics.largest_inference_reports = *std::max_element(inferred.begin(), inferred.end());
  return statistics;
}

}  // namespace hearsay::dataset
