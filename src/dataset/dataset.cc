// SPDX-License-Identifier: Apache-2.0
#include "dataset/dataset.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <tuple>

#include "base/errors.h"

namespace hearsay::dataset {
namespace {

constexpr std::uint32_t kDropped = std::numeric_limits<std::uint32_t>::max();

void check(const Calendar& calendar) {
  if (calendar.epoch_seconds == 0 || kDaySeconds % calendar.epoch_seconds != 0) {
    throw ConfigError("period.epoch", std::to_string(calendar.epoch_seconds) + " s", "must divide a day");
  }
  if (calendar.observe == 0 || calendar.observe >= calendar.epochs) {
    throw ConfigError(
        "period.observe", std::to_string(calendar.observe),
        "must leave at least one epoch to observe and one to infer of the study's " + std::to_string(calendar.epochs));
  }
}

// Old user index -> new one, kDropped for users over the limit. Old indices are in byte order of the ids.
std::vector<std::uint32_t> number_users(const ingest::Visits& visits, const Calendar& calendar, std::size_t limit) {
  const std::size_t users = visits.users.size();
  std::vector<std::uint64_t> total(users);
  std::vector<std::uint64_t> observed(users);
  for (const ingest::Visit& visit : visits.visits) {
    ++total[visit.user];
    if (visit.epoch < calendar.observe) ++observed[visit.user];
  }
  std::vector<std::uint32_t> order(users);
  std::iota(order.begin(), order.end(), 0U);
  const auto most_first = [&order](const std::vector<std::uint64_t>& count) {
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return count[a] > count[b]; });
  };
  if (limit > 0 && limit < users) {
    most_first(total);
    order.resize(limit);
    std::sort(order.begin(), order.end());
  }
  most_first(observed);
  std::vector<std::uint32_t> number(users, kDropped);
  for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<std::uint32_t>(i);
  return number;
}

}  // namespace

EpochVisits Observation::at(EpochId epoch) const {
  assert(index_of(epoch) < calendar_.observe);
  return visits_.at(epoch);
}

EpochVisits Past::before(EpochId epoch, std::uint32_t lag) const {
  assert(lag >= 1 && lag <= calendar_.observe);
  return visits_.at(static_cast<EpochId>(calendar_.observe + index_of(epoch) - lag));
}

EpochVisits Truth::at(EpochId epoch) const {
  return visits_.at(static_cast<EpochId>(calendar_.observe + index_of(epoch)));
}

Dataset::Dataset(ingest::Visits visits, Calendar calendar, std::size_t user_limit)
    : calendar_(calendar), rois_(std::move(visits.rois)), visits_(calendar.epochs) {
  check(calendar);
  const std::vector<std::uint32_t> number = number_users(visits, calendar, user_limit);
  const auto kept = static_cast<std::size_t>(
      std::count_if(number.begin(), number.end(), [](std::uint32_t n) { return n != kDropped; }));
  user_ids_.resize(kept);
  for (std::size_t old = 0; old < number.size(); ++old) {
    if (number[old] != kDropped) user_ids_[number[old]] = std::move(visits.users[old]);
  }
  crowd_ = {kept, rois_.size() + 1};

  std::vector<ingest::Visit>& list = visits.visits;
  for (ingest::Visit& visit : list) visit.user = number[visit.user];
  std::erase_if(list, [](const ingest::Visit& visit) { return visit.user == kDropped; });
  // Sorted by epoch already: only the users inside an epoch moved.
  for (auto begin = list.begin(); begin != list.end();) {
    const auto end = std::find_if(begin, list.end(), [&](const auto& v) { return v.epoch != begin->epoch; });
    std::sort(begin, end,
              [](const auto& a, const auto& b) { return std::tie(a.user, a.roi) < std::tie(b.user, b.roi); });
    begin = end;
  }
  for (const ingest::Visit& visit : list) {
    visits_.add(static_cast<EpochId>(visit.epoch), static_cast<UserId>(visit.user), static_cast<RoiId>(visit.roi));
  }
  visits_.finish();
}

}  // namespace hearsay::dataset
