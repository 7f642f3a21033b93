// SPDX-License-Identifier: Apache-2.0
#include "advice/choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "base/errors.h"

namespace hearsay::advice {
namespace {

struct Bound {
  const char* name;
  std::optional<double> Limits::*limit;
  std::optional<Value> Priced::*value;
  double blind;  // what costs nothing
};

constexpr Bound kBounds[] = {{"own_loss", &Limits::own_loss, &Priced::own_loss, 0},
                             {"membership", &Limits::membership, &Priced::membership, kBlindGuess},
                             {"mae", &Limits::mae, &Priced::mae, 0}};

void check(const char* name, const std::optional<double>& limit, double least, double most) {
  if (!limit || (*limit >= least && *limit <= most)) return;
  throw ConfigError(name, fmt::format("{:g}", *limit),
                    most == std::numeric_limits<double>::infinity() ? fmt::format("must be at least {:g}", least)
                                                                    : fmt::format("must be {:g} to {:g}", least, most));
}

}  // namespace

void check_limits(const Limits& limits) {
  if (!limits.own_loss && !limits.membership && !limits.mae) {
    throw ConfigError("advise", "", "give at least one limit: own loss, membership or MAE");
  }
  check("own loss", limits.own_loss, 0, 1);
  check("membership", limits.membership, kBlindGuess, 1);
  check("mae", limits.mae, 0, std::numeric_limits<double>::infinity());
}

void check_budget(double seconds) {
  constexpr double kMost = 1e8;  // some years, which clocks can still add
  if (seconds > 0 && seconds <= kMost) return;
  throw ConfigError("budget", fmt::format("{:g}", seconds), "must be above 0 seconds and at most 1e8");
}

bool is_measured(const Priced& priced, const Limits& limits) {
  return priced.own_loss && (priced.membership || !limits.membership);
}

bool clearly_over(const Priced& priced, const Limits& limits) {
  return priced.publishes_nothing || std::any_of(std::begin(kBounds), std::end(kBounds), [&](const Bound& bound) {
           const auto& limit = limits.*bound.limit;
           const auto& value = priced.*bound.value;
           return limit && value && value->low > *limit;
         });
}

bool keeps_to(const Priced& priced, const Limits& limits) {
  return !priced.publishes_nothing && std::all_of(std::begin(kBounds), std::end(kBounds), [&](const Bound& bound) {
    const auto& limit = limits.*bound.limit;
    const auto& value = priced.*bound.value;
    return !limit || (value && value->high <= *limit);
  });
}

bool probably_keeps_to(const Priced& priced, const Limits& limits) {
  return std::all_of(std::begin(kBounds), std::end(kBounds), [&](const Bound& bound) {
    const auto& limit = limits.*bound.limit;
    const auto& value = priced.*bound.value;
    return !limit || !value || value->mean <= *limit;
  });
}

std::vector<Miss> misses_of(const Priced& priced, const Limits& limits) {
  std::vector<Miss> misses;
  for (const Bound& bound : kBounds) {
    const auto& limit = limits.*bound.limit;
    const auto& value = priced.*bound.value;
    if (limit && value && value->high > *limit) misses.push_back({bound.name, *limit, value->high});
  }
  return misses;
}

double distance_from(const Priced& priced, const Limits& limits) {
  constexpr double kLeastRoom = 0.01;
  double distance = -std::numeric_limits<double>::infinity();
  for (const Bound& bound : kBounds) {
    const auto& limit = limits.*bound.limit;
    const auto& value = priced.*bound.value;
    if (!limit || !value) continue;
    distance = std::max(distance, (value->high - *limit) / std::max(*limit - bound.blind, kLeastRoom));
  }
  return distance;
}

std::optional<std::size_t> most_useful(const std::vector<Priced>& all, const Limits& limits) {
  for (std::size_t rung = kLastRung; rung > 0; --rung) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].rung < rung || !keeps_to(all[i], limits)) continue;
      if (!best || all[i].mae->mean < all[*best].mae->mean) best = i;
    }
    if (best) return best;
  }
  return std::nullopt;
}

std::optional<std::size_t> nearest_to(const std::vector<Priced>& all, const Limits& limits) {
  for (std::size_t rung = kLastRung; rung > 0; --rung) {
    std::optional<std::size_t> nearest;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Priced& one = all[i];
      if (one.rung < rung || one.publishes_nothing || !is_measured(one, limits)) continue;
      if (!nearest || distance_from(one, limits) < distance_from(all[*nearest], limits)) nearest = i;
    }
    if (nearest) return nearest;
  }
  return std::nullopt;
}

std::vector<std::string> met_by_none(const std::vector<Priced>& all, const Limits& limits) {
  std::vector<std::string> names;
  for (const Bound& bound : kBounds) {
    Limits alone;
    alone.*bound.limit = limits.*bound.limit;
    if (!(alone.*bound.limit)) continue;
    if (std::none_of(all.begin(), all.end(), [&](const Priced& one) { return keeps_to(one, alone); })) {
      names.emplace_back(bound.name);
    }
  }
  return names;
}

std::vector<std::size_t> frontier_of(const std::vector<Priced>& all, bool with_membership) {
  std::vector<std::size_t> measured;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].mae && all[i].own_loss && (!with_membership || all[i].membership)) measured.push_back(i);
  }
  const auto numbers = [&](std::size_t i) {
    return std::array{all[i].mae->mean, all[i].own_loss->mean, with_membership ? all[i].membership->mean : 0.0};
  };
  const auto dominated = [&](std::size_t i) {
    const auto mine = numbers(i);
    return std::any_of(measured.begin(), measured.end(), [&](std::size_t j) {
      const auto other = numbers(j);
      const bool as_good = std::equal(other.begin(), other.end(), mine.begin(), std::less_equal<>());
      return as_good && (other != mine || j < i);
    });
  };
  std::vector<std::size_t> frontier;
  std::copy_if(measured.begin(), measured.end(), std::back_inserter(frontier),
               [&](std::size_t i) { return !dominated(i); });
  std::stable_sort(frontier.begin(), frontier.end(),
                   [&](std::size_t a, std::size_t b) { return all[a].mae->mean < all[b].mae->mean; });
  return frontier;
}

}  // namespace hearsay::advice
