// SPDX-License-Identifier: Apache-2.0
#include "random_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/errors.h"
#include "experiment/chosen.h"

namespace hearsay::reference {
namespace {

dataset::Calendar random_calendar(std::mt19937& random) {
  const std::vector<std::uint32_t> lengths = {900, 1800, 3600, 7200, 14400, 21600, 28800, 43200, 86400};
  dataset::Calendar calendar;
  calendar.epoch_seconds = lengths[random() % lengths.size()];
  const std::uint32_t week = 7 * calendar.per_day();
  // Short observation periods too, which some priors and some season positions do not fit into.
  const std::uint32_t longest = calendar.per_day() <= 6 ? 3 * week : calendar.per_day() <= 24 ? week + week / 4 : 150;
  calendar.observe = 1 + random() % longest;
  calendar.epochs = calendar.observe + 1 + random() % std::min<std::uint32_t>(week, 40);
  return calendar;
}

RandomStudy make_study(std::mt19937& random, const dataset::Calendar& calendar, std::size_t users) {
  const auto chance = [&](double p) { return std::uniform_real_distribution<double>()(random) < p; };
  RandomStudy made;
  World& w = made.world;
  w.users = users;
  w.rois = 2 + (chance(0.1) ? 0 : random() % 8);
  w.observe = calendar.observe;
  w.epochs = calendar.epochs;
  w.day = calendar.per_day();
  w.hour = std::max(1U, 3600 / calendar.epoch_seconds);
  w.visited.assign(w.users, std::vector<std::vector<bool>>(w.epochs, std::vector<bool>(w.rois)));
  const double density = std::pow(std::uniform_real_distribution<double>()(random), 2);
  const double regularity = std::uniform_real_distribution<double>()(random);

  for (std::size_t u = 0; u < w.users; ++u) {
    made.visits.users.push_back(fmt::format("u{:03}", u));
    const double presence = chance(0.15) ? 0 : density * std::uniform_real_distribution<double>()(random);
    for (std::size_t e = 0; e < w.epochs; ++e) {
      std::vector<bool>& row = w.visited[u][e];
      if (e >= w.day && chance(regularity)) {
        row = w.visited[u][e - w.day];
      } else {
        for (std::size_t s = 0; s + 1 < w.rois; ++s) row[s] = chance(presence);
      }
      row.back() = std::find(row.begin(), row.end() - 1, true) == row.end() - 1;
    }
  }
  for (std::size_t s = 0; s + 1 < w.rois; ++s) made.visits.rois.push_back({fmt::format("s{}", s), "", {}, {}});
  for (std::uint32_t e = 0; e < w.epochs; ++e) {
    for (std::uint32_t u = 0; u < w.users; ++u) {
      for (std::uint32_t s = 0; s + 1 < w.rois; ++s) {
        if (w.visited[u][e][s]) made.visits.visits.push_back({e, u, s});
      }
    }
  }

  experiment::Study& study = made.study;
  study.data.name = "random";
  study.data.period = {"2010-03-01 00:00:00", calendar.epoch_seconds, calendar.epochs};
  study.data.observe = calendar.observe;
  for (const prior::PriorEntry* entry : prior::all_priors()) {
    if (entry->only_rates) continue;  // fitted: src/prior/learned_test.cc has the plain formulas
    try {
      entry->check(calendar);
      study.adversary.priors.push_back(entry);
    } catch (const ConfigError&) {  // too short an observation for this prior
    }
  }
  study.adversary.attacks = experiment::choose<attack::AttackEntry>(
      "attacks", {"PRIOR", "AGGREGATES", "BAYES", "MAX_ROI", "MAX_ROI(ties=reports)", "MAX_USER", "NOWHERE", "TILT"},
      attack::all_attacks(), [](const attack::AttackEntry& entry) { return entry.info.name; }, study.registry);
  for (const metric::MetricEntry* entry : metric::all_metrics()) {
    if (entry->make != nullptr) study.adversary.goals.push_back(entry);
  }
  study.adversary.metric.log_base = chance(0.5) ? 2 : std::numbers::e;
  study.use_delta(chance(0.5) ? 0.5 : 0.25);
  return made;
}

}  // namespace

RandomStudy make_random_study(std::uint32_t seed) {
  std::mt19937 random(seed);
  const dataset::Calendar calendar = random_calendar(random);
  const bool alone = random() % 10 == 0;
  return make_study(random, calendar, alone ? 1 : 1 + random() % 12);
}

RandomStudy make_crowded_study(std::uint32_t seed) {
  std::mt19937 random(seed);
  dataset::Calendar calendar;
  calendar.epoch_seconds = 43200 >> random() % 2;
  calendar.observe = 7 * calendar.per_day() + random() % 10;
  calendar.epochs = calendar.observe + 5 + random() % 10;
  return make_study(random, calendar, 200 + random() % 201);
}

}  // namespace hearsay::reference
