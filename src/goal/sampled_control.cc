// SPDX-License-Identifier: Apache-2.0
#include "goal/sampled_control.h"

#include <algorithm>
#include <limits>
#include <map>

#include "base/parallel.h"

namespace hearsay::goal {
namespace {

// The contests on counts without a user, as far as that user is concerned.
void measure_person(const Arena& arena, std::vector<Contest>& all, const std::vector<Sampled>& sampled,
                    const CountsWithout& counts_without, const PlansWithout& plans_without, UserId user) {
  std::map<SampledRelease, release::Published> releases;
  std::vector<Contest> contests;
  for (const Sampled& one : sampled) {
    if (arena.stop.stop_requested()) return;
    auto found = releases.find(one.release);
    if (found == releases.end()) found = releases.emplace(one.release, counts_without(one.release, user)).first;
    const Contest& like = all[one.contest];
    Contest& contest = contests.emplace_back();
    contest.attack = like.attack;
    contest.release = &found->second;
    contest.whole_crowd = like.whole_crowd;
    contest.plans = plans_without(one, user, *contest.release);
    for (const Reading& reading : like.readings) contest.readings.push_back({reading.metric, reading.decision, {}, {}});
  }
  run_range(arena, contests, {user, static_cast<UserId>(index_of(user) + 1)});
  for (std::size_t c = 0; c < contests.size(); ++c) {
    for (std::size_t r = 0; r < contests[c].readings.size(); ++r) {
      const metric::Scores& scores = contests[c].readings[r].scores;
      metric::Scores& without = all[sampled[c].contest].readings[r].without;
      without.users[index_of(user)] = scores.users[index_of(user)];
      without.active[index_of(user)] = scores.active[index_of(user)];
    }
  }
}

}  // namespace

bool few_cells(const dataset::Crowd& crowd, std::size_t epochs) {
  constexpr std::size_t kFew = 1'000'000;  // a second or two for each draw
  return crowd.people() * crowd.rois * epochs <= kFew;
}

bool is_sampled(std::uint32_t number, std::size_t people, std::size_t sample) {
  const std::size_t size = std::min(sample, people);
  if (size == 0) return false;
  const std::size_t i = (std::size_t{number} * size + people - 1) / people;
  return i < size && i * people / size == number;
}

void measure_sample(const Arena& arena, std::vector<Contest>& contests, const std::vector<Sampled>& sampled,
                    const CountsWithout& counts_without, const PlansWithout& plans_without, std::size_t people) {
  if (sampled.empty()) return;
  const dataset::Crowd& crowd = arena.setting.crowd;
  const std::size_t users = crowd.users;
  for (const Sampled& one : sampled) {
    for (Reading& reading : contests[one.contest].readings) {
      reading.without.users.assign(users, std::numeric_limits<double>::quiet_NaN());
      reading.without.active = reading.without.users;
    }
  }
  for (const bool everybody : {false, true}) {
    std::vector<Sampled> chosen;
    std::copy_if(sampled.begin(), sampled.end(), std::back_inserter(chosen),
                 [&](const Sampled& one) { return one.everybody == everybody; });
    if (chosen.empty()) continue;
    std::vector<UserId> taken_out;
    if (arena.people.empty()) {
      for (std::uint32_t u = 0; u < users; ++u) {
        if (everybody || is_sampled(crowd.number_of(UserId{u}), crowd.people(), people)) taken_out.push_back(UserId{u});
      }
    } else {
      std::vector<UserId> measured;
      for (const belief::UserRange& range : arena.people) {
        for (std::size_t u = index_of(range.begin); u < index_of(range.end); ++u) measured.push_back(UserId(u));
      }
      for (std::uint32_t i = 0; i < measured.size(); ++i) {
        if (everybody || is_sampled(i, measured.size(), people)) taken_out.push_back(measured[i]);
      }
    }
    parallel_for(taken_out.size(), arena.threads, [&](std::size_t i, std::size_t) {
      measure_person(arena, contests, chosen, counts_without, plans_without, taken_out[i]);
    });
  }
}

}  // namespace hearsay::goal
