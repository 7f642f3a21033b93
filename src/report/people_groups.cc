// SPDX-License-Identifier: Apache-2.0
#include "report/people_groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "results/summary.h"

namespace hearsay::report {
namespace {

// Pairs of groups in order less those out of order, of all pairs (Kendall's tau), from which on a trend is called one.
constexpr double kClearTrend = 0.7;

// Ends of the groups among users in order of their values.
template <typename Value>
std::vector<std::size_t> cuts(std::size_t users, const Value& value_at, std::size_t least, std::size_t parts) {
  std::vector<std::size_t> ends;
  std::size_t begin = 0;
  for (std::size_t g = 1; g <= parts; ++g) {
    std::size_t end = users * g / parts;
    if (end <= begin) continue;
    while (end < users && value_at(end) == value_at(end - 1)) ++end;
    if (end - begin < least) continue;
    ends.push_back(end);
    begin = end;
  }
  // What is left is too small for a group of its own.
  if (!ends.empty()) ends.back() = users;
  return ends;
}

// The means that there are.
std::vector<double> known(const GroupMeans& of) {
  std::vector<double> means;
  for (const std::optional<double>& mean : of.means) {
    if (mean) means.push_back(*mean);
  }
  return means;
}

double spread(const GroupMeans& of) {
  const std::vector<double> means = known(of);
  if (means.empty()) return 0;
  const auto [low, high] = std::minmax_element(means.begin(), means.end());
  return *high - *low;
}

void find_trend(GroupMeans& of, double alike) {
  const std::vector<double> means = known(of);
  if (means.size() < 2 || spread(of) < alike) return;
  int order = 0;
  int pairs = 0;
  for (std::size_t i = 0; i < means.size(); ++i) {
    for (std::size_t j = i + 1; j < means.size(); ++j) {
      ++pairs;
      order += means[j] > means[i] ? 1 : means[j] < means[i] ? -1 : 0;
    }
  }
  const double tau = static_cast<double>(order) / pairs;
  if (tau >= kClearTrend) of.trend = Trend::kRises;
  if (tau <= -kClearTrend) of.trend = Trend::kFalls;
  of.every_step = order == pairs || order == -pairs;
}

std::string range_words(const Group& group) {
  const auto number = [](double value) { return fmt::format("{:.3g}", value); };
  if (!group.from && !group.to) return "all";
  if (!group.from) return "up to " + number(*group.to);
  if (!group.to) return number(*group.from) + " and more";
  if (*group.from == *group.to) return number(*group.from);
  return fmt::format("{} to {}", number(*group.from), number(*group.to));
}

std::string mean_words(double mean, const Compared& compared) {
  return compared.percent ? fmt::format("{:.0f}%", mean * 100)
                          : fmt::format("{:.{}f}", mean + 0.0, std::fabs(mean) < 0.01 ? 4 : 3);
}

std::string trend_words(const PeopleGroups& grouping, const GroupMeans& of, const Compared& compared) {
  const bool rises = of.trend == Trend::kRises;
  const auto less = [](const auto& a, const auto& b) { return a && b ? *a < *b : a.has_value(); };
  const auto more = [](const auto& a, const auto& b) { return a && b ? *a > *b : a.has_value(); };
  const auto low = std::min_element(of.means.begin(), of.means.end(), less) - of.means.begin();
  const auto high = std::min_element(of.means.begin(), of.means.end(), more) - of.means.begin();
  const auto words = [&](std::ptrdiff_t group) {
    const auto at = static_cast<std::size_t>(group);
    return fmt::format("{} ({})", mean_words(*of.means[at], compared), range_words(grouping.groups()[at]));
  };
  return fmt::format("For whom: {} {} with {}{}, from {} to {}, {}.", compared.words, rises ? "rises" : "falls",
                     grouping.title(), of.every_step ? "" : ", with exceptions", words(rises ? low : high),
                     words(rises ? high : low), grouping.unit());
}

}  // namespace

PeopleGroups::PeopleGroups(std::string title, std::string unit, const std::vector<double>& values, std::size_t least,
                           std::size_t parts)
    : title_(std::move(title)), unit_(std::move(unit)), least_(least) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
  const auto value_at = [&](std::size_t i) { return values[order[i]]; };
  std::size_t begin = 0;
  for (const std::size_t end : cuts(order.size(), value_at, least, parts)) {
    if (group_of_.empty()) group_of_.resize(order.size());
    Group group;
    if (begin > 0 || least <= 1) group.from = value_at(begin);
    if (end < order.size() || least <= 1) group.to = value_at(end - 1);
    group.users = end - begin;
    for (std::size_t i = begin; i < end; ++i) group_of_[order[i]] = static_cast<std::uint8_t>(groups_.size());
    groups_.push_back(group);
    begin = end;
  }
}

GroupMeans PeopleGroups::means(std::span<const double> numbers, const Compared& compared) const {
  std::vector<double> sums(groups_.size());
  std::vector<std::size_t> counts(groups_.size());
  for (std::size_t user = 0; user < std::min(numbers.size(), group_of_.size()); ++user) {
    if (std::isnan(numbers[user])) continue;
    sums[group_of_[user]] += numbers[user];
    ++counts[group_of_[user]];
  }
  GroupMeans of;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const bool enough = counts[g] > 0 && counts[g] >= least_;
    of.means.push_back(enough ? std::optional(sums[g] / static_cast<double>(counts[g])) : std::nullopt);
  }
  find_trend(of, compared.alike);
  return of;
}

std::vector<double> PeopleGroups::medians(std::span<const double> numbers) const {
  std::vector<std::vector<double>> of(groups_.size());
  for (std::size_t user = 0; user < group_of_.size(); ++user) of[group_of_[user]].push_back(numbers[user]);
  std::vector<double> medians;
  medians.reserve(of.size());
  for (const std::vector<double>& group : of) medians.push_back(results::distribution_of(group).p50);
  return medians;
}

std::string whom_sentence(const std::vector<PeopleGroups>& groupings, const std::vector<GroupMeans>& means,
                          const Compared& compared) {
  std::optional<std::size_t> clearest;
  std::vector<double> all;
  std::vector<std::string> titles;
  for (std::size_t i = 0; i < means.size(); ++i) {
    const std::vector<double> mine = known(means[i]);
    if (mine.size() < 2) continue;
    titles.push_back(groupings[i].title());
    all.insert(all.end(), mine.begin(), mine.end());
    const bool clearer = !clearest || spread(means[i]) > spread(means[*clearest]);
    if (means[i].trend != Trend::kNone && clearer) clearest = i;
  }
  if (all.empty()) return "";
  if (clearest) return trend_words(groupings[*clearest], means[*clearest], compared);
  const auto [low, high] = std::minmax_element(all.begin(), all.end());
  const std::string from = mean_words(*low, compared);
  const std::string to = mean_words(*high, compared);
  return fmt::format("For whom: {}; in groups by {} {} is {}.",
                     *high - *low < compared.alike ? "much the same for everybody" : "no clear pattern",
                     fmt::join(titles, ", by "), compared.words,
                     from == to ? "about " + to : fmt::format("between {} and {}", from, to));
}

const char* trend_name(Trend trend) {
  return trend == Trend::kRises ? "rises" : trend == Trend::kFalls ? "falls" : "none";
}

}  // namespace hearsay::report
