// SPDX-License-Identifier: Apache-2.0
//
// The control: errors on counts that leave out the person whose error it is. Raw counts are compared with the dense
// reference in reference_test.cc; here what goes by cell with people really taken out of the data, one by one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <map>
#include <numeric>
#include <random>

#include "experiment/presets.h"
#include "goal/inference.h"
#include "random_world.h"

namespace hearsay {
namespace {

constexpr double kTolerance = 1e-12;

struct Kept {
  std::vector<double> with;
  std::vector<double> without;
  std::vector<double> active_without;
  std::vector<double> own;
  double epochs = 0;  // sum of the errors without, by epoch
};

// By adversary, release and baseline.
std::map<std::string, Kept> run(const dataset::Dataset& data, const experiment::Study& study, std::size_t threads = 1,
                                const BlockSizes& blocks = {}) {
  std::map<std::string, Kept> kept;
  const auto copy = [](std::span<const double> numbers) { return std::vector<double>(numbers.begin(), numbers.end()); };
  goal::infer(study.ground(data, {.threads = threads, .blocks = blocks}), [&](const goal::Result& result) {
    const goal::Combination& c = result.combination;
    const auto& epochs = result.without.epochs;
    kept[fmt::format("{} {} {} {} {} {} {}", c.goal, c.prior, c.attack, c.decision, c.release, c.repeat, c.baseline)] =
        {copy(result.with.users), copy(result.without.users), copy(result.without.active), copy(result.own),
         std::accumulate(epochs.begin(), epochs.end(), 0.0)};
  });
  return kept;
}

void add_defence(experiment::Study& study, const std::string& name, const std::map<std::string, std::string>& values) {
  Parameters parameters(name);
  for (const auto& [key, value] : values) parameters.set(key, value);
  goal::Defence defence;
  defence.chain.add(release::step_named("release", name, release::all_steps()), parameters);
  defence.repeats = 2;
  study.defences.push_back(defence);
}

// The same attacks, said not to go by cell, so that everybody is taken out by hand.
experiment::Study by_hand(experiment::Study study, std::deque<attack::AttackEntry>& entries) {
  for (const attack::AttackEntry*& entry : study.adversary.attacks) {
    entries.push_back(*entry);
    entries.back().by_cell = false;
    entry = &entries.back();
  }
  study.adversary.control_sample = 1'000'000;
  return study;
}

void expect_same(const std::vector<double>& a, const std::vector<double>& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    EXPECT_NEAR(a[i], b[i], kTolerance) << what << ", user " << i;
  }
}

TEST(ControlTest, ByCellIsWhatPeopleTakenOutByHandGive) {
  std::size_t changed = 0;
  for (std::uint32_t seed = 5000; seed < 5060 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    reference::RandomStudy made = reference::make_random_study(seed);
    add_defence(made.study, "SCM", {{"sensitivity", "event"}, {"epsilon", "0.7"}});
    const dataset::Dataset data(made.visits, made.study.calendar(), 0);
    std::deque<attack::AttackEntry> entries;
    const auto fast = run(data, made.study, 2, BlockSizes::all(3));
    const auto slow = run(data, by_hand(made.study, entries), 2);
    ASSERT_EQ(fast.size(), slow.size());
    for (const auto& [key, kept] : fast) {
      const Kept& other = slow.at(key);
      expect_same(kept.without, other.without, key);
      expect_same(kept.active_without, other.active_without, key + " when active");
      for (const double own : kept.own) changed += own != 0 ? 1 : 0;
    }
  }
  EXPECT_GT(changed, 1000U);
}

// Chains that keep some visits of a person, or some people, or merge epochs or places: what goes by person is told
// apart by where each was counted. Parts of counts are such that sums of them are exact, as ties at a threshold are
// told by the last bit.
TEST(ControlTest, ByPersonIsWhatPeopleTakenOutByHandGive) {
  const std::vector<std::vector<std::string>> chains = {
      {"BOUND(at_most=2)", "LAPLACE(epsilon=4)"},
      {"SAMPLE(rate=0.5)", "LAPLACE(epsilon=2,unit=event)"},
      {"EPOCHS(of=2)", "BOUND(at_most=3,choice=first)"},
      {"EPOCHS(of=4)", "GAUSSIAN(rho=0.5,unit=event)", "SUPPRESS(at_most=1)"},
      {"PLACES(of=2)", "EPOCHS(of=2)", "LAPLACE(epsilon=4,unit=event)"},
  };
  std::size_t changed = 0;
  for (std::uint32_t seed = 5300; seed < 5340 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    reference::RandomStudy made = reference::make_random_study(seed);
    made.study.defences.clear();
    goal::Defence defence;
    defence.chain = experiment::chain_of("release", chains[seed % chains.size()], release::all_steps());
    made.study.defences.push_back(defence);
    made.visits.columns = 1;
    const dataset::Dataset data(made.visits, made.study.calendar(), 0);
    std::deque<attack::AttackEntry> entries;
    const auto fast = run(data, made.study, 2, BlockSizes::all(3));
    const auto slow = run(data, by_hand(made.study, entries), 2);
    ASSERT_EQ(fast.size(), slow.size());
    for (const auto& [key, kept] : fast) {
      expect_same(kept.without, slow.at(key).without, key);
      if (key.find("RAW") != std::string::npos) continue;
      for (const double own : kept.own) changed += own != 0 ? 1 : 0;
    }
  }
  EXPECT_GT(changed, 300U);
}

TEST(ControlTest, ASampleHasTheNumbersOfEverybody) {
  reference::RandomStudy made = reference::make_crowded_study(5100);
  made.study.defences.clear();
  add_defence(made.study, "FPA", {{"k", "1"}, {"epsilon", "5"}});
  add_defence(made.study, "SPOTME", {{"p", "0.2"}});
  add_defence(made.study, "SCM", {{"bound", "3"}, {"epsilon", "2"}});
  made.study.adversary.priors.resize(1);
  made.study.adversary.control_sample = 1'000'000;
  const dataset::Dataset data(made.visits, made.study.calendar(), 0);
  const auto all = run(data, made.study, 2);
  made.study.adversary.control_sample = 7;
  const auto some = run(data, made.study, 3, BlockSizes::all(3));
  const std::size_t users = data.crowd().users;
  std::size_t sampled = 0;
  for (const auto& [key, kept] : some) {
    SCOPED_TRACE(key);
    ASSERT_EQ(kept.without.size(), users);
    const bool all_measured =
        std::none_of(kept.without.begin(), kept.without.end(), [](double one) { return std::isnan(one); });
    // Its noise stays as it is, and people are few.
    EXPECT_TRUE(all_measured || key.find(" FPA ") == std::string::npos);
    if (all_measured) continue;
    ++sampled;
    EXPECT_EQ(kept.epochs, 0) << "nothing is by epoch";
    for (std::size_t user = 0; user < users; ++user) {
      bool chosen = false;
      for (std::size_t i = 0; i < 7; ++i) chosen = chosen || user == i * users / 7;
      ASSERT_EQ(std::isnan(kept.without[user]), !chosen) << user;
      if (chosen) {
        EXPECT_EQ(kept.without[user], all.at(key).without[user]) << user;
      }
    }
  }
  EXPECT_GT(sampled, 0U);
}

// Bit by bit: how people are divided among ranges changes no error.
TEST(ControlTest, SomePeopleErrAsTheyDoAmongAll) {
  for (const std::size_t people : {std::size_t{7}, std::size_t{20}}) {
    reference::RandomStudy made = reference::make_crowded_study(5100);
    made.study.defences.clear();
    add_defence(made.study, "LAPLACE", {{"epsilon", "2"}, {"unit", "event"}});
    add_defence(made.study, "KRR", {{"p", "0.3"}});
    made.study.adversary.control_sample = 3;
    const dataset::Dataset data(made.visits, made.study.calendar(), 0);
    const std::size_t users = data.crowd().users;
    ASSERT_GT(users, people);
    const auto all = run(data, made.study, 2);
    made.study.adversary.people = people;
    for (const std::size_t threads : {std::size_t{1}, std::size_t{3}}) {
      const auto some = run(data, made.study, threads, BlockSizes::all(3));
      ASSERT_EQ(some.size(), all.size());
      for (const auto& [key, kept] : some) {
        std::size_t measured = 0;
        for (std::size_t user = 0; user < users; ++user) {
          if (std::isnan(kept.with[user])) continue;
          ++measured;
          EXPECT_EQ(kept.with[user], all.at(key).with[user]) << key << ", user " << user;
          if (kept.without.empty() || std::isnan(kept.without[user]) || std::isnan(all.at(key).without[user])) continue;
          EXPECT_EQ(kept.without[user], all.at(key).without[user]) << key << ", user " << user;
        }
        EXPECT_EQ(measured, people) << key;
      }
    }
  }
}

TEST(ControlTest, IsNotThereWhereNotAskedFor) {
  reference::RandomStudy made = reference::make_random_study(5200);
  made.study.adversary.control = false;
  const dataset::Dataset data(made.visits, made.study.calendar(), 0);
  for (const auto& [key, kept] : run(data, made.study)) {
    EXPECT_TRUE(kept.without.empty() && kept.own.empty()) << key;
    EXPECT_FALSE(kept.with.empty()) << key;
  }
}

// Forty people go where many go, on most days; one is alone at a place at night, on one of two nights.
dataset::Dataset town_with_a_night_traveller() {
  std::mt19937 random(1);
  ingest::Visits visits;
  for (std::uint32_t user = 0; user < 40; ++user) visits.users.push_back(fmt::format("day{:02}", user));
  visits.users.emplace_back("night");
  for (const char* id : {"north", "south", "quarry"}) visits.rois.push_back({id, "", {}, {}});
  for (std::uint32_t day = 0; day < 21; ++day) {
    for (std::uint32_t user = 0; user < 40; ++user) {
      if (random() % 4 == 0) continue;
      const std::uint32_t hour = 7 + random() % 4;
      visits.visits.push_back({day * 24 + hour, user, user % 2});
      visits.visits.push_back({day * 24 + hour + 9, user, 1 - user % 2});
    }
    if (day % 2 == 0) visits.visits.push_back({day * 24 + 3, 40, 2});
  }
  return {std::move(visits), {3600, 21 * 24, 14 * 24}, 0};
}

TEST(ControlTest, WhoIsAloneAtNightPaysForBeingCounted) {
  const dataset::Dataset data = town_with_a_night_traveller();
  reference::RandomStudy made = reference::make_random_study(5300);
  made.study.data.period = {"2010-03-01 00:00:00", 3600, 21 * 24};
  made.study.data.observe = 14 * 24;
  std::erase_if(made.study.adversary.priors, [](const auto* prior) { return prior->info.name != "FREQ_ROI"; });
  ASSERT_EQ(made.study.adversary.priors.size(), 1U);
  for (const auto& [key, found] : run(data, made.study)) {
    if (!key.starts_with("profiling FREQ_ROI MAX_USER ")) continue;
    const Kept& kept = found;
    const auto own_loss = [&](std::size_t user) { return std::max(0.0, kept.own[user] / kept.without[user]); };
    // She errs about the traveller nowhere with the counts, and at every visit without.
    EXPECT_NEAR(kept.with[40], 0, kTolerance);
    EXPECT_GT(kept.without[40], 0.01);
    EXPECT_NEAR(own_loss(40), 1, kTolerance);
    double others = 0;
    for (std::size_t user = 0; user < 40; ++user) {
      EXPECT_LT(own_loss(user), 0.1) << user;
      others += own_loss(user) / 40;
    }
    EXPECT_LT(others, 0.03);
    return;
  }
  FAIL() << "no such adversary";
}

// What is published in the place of the raw counts is attacked as any defence is: the same errors, with and without.
TEST(PublishedTest, IsWhatTheSameDefenceGives) {
  std::size_t compared = 0;
  const std::vector<std::vector<std::string>> chains = {{"ROUND(base=2)"},
                                                        {"BOUND(at_most=2)", "LAPLACE(epsilon=1,unit=event)"},
                                                        {"EPOCHS(of=2)", "SUPPRESS(at_most=1)"},
                                                        {"KRR(p=0.3)"},
                                                        {"EFPA(epsilon=1)"}};
  for (std::uint32_t seed = 6000; seed < 6020 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    reference::RandomStudy made = reference::make_random_study(seed);
    const std::vector<std::string>& steps = chains[seed % chains.size()];
    SCOPED_TRACE(steps.front());
    goal::Defence defence;
    defence.chain = experiment::chain_of("release", steps, release::all_steps());
    const dataset::Dataset data(made.visits, made.study.calendar(), 0);
    experiment::Study beside = made.study;
    beside.defences = {defence};
    experiment::Study instead = made.study;
    instead.published = defence;
    const std::map<std::string, Kept> one = run(data, beside);
    const std::map<std::string, Kept> other = run(data, instead, 3, {.users = 3, .least_users = 1});
    for (const auto& [key, kept] : one) {
      const std::size_t release = key.find(" " + defence.chain.name() + " 1 ");
      if (release == std::string::npos) continue;
      std::string as_raw = key;
      as_raw.replace(release, defence.chain.name().size() + 4, " RAW 0 ");
      const auto found = other.find(as_raw);
      if (found == other.end()) {
        EXPECT_TRUE(key.ends_with(" RAW")) << key << " is not a gain against the raw counts, which are not there";
        continue;
      }
      expect_same(kept.with, found->second.with, key);
      expect_same(kept.without, found->second.without, key);
      expect_same(kept.own, found->second.own, key);
      ++compared;
    }
  }
  EXPECT_GT(compared, 500U);
}

}  // namespace
}  // namespace hearsay
