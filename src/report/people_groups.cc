// SPDX-License-Identifier: Apache-2.0
#include "report/people_groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "results/summary.h"

namespace hearsay::report {
namespace {

// Pairs of groups in order less those out of order, of all pairs (Kendall's tau), from which on a trend is called one.
constexpr double kClearTrend = 0.7;

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

std::string range_words(const results::Group& group) {
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

std::string trend_words(const results::PeopleGroups& grouping, const GroupMeans& of, const Compared& compared) {
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

GroupMeans with_trend(std::vector<std::optional<double>> means, const Compared& compared) {
  GroupMeans of;
  of.means = std::move(means);
  find_trend(of, compared.alike);
  return of;
}

std::vector<double> group_medians(const results::PeopleGroups& groups, std::span<const double> values,
                                  std::span<const double> numbers) {
  std::vector<std::vector<double>> of(groups.groups().size());
  for (std::size_t user = 0; user < values.size(); ++user) of[groups.group_of(values[user])].push_back(numbers[user]);
  std::vector<double> medians;
  medians.reserve(of.size());
  for (const std::vector<double>& group : of) medians.push_back(results::distribution_of(group).p50);
  return medians;
}

std::string whom_sentence(const std::vector<results::PeopleGroups>& groupings, const std::vector<GroupMeans>& means,
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
