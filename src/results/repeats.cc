// SPDX-License-Identifier: Apache-2.0
#include "results/repeats.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace hearsay::results {
namespace {

// The 97.5% quantile of Student's t by degrees of freedom.
double student_t(std::size_t freedom) {
  return boost::math::quantile(boost::math::students_t(static_cast<double>(freedom)), 0.975);
}

// Groups things by key in the order the keys first appear.
template <typename Key, typename Thing, typename KeyOf>
std::vector<std::vector<const Thing*>> grouped(const std::vector<Thing>& things, const KeyOf& key_of) {
  std::map<Key, std::size_t> places;
  std::vector<std::vector<const Thing*>> groups;
  for (const Thing& thing : things) {
    const auto [place, is_new] = places.try_emplace(key_of(thing), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(&thing);
  }
  return groups;
}

// The interval of one number of every member of a group; none where a member has none.
template <typename Thing, typename Value>
std::optional<Interval> interval_over(const std::vector<const Thing*>& group, const Value& value_of) {
  std::vector<double> draws;
  for (const Thing* thing : group) {
    const std::optional<double> value = value_of(*thing);
    if (!value) return std::nullopt;
    draws.push_back(*value);
  }
  return interval_of(draws);
}

}  // namespace

Interval interval_of(std::span<const double> draws) {
  const auto n = static_cast<double>(draws.size());
  Interval interval;
  interval.mean = std::accumulate(draws.begin(), draws.end(), 0.0) / n;
  if (draws.size() < 2) return interval;
  double squares = 0;
  for (const double draw : draws) squares += (draw - interval.mean) * (draw - interval.mean);
  interval.half_width = student_t(draws.size() - 1) * std::sqrt(squares / (n - 1) / n);
  return interval;
}

std::vector<MeanRow> means_over_repeats(const std::vector<SummaryRow>& summary) {
  const auto key_of = [](const SummaryRow& row) { return goal::key_of(row.combination, "repeat"); };
  std::vector<MeanRow> means;
  for (const auto& group : grouped<goal::Key>(summary, key_of)) {
    means.push_back({group.front()->combination, group.size(),
                     interval_over(group, [](const SummaryRow& row) { return std::optional(row.error.mean); }),
                     interval_over(group, [](const SummaryRow& row) { return row.loss_mean; }),
                     interval_over(group, [](const SummaryRow& row) { return row.gain_mean; }),
                     interval_over(group, [](const SummaryRow& row) {
                       return row.control ? std::optional(row.control->own.mean) : std::nullopt;
                     })});
  }
  return means;
}

std::string nearer_baseline(const std::vector<goal::ReleaseResult>& releases, double release::Utility::*number,
                            double value) {
  const goal::ReleaseResult* nearest = nullptr;
  for (const goal::ReleaseResult& one : releases) {
    if (one.baseline.empty()) continue;
    if (nearest == nullptr || one.utility.*number < nearest->utility.*number) nearest = &one;
  }
  return nearest != nullptr && nearest->utility.*number < value ? nearest->release : "";
}

std::vector<ReleaseMeans> means_over_repeats(const std::vector<goal::ReleaseResult>& releases) {
  using Key = std::tuple<std::string, std::string, std::string>;
  using goal::ReleaseResult;
  std::vector<ReleaseMeans> means;
  for (const auto& group : grouped<Key>(releases, [](const ReleaseResult& release) {
         return Key{release.release, release.parameter, release.baseline};
       })) {
    const auto over = [&](double release::Utility::*member) {
      return *interval_over(group, [&](const ReleaseResult& r) { return std::optional(r.utility.*member); });
    };
    const ReleaseResult& first = *group.front();
    ReleaseMeans& mean = means.emplace_back();
    mean.release = first.release;
    mean.parameter = first.parameter;
    mean.guarantee = first.guarantee;
    mean.repeats = group.size();
    mean.mre = over(&release::Utility::mre);
    mean.mae = over(&release::Utility::mae);
    mean.top10_overlap = over(&release::Utility::top10_overlap);
    const std::vector<release::UtilityNumber> names = release::numbers_of(first.utility);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto number = [&](const ReleaseResult& r) { return release::numbers_of(r.utility)[i].value; };
      mean.numbers.push_back({names[i].name, interval_over(group, number)});
    }
    mean.baseline = first.baseline;
    if (!mean.baseline.empty()) continue;
    mean.worse_than = nearer_baseline(releases, &release::Utility::mre, mean.mre.mean);
    mean.worse_than_mae = nearer_baseline(releases, &release::Utility::mae, mean.mae.mean);
  }
  return means;
}

}  // namespace hearsay::results
