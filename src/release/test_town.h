// SPDX-License-Identifier: Apache-2.0
//
// Small towns for the tests of steps, and steps by name.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "release/chain.h"

namespace hearsay::release {

// Users, ROIs (null not counted) and inference epochs, with the visits of the inference period. ROIs are a grid of
// three columns, or one row where they do not come out even, and every other one lies in the same zone.
struct Town {
  std::size_t users;
  std::size_t rois;
  std::uint32_t epochs;
  std::vector<ingest::Visit> visits;
};

struct Prepared {
  dataset::Dataset data;
  dataset::Truth truth;
  Draft draft;
  const CountMatrix& counts = draft.counts();
  // `declared`: people in all, seen or not.
  explicit Prepared(const Town& town, std::optional<std::size_t> declared = std::nullopt)
      : data(visits_of(town), {3600, town.epochs + 1, 1}, 0), truth(data.truth()), draft(truth, declared, 1) {}
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  static ingest::Visits visits_of(const Town& town) {
    ingest::Visits visits;
    for (std::size_t u = 0; u < town.users; ++u) visits.users.push_back("u" + std::to_string(100 + u));
    for (std::size_t s = 0; s < town.rois; ++s) {
      visits.rois.push_back({"s" + std::to_string(s), "", {}, {}, s % 2 == 0 ? "even" : "odd"});
    }
    visits.columns = town.rois % 3 == 0 ? 3 : static_cast<std::uint32_t>(town.rois);
    for (ingest::Visit visit : town.visits) {
      ++visit.epoch;  // one epoch of observation comes first
      visits.visits.push_back(visit);
    }
    return visits;
  }
};

// 40 users over 6 ROIs and 24 epochs.
inline Town busy_town() {
  Town town{40, 6, 24, {}};
  SeededBits bits(3);
  for (std::uint32_t e = 0; e < town.epochs; ++e) {
    for (std::uint32_t u = 0; u < town.users; ++u) {
      for (std::uint32_t s = 0; s < town.rois; ++s) {
        if (bits.below(10) < 2) town.visits.push_back({e, u, s});
      }
    }
  }
  return town;
}

// The town without a unit of what a user did, of those that a visit is of. Epochs are hours.
inline Town without(const Town& town, Unit unit, const ingest::Visit& of) {
  Town other = town;
  std::erase_if(other.visits, [&](const ingest::Visit& visit) {
    if (visit.user != of.user) return false;
    switch (unit) {
      case Unit::kEvent:
        return visit.epoch == of.epoch && visit.roi == of.roi;
      case Unit::kUserPlace:
        return visit.roi == of.roi;
      case Unit::kUserEpoch:
        return visit.epoch == of.epoch;
      case Unit::kUserDay:
        return visit.epoch / 24 == of.epoch / 24;
      case Unit::kUserWeek:
        return visit.epoch / (7 * 24) == of.epoch / (7 * 24);
      case Unit::kUser:
        break;
    }
    return true;
  });
  return other;
}

using Values = std::vector<std::pair<std::string, std::string>>;

inline Parameters parameters_of(const std::string& name, const Values& values) {
  Parameters parameters(name);
  for (const auto& [key, value] : values) parameters.set(key, value);
  return parameters;
}

inline const StepEntry& step_named(const std::string& name) {
  return step_named("test", name, all_steps());
}

inline std::unique_ptr<Step> make(const std::string& name, const Values& values) {
  return make_step(step_named(name), parameters_of(name, values));
}

inline Chain chain_of(const std::string& name, const Values& values) {
  Chain chain;
  chain.add(step_named(name), parameters_of(name, values));
  return chain;
}

}  // namespace hearsay::release
