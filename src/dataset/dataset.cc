// SPDX-License-Identifier: Apache-2.0
#include "dataset/dataset.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <unordered_map>
#include <utility>

#include "base/errors.h"
#include "base/parallel.h"
#include "base/radix_sort.h"
#include "base/table_position.h"

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

// The places of users when sorted by `count`, most first, ties in their own order.
std::vector<std::uint32_t> places_by(const std::vector<std::uint32_t>& count) {
  std::vector<std::uint64_t> keys;
  keys.reserve(count.size());
  for (std::size_t user = 0; user < count.size(); ++user) keys.push_back(std::uint64_t{~count[user]} << 32 | user);
  std::vector<std::uint64_t> scratch;
  radix_sort(keys, scratch);
  std::vector<std::uint32_t> places(count.size());
  for (std::size_t i = 0; i < keys.size(); ++i) places[keys[i] & 0xffffffffU] = static_cast<std::uint32_t>(i);
  return places;
}

// Zones numbered as they come; none where ROIs have none.
std::vector<std::uint32_t> number_zones(const std::vector<ingest::Roi>& rois) {
  if (rois.empty() || rois.front().zone.empty()) return {};
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  std::vector<std::uint32_t> zones;
  zones.reserve(rois.size());
  for (const ingest::Roi& roi : rois) {
    zones.push_back(numbers.try_emplace(roi.zone, static_cast<std::uint32_t>(numbers.size())).first->second);
  }
  return zones;
}

struct Numbering {
  std::vector<std::uint32_t> number;  // old user index -> new one, kDropped for users over the limit
  std::vector<std::uint32_t> ranks;   // by new number
};

// Old indices are in byte order of the ids, and so are new ones.
Numbering number_users(const ingest::Visits& visits, const Calendar& calendar, std::size_t limit) {
  const std::size_t users = visits.users.size();
  std::vector<std::uint32_t> total(users);
  std::vector<std::uint32_t> observed(users);
  for (std::size_t e = 0; e < visits.visits.epochs.size(); ++e) {
    std::vector<std::uint32_t>& count = e < calendar.observe ? observed : total;
    for (const std::uint64_t visit : visits.visits.epochs[e]) {
      std::uint32_t& own = count[ingest::VisitList::user(visit)];
      own = table_position(std::uint64_t{own} + 1);
    }
  }
  for (std::size_t user = 0; user < users; ++user) {
    total[user] = table_position(std::uint64_t{total[user]} + observed[user]);
  }
  std::vector<std::uint32_t> number(users, kDropped);
  std::vector<std::uint32_t> reports;
  const std::vector<std::uint32_t> activity = limit > 0 ? places_by(total) : std::vector<std::uint32_t>(users);
  for (std::size_t user = 0; user < users; ++user) {
    if (limit > 0 && activity[user] >= limit) continue;
    number[user] = static_cast<std::uint32_t>(reports.size());
    reports.push_back(observed[user]);
  }
  return {std::move(number), places_by(reports)};
}

// The visits of users who stay, under their new numbers.
std::vector<std::vector<std::uint64_t>> renumber(ingest::VisitList list, const std::vector<std::uint32_t>& number,
                                                 std::size_t epochs, std::size_t threads) {
  std::vector<std::vector<std::uint64_t>> visits = std::move(list.epochs);
  visits.resize(epochs);
  std::vector<std::vector<std::uint64_t>> scratch(threads);
  parallel_for(epochs, threads, [&](std::size_t e, std::size_t worker) {
    std::vector<std::uint64_t>& keys = visits[e];
    for (std::uint64_t& key : keys) {
      key = ingest::VisitList::key(number[ingest::VisitList::user(key)], ingest::VisitList::roi(key));
    }
    std::erase_if(keys, [](std::uint64_t key) { return ingest::VisitList::user(key) == kDropped; });
    radix_sort(keys, scratch[worker]);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  });
  return visits;
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
  return visits_->at(static_cast<EpochId>(calendar_.observe + index_of(epoch)));
}

Dataset::Dataset(ingest::Visits visits, Calendar calendar, std::size_t user_limit, std::size_t threads)
    : calendar_(calendar), rois_(std::move(visits.rois)) {
  check(calendar);
  Numbering numbering = number_users(visits, calendar, user_limit);
  const std::vector<std::uint32_t>& number = numbering.number;
  ranks_ = std::move(numbering.ranks);
  user_ids_.reserve(ranks_.size());
  for (std::size_t old = 0; old < number.size(); ++old) {
    if (number[old] != kDropped) user_ids_.push_back(std::move(visits.users[old]));
  }
  zones_ = number_zones(rois_);
  crowd_ = {ranks_.size(), rois_.size() + 1, ranks_, visits.columns, zones_};
  visits_ = VisitStore(renumber(std::move(visits.visits), number, calendar.epochs, threads), threads);
}

Dataset::Dataset(std::vector<std::string> user_ids, std::vector<ingest::Roi> rois, std::uint32_t columns,
                 std::vector<std::vector<std::uint64_t>> visits, Calendar calendar, ShareOf share, std::size_t threads)
    : calendar_(calendar),
      user_ids_(std::move(user_ids)),
      rois_(std::move(rois)),
      ranks_(std::move(share.ranks)),
      numbers_(std::move(share.numbers)),
      zones_(number_zones(rois_)) {
  check(calendar);
  assert(numbers_.size() == user_ids_.size() && ranks_.size() == user_ids_.size());
  assert(share.people >= user_ids_.size() && visits.size() <= calendar.epochs);
  crowd_ = {user_ids_.size(), rois_.size() + 1, ranks_, columns, zones_, share.people - user_ids_.size(), numbers_};
  visits.resize(calendar.epochs);
  visits_ = VisitStore(std::move(visits), threads);
}

}  // namespace hearsay::dataset
