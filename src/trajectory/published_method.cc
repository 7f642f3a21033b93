// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "trajectory/matching.h"
#include "trajectory/method.h"
#include "trajectory/steps.h"

namespace hearsay::trajectory {
namespace {

constexpr std::uint32_t kMorning = 6 * 3600;  // the night ends

// How many epochs each person spends at each place, ascending by place.
using Frequencies = std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>>;

Frequencies frequencies_of(const Paths& paths, std::size_t first, std::size_t end) {
  Frequencies all(paths.people());
  std::vector<std::uint32_t> places;
  for (std::size_t person = 0; person < paths.people(); ++person) {
    places.clear();
    for (std::size_t epoch = first; epoch < end; ++epoch) places.push_back(paths.at(epoch)[person]);
    std::sort(places.begin(), places.end());
    for (const std::uint32_t place : places) {
      if (all[person].empty() || all[person].back().first != place) all[person].emplace_back(place, 0);
      ++all[person].back().second;
    }
  }
  return all;
}

// x log2 x of whole numbers.
class Logarithms {
 public:
  explicit Logarithms(std::size_t most) : terms_(most + 1) {
    for (std::size_t i = 1; i <= most; ++i) terms_[i] = static_cast<double>(i) * std::log2(static_cast<double>(i));
  }
  double term(std::size_t count) const { return terms_[count]; }
  // The entropy of frequencies with these terms in sum.
  double entropy(double sum, std::size_t total) const { return (terms_[total] - sum) / static_cast<double>(total); }

 private:
  std::vector<double> terms_;
};

// How much more is to be known of two together than of each: the entropy of both less the mean of their own.
void information_gain(const Frequencies& before, std::size_t epochs_before, const Frequencies& after,
                      std::size_t epochs_after, CostMatrix& costs) {
  const Logarithms logs(epochs_before + epochs_after);
  const auto sum_of = [&](const auto& counts) {
    return std::accumulate(counts.begin(), counts.end(), 0.0,
                           [&](double sum, const auto& one) { return sum + logs.term(one.second); });
  };
  std::vector<double> sums(after.size());
  for (std::size_t j = 0; j < after.size(); ++j) sums[j] = sum_of(after[j]);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double own = sum_of(before[i]);
    for (std::size_t j = 0; j < after.size(); ++j) {
      double both = own + sums[j];
      auto a = before[i].begin();
      for (const auto& [place, count] : after[j]) {
        while (a != before[i].end() && a->first < place) ++a;
        if (a == before[i].end()) break;
        if (a->first == place) both += logs.term(a->second + count) - logs.term(a->second) - logs.term(count);
      }
      const double gain = logs.entropy(both, epochs_before + epochs_after) -
                          (logs.entropy(own, epochs_before) + logs.entropy(sums[j], epochs_after)) / 2;
      costs.row(i)[j] = static_cast<std::int32_t>(fixed_cost(gain));
    }
  }
}

class PublishedMethod final : public Method {
 public:
  Paths recover(const Scene& scene, const std::function<void()>& check) const override {
    Paths paths(scene.people, scene.epochs.size());
    if (scene.people == 0) return paths;
    for (std::size_t first = 0; first < scene.epochs.size();) {
      std::size_t end = first + 1;
      while (end < scene.epochs.size() && !scene.starts_day(end)) ++end;
      recover_day(scene, first, end, paths, check);
      if (first > 0) link(first, end, paths, check);
      first = end;
    }
    return paths;
  }

 private:
  static void recover_day(const Scene& scene, std::size_t first, std::size_t end, Paths& paths,
                          const std::function<void()>& check) {
    const std::uint64_t places = scene.places.null() + std::uint64_t{1};
    fill_first(scene.epochs[first], paths.at(first));
    std::vector<std::uint64_t> keys(scene.people);
    for (std::size_t epoch = first + 1; epoch < end; ++epoch) {
      check();
      const bool night = scene.second_of_day(epoch) < kMorning || epoch < first + 2;
      const std::span<const std::uint32_t> now = paths.at(epoch - 1);
      const std::span<const std::uint32_t> before = night ? now : paths.at(epoch - 2);
      for (std::size_t i = 0; i < scene.people; ++i) keys[i] = before[i] * places + now[i];
      const Groups groups(keys);
      const std::vector<Crowd>& crowds = scene.epochs[epoch];
      check_ways(groups.size() * crowds.size());
      std::vector<std::vector<Choice>> choices(groups.size());
      for (std::size_t g = 0; g < groups.size(); ++g) {
        const std::uint32_t one = groups.members(g).front();
        for (std::uint32_t c = 0; c < crowds.size(); ++c) {
          const double cost = scene.places.distance_ahead(before[one], now[one], crowds[c].place);
          choices[g].push_back({c, fixed_cost(cost)});
        }
      }
      step(groups, choices, {}, crowds, paths.at(epoch));
    }
  }

  // Gives the days before `first` the paths of the day from there on.
  static void link(std::size_t first, std::size_t end, Paths& paths, const std::function<void()>& check) {
    CostMatrix costs(paths.people());
    information_gain(frequencies_of(paths, 0, first), first, frequencies_of(paths, first, end), end - first, costs);
    check();
    const std::vector<std::uint32_t> next = cheapest_matching(costs, check);
    std::vector<std::uint32_t> day(paths.people());
    for (std::size_t epoch = first; epoch < end; ++epoch) {
      const std::span<std::uint32_t> places = paths.at(epoch);
      for (std::size_t person = 0; person < next.size(); ++person) day[person] = places[next[person]];
      std::copy(day.begin(), day.end(), places.begin());
    }
  }
};

}  // namespace

extern const MethodEntry published_method;
const MethodEntry published_method = {
    .info =
        {.position = 2,
         .name = "published",
         .summary = "People sleep at one place, move on by day as they moved before, and do alike every day.",
         .explanation =
             "As published. Day by day, from midnight on, all people are sent from hour to hour at the least cost in "
             "all: until 6 in the morning the distance moved, then the distance from where they would be had they "
             "moved on as in the hour before. The paths of a day are linked with those so far such that the entropy "
             "of the places of both, less the mean of their own, is least in all. A place without a position, and "
             "null, is as far from others as people are on average from the centre of all.",
         .parameters = {},
         .citation = "Xu, Tu, Li, Zhang, Fu, Jin: Trajectory Recovery from Ash: User Privacy Is NOT Preserved in "
                     "Aggregated Mobility Data. WWW 2017."},
    .make = [](const Parameters&) -> std::unique_ptr<Method> { return std::make_unique<PublishedMethod>(); },
};

}  // namespace hearsay::trajectory
