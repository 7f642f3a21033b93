// SPDX-License-Identifier: Apache-2.0
//
// A synthetic crowd for timing, made in memory: people who go to work and back on weekdays and at any time to places
// mostly known, some places far busier than others.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "experiment/study.h"
#include "ingest/ingest.h"
#include "reproduction/reproduction.h"

namespace hearsay::bench {

inline constexpr std::uint32_t kRois = 582, kDays = 28;

inline void add_commuter(std::uint32_t user, RandomBits& bits, std::vector<ingest::Visit>& visits) {
  const auto anywhere = [&] { return static_cast<std::uint32_t>(kRois * bits.unit() * bits.unit()); };
  const auto below = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(bits.below(bound)); };
  const std::uint32_t home = anywhere(), work = anywhere();
  const std::vector<std::uint32_t> known = {anywhere(), anywhere(), anywhere(), anywhere()};
  for (std::uint32_t day = 0; day < kDays; ++day) {
    const auto trip = [&](std::uint32_t hour, std::uint32_t from, std::uint32_t to) {
      visits.push_back({day * 24 + hour, user, from});
      visits.push_back({day * 24 + hour, user, to});
    };
    const bool weekday = day % 7 < 5;
    if (weekday) {
      trip(7 + below(2), home, work);
      trip(17 + below(3), work, home);
    }
    for (std::uint32_t trips = below(weekday ? 4 : 6); trips > 0; --trips) {
      const std::uint32_t to = below(10) < 7 ? known[below(4)] : anywhere();
      trip(9 + below(14), below(2) == 0 ? home : known[below(4)], to);
    }
  }
}

inline ingest::Visits make_commuters(std::uint32_t users) {
  SeededBits bits(1);
  ingest::Visits visits;
  std::vector<ingest::Visit> all;
  for (std::uint32_t user = 0; user < users; ++user) {
    visits.users.push_back(fmt::format("u{:05}", user));
    add_commuter(user, bits, all);
  }
  for (std::uint32_t roi = 0; roi < kRois; ++roi) visits.rois.push_back({std::to_string(roi), "", {}, {}});
  const auto key = [](const ingest::Visit& visit) { return std::tuple(visit.epoch, visit.user, visit.roi); };
  std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  const auto same = [&](const auto& a, const auto& b) { return key(a) == key(b); };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  visits.visits = all;
  return visits;
}

// The paper's grid over four weeks, on the raw release.
inline experiment::Study commuter_study() {
  experiment::Study study = reproduction::san_francisco_study(".");  // for its priors, attacks and goals
  study.data.period = {"2010-03-01 00:00:00", 3600, kDays * 24};
  study.data.observe = 21 * 24;
  study.defences.clear();
  return study;
}

}  // namespace hearsay::bench
