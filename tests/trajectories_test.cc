// SPDX-License-Identifier: Apache-2.0
//
// Paths from the counts alone, as studies ask for them: a town of students, what is scored, defences, threads,
// refusals. The methods themselves are compared with plain references in src/trajectory.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "base/errors.h"
#include "experiment/study.h"
#include "goal/goal.h"
#include "goal/trajectory_score.h"

namespace hearsay {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t kObserve = 24;

struct Town {
  std::uint32_t days;
  std::uint32_t places;
  std::vector<std::string> users = {};
  std::vector<ingest::Visit> visits = {};  // epochs of the inference period
  experiment::Study study = {};
  std::unique_ptr<dataset::Dataset> data = {};

  Town(std::uint32_t all_days, std::uint32_t all_places, std::uint32_t people, const std::string& settings = "")
      : days(all_days), places(all_places) {
    study = experiment::parse_study(
        fmt::format(
            "[data]\npath = \"x\"\n[rois]\nkind = \"ids\"\n[period]\nstart = 2020-01-06\nlength = \"{}h\"\n"
            "observe = \"24h\"\n[study]\ngoals = [\"trajectories\"]\npriors = [\"FREQ_ROI\"]\n[trajectories]\n{}",
            24 * (days + 1), settings),
        "test", "", {});
    for (std::uint32_t user = 0; user < people; ++user) users.push_back(fmt::format("{:05}", user));
  }

  void add(std::uint32_t epoch, std::uint32_t user, std::uint32_t place) {
    visits.push_back({kObserve + epoch, user, place});
  }
  void add_defence(const std::string& name, const std::map<std::string, std::string>& values) {
    goal::Defence& defence = study.defences.emplace_back();
    Parameters parameters(name);
    for (const auto& [key, value] : values) parameters.set(key, value);
    defence.chain.add(release::step_named("release", name, release::all_steps()), parameters);
    defence.parameter = defence.chain.parameter();
  }
  goal::Ground ground(std::size_t threads, bool positions) {
    std::sort(visits.begin(), visits.end(), [](const ingest::Visit& a, const ingest::Visit& b) {
      return std::tie(a.epoch, a.user, a.roi) < std::tie(b.epoch, b.user, b.roi);
    });
    ingest::Visits all;
    all.users = users;
    for (std::uint32_t place = 0; place < places; ++place) {
      ingest::Roi& roi = all.rois.emplace_back(ingest::Roi{fmt::format("{:03}", place), {}, {}, {}});
      if (!positions) continue;
      const std::uint32_t row = place / 10;
      roi.lat = 0.01 * row;
      roi.lng = 0.01 * (place % 10);
    }
    for (const ingest::Visit& visit : visits) all.visits.push_back(visit);
    data = std::make_unique<dataset::Dataset>(std::move(all), study.calendar(), 0);
    return study.ground(*data, {.threads = threads});
  }
};

// Students: at home at night, most days alike, an hour more or less, and sometimes elsewhere on the campus.
Town students(std::uint32_t days, std::uint32_t seed, const std::string& settings = "") {
  Town town(days, 100, 25, settings);
  std::mt19937 bits(seed);
  const std::uint32_t campus = bits() % 90;
  const auto hall = [&] { return campus + bits() % 8; };
  const std::uint32_t canteen = bits() % 100;
  for (std::uint32_t user = 0; user < 25; ++user) {
    const std::uint32_t home = bits() % 100;
    const std::uint32_t morning = hall();
    const std::uint32_t afternoon = hall();
    const std::uint32_t leaves = 7 + bits() % 3;
    const std::uint32_t returns = 17 + bits() % 4;
    for (std::uint32_t day = 0; day < days; ++day) {
      const std::uint32_t from = leaves + bits() % 2;
      const std::uint32_t to = returns + bits() % 3;
      for (std::uint32_t hour = 0; hour < 24; ++hour) {
        const bool out = hour >= from && hour < to;
        std::uint32_t place = home;
        if (out) place = hour == 12 ? canteen : hour < 14 ? morning : afternoon;
        if (out && bits() % 8 == 0) place = hall();
        town.add(24 * day + hour, user, place);
      }
    }
  }
  return town;
}

using Row = std::map<std::string, std::vector<double>>;

// By method, release, parameter and repeat.
std::map<std::string, Row> found(const goal::Ground& ground, const std::string& name = "trajectories") {
  std::map<std::string, Row> rows;
  for (const goal::GoalEntry* entry : goal::all_goals()) {
    if (entry->info.name != name) continue;
    const std::unique_ptr<goal::Goal> goal = entry->create(ground);
    for (const std::string& part : goal->parts()) {
      goal->run(part, [&](const goal::Measurement& measurement) {
        std::string key;
        for (const goal::Field& field : measurement.key) key += (key.empty() ? "" : " ") + field.value;
        for (const goal::Numbers& numbers : measurement.numbers) {
          rows[key][numbers.name].assign(numbers.values.begin(), numbers.values.end());
        }
      });
    }
  }
  return rows;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Public code of the published method reached 0.55, shuffled 0.20, on as many students.
TEST(TrajectoriesTest, StudentsAreRecoveredFromTheirCounts) {
  for (const bool positions : {true, false}) {
    double right = 0;
    double shuffled = 0;
    double published = 0;
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
      Town town = students(3, seed, "methods = [\"memory\", \"published\"]\n");
      const auto rows = found(town.ground(2, positions));
      ASSERT_EQ(rows.size(), 2U);
      const Row& row = rows.at("memory RAW  0");
      right += mean(row.at("right")) / 5;
      shuffled += mean(row.at("shuffled")) / 5;
      published += mean(rows.at("published RAW  0").at("right")) / 5;
    }
    const std::string where = positions ? "positions" : "no_positions";
    RecordProperty("right_" + where, fmt::format("{:.3f}", right));
    RecordProperty("shuffled_" + where, fmt::format("{:.3f}", shuffled));
    RecordProperty("published_" + where, fmt::format("{:.3f}", published));
    EXPECT_GE(right, 0.6) << positions;
    EXPECT_LE(shuffled, 0.22) << positions;
    EXPECT_GE(published, 0.35) << positions;
    EXPECT_GE(right, published + 0.1) << positions;
  }
}

TEST(TrajectoriesTest, AWeekWorksToo) {
  Town town = students(7, 3, "days = \"all\"\n");
  const Row row = found(town.ground(2, true)).at("memory RAW  0");
  EXPECT_GE(mean(row.at("right")), 0.6);
  EXPECT_LE(mean(row.at("shuffled")), 0.2);
}

// People who never meet and never move are told without fail; those in null are right there.
TEST(TrajectoriesTest, HermitsAreTold) {
  Town town(1, 6, 8);
  for (std::uint32_t user = 0; user < 6; ++user) {
    for (std::uint32_t epoch = 0; epoch < 24; ++epoch) town.add(epoch, user, user);
  }
  const Row row = found(town.ground(1, false)).at("memory RAW  0");
  EXPECT_EQ(row.at("right"), std::vector<double>(8, 1));
  EXPECT_TRUE(std::isnan(row.at("right_active")[7])) << "was nowhere";
  EXPECT_EQ(row.at("right_active")[0], 1);
}

TEST(TrajectoriesTest, ThreadsAndRunsChangeNothing) {
  Town town = students(3, 2, "methods = [\"memory\", \"published\"]\n");
  town.add_defence("SCM", {{"sensitivity", "event"}, {"epsilon", "1"}});
  const auto one = found(town.ground(1, true));
  EXPECT_EQ(one, found(town.ground(3, true)));
  EXPECT_EQ(one, found(town.ground(1, true)));
}

TEST(TrajectoriesTest, DefendedCountsAreTriedToo) {
  Town town = students(3, 2);
  town.add_defence("SCM", {{"sensitivity", "event"}, {"epsilon", "0.1"}});
  town.study.defences.back().repeats = 2;
  town.add_defence("SUPPRESS", {{"at_most", "3"}});
  town.add_defence("ROUND", {{"base", "5"}});
  town.add_defence("SUPPRESS", {{"at_most", "1000"}});
  town.add_defence("SUPPRESS", {{"at_most", "1"}});
  town.study.defences.back().goals = {"profiling"};
  const auto rows = found(town.ground(2, true));
  ASSERT_EQ(rows.size(), 6U) << "the last is for another goal";
  const double raw = mean(rows.at("memory RAW  0").at("right"));
  const Row& noisy = rows.at("memory SCM epsilon=0.1,sensitivity=event 1");
  EXPECT_LT(mean(noisy.at("right")), raw - 0.2);
  EXPECT_NE(noisy.at("right"), rows.at("memory SCM epsilon=0.1,sensitivity=event 2").at("right"));
  EXPECT_LT(mean(rows.at("memory SUPPRESS at_most=3 1").at("right")), raw);
  EXPECT_LT(mean(rows.at("memory ROUND base=5 1").at("right")), raw);
  EXPECT_EQ(mean(rows.at("memory SUPPRESS at_most=1000 1").at("right")), 0) << "all paths are in null";
}

// Membership as well: its lines end with the size of the group.
TEST(TrajectoriesTest, WhatStandsInThePlaceOfTheCountsIsWhatIsAttacked) {
  for (const std::string goal : {"trajectories", "membership"}) {
    Town town = students(3, 2);
    town.study.adversary.membership.targets = 6;
    town.study.adversary.membership.trials = 20;
    const auto raw = found(town.ground(2, true), goal);
    town.add_defence("SCM", {{"sensitivity", "event"}, {"epsilon", "0.1"}});
    const auto beside = found(town.ground(2, true), goal);
    town.study.published = town.study.defences.front();
    town.study.defences.clear();
    const auto instead = found(town.ground(2, true), goal);
    ASSERT_EQ(beside.size(), 2 * raw.size());
    ASSERT_EQ(instead.size(), raw.size());
    const std::string defended = "SCM epsilon=0.1,sensitivity=event" + std::string(goal == "membership" ? "" : " 1");
    const std::string plain = goal == "membership" ? "RAW " : "RAW  0";
    std::size_t changed = 0;
    for (const auto& [key, row] : instead) {
      std::string of_defence = key;
      ASSERT_NE(key.find(plain), std::string::npos) << key;
      of_defence.replace(key.find(plain), plain.size(), defended);
      for (const auto& [name, values] : row) {
        const std::vector<double>& expected = beside.at(of_defence).at(name);
        ASSERT_EQ(values.size(), expected.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
          EXPECT_TRUE(values[i] == expected[i] || (std::isnan(values[i]) && std::isnan(expected[i]))) << key << name;
        }
        changed += !raw.contains(key) || values != raw.at(key).at(name) ? 1 : 0;
      }
    }
    EXPECT_GT(changed, 0U) << goal;
  }
}

// Whoever is in several places is right in any of them. Matching is the best of all permutations.
TEST(TrajectoriesTest, ScoresAreThoseOfTheBestMatching) {
  std::mt19937 bits(9);
  for (int round = 0; round < 50; ++round) {
    const std::size_t people = 1 + bits() % 6;
    const std::size_t epochs = 1 + bits() % 5;
    const std::uint32_t places = 3;
    std::vector<std::vector<std::vector<bool>>> is_at(people);
    std::vector<std::vector<std::uint64_t>> keys(epochs);
    for (std::size_t user = 0; user < people; ++user) {
      for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
        std::vector<bool>& at = is_at[user].emplace_back(places + 1);
        for (std::uint32_t place = 0; place < places; ++place) {
          at[place] = bits() % 3 == 0;
          if (at[place]) keys[epoch].push_back(ingest::VisitList::key(static_cast<std::uint32_t>(user), place));
        }
        at[places] = std::none_of(at.begin(), at.end(), [](bool is) { return is; });
      }
    }
    trajectory::Paths paths(people, epochs);
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
      for (std::uint32_t& place : paths.at(epoch)) place = bits() % (places + 1);
    }
    const dataset::VisitStore store(keys, 1);
    const goal::Traces truth({places, epochs}, people, 2,
                             [&](std::size_t epoch) { return store.at(static_cast<EpochId>(epoch)); });
    const goal::TrajectoryScore score = goal::score_paths(paths, truth, places, 2, [] {});

    std::vector<std::size_t> order(people);
    std::iota(order.begin(), order.end(), 0U);
    std::size_t most = 0;
    do {
      std::size_t right = 0;
      for (std::size_t user = 0; user < people; ++user) {
        for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
          right += is_at[user][epoch][paths.at(epoch)[order[user]]] ? 1 : 0;
        }
      }
      most = std::max(most, right);
    } while (std::next_permutation(order.begin(), order.end()));
    ASSERT_NEAR(mean(score.right), static_cast<double>(most) / static_cast<double>(people * epochs), 1e-12) << round;
  }
}

TEST(TrajectoriesTest, ShufflingKeepsTheCounts) {
  trajectory::Paths paths(50, 20);
  for (std::size_t epoch = 0; epoch < 20; ++epoch) {
    for (std::uint32_t person = 0; person < 50; ++person) paths.at(epoch)[person] = person % 7;
  }
  const trajectory::Paths dealt = goal::shuffled(paths, 1);
  EXPECT_EQ(dealt, goal::shuffled(paths, 1));
  EXPECT_NE(dealt, goal::shuffled(paths, 2));
  for (std::size_t epoch = 0; epoch < 20; ++epoch) {
    EXPECT_TRUE(std::is_permutation(dealt.at(epoch).begin(), dealt.at(epoch).end(), paths.at(epoch).begin()));
    EXPECT_FALSE(std::equal(dealt.at(epoch).begin(), dealt.at(epoch).end(), paths.at(epoch).begin()));
  }
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(TrajectoriesTest, SettingsThatCannotBeAreRefused) {
  const auto with = [](const std::string& settings) { return refusal([&] { Town(3, 4, 2, settings); }); };
  EXPECT_EQ(with("days = 3\n"), "");
  EXPECT_EQ(with("days = \"all\"\n"), "");
  EXPECT_THAT(with("days = 0\n"), HasSubstr("trajectories.days = 0: must be at least 1, or \"all\""));
  EXPECT_THAT(with("days = 4\n"), HasSubstr("trajectories.days = 4: the inference period has 3 days"));
  EXPECT_THAT(with("methods = [\"memry\"]\n"), HasSubstr("did you mean \"memory\"?"));
  EXPECT_THAT(with("methods = []\n"), HasSubstr("a list of at least one"));
  EXPECT_THAT(with("hours = 3\n"), HasSubstr("trajectories.hours"));
}

TEST(TrajectoriesTest, MorePeopleThanCanBeMatchedAreRefused) {
  Town town(1, 1, 10'001);
  const goal::Ground ground = town.ground(1, false);
  EXPECT_THAT(refusal([&] { found(ground); }), HasSubstr("10001 people are too many"));
}

}  // namespace
}  // namespace hearsay
