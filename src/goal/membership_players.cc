// SPDX-License-Identifier: Apache-2.0
#include "goal/membership_players.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/errors.h"

namespace hearsay::goal {
namespace {

constexpr std::size_t kWeekHours = 168;
constexpr std::size_t kDayHours = 24;

void draw_first(std::vector<std::uint32_t>& people, std::size_t number, std::uint64_t key) {
  SeededBits bits(key);
  goal::draw_first(people, number, bits);
}

// Epochs at the same time of the day or week as the inference period's, by position; 1 where all are alike.
std::size_t positions_of(const dataset::Calendar& calendar, std::size_t season_hours) {
  return season_hours == 0 ? 1 : std::max<std::size_t>(1, season_hours * 3600 / calendar.epoch_seconds);
}

// By cell of the inference period: that somebody is there, where `counts` of `people` (by epoch) were: pulled towards
// the product of the margins by one person's weight.
std::vector<double> smoothed(const membership::Grid& grid, const std::vector<double>& counts,
                             const std::vector<double>& people) {
  std::vector<double> places(grid.places);
  std::vector<double> epochs(grid.epochs);
  double total = 0;
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    const double rate = counts[cell] / people[cell % grid.epochs];
    places[cell / grid.epochs] += rate;
    epochs[cell % grid.epochs] += rate;
    total += rate;
  }
  // Nobody was anywhere: as if one person had been somewhere once.
  const double least = 1 / (static_cast<double>(grid.cells()) * (*std::max_element(people.begin(), people.end()) + 1));
  std::vector<double> chances(counts.size());
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    const double usual = total > 0 ? places[cell / grid.epochs] * epochs[cell % grid.epochs] / total : 0;
    const double of = people[cell % grid.epochs];
    const double chance = (counts[cell] + std::min(usual, 1.0)) / (of + 1);
    chances[cell] = std::clamp(chance, least, (of + 0.5) / (of + 1));
  }
  return chances;
}

std::vector<double> past_chances(const Ground& ground, const membership::Grid& grid) {
  const dataset::Calendar& calendar = ground.dataset.calendar();
  const dataset::Observation observation = ground.dataset.observation();
  const std::size_t week = positions_of(calendar, kWeekHours);
  const std::size_t day = positions_of(calendar, kDayHours);
  const std::size_t season = calendar.observe >= week ? week : calendar.observe >= day ? day : 1;
  std::vector<double> by_position(grid.places * season);
  std::vector<double> epochs(season);
  for (std::uint32_t epoch = 0; epoch < calendar.observe; ++epoch) {
    epochs[epoch % season] += 1;
    for (const RoiId roi : observation.at(static_cast<EpochId>(epoch)).rois) {
      by_position[index_of(roi) * season + epoch % season] += 1;
    }
  }
  std::vector<double> counts(grid.cells());
  std::vector<double> people(grid.epochs);
  const auto everybody = static_cast<double>(ground.dataset.crowd().users);
  for (std::size_t epoch = 0; epoch < grid.epochs; ++epoch) {
    const std::size_t position = (calendar.observe + epoch) % season;
    people[epoch] = everybody * std::max(1.0, epochs[position]);
    for (std::size_t place = 0; place < grid.places; ++place) {
      counts[place * grid.epochs + epoch] = by_position[place * season + position];
    }
  }
  return smoothed(grid, counts, people);
}

// How often a person is where at each position of a season: what was seen there then, pulled towards what holds at a
// shorter season or always by the weight of a few epochs.
class Habits {
 public:
  Habits(const dataset::Calendar& calendar, const membership::Grid& grid, std::size_t season_hours)
      : calendar_(calendar), grid_(grid), season_hours_(season_hours) {}

  // `visits`: by place, the epochs of the observation period in which the person was there.
  std::vector<membership::Presence> presences(const std::map<std::size_t, std::vector<std::uint32_t>>& visits) const {
    std::vector<membership::Presence> list;
    for (const auto& [place, epochs] : visits) {
      std::vector<double> rates = {static_cast<double>(epochs.size()) / (calendar_.observe + 1.0)};
      for (const std::size_t hours : {kDayHours, kWeekHours}) {
        if (season_hours_ >= hours) rates = refined(rates, epochs, positions_of(calendar_, hours));
      }
      for (std::size_t epoch = 0; epoch < grid_.epochs; ++epoch) {
        list.push_back({static_cast<std::uint32_t>(place * grid_.epochs + epoch),
                        rates[(calendar_.observe + epoch) % rates.size()]});
      }
    }
    return list;
  }

 private:
  static constexpr double kWeight = 5;  // epochs

  std::vector<double> refined(const std::vector<double>& rates, const std::vector<std::uint32_t>& epochs,
                              std::size_t season) const {
    std::vector<double> seen(season);
    for (const std::uint32_t epoch : epochs) seen[epoch % season] += 1;
    for (std::size_t position = 0; position < season; ++position) {
      const std::size_t whole = calendar_.observe / season;
      const auto all = static_cast<double>(whole + (position < calendar_.observe % season ? 1 : 0));
      seen[position] = (seen[position] + kWeight * rates[position % rates.size()]) / (all + kWeight);
    }
    return seen;
  }

  const dataset::Calendar& calendar_;
  const membership::Grid& grid_;
  std::size_t season_hours_;
};

std::vector<std::vector<membership::Presence>> habits(const Ground& ground, std::size_t season_hours,
                                                      const membership::Grid& grid,
                                                      const std::vector<std::uint32_t>& targets) {
  const dataset::Observation observation = ground.dataset.observation();
  std::vector<std::map<std::size_t, std::vector<std::uint32_t>>> visits(targets.size());
  for (std::uint32_t epoch = 0; epoch < ground.dataset.calendar().observe; ++epoch) {
    const dataset::EpochVisits now = observation.at(static_cast<EpochId>(epoch));
    for (std::size_t t = 0; t < targets.size(); ++t) {
      const auto found = std::lower_bound(now.users.begin(), now.users.end(), static_cast<UserId>(targets[t]));
      if (found == now.users.end() || *found != static_cast<UserId>(targets[t])) continue;
      for (const RoiId roi : now.rois_of(static_cast<std::size_t>(found - now.users.begin()))) {
        visits[t][index_of(roi)].push_back(epoch);
      }
    }
  }
  const Habits rates(ground.dataset.calendar(), grid, season_hours);
  std::vector<std::vector<membership::Presence>> presences;
  presences.reserve(targets.size());
  for (const auto& own : visits) presences.push_back(rates.presences(own));
  return presences;
}

// By hour of the day: the epochs that she may know; empty: all.
std::vector<std::uint8_t> epochs_at(const Ground& ground, const TargetKnowledge& knowledge, std::size_t epochs) {
  if (knowledge.hours == TargetKnowledge::all_hours()) return {};
  const dataset::Calendar& calendar = ground.dataset.calendar();
  std::vector<std::uint8_t> known(epochs);
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    const std::uint64_t second =
        ground.first_second + std::uint64_t{calendar.epoch_seconds} * (calendar.observe + epoch);
    known[epoch] = knowledge.hours[second / 3600 % kDayHours] ? 1 : 0;
  }
  if (std::count(known.begin(), known.end(), 1) == 0) {
    throw ConfigError("membership.knows", knowledge.name, "no epoch of the inference period starts at such an hour");
  }
  return known;
}

// A share of the epochs in which the target was somewhere, at least one.
std::vector<std::uint8_t> some_epochs(std::span<const std::uint32_t> trace, const membership::Grid& grid, double share,
                                      const std::vector<std::uint8_t>& allowed, std::uint64_t key) {
  std::vector<std::uint8_t> known(grid.epochs);
  for (const std::uint32_t cell : trace) known[cell % grid.epochs] = 1;
  std::vector<std::uint32_t> active;
  for (std::uint32_t epoch = 0; epoch < grid.epochs; ++epoch) {
    if (known[epoch] != 0 && (allowed.empty() || allowed[epoch] != 0)) active.push_back(epoch);
  }
  const auto number =
      std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(share * static_cast<double>(active.size()))));
  draw_first(active, number, key);
  std::fill(known.begin(), known.end(), 0);
  for (std::size_t i = 0; i < std::min(number, active.size()); ++i) known[active[i]] = 1;
  return known;
}

}  // namespace

void draw_first(std::vector<std::uint32_t>& people, std::size_t number, RandomBits& bits) {
  for (std::size_t i = 0; i < std::min(number, people.size()); ++i) {
    std::swap(people[i], people[i + bits.below(people.size() - i)]);
  }
}

std::vector<std::uint32_t> choose_targets(const Traces& traces, std::size_t number, std::uint64_t seed) {
  std::vector<std::uint32_t> people;
  for (std::uint32_t user = 0; user < traces.users(); ++user) {
    if (!traces.of(user).empty()) people.push_back(user);
  }
  if (number == 0 || number >= people.size()) return people;
  std::stable_sort(people.begin(), people.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return traces.of(a).size() < traces.of(b).size(); });
  std::vector<std::uint32_t> targets;
  for (std::size_t third = 0; third < 3; ++third) {
    const auto first = people.begin() + static_cast<std::ptrdiff_t>(people.size() * third / 3);
    const auto last = people.begin() + static_cast<std::ptrdiff_t>(people.size() * (third + 1) / 3);
    std::vector<std::uint32_t> some(first, last);
    const std::size_t wanted = number * (third + 1) / 3 - number * third / 3;
    draw_first(some, wanted, mix(mix(seed, "targets"), third));
    targets.insert(targets.end(), some.begin(),
                   some.begin() + static_cast<std::ptrdiff_t>(std::min(wanted, some.size())));
  }
  std::sort(targets.begin(), targets.end());
  return targets;
}

std::vector<KnownTarget> know_targets(const Ground& ground, const TargetKnowledge& knowledge, const Traces& traces,
                                      const std::vector<std::uint32_t>& targets, std::uint64_t seed) {
  const membership::Grid& grid = traces.grid();
  std::vector<KnownTarget> known(targets.size());
  if (knowledge.habits) {
    std::vector<std::vector<membership::Presence>> all = habits(ground, knowledge.season_hours, grid, targets);
    for (std::size_t t = 0; t < targets.size(); ++t) known[t].presences = std::move(all[t]);
    return known;
  }
  const std::vector<std::uint8_t> allowed = epochs_at(ground, knowledge, grid.epochs);
  for (std::size_t t = 0; t < targets.size(); ++t) {
    const std::span<const std::uint32_t> trace = traces.of(targets[t]);
    const std::uint64_t key = mix(mix(seed, "hours"), targets[t]);
    known[t].known = knowledge.share < 1 ? some_epochs(trace, grid, knowledge.share, allowed, key) : allowed;
    for (const std::uint32_t cell : trace) {
      if (known[t].known.empty() || known[t].known[cell % grid.epochs] != 0) known[t].presences.push_back({cell, 1});
    }
  }
  return known;
}

KnownCrowd know_crowd(const Ground& ground, const CrowdKnowledge& knowledge, const Traces& traces,
                      const std::vector<std::uint32_t>& targets, std::uint64_t seed) {
  using Kind = CrowdKnowledge::Kind;
  const membership::Grid& grid = traces.grid();
  KnownCrowd known;
  known.pool.resize(traces.users());
  std::iota(known.pool.begin(), known.pool.end(), 0U);
  if (knowledge.kind == Kind::kPast) known.chances = past_chances(ground, grid);
  if (knowledge.kind != Kind::kSample) return known;

  const std::vector<std::uint32_t> everybody = std::move(known.pool);
  std::vector<std::uint32_t> others;
  std::set_difference(everybody.begin(), everybody.end(), targets.begin(), targets.end(), std::back_inserter(others));
  const auto number = static_cast<std::size_t>(std::lround(knowledge.share * static_cast<double>(traces.users())));
  if (number == 0 || number > others.size()) {
    throw ConfigError("membership.crowd", knowledge.name,
                      "she cannot know so many people besides the targets; ask about fewer targets or a smaller share");
  }
  draw_first(others, number, mix(seed, "known people"));
  known.people.assign(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(number));
  std::sort(known.people.begin(), known.people.end());
  known.pool.clear();
  std::set_difference(everybody.begin(), everybody.end(), known.people.begin(), known.people.end(),
                      std::back_inserter(known.pool));
  std::vector<double> counts(grid.cells());
  for (const std::uint32_t person : known.people) {
    const std::span<const std::uint32_t> trace = traces.of(person);
    known.traces.emplace_back(trace.begin(), trace.end());
    for (const std::uint32_t cell : trace) counts[cell] += 1;
  }
  known.chances = smoothed(grid, counts, std::vector<double>(grid.epochs, static_cast<double>(number)));
  return known;
}

Traces inference_traces(const Ground& ground) {
  const dataset::Truth truth = ground.dataset.truth();
  const membership::Grid grid{ground.dataset.rois().size(), truth.epochs()};
  return {grid, truth.crowd().users, ground.options.threads,
          [&](std::size_t epoch) { return truth.at(static_cast<EpochId>(epoch)); }};
}

std::unique_ptr<Traces> past_traces(const Ground& ground) {
  const dataset::Calendar& calendar = ground.dataset.calendar();
  const std::uint32_t epochs = calendar.inference();
  if (calendar.observe < epochs) return nullptr;
  const dataset::Observation observation = ground.dataset.observation();
  const membership::Grid grid{ground.dataset.rois().size(), epochs};
  return std::make_unique<Traces>(grid, ground.dataset.crowd().users, ground.options.threads, [&](std::size_t epoch) {
    return observation.at(static_cast<EpochId>(calendar.observe - epochs + epoch));
  });
}

std::vector<double> company_of(const Traces& traces, const std::vector<std::uint32_t>& targets) {
  std::vector<double> counts(traces.grid().cells());
  for (std::size_t user = 0; user < traces.users(); ++user) {
    for (const std::uint32_t cell : traces.of(user)) counts[cell] += 1;
  }
  std::vector<double> company;
  for (const std::uint32_t target : targets) {
    double others = 0;
    for (const std::uint32_t cell : traces.of(target)) others += counts[cell] - 1;
    company.push_back(others / static_cast<double>(std::max<std::size_t>(1, traces.of(target).size())));
  }
  return company;
}

}  // namespace hearsay::goal
