// SPDX-License-Identifier: Apache-2.0
//
// The parts of the document about adversaries and the people they are after.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/civil_time.h"
#include "base/text.h"
#include "report/document.h"
#include "report/document_numbers.h"

namespace hearsay::report {
namespace {

constexpr std::array<const char*, 7> kWeekdays = {"Mondays", "Tuesdays",  "Wednesdays", "Thursdays",
                                                  "Fridays", "Saturdays", "Sundays"};
constexpr std::size_t kLongestName = 60;

results::Json strategy_json(const results::Strategy& strategy) {
  return {{"error", strategy.error}, {"attack", strategy.attack}, {"decision", strategy.decision}};
}

results::Json rounded_or_null(const std::optional<double>& value) {
  return value ? results::Json(rounded(*value)) : results::Json();
}

// Where and when being counted costs most, of an adversary as the document has her.
std::string where_sentence(const results::Json& adversary) {
  std::vector<std::string> parts;
  const auto add = [&](const results::Json& at, const std::string& where, const char* what) {
    const double without = at["without"];
    const double with = at["with"];
    if (without - with < 0.0005) return;
    parts.push_back(fmt::format("{} (from {:.3f} to {:.3f} {})", where, without, with, what));
  };
  const results::Json& place = adversary["worst_roi"];
  if (!place.is_null() && !place["without"].is_null()) {
    const std::string name = place["name"].get<std::string>().empty() ? place["id"] : place["name"];
    add(place, "at " + one_line(name, kLongestName), "about the people there");
  }
  const results::Json& hour = adversary["worst_hour"];
  if (!hour.is_null() && !hour["without"].is_null()) {
    add(hour, fmt::format("on {} at {:02}:00", kWeekdays.at(hour["weekday"]), hour["hour"].get<int>()),
        "about everybody");
  }
  if (parts.empty()) return "";
  return fmt::format("Where and when: being counted brings her error down most {}.", fmt::join(parts, " and "));
}

}  // namespace

results::Json best_json(const std::vector<results::SummaryRow>& summary) {
  results::Json list = results::Json::array();
  for (const results::BestResponse& best : results::best_responses(summary)) {
    if (best.release != goal::kRaw) continue;
    list.push_back({{"goal", best.goal},
                    {"prior", best.prior},
                    {"before", strategy_json(best.before)},
                    {"without", best.without ? strategy_json(*best.without) : results::Json()},
                    {"with", strategy_json(best.with)},
                    {"paper", best.paper ? strategy_json(*best.paper) : results::Json()}});
  }
  return list;
}

results::Json DocumentBuilder::Errors::json() const {
  return {{"before", rounded(before)}, {"without", rounded_or_null(without)}, {"with", rounded(with)}};
}

goal::Combination DocumentBuilder::baseline_of(const Adversary& adversary) const {
  goal::Combination key = adversary.combination;
  key.decision = results::prior_reading(key);
  key.attack = study_.adversary.attacks.front()->info.name;
  return key;
}

const DocumentBuilder::Curve* DocumentBuilder::curve_of(const goal::Combination& adversary) const {
  const auto found = std::find_if(curves_.begin(), curves_.end(),
                                  [&](const Curve& curve) { return same_adversary(curve.combination, adversary); });
  return found == curves_.end() ? nullptr : &*found;
}

results::Json DocumentBuilder::worst_hour(const Adversary& adversary) const {
  const Curve* before = curve_of(baseline_of(adversary));
  const Curve* with = curve_of(adversary.combination);
  if (!enough(facts_.users) || before == nullptr || with == nullptr) return {};
  struct Sum {
    Errors errors;
    double epochs = 0;
  };
  std::map<std::pair<int, int>, Sum> by_hour;
  for (std::size_t e = 0; e < with->epochs.size(); ++e) {
    Sum& sum = by_hour[weekday_and_hour(study_.start_of(study_.data.observe + e))];
    ++sum.epochs;
    sum.errors.before += before->epochs[e];
    sum.errors.with += with->epochs[e];
    if (!with->without.empty()) sum.errors.without = sum.errors.without.value_or(0) + with->without[e];
  }
  results::Json worst;
  double most = kRounding;
  for (auto& [when, sum] : by_hour) {
    Errors& errors = sum.errors;
    errors = {errors.before / sum.epochs, errors.without ? std::optional(*errors.without / sum.epochs) : std::nullopt,
              errors.with / sum.epochs};
    // Hours in which she hardly errs say nothing of a share.
    if ((!errors.without && errors.before <= 0.01) || errors.taken() <= most) continue;
    most = errors.taken();
    worst = errors.json();
    worst["weekday"] = when.first;
    worst["hour"] = when.second;
  }
  return worst;
}

results::Json DocumentBuilder::groups_json(const Adversary& adversary) const {
  results::Json by = results::Json::array();
  for (std::size_t i = 0; i < facts_.groupings.size(); ++i) {
    const results::PeopleGroups& grouping = facts_.groupings[i];
    const GroupMeans own = adversary.own ? adversary.own_groups[i] : GroupMeans{};
    const GroupMeans& loss = adversary.loss_groups[i];
    if (grouping.groups().empty()) continue;
    results::Json groups = results::Json::array();
    for (std::size_t g = 0; g < grouping.groups().size(); ++g) {
      const results::Group& group = grouping.groups()[g];
      groups.push_back({{"from", rounded_or_null(group.from)},
                        {"to", rounded_or_null(group.to)},
                        {"users", group.users},
                        {"own", own.means.empty() ? results::Json() : rounded_or_null(own.means[g])},
                        {"loss", rounded_or_null(loss.means[g])}});
    }
    by.push_back({{"title", grouping.title()},
                  {"unit", grouping.unit()},
                  {"own_trend", own.means.empty() ? results::Json() : results::Json(trend_name(own.trend))},
                  {"loss_trend", trend_name(loss.trend)},
                  {"groups", groups}});
  }
  return by;
}

results::Json DocumentBuilder::exposed_json(const results::Exposed& exposed) const {
  const bool shown = exposed.users == 0 || enough(exposed.users) || study_.results.show_users;
  results::Json ids;
  if (study_.results.show_users) {
    ids = results::Json::array();
    for (const auto& one : exposed.most) ids.push_back(facts_.id_of(static_cast<std::uint32_t>(one.user)));
  }
  return {{"users", shown ? results::Json(exposed.users) : results::Json()}, {"ids", ids}};
}

results::Json DocumentBuilder::adversary_json(const Adversary& adversary,
                                              const std::vector<results::SummaryRow>& summary) const {
  const goal::Combination& key = adversary.combination;
  results::Json json = key_json(key);
  json["baseline"] = key.baseline;
  for (const results::BestResponse& best : results::best_responses(summary)) {
    if (best.release == goal::kRaw && best.goal == key.goal && best.prior == key.prior) {
      json["before"] = best.before.error;
    }
  }
  for (const char* name : {"without", "crowd", "own", "own_half_width", "own_people", "own_loss", "counted"}) {
    json[name] = nullptr;
  }
  for (const results::SummaryRow& row : summary) {
    const goal::Combination& other = row.combination;
    if (other.release != goal::kRaw || !same_adversary(other, key) || other.baseline != key.baseline) continue;
    json["with"] = row.error.mean;
    json["loss"] = optional_number(row.loss_mean);
    if (!row.control) continue;
    json["without"] = row.control->without.mean;
    json["crowd"] = json["before"].get<double>() - row.control->without.mean;
    json["own"] = row.control->own.mean;
    json["own_loss"] = row.control->own_loss;
    if (row.sampled()) {
      json["own_half_width"] = row.control->half_width;
      json["own_people"] = row.control->users;
    } else {
      json["counted"] = row.control->counted;
    }
  }
  const std::optional<results::OwnFigures>& own = adversary.own;
  const std::optional<double>& loss_p95 = adversary.loss.p95;
  json["own_p95"] = own ? percentile_json(rounded(own->p95), 0.95) : results::Json();
  json["own_hundredth"] = own ? results::Json(own->hundredth) : results::Json();
  json["loss_p95"] = loss_p95 ? percentile_json(rounded(*loss_p95), 0.95) : results::Json();
  json["own_steps"] = rounded_list(own ? own->steps : std::vector<double>{});
  json["worst_hour"] = worst_hour(adversary);
  json["worst_roi"] = worst_roi(adversary);
  json["places"] = places_json(adversary);
  json["by"] = groups_json(adversary);
  json["exposed"] = {{"own", own ? exposed_json(own->exposed) : results::Json()},
                     {"loss", exposed_json(adversary.loss.exposed)}};
  return json;
}

std::optional<std::size_t> DocumentBuilder::chosen_of(const std::vector<results::SummaryRow>& summary) const {
  const std::optional<results::BestResponse> chosen = chosen_adversary(summary);
  const std::vector<Adversary>& all = adversaries_.all();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Adversary& one) {
    return chosen && one.combination.goal == chosen->goal && one.combination.prior == chosen->prior;
  });
  return found == all.end() ? std::nullopt : std::optional<std::size_t>(found - all.begin());
}

Details DocumentBuilder::details_of(std::size_t chosen, const results::Json& adversary) const {
  const Adversary& her = adversaries_.all()[chosen];
  const results::Json& p95 = adversary["own_p95"];
  return {p95.is_null() ? std::nullopt : std::optional(p95.get<double>()),
          her.own ? std::optional(her.own->hundredth) : std::nullopt,
          her.own ? whom_sentence(facts_.groupings, her.own_groups, kOwnPart)
                  : whom_sentence(facts_.groupings, her.loss_groups, kLoss),
          where_sentence(adversary)};
}

}  // namespace hearsay::report
