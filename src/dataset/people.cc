// SPDX-License-Identifier: Apache-2.0
#include "dataset/people.h"

#include <vector>

#include "dataset/by_user.h"

namespace hearsay::dataset {

People describe_people(const Dataset& dataset, std::size_t threads, const BlockSizes& blocks) {
  const Calendar& calendar = dataset.calendar();
  const std::uint32_t week = 7 * calendar.per_day();
  const std::size_t users = dataset.crowd().users;
  People people{std::vector<double>(users), std::vector<double>(users), std::vector<double>(users)};
  walk_by_user(
      dataset.visits(), users, dataset.crowd().rois, threads,
      [&](std::size_t user, std::span<const OwnVisit> visits) {
        std::size_t rois = 0;
        std::size_t inferred = 0;
        std::size_t repeated = 0;
        std::size_t first = 0;  // of this ROI
        for (std::size_t i = 0; i < visits.size(); ++i) {
          if (i == 0 || visits[i].roi != visits[i - 1].roi) {
            ++rois;
            first = i;
          }
          if (visits[i].epoch < calendar.observe) continue;
          ++inferred;
          for (std::size_t k = first; k < i && visits[k].epoch < calendar.observe; ++k) {
            if (visits[k].epoch % week != visits[i].epoch % week) continue;
            ++repeated;
            break;
          }
        }
        people.reports[user] = static_cast<double>(visits.size());
        people.rois[user] = static_cast<double>(rois);
        if (inferred > 0) {
          people.regularity[user] = static_cast<double>(repeated) / static_cast<double>(inferred);
        }
      },
      blocks);
  return people;
}

std::vector<std::uint64_t> inference_visits(const Dataset& dataset) {
  std::vector<std::uint64_t> visits(dataset.rois().size());
  const Truth truth = dataset.truth();
  for (std::size_t e = 0; e < truth.epochs(); ++e) {
    for (const RoiId roi : truth.at(static_cast<EpochId>(e)).rois) ++visits[index_of(roi)];
  }
  return visits;
}

std::vector<std::uint64_t> inference_visitors(const Dataset& dataset) {
  std::vector<std::uint64_t> visitors(dataset.rois().size());
  const std::uint32_t observe = dataset.calendar().observe;
  walk_by_user(dataset.visits(), dataset.crowd().users, dataset.crowd().rois, 1,
               [&](std::size_t, std::span<const OwnVisit> visits) {
                 for (std::size_t i = 0; i < visits.size(); ++i) {
                   const bool last = i + 1 == visits.size() || visits[i + 1].roi != visits[i].roi;
                   if (last && visits[i].epoch >= observe) ++visitors[visits[i].roi];
                 }
               });
  return visitors;
}

}  // namespace hearsay::dataset
