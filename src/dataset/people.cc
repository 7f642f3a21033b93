// SPDX-License-Identifier: Apache-2.0
#include "dataset/people.h"

#include <algorithm>
#include <tuple>

namespace hearsay::dataset {
namespace {

struct Report {
  std::uint32_t user;
  std::uint32_t roi;
  std::uint32_t position;  // in the week
  bool inferred;
};

}  // namespace

People describe_people(const Dataset& dataset) {
  const Calendar& calendar = dataset.calendar();
  const std::uint32_t week = 7 * calendar.per_day();
  std::vector<Report> all;
  all.reserve(dataset.visits().size());
  for (std::uint32_t e = 0; e < calendar.epochs; ++e) {
    const EpochVisits epoch = dataset.visits().at(static_cast<EpochId>(e));
    for (std::size_t row = 0; row < epoch.users.size(); ++row) {
      for (const RoiId roi : epoch.rois_of(row)) {
        all.push_back({static_cast<std::uint32_t>(epoch.users[row]), static_cast<std::uint32_t>(roi), e % week,
                       e >= calendar.observe});
      }
    }
  }
  std::sort(all.begin(), all.end(), [](const Report& a, const Report& b) {
    return std::tie(a.user, a.roi, a.position, a.inferred) < std::tie(b.user, b.roi, b.position, b.inferred);
  });
  const std::size_t users = dataset.crowd().users;
  People people{std::vector<double>(users), std::vector<double>(users), std::vector<double>(users)};
  std::vector<double> inferred(users);
  bool seen = false;  // this user, ROI and position was observed
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Report& report = all[i];
    const bool same_place = i > 0 && all[i - 1].user == report.user && all[i - 1].roi == report.roi;
    if (!same_place) ++people.rois[report.user];
    if (!same_place || all[i - 1].position != report.position) seen = false;
    ++people.reports[report.user];
    if (report.inferred) {
      ++inferred[report.user];
      people.regularity[report.user] += seen ? 1 : 0;
    } else {
      seen = true;
    }
  }
  for (std::size_t user = 0; user < users; ++user) {
    if (inferred[user] > 0) people.regularity[user] /= inferred[user];
  }
  return people;
}

}  // namespace hearsay::dataset
