// SPDX-License-Identifier: Apache-2.0
#include "report/membership.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <span>

#include "goal/combination.h"
#include "goal/membership_spec.h"
#include "report/document_numbers.h"
#include "report/words.h"

namespace hearsay::report {
namespace {

constexpr const char* kNothing = "none";  // what she knows of the crowd
constexpr std::size_t kThirds = 3;

std::size_t whole_number(const std::string& text) {
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The numbers of a row by name; empty where there are none of that name.
class Numbers {
 public:
  Numbers(const results::MeasuredGoal& goal, const results::MeasuredRow& row) : goal_(goal), row_(row) {}

  // By target.
  std::span<const double> values(std::string_view name) const {
    const std::optional<std::size_t> at = place(name);
    return at && *at < row_.values.size() ? std::span<const double>(row_.values[*at]) : std::span<const double>();
  }
  // Of those that are numbers.
  std::optional<double> mean(std::string_view name) const {
    std::vector<double> numbers;
    for (const double value : values(name)) {
      if (std::isfinite(value)) numbers.push_back(value);
    }
    return numbers.empty() ? std::nullopt : std::optional(results::mean_of(numbers));
  }
  const results::Distribution& distribution(std::string_view name) const {
    static const results::Distribution kNone;
    const std::optional<std::size_t> at = place(name);
    return at ? row_.numbers[*at] : kNone;
  }

 private:
  std::optional<std::size_t> place(std::string_view name) const {
    const auto found = std::find(goal_.names.begin(), goal_.names.end(), name);
    if (found == goal_.names.end()) return std::nullopt;
    return static_cast<std::size_t>(found - goal_.names.begin());
  }

  const results::MeasuredGoal& goal_;
  const results::MeasuredRow& row_;
};

MembershipPoint point_of(const results::MeasuredGoal& goal, const results::MeasuredRow& row) {
  const Numbers numbers(goal, row);
  MembershipPoint point;
  point.group = whole_number(goal::field_of(row.key, "group"));
  point.targets = row.count;
  point.trials = static_cast<std::size_t>(std::llround(numbers.mean("trials").value_or(0)));
  point.near_all = numbers.mean("near_all").value_or(0) > 0;
  point.auc = numbers.distribution("auc");
  const std::optional<double> low = numbers.mean("auc_low");
  const std::optional<double> high = numbers.mean("auc_high");
  if (low && high) point.half_width = (*high - *low) / 2;
  point.loss = numbers.mean("loss");
  point.tpr_1 = numbers.mean("tpr_1");
  point.tpr_01 = numbers.mean("tpr_01");
  point.above_06 = numbers.mean("above_06");
  point.above_09 = numbers.mean("above_09");
  point.aucs = numbers.values("auc");
  point.visits = numbers.values("visits");
  point.company = numbers.values("company");
  return point;
}

void take_row(std::vector<MembershipLine>& lines, const results::MeasuredGoal& goal, const results::MeasuredRow& row) {
  MembershipLine made;
  made.attack = goal::field_of(row.key, "attack");
  made.target = goal::field_of(row.key, "target");
  made.crowd = goal::field_of(row.key, "crowd");
  made.release = goal::field_of(row.key, "release");
  made.parameter = goal::field_of(row.key, "parameter");
  const auto same = [&](const MembershipLine& line) {
    return line.attack == made.attack && line.target == made.target && line.crowd == made.crowd &&
           line.release == made.release && line.parameter == made.parameter;
  };
  auto line = std::find_if(lines.begin(), lines.end(), same);
  if (line == lines.end()) line = lines.insert(lines.end(), std::move(made));
  const MembershipPoint point = point_of(goal, row);
  const auto after = std::upper_bound(line->points.begin(), line->points.end(), point,
                                      [](const auto& a, const auto& b) { return a.group < b.group; });
  line->points.insert(after, point);
}

AuditRow audit_of(const results::MeasuredGoal& goal, const results::MeasuredRow& row) {
  const Numbers numbers(goal, row);
  return {goal::field_of(row.key, "release"),
          goal::field_of(row.key, "parameter"),
          goal::field_of(row.key, "hides"),
          numbers.distribution("claimed").mean,
          numbers.distribution("found").mean,
          static_cast<std::size_t>(std::llround(numbers.distribution("trials").mean)),
          numbers.distribution("broken").mean > 0};
}

// "name(parameter=value,...)" in its parts, with the defaults of the kind of knowledge that has the name.
struct Named {
  std::string name;
  std::map<std::string, std::string> values;

  std::string value(const std::string& parameter) const {
    const auto found = values.find(parameter);
    return found == values.end() ? "" : found->second;
  }
};

Named named(const std::string& text, const std::vector<EntryInfo>& kinds) {
  const std::size_t open = text.find('(');
  Named made{text.substr(0, open), {}};
  for (const EntryInfo& info : kinds) {
    if (info.name != made.name) continue;
    for (const ParameterInfo& parameter : info.parameters) made.values[parameter.name] = parameter.default_value;
  }
  if (open == std::string::npos || !text.ends_with(')')) return made;
  std::string rest = text.substr(open + 1, text.size() - open - 2);
  while (!rest.empty()) {
    const std::string one = rest.substr(0, rest.find(','));
    const std::size_t equals = one.find('=');
    if (equals != std::string::npos) made.values[one.substr(0, equals)] = one.substr(equals + 1);
    rest.erase(0, one.size() + 1);
  }
  return made;
}

// A share given as text, in words.
std::string share_text(const std::string& text) {
  double share = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), share);
  return problem == std::errc() ? share_words(share) : text;
}

std::string trace_words(const Named& trace) {
  std::string words = "where the person was";
  const std::string share = trace.value("share");
  if (share != "1") words += fmt::format(" in {} of the hours out", share_text(share));
  std::string hours = trace.value("hours");
  if (hours == "all") return words;
  for (std::size_t at = hours.find('+'); at != std::string::npos; at = hours.find('+', at)) {
    hours.replace(at, 1, " and ");
  }
  return fmt::format("{}{} at hours {} of the day", words, share == "1" ? "" : ",", hours);
}

std::string habits_words(const Named& habits) {
  const std::string prior = habits.value("prior");
  std::string words = knows(prior);
  const std::string each = "each person";
  const std::size_t at = words.find(each);
  return at == std::string::npos ? fmt::format("the person's habits ({})", prior)
                                 : words.replace(at, each.size(), "the person");
}

}  // namespace

const MembershipPoint* MembershipLine::at(std::size_t group) const {
  const auto found = std::find_if(points.begin(), points.end(), [&](const auto& one) { return one.group == group; });
  return found == points.end() ? nullptr : &*found;
}

bool MembershipLine::is_raw() const {
  return release == goal::kRaw;
}

bool Membership::tells_median(const MembershipPoint& point) const {
  return tells_percentile(0.5, point.targets, least_people);
}

double Membership::typical(const MembershipPoint& point) const {
  return tells_median(point) ? point.auc.p50 : point.auc.mean;
}

std::pair<long, bool> Membership::rank(const MembershipLine& line, std::size_t group) const {
  return {std::lround(typical(*line.at(group)) * 100), line.crowd == kNothing};
}

std::optional<MembershipChoice> Membership::choice() const {
  const bool raw = std::any_of(lines.begin(), lines.end(), [](const MembershipLine& line) { return line.is_raw(); });
  std::size_t honest = 0;
  std::size_t smallest = 0;
  for (const MembershipLine& line : lines) {
    if (raw && !line.is_raw()) continue;
    for (const MembershipPoint& point : line.points) {
      if (!tells(point)) continue;
      if (!point.near_all) honest = std::max(honest, point.group);
      smallest = smallest == 0 ? point.group : std::min(smallest, point.group);
    }
  }
  const std::size_t group = honest > 0 ? honest : smallest;
  std::optional<MembershipChoice> best;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const MembershipPoint* point = raw && !lines[i].is_raw() ? nullptr : lines[i].at(group);
    if (point == nullptr || !tells(*point)) continue;
    if (!best || rank(lines[i], group) > rank(lines[best->line], group)) best = {i, group};
  }
  return best;
}

Membership read_membership(const std::vector<results::MeasuredGoal>& goals, std::size_t least_people) {
  Membership membership;
  membership.least_people = least_people;
  for (const results::MeasuredGoal& goal : goals) {
    for (const results::MeasuredRow& row : goal.rows) {
      if (goal.name == kMembership) take_row(membership.lines, goal, row);
      if (goal.name == kAudit) membership.audits.push_back(audit_of(goal, row));
    }
  }
  return membership;
}

std::string target_words(const std::string& target) {
  const Named one = named(target, goal::target_knowledge());
  return one.name == "trace" ? trace_words(one) : one.name == "habits" ? habits_words(one) : target;
}

std::string crowd_words(const std::string& crowd) {
  const Named one = named(crowd, goal::crowd_knowledge());
  if (one.name == kNothing) return "nothing of the others";
  if (one.name == "past") return "earlier counts";
  return one.name == "sample" ? fmt::format("where {} of the others were", share_text(one.value("share"))) : crowd;
}

std::vector<ExposedThirds> exposed_thirds(const Membership& membership, const MembershipChoice& choice) {
  const MembershipPoint& point = *membership.lines[choice.line].at(choice.group);
  const std::size_t least = membership.least_people <= 1 ? 1 : 2 * membership.least_people;
  std::vector<ExposedThirds> all;
  const auto add = [&](const char* title, const char* unit, std::span<const double> quantity) {
    std::vector<double> by;
    std::vector<double> aucs;
    for (std::size_t target = 0; target < std::min(quantity.size(), point.aucs.size()); ++target) {
      if (!std::isfinite(quantity[target]) || !std::isfinite(point.aucs[target])) continue;
      by.push_back(quantity[target]);
      aucs.push_back(point.aucs[target]);
    }
    results::PeopleGroups groups(title, unit, results::counts_of(by), least, kThirds);
    if (groups.groups().size() < 2) return;
    std::vector<double> medians = group_medians(groups, by, aucs);
    all.push_back({std::move(groups), std::move(medians)});
  };
  add("activity", "visits in the inference period", point.visits);
  add("company", "others counted where and when the person was, on average", point.company);
  return all;
}

}  // namespace hearsay::report
