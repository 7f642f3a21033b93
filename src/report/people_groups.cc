// SPDX-License-Identifier: Apache-2.0
#include "report/people_groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace hearsay::report {
namespace {

constexpr std::size_t kGroups = 10;
// Pairs of groups in order less those out of order, of all pairs (Kendall's tau), from which on a trend is called one.
constexpr double kClearTrend = 0.7;
// Mean losses that differ by less are alike.
constexpr double kAlike = 0.02;

bool less_loss(const Group& a, const Group& b) {
  return a.loss < b.loss;
}

// Ends of the groups among users in order of their values.
std::vector<std::size_t> cuts(const std::vector<double>& sorted, std::size_t least) {
  std::vector<std::size_t> ends;
  std::size_t begin = 0;
  for (std::size_t g = 1; g <= kGroups; ++g) {
    std::size_t end = sorted.size() * g / kGroups;
    if (end <= begin) continue;
    while (end < sorted.size() && sorted[end] == sorted[end - 1]) ++end;
    if (end - begin < least) continue;
    ends.push_back(end);
    begin = end;
  }
  // What is left is too small for a group of its own.
  if (!ends.empty()) ends.back() = sorted.size();
  return ends;
}

double spread(const std::vector<Group>& groups) {
  const auto [low, high] = std::minmax_element(groups.begin(), groups.end(), less_loss);
  return high->loss - low->loss;
}

void find_trend(Grouping& grouping) {
  const std::vector<Group>& groups = grouping.groups;
  if (groups.size() < 2 || spread(groups) < kAlike) return;
  int order = 0;
  int pairs = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (std::size_t j = i + 1; j < groups.size(); ++j) {
      ++pairs;
      order += groups[j].loss > groups[i].loss ? 1 : groups[j].loss < groups[i].loss ? -1 : 0;
    }
  }
  const double tau = static_cast<double>(order) / pairs;
  if (tau >= kClearTrend) grouping.trend = Trend::kRises;
  if (tau <= -kClearTrend) grouping.trend = Trend::kFalls;
  grouping.every_step = order == pairs || order == -pairs;
}

std::string range_words(const Group& group) {
  const auto number = [](double value) { return fmt::format("{:.3g}", value); };
  if (!group.from && !group.to) return "all";
  if (!group.from) return "up to " + number(*group.to);
  if (!group.to) return number(*group.from) + " and more";
  if (*group.from == *group.to) return number(*group.from);
  return fmt::format("{} to {}", number(*group.from), number(*group.to));
}

std::string trend_words(const Grouping& grouping) {
  const auto [low, high] = std::minmax_element(grouping.groups.begin(), grouping.groups.end(), less_loss);
  const bool rises = grouping.trend == Trend::kRises;
  const auto words = [](const Group& group) {
    return fmt::format("{:.0f}% ({})", group.loss * 100, range_words(group));
  };
  return fmt::format("For whom: the mean loss {} with {}{}, from {} to {}, {}.", rises ? "rises" : "falls",
                     grouping.title, grouping.every_step ? "" : ", with exceptions", words(rises ? *low : *high),
                     words(rises ? *high : *low), grouping.unit);
}

}  // namespace

Grouping group_people(std::string title, std::string unit, const std::vector<double>& values,
                      const std::vector<double>& losses, std::size_t least) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> sorted;
  sorted.reserve(order.size());
  for (const std::size_t user : order) sorted.push_back(values[user]);

  Grouping grouping{std::move(title), std::move(unit), {}};
  std::size_t begin = 0;
  for (const std::size_t end : cuts(sorted, least)) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += losses[order[i]];
    Group group;
    if (begin > 0 || least <= 1) group.from = sorted[begin];
    if (end < sorted.size() || least <= 1) group.to = sorted[end - 1];
    group.users = end - begin;
    group.loss = sum / static_cast<double>(end - begin);
    grouping.groups.push_back(group);
    begin = end;
  }
  find_trend(grouping);
  return grouping;
}

std::string whom_sentence(const std::vector<Grouping>& groupings) {
  const Grouping* clearest = nullptr;
  std::vector<Group> all;
  std::vector<std::string> titles;
  for (const Grouping& grouping : groupings) {
    if (grouping.groups.size() < 2) continue;
    titles.push_back(grouping.title);
    all.insert(all.end(), grouping.groups.begin(), grouping.groups.end());
    const bool clearer = clearest == nullptr || spread(grouping.groups) > spread(clearest->groups);
    if (grouping.trend != Trend::kNone && clearer) clearest = &grouping;
  }
  if (all.empty()) return "";
  if (clearest != nullptr) return trend_words(*clearest);
  const auto [low, high] = std::minmax_element(all.begin(), all.end(), less_loss);
  return fmt::format("For whom: {}; in groups by {} the mean loss is between {:.0f}% and {:.0f}%.",
                     high->loss - low->loss < kAlike ? "much the same for everybody" : "no clear pattern",
                     fmt::join(titles, ", by "), low->loss * 100, high->loss * 100);
}

const char* trend_name(Trend trend) {
  return trend == Trend::kRises ? "rises" : trend == Trend::kFalls ? "falls" : "none";
}

}  // namespace hearsay::report
