// SPDX-License-Identifier: Apache-2.0
//
// Whether somebody can tell that a person was counted, as a report has it: what the goals "membership" and "audit"
// found.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "membership/distinguisher.h"
#include "report/people_groups.h"
#include "results/manifest.h"
#include "results/measured.h"

namespace hearsay::report {

inline constexpr const char* kMembership = "membership";
inline constexpr const char* kAudit = "audit";

// Groups of one size, over the targets tried.
struct MembershipPoint {
  std::size_t group = 0;  // people in the counts
  std::size_t targets = 0;
  std::size_t trials = 0;  // groups with a target; as many without
  bool near_all = false;   // the group is more than a quarter of the people to draw from: the AUC is overstated
  results::Distribution auc;
  // Means over the targets of whom there is a number.
  std::optional<double> half_width;  // of the interval of one target's AUC
  std::optional<double> loss;
  std::optional<double> tpr_1;   // true positive rate at 1% false positives
  std::optional<double> tpr_01;  // and at 0.1%
  std::optional<double> above_06;
  std::optional<double> above_09;
  // By target.
  std::span<const double> aucs;
  std::span<const double> visits;   // its own, in the inference period
  std::span<const double> company;  // mean number of others counted in its cells
};

// What one attack reached with one knowledge on one release.
struct MembershipLine {
  std::string attack;
  std::string target;  // what she knows of the target, as the study says it
  std::string crowd;   // and of everybody else
  std::string release;
  std::string parameter;
  std::vector<MembershipPoint> points;  // by rising group

  const MembershipPoint* at(std::size_t group) const;
  bool is_raw() const;
};

// A promise and what was found of it.
struct AuditRow {
  std::string release;
  std::string parameter;
  std::string unit;    // what the promise hides
  double claimed = 0;  // epsilon
  double found = 0;    // the true epsilon is at least this, at 95%
  std::size_t trials = 0;
  bool broken = false;
};

// What the sentences are about.
struct MembershipChoice {
  std::size_t line = 0;
  std::size_t group = 0;
};

struct Membership {
  std::vector<MembershipLine> lines;  // in the order in which they were tried
  std::vector<AuditRow> audits;
  std::size_t least_people = 1;

  bool empty() const { return lines.empty() && audits.empty(); }
  // Whether there are enough targets to tell their numbers, and their median.
  bool tells(const MembershipPoint& point) const { return point.targets >= least_people; }
  bool tells_median(const MembershipPoint& point) const;
  // The median AUC or, where that is not to be told, the mean.
  double typical(const MembershipPoint& point) const;
  // How strong a line is at a group that it has: by its AUC to two decimals, then stronger where nothing is known of
  // the crowd.
  std::pair<long, bool> rank(const MembershipLine& line, std::size_t group) const;

  // The strongest line on the raw counts at the largest group that is not near all people (at the smallest where all
  // are), the first of several. Of all lines where none is of the raw counts. None where there are too few targets.
  std::optional<MembershipChoice> choice() const;
};

// The goals stay where they are while it is used.
Membership read_membership(const std::vector<results::MeasuredGoal>& goals, std::size_t least_people);

// What she knows of a target: "where the person was in 10% of the time"; and of the crowd.
std::string target_words(const std::string& target);
std::string crowd_words(const std::string& crowd);

// Targets by thirds of how active they are, and of how many others are counted where they were. A third has people
// enough to tell its median.
struct ExposedThirds {
  results::PeopleGroups groups;
  std::vector<double> medians;  // of the AUC, by group
};
std::vector<ExposedThirds> exposed_thirds(const Membership& membership, const MembershipChoice& choice);

// Null where the study asked neither. `known`: every attack that it could name.
results::Json membership_json(
    const Membership& membership,
    const std::vector<const membership::DistinguisherEntry*>& known = membership::all_distinguishers());

// Whether somebody can tell, who else, what becomes of it under defences, and what audits found. None where the study
// did not ask.
std::vector<std::string> membership_sentences(const Membership& membership);

}  // namespace hearsay::report
