// SPDX-License-Identifier: Apache-2.0
#include "reproduction/knock_knock_game.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>
#include <numeric>

#include "base/random.h"
#include "dataset/by_user.h"
#include "goal/membership_players.h"
#include "membership/scores.h"

namespace hearsay::reproduction {
namespace {

constexpr std::size_t kKnownShare = 5;  // a fifth
constexpr std::size_t kDay = 24;

using Group = std::vector<std::uint32_t>;

// Groups of one size, as many with the target as without.
struct Groups {
  std::vector<Group> with;
  std::vector<Group> without;

  Groups(std::vector<std::uint32_t> pool, std::size_t size, std::size_t number, std::uint32_t target,
         RandomBits& bits) {
    for (std::size_t i = 0; i < number / 2; ++i) {
      goal::draw_first(pool, size - 1, bits);
      with.emplace_back(pool.begin(), pool.begin() + static_cast<std::ptrdiff_t>(size) - 1);
      with.back().push_back(target);
      goal::draw_first(pool, size, bits);
      without.emplace_back(pool.begin(), pool.begin() + static_cast<std::ptrdiff_t>(size));
    }
  }
};

void count(const Weeks& weeks, std::size_t week, const Group& group, std::span<double> counts) {
  const auto add = [&](std::size_t user, double number) {
    for (const std::uint32_t cell : weeks.traces[week][user]) counts[cell] += number;
  };
  if (2 * group.size() <= weeks.users()) {
    std::fill(counts.begin(), counts.end(), 0);
    for (const std::uint32_t user : group) add(user, 1);
    return;
  }
  std::copy(weeks.everybody[week].begin(), weeks.everybody[week].end(), counts.begin());
  std::vector<std::uint8_t> in(weeks.users());
  for (const std::uint32_t user : group) in[user] = 1;
  for (std::size_t user = 0; user < in.size(); ++user) {
    if (in[user] == 0) add(user, -1);
  }
}

// Each week of a group is an example of its own, so that all are as long as what is asked about.
class WeeksPractice final : public membership::Practice {
 public:
  WeeksPractice(const Weeks& weeks, const Groups& known, std::vector<std::size_t> of)
      : weeks_(weeks), known_(known), of_(std::move(of)), seen_(weeks.grid.cells()) {
    count(weeks_, kWeeks - 1, known_.without.front(), seen_);
  }
  std::span<const double> seen() const override { return seen_; }
  void release(std::size_t, std::span<double>) const override {}  // raw counts
  std::size_t groups() const override { return known_.with.size() * of_.size(); }
  void group(std::size_t number, bool with_target, std::span<double> counts) const override {
    const std::vector<Group>& groups = with_target ? known_.with : known_.without;
    count(weeks_, of_[number % of_.size()], groups[number / of_.size()], counts);
  }

 private:
  const Weeks& weeks_;
  const Groups& known_;
  std::vector<std::size_t> of_;
  std::vector<double> seen_;
};

// What the likelihood ratio is given: her trace and the known fifth, or her habits of the weeks before and nothing.
struct Knowledge {
  std::vector<membership::Presence> target;
  std::vector<double> chances;
};

Knowledge of_trace(const Weeks& weeks, std::uint32_t target, const std::vector<std::uint32_t>& known) {
  Knowledge knowledge;
  for (const std::uint32_t cell : weeks.traces[kWeeks - 1][target]) knowledge.target.push_back({cell, 1});
  // Half a person more here and half elsewhere: nothing is impossible.
  knowledge.chances.assign(weeks.grid.cells(), 0.5);
  for (const std::uint32_t user : known) {
    for (const std::uint32_t cell : weeks.traces[kWeeks - 1][user]) knowledge.chances[cell] += 1;
  }
  for (double& chance : knowledge.chances) chance /= static_cast<double>(known.size()) + 1;
  return knowledge;
}

// How often she was at a place at an hour of the day.
Knowledge of_habits(const Weeks& weeks, std::uint32_t target) {
  std::vector<std::uint32_t> visits(weeks.grid.places * kDay);
  for (std::size_t week = 0; week + 1 < kWeeks; ++week) {
    for (const std::uint32_t cell : weeks.traces[week][target]) {
      ++visits[cell / kHours * kDay + cell % kHours % kDay];
    }
  }
  Knowledge knowledge;
  const double days = static_cast<double>((kWeeks - 1) * kHours) / kDay;
  for (std::uint32_t cell = 0; cell < weeks.grid.cells(); ++cell) {
    const std::uint32_t seen = visits[cell / kHours * kDay + cell % kHours % kDay];
    if (seen > 0) knowledge.target.push_back({cell, seen / days});
  }
  return knowledge;
}

const membership::DistinguisherEntry& entry_named(std::string_view name) {
  const auto& all = membership::all_distinguishers();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto* entry) { return entry->info.name == name; });
  assert(found != all.end());
  return **found;
}

// One distinguisher on the groups she is asked about.
class Player {
 public:
  Player(std::string_view name, const membership::Question& question, const std::vector<membership::Presence>& target)
      : distinguisher_(entry_named(name).create(question)), reader_(distinguisher_->reader()), target_(target) {}
  void learn(const membership::Practice& practice) { lesson_ = distinguisher_->learn({target_}, practice); }
  void tell(std::span<const double> counts, bool with_target) {
    reader_->open(counts);
    (with_target ? with_ : without_).push_back(reader_->score({target_}, lesson_.get()));
  }
  double area() const { return membership::area_under_curve(with_, without_).value; }

 private:
  std::unique_ptr<membership::Distinguisher> distinguisher_;
  std::unique_ptr<membership::Reader> reader_;
  const std::vector<membership::Presence>& target_;
  std::unique_ptr<membership::Lesson> lesson_;
  std::vector<double> with_;
  std::vector<double> without_;
};

struct People {
  std::vector<std::uint32_t> known;  // the target not among them
  std::vector<std::uint32_t> asked;  // groups she is asked about are drawn from these
};

People people_of(const Weeks& weeks, Prior prior, std::uint32_t target, RandomBits& bits) {
  std::vector<std::uint32_t> others(weeks.users());
  std::iota(others.begin(), others.end(), 0);
  others.erase(others.begin() + target);
  if (prior != Prior::kSubset) return {others, others};
  const std::size_t known = weeks.users() / kKnownShare - 1;
  goal::draw_first(others, known, bits);
  const auto border = others.begin() + static_cast<std::ptrdiff_t>(known);
  return {{others.begin(), border}, {border, others.end()}};
}

}  // namespace

Weeks::Weeks(const dataset::Dataset& dataset, std::size_t threads)
    : grid{dataset.rois().size(), kHours},
      traces(kWeeks, std::vector<Trace>(dataset.crowd().users)),
      everybody(kWeeks, std::vector<double>(grid.cells())),
      places_visited(dataset.crowd().users) {
  dataset::walk_by_user(dataset.visits(), users(), grid.places, threads,
                        [&](std::size_t user, std::span<const dataset::OwnVisit> visits) {
                          for (std::size_t i = 0; i < visits.size(); ++i) {
                            const auto [roi, epoch] = visits[i];
                            if (i == 0 || visits[i - 1].roi != roi) ++places_visited[user];
                            if (epoch >= kWeeks * kHours) continue;
                            const auto cell = static_cast<std::uint32_t>(roi * kHours + epoch % kHours);
                            traces[epoch / kHours][user].push_back(cell);
                          }
                        });
  for (std::size_t week = 0; week < kWeeks; ++week) {
    for (const Trace& trace : traces[week]) {
      for (const std::uint32_t cell : trace) everybody[week][cell] += 1;
    }
  }
}

const std::string& prior_name(Prior prior) {
  static const std::array<std::string, 3> kNames = {"subset", "same_groups", "different_groups"};
  return kNames.at(static_cast<std::size_t>(prior));
}

bool has_room(const Setting& setting, std::size_t users) {
  return setting.group < (setting.prior == Prior::kSubset ? users / kKnownShare : users);
}

Areas play(const Weeks& weeks, const Setting& setting, std::uint32_t target, std::uint64_t seed) {
  SeededBits bits(mix(mix(mix(seed, prior_name(setting.prior)), setting.group), target));
  const bool subset = setting.prior == Prior::kSubset;
  const People people = people_of(weeks, setting.prior, target, bits);
  const Groups known(people.known, setting.group, setting.practice, target, bits);
  const Groups asked =
      setting.prior == Prior::kSame ? known : Groups(people.asked, setting.group, setting.tests, target, bits);
  const Knowledge knowledge = subset ? of_trace(weeks, target, people.known) : of_habits(weeks, target);

  membership::Question question;
  question.grid = weeks.grid;
  question.group = setting.group;
  question.crowd.chances = knowledge.chances;
  Player learned("LEARNED", question, knowledge.target);
  Player likelihood("LIKELIHOOD", question, knowledge.target);
  const std::vector<std::size_t> practice_weeks =
      subset ? std::vector<std::size_t>{kWeeks - 1} : std::vector<std::size_t>{0, 1};
  const WeeksPractice practice(weeks, known, practice_weeks);
  learned.learn(practice);
  likelihood.learn(practice);

  std::vector<double> counts(weeks.grid.cells());
  for (const bool with_target : {true, false}) {
    for (const Group& group : with_target ? asked.with : asked.without) {
      count(weeks, kWeeks - 1, group, counts);
      learned.tell(counts, with_target);
      likelihood.tell(counts, with_target);
    }
  }
  return {learned.area(), likelihood.area()};
}

std::vector<std::uint32_t> targets_by_mobility(const Weeks& weeks, std::size_t each, std::uint64_t seed) {
  std::vector<std::uint32_t> ranked(weeks.users());
  std::iota(ranked.begin(), ranked.end(), 0);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return weeks.places_visited[a] > weeks.places_visited[b]; });
  SeededBits bits(mix(seed, "targets"));
  std::vector<std::uint32_t> targets;
  for (std::size_t third = 0; third < 3; ++third) {
    const auto at = [&](std::size_t part) {
      return ranked.begin() + static_cast<std::ptrdiff_t>(part * ranked.size() / 3);
    };
    std::vector<std::uint32_t> pool(at(third), at(third + 1));
    const std::size_t taken = std::min(each, pool.size());
    goal::draw_first(pool, taken, bits);
    targets.insert(targets.end(), pool.begin(), pool.begin() + static_cast<std::ptrdiff_t>(taken));
  }
  std::sort(targets.begin(), targets.end());
  return targets;
}

}  // namespace hearsay::reproduction
