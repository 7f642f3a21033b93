// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "report/document_entries.h"
#include "report/document_numbers.h"
#include "report/membership.h"

namespace hearsay::report {
namespace {

results::Json number_or_null(double value) {
  return std::isfinite(value) ? results::Json(rounded(value)) : results::Json();
}

results::Json point_json(const Membership& membership, const MembershipPoint& point) {
  const bool tells = membership.tells(point);
  const auto mean = [&](const std::optional<double>& value) {
    return tells && value ? number_or_null(*value) : results::Json();
  };
  const auto percentile = [&](double value, double share) {
    return tells_percentile(share, point.targets, membership.least_people) ? number_or_null(value) : results::Json();
  };
  const results::Distribution& auc = point.auc;
  return {{"group", point.group},
          {"targets", point.targets},
          {"trials", point.trials},
          {"auc",
           {{"p05", percentile(auc.p05, 0.05)},
            {"p25", percentile(auc.p25, 0.25)},
            {"p50", percentile(auc.p50, 0.50)},
            {"p75", percentile(auc.p75, 0.75)},
            {"p95", percentile(auc.p95, 0.95)},
            {"mean", mean(auc.mean)}}},
          {"half_width", mean(point.half_width)},
          {"loss", mean(point.loss)},
          {"tpr_1", mean(point.tpr_1)},
          {"tpr_01", mean(point.tpr_01)},
          {"above_06", mean(point.above_06)},
          {"above_09", mean(point.above_09)},
          {"near_all", point.near_all}};
}

results::Json exposure_json(const Membership& membership, const MembershipChoice& choice) {
  results::Json by = results::Json::array();
  for (const ExposedThirds& thirds : exposed_thirds(membership, choice)) {
    results::Json groups = results::Json::array();
    for (std::size_t g = 0; g < thirds.medians.size(); ++g) {
      const results::Group& group = thirds.groups.groups()[g];
      groups.push_back({{"from", optional_number(group.from)},
                        {"to", optional_number(group.to)},
                        {"targets", group.users},
                        {"auc", number_or_null(thirds.medians[g])}});
    }
    by.push_back({{"title", thirds.groups.title()}, {"unit", thirds.groups.unit()}, {"groups", groups}});
  }
  return {{"line", choice.line}, {"group", choice.group}, {"by", by}};
}

// Of the attacks used, in the order of lists.
results::Json attacks_json(const Membership& membership,
                           const std::vector<const membership::DistinguisherEntry*>& known) {
  results::Json list = results::Json::array();
  for (const membership::DistinguisherEntry* entry : known) {
    const bool used = std::any_of(membership.lines.begin(), membership.lines.end(), [&](const MembershipLine& line) {
      return line.attack == entry->info.name || line.attack.starts_with(entry->info.name + "(");
    });
    if (used) list.push_back(info_json(entry->info));
  }
  return list;
}

}  // namespace

results::Json membership_json(const Membership& membership,
                              const std::vector<const membership::DistinguisherEntry*>& known) {
  if (membership.empty()) return {};
  results::Json lines = results::Json::array();
  for (const MembershipLine& line : membership.lines) {
    results::Json points = results::Json::array();
    for (const MembershipPoint& point : line.points) points.push_back(point_json(membership, point));
    lines.push_back({{"attack", line.attack},
                     {"target", line.target},
                     {"crowd", line.crowd},
                     {"knows", target_words(line.target)},
                     {"knows_of_others", crowd_words(line.crowd)},
                     {"release", line.release},
                     {"parameter", line.parameter},
                     {"raw", line.is_raw()},
                     {"points", points}});
  }
  results::Json audit = results::Json::array();
  for (const AuditRow& row : membership.audits) {
    audit.push_back({{"release", row.release},
                     {"parameter", row.parameter},
                     {"unit", row.unit},
                     {"claimed", number_or_null(row.claimed)},
                     {"found", number_or_null(row.found)},
                     {"trials", row.trials},
                     {"broken", row.broken}});
  }
  // First of the line that the sentences are about, then of the others on the same counts.
  results::Json exposure = results::Json::array();
  if (const std::optional<MembershipChoice> choice = membership.choice()) {
    exposure.push_back(exposure_json(membership, *choice));
    const MembershipLine& chosen = membership.lines[choice->line];
    for (std::size_t i = 0; i < membership.lines.size(); ++i) {
      const MembershipLine& line = membership.lines[i];
      const bool same = line.release == chosen.release && line.parameter == chosen.parameter;
      const MembershipPoint* point = line.at(choice->group);
      if (i == choice->line || !same || point == nullptr || !membership.tells(*point)) continue;
      exposure.push_back(exposure_json(membership, {i, choice->group}));
    }
  }
  return {{"attacks", attacks_json(membership, known)}, {"lines", lines}, {"exposure", exposure}, {"audit", audit}};
}

}  // namespace hearsay::report
