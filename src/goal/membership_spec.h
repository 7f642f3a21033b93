// SPDX-License-Identifier: Apache-2.0
//
// The settings of the membership game: [membership] of a study file.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/entry.h"
#include "membership/distinguisher.h"

namespace hearsay::goal {

// What she knows of the target.
struct TargetKnowledge {
  std::string name = "trace";  // as results print it
  bool habits = false;         // how often it was where in the observation period; else its trace
  double share = 1;            // of the epochs of the trace, drawn at random
  // By hour of the day: whether the trace is known then.
  std::array<bool, 24> hours = all_hours();
  std::size_t season_hours = 0;  // habits by position in so many hours: 0 all alike, 24, 168

  static constexpr std::array<bool, 24> all_hours() {
    std::array<bool, 24> hours{};
    hours.fill(true);
    return hours;
  }
};

// What she knows of everybody else.
struct CrowdKnowledge {
  enum class Kind { kNone, kSample, kPast };
  std::string name = "none";
  Kind kind = Kind::kNone;
  double share = 0;  // of the people, whose traces she knows
};

struct MembershipSpec {
  std::vector<std::size_t> groups = {};  // people in a group; empty: kUsualGroups that are honest on the data
  std::size_t targets = 150;             // 0: everybody who was somewhere
  std::size_t trials = 200;              // groups with each target, and as many without
  std::vector<TargetKnowledge> target = {{}};
  std::vector<CrowdKnowledge> crowd = {{}};
  // Empty: for each release the first that fits it.
  std::vector<const membership::DistinguisherEntry*> attacks = {};
  bool beyond_half = false;  // groups of more than half of all people may be asked for
  std::size_t audit_trials = 2000;
  std::optional<std::uint64_t> seed = {};  // unset: that of the study
};

inline constexpr std::array<std::size_t, 3> kUsualGroups = {10, 100, 1000};

// What may be known of targets and of the crowd, with their parameters, as studies name them.
const std::vector<EntryInfo>& target_knowledge();
const std::vector<EntryInfo>& crowd_knowledge();

// Throw ConfigError for parameters out of range. `name`: as results print it.
TargetKnowledge target_knowledge_of(const std::string& name, const Parameters& parameters);
CrowdKnowledge crowd_knowledge_of(const std::string& name, const Parameters& parameters);

}  // namespace hearsay::goal
