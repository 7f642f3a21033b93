// SPDX-License-Identifier: Apache-2.0
//
// How much work a measurement is, by numbers that do not depend on the machine: what a search may do follows from
// them and the budget, never from the clock. Seconds of one core, roughly; docs/advice.md says how they were measured.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "advice/pricing.h"
#include "goal/membership_game.h"

namespace hearsay::advice {

struct DataSizes {
  double users = 0;
  double epochs = 0;  // of the inference period
  double cells = 0;   // places and epochs
  double visits = 0;  // of the inference period
};

class Work {
 public:
  explicit Work(const DataSizes& sizes) : sizes_(sizes) {}

  // One release against `contests` pairs of prior and attack.
  double own(const release::Chain& chain, const OwnFidelity& how, std::size_t contests) const {
    const double share = how.people == 0 ? 1 : std::min(1.0, static_cast<double>(how.people) / sizes_.users);
    const double people = share * (2e-6 * sizes_.visits + 1.4e-7 * sizes_.users * sizes_.epochs);
    const double one = (people + 1e-6 * sizes_.cells) * (chain.gives_visits() ? 2 : 1);
    // Where nobody can be left out at little cost, each of the sample is a release and a plan of its own.
    const double taken_out = chain.by_person() ? 0 : static_cast<double>(how.control_sample) * kTakenOut * sizes_.cells;
    return static_cast<double>(how.draws * contests) * (one + taken_out);
  }

  // People to take out of a release by no more work than allowed, where each is one of its own.
  std::size_t taken_out(double allowed, std::size_t draws, std::size_t contests, std::size_t least) const {
    constexpr double kMost = 200;
    const double one = static_cast<double>(draws * std::max<std::size_t>(1, contests)) * kTakenOut * sizes_.cells;
    return std::max(least, static_cast<std::size_t>(std::min(kMost, allowed / one)));
  }

  // `groups`: sizes of groups that the study has.
  double game(const release::Chain& chain, const GameFidelity& how, std::size_t groups) const {
    const double sizes = static_cast<double>(how.all_groups ? groups : std::min<std::size_t>(groups, 2));
    const double draws = 2 * static_cast<double>(how.trials) * sizes;
    if (chain.by_cell()) return 1.1e-7 * draws * sizes_.cells;
    const auto targets = static_cast<double>(std::min(how.targets, goal::kSlowTargets));
    if (chain.drawless_visits().empty()) return (1.1e-7 + 2e-8 * targets) * draws * sizes_.cells;
    return draws * (2.3e-7 * sizes_.cells + 1.2e-6 * targets * sizes_.visits / std::max(1.0, sizes_.users));
  }

  // The most people, from `least` on, with which so many releases are not more work than `allowed`; 0: everybody.
  std::size_t people(double allowed, double releases, std::size_t contests, std::size_t least) const {
    const double all = 2e-6 * sizes_.visits + 1.4e-7 * sizes_.users * sizes_.epochs;
    const double one = allowed / std::max(1.0, releases * static_cast<double>(contests)) - 1e-6 * sizes_.cells;
    const double share = all > 0 ? one / all : 1;
    if (share >= 1) return 0;
    const auto people = static_cast<std::size_t>(std::max(0.0, share) * sizes_.users);
    return std::max(people, least) >= static_cast<std::size_t>(sizes_.users) ? 0 : std::max(people, least);
  }

 private:
  static constexpr double kTakenOut = 4e-7;  // a person and cell
  DataSizes sizes_;
};

// The last two, the first, the middle, the quarters and so on: any beginning of it is spread over all.
template <typename Item>
std::vector<Item> spread(const std::vector<Item>& sorted) {
  std::vector<Item> order;
  std::vector<bool> taken(sorted.size());
  const auto take = [&](std::size_t i) {
    if (i >= sorted.size() || taken[i]) return;
    order.push_back(sorted[i]);
    taken[i] = true;
  };
  if (sorted.empty()) return order;
  take(sorted.size() - 1);
  take(sorted.size() > 1 ? sorted.size() - 2 : 0);
  take(0);
  for (std::size_t parts = 2; order.size() < sorted.size(); parts *= 2) {
    for (std::size_t i = 1; i < parts; i += 2) take(i * sorted.size() / parts);
  }
  return order;
}

}  // namespace hearsay::advice
