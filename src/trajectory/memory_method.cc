// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "trajectory/method.h"
#include "trajectory/steps.h"

namespace hearsay::trajectory {
namespace {

// Farther than the unit of distance is all the same.
constexpr double kFar = 1;

// Where somebody has been, and for how many epochs.
struct Stay {
  std::uint32_t place;
  std::uint32_t epochs;
};

// Rows of distances to the crowds of an epoch, for the places where people are.
class Near {
 public:
  Near(const Places& places, std::span<const Crowd> crowds) : places_(places), crowds_(crowds) {}
  // The crowds nearer than kFar.
  struct Crowded {
    std::uint32_t crowd;
    double distance;
  };
  const std::vector<Crowded>& of(std::uint32_t place) {
    const auto [found, is_new] = rows_.try_emplace(place);
    if (!is_new) return found->second;
    for (std::uint32_t c = 0; c < crowds_.size(); ++c) {
      const double distance = places_.distance(place, crowds_[c].place);
      if (distance < kFar) found->second.push_back({c, distance});
    }
    return found->second;
  }

 private:
  const Places& places_;
  std::span<const Crowd> crowds_;
  std::map<std::uint32_t, std::vector<Crowded>> rows_;
};

class MemoryMethod final : public Method {
 public:
  Paths recover(const Scene& scene, const std::function<void()>& check) const override {
    Paths paths(scene.people, scene.epochs.size());
    if (scene.people == 0 || scene.epochs.empty()) return paths;
    const std::size_t places = scene.places.null() + std::size_t{1};
    const double hours = scene.epoch_seconds / 3600.0;
    fill_first(scene.epochs.front(), paths.at(0));
    // Of each person, ascending by place. Those with the same path so far are one group.
    std::vector<std::vector<Stay>> stays(scene.people);
    std::vector<std::uint64_t> keys(scene.people);
    std::vector<std::uint32_t> number(places);  // of the crowd at a place, from 1; 0: none
    remember(paths.at(0), stays);
    for (std::size_t i = 0; i < scene.people; ++i) keys[i] = paths.at(0)[i];
    for (std::size_t epoch = 1; epoch < scene.epochs.size(); ++epoch) {
      check();
      const std::vector<Crowd>& crowds = scene.epochs[epoch];
      for (std::uint32_t c = 0; c < crowds.size(); ++c) number[crowds[c].place] = c + 1;
      const Groups groups(keys);
      Near near(scene.places, crowds);
      std::vector<std::vector<Choice>> choices(groups.size());
      std::size_t ways = 0;
      for (std::size_t g = 0; g < groups.size(); ++g) {
        const std::uint32_t one = groups.members(g).front();
        choose(near.of(paths.at(epoch - 1)[one]), stays[one], number, hours, choices[g]);
        ways += choices[g].size();
        check_ways(ways);
      }
      const std::vector<std::int64_t> elsewhere(groups.size(), fixed_cost(kFar));
      step(groups, choices, elsewhere, crowds, paths.at(epoch));
      for (const Crowd& crowd : crowds) number[crowd.place] = 0;
      remember(paths.at(epoch), stays);
      for (std::size_t g = 0; g < groups.size(); ++g) {
        for (const std::uint32_t person : groups.members(g)) keys[person] = g * places + paths.at(epoch)[person];
      }
    }
    return paths;
  }

 private:
  static void remember(std::span<const std::uint32_t> places, std::vector<std::vector<Stay>>& stays) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto at = std::lower_bound(stays[i].begin(), stays[i].end(), places[i],
                                       [](const Stay& stay, std::uint32_t place) { return stay.place < place; });
      if (at != stays[i].end() && at->place == places[i]) {
        ++at->epochs;
      } else {
        stays[i].insert(at, {places[i], 1});
      }
    }
  }

  // Crowds that are near, and those at places where the person has been.
  static void choose(const std::vector<Near::Crowded>& near, const std::vector<Stay>& stays,
                     const std::vector<std::uint32_t>& number, double hours, std::vector<Choice>& choices) {
    std::vector<std::pair<std::uint32_t, double>> known;  // by crowd: what having been there is worth
    for (const Stay& stay : stays) {
      if (number[stay.place] != 0) known.emplace_back(number[stay.place] - 1, std::log1p(stay.epochs * hours));
    }
    std::size_t k = 0;
    const auto add_known = [&](std::uint32_t until) {
      for (; k < known.size() && known[k].first < until; ++k) {
        choices.push_back({known[k].first, fixed_cost(kFar - known[k].second)});
      }
    };
    for (const Near::Crowded& one : near) {
      add_known(one.crowd);
      const bool been = k < known.size() && known[k].first == one.crowd;
      choices.push_back({one.crowd, fixed_cost(one.distance - (been ? known[k].second : 0))});
      if (been) ++k;
    }
    add_known(static_cast<std::uint32_t>(number.size()));
  }
};

}  // namespace

extern const MethodEntry memory_method;
const MethodEntry memory_method = {
    .info =
        {.position = 1,
         .name = "memory",
         .summary = "People stay, go to places near by, or go back to where they have been.",
         .explanation =
             "From hour to hour, all people are sent to the places counted at the least cost in all. Going somewhere "
             "costs the distance, at most 1 (the mean distance of people from the centre of all), less the logarithm "
             "of 1 and the hours already spent there. So homes and habits form by themselves, and days need not be "
             "cut and linked. A place without a position, and null, is at distance 1.",
         .parameters = {},
         .citation = "After Xu, Tu, Li, Zhang, Fu, Jin: Trajectory Recovery from Ash: User Privacy Is NOT "
                     "Preserved in Aggregated Mobility Data. WWW 2017; the memory is our own."},
    .make = [](const Parameters&) -> std::unique_ptr<Method> { return std::make_unique<MemoryMethod>(); },
};

}  // namespace hearsay::trajectory
