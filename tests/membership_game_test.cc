// SPDX-License-Identifier: Apache-2.0
//
// The game of membership as studies play it: who can be told and who cannot, threads, refusals, audits. The scores
// themselves are compared with plain formulas in src/membership.
#include "goal/membership_game.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <tuple>

#include "base/errors.h"
#include "experiment/study.h"
#include "goal/audit.h"
#include "goal/goal.h"
#include "membership/scores.h"

namespace hearsay {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t kObserve = 48;
constexpr std::uint32_t kEpochs = 96;
constexpr std::uint32_t kPlaces = 6;

// People with habits: two places each, at their own hours. The last two always do the same, at a place of their own
// where somebody else is in turn.
struct Town {
  std::vector<std::string> users;
  std::vector<ingest::Visit> visits;
  experiment::Study study;
  std::unique_ptr<dataset::Dataset> data;

  explicit Town(std::uint32_t people, const std::string& settings = "", const std::string& length = "1h") {
    const std::string text =
        "[data]\npath = \"x\"\n[rois]\nkind = \"ids\"\n[period]\nstart = 2020-01-06\nepoch = \"" + length +
        "\"\nlength = \"96h\"\n"
        "observe = \"48h\"\n[study]\ngoals = [\"membership\"]\npriors = [\"FREQ_ROI\"]\n[membership]\n" +
        settings;
    study = experiment::parse_study(text, "test", "", {});
    std::mt19937 bits(11);
    const auto flip = [&](double chance) { return std::uniform_real_distribution<>()(bits) < chance; };
    for (std::uint32_t user = 0; user < people; ++user) {
      users.push_back(fmt::format("{:04}", user));
      const std::uint32_t home = bits() % kPlaces;
      const std::uint32_t work = bits() % kPlaces;
      for (std::uint32_t epoch = 0; epoch < kEpochs; ++epoch) {
        const std::uint32_t place = epoch % 24 < 12 ? home : work;
        if (flip(0.3)) visits.push_back({epoch, user, place});
      }
    }
  }

  void add_visit(std::uint32_t epoch, std::uint32_t user, std::uint32_t place) {
    visits.push_back({epoch, user, place});
  }
  void remove(std::uint32_t user) {
    std::erase_if(visits, [&](const auto& visit) { return visit.user == user; });
  }
  void add_defence(const std::string& name, const std::map<std::string, std::string>& values) {
    goal::Defence defence;
    Parameters parameters(name);
    for (const auto& [key, value] : values) parameters.set(key, value);
    defence.chain.add(release::step_named("release", name, release::all_steps()), parameters);
    defence.parameter = defence.chain.parameter();
    study.defences.push_back(defence);
  }
  goal::Ground ground(std::size_t threads = 2) {
    std::sort(visits.begin(), visits.end(), [](const ingest::Visit& a, const ingest::Visit& b) {
      return std::tie(a.epoch, a.user, a.roi) < std::tie(b.epoch, b.user, b.roi);
    });
    ingest::Visits all;
    all.users = users;
    for (std::uint32_t place = 0; place < kPlaces; ++place) all.rois.push_back({fmt::format("p{}", place), {}, {}, {}});
    for (std::size_t i = 0; i < visits.size(); ++i) {
      const auto same = [&](const ingest::Visit& b) {
        return std::tie(visits[i].epoch, visits[i].user, visits[i].roi) == std::tie(b.epoch, b.user, b.roi);
      };
      if (i == 0 || !same(visits[i - 1])) all.visits.push_back(visits[i]);
    }
    data = std::make_unique<dataset::Dataset>(std::move(all), study.calendar(), 0);
    return study.ground(*data, {.threads = threads});
  }
};

struct Line {
  goal::MembershipScores scores;
  std::vector<std::uint32_t> targets;
  double area(std::size_t target) const {
    return membership::area_under_curve(scores.with_of(target), scores.without_of(target)).value;
  }
};

std::map<std::string, Line> play(const goal::Ground& ground) {
  std::map<std::string, Line> lines;
  goal::MembershipGame game(ground);
  const auto keep = [&](const goal::MembershipScores& scores) {
    const goal::MembershipLine& line = scores.line;
    lines[fmt::format("{} {} {} {} {}", line.attack->info.name, line.target->name, line.crowd->name,
                      line.defence == nullptr ? "RAW" : line.defence->chain.name(), line.group)] = {
        scores, {scores.targets.begin(), scores.targets.end()}};
  };
  game.play(nullptr, keep);
  for (const goal::Defence& defence : ground.defences) game.play(&defence, keep);
  return lines;
}

TEST(MembershipTest, APersonAloneInHerCellsIsTold) {
  Town town(60, "groups = [10]\ntrials = 50\ntargets = \"all\"\n");
  town.remove(7);
  for (std::uint32_t epoch = 50; epoch < 60; ++epoch) town.add_visit(epoch, 7, 3);
  std::erase_if(town.visits, [](const auto& visit) {
    return visit.user != 7 && visit.roi == 3 && visit.epoch >= 50 && visit.epoch < 60;
  });
  const auto lines = play(town.ground());
  ASSERT_EQ(lines.size(), 1U);
  const Line& line = lines.at("LIKELIHOOD trace none RAW 10");
  ASSERT_EQ(line.targets[7], 7U);
  EXPECT_EQ(line.area(7), 1);
}

// Where everybody does the same, no group differs from another.
TEST(MembershipTest, PeopleWhoNeverDifferCannotBeTold) {
  Town town(0, "groups = [5]\ntrials = 40\ntargets = \"all\"\n");
  for (std::uint32_t user = 0; user < 30; ++user) {
    town.users.push_back(fmt::format("{:04}", user));
    for (std::uint32_t epoch = 0; epoch < kEpochs; epoch += 3) town.add_visit(epoch, user, epoch % kPlaces);
  }
  for (const auto& [name, line] : play(town.ground())) {
    for (std::size_t target = 0; target < line.targets.size(); ++target) EXPECT_EQ(line.area(target), 0.5) << name;
  }
}

constexpr const char* kEverything =
    "groups = [4, 12]\ntrials = 20\ntargets = 9\nknows = [\"trace\", \"trace(share=0.3)\", \"trace(hours=8-10)\", "
    "\"habits\"]\ncrowd = [\"none\", \"sample(share=0.3)\", \"past\"]\nattacks = [\"LIKELIHOOD\", "
    "\"LINEAR(factors=3)\", "
    "\"LEARNED\", \"ZERO_KNOWLEDGE(groups=20,people=50)\"]\n";

TEST(MembershipTest, ThreadsNeverChangeAScore) {
  Town town(80, kEverything);
  town.add_defence("SCM", {{"sensitivity", "event"}, {"epsilon", "1"}});
  town.add_defence("FPA", {{"form", "sound"}, {"k", "5"}, {"epsilon", "1"}});
  town.add_defence("SUPPRESS", {{"at_most", "1"}});
  town.add_defence("SCM", {{"bound", "3"}, {"epsilon", "1"}});
  town.add_defence("EPOCHS", {{"of", "3"}});
  const auto one = play(town.ground(1));
  const auto four = play(town.ground(4));
  ASSERT_EQ(one.size(), four.size());
  EXPECT_GT(one.size(), 100U);
  for (const auto& [name, line] : one) {
    EXPECT_EQ(line.scores.with, four.at(name).scores.with) << name;
    EXPECT_EQ(line.scores.without, four.at(name).scores.without) << name;
    for (const double score : line.scores.with) ASSERT_FALSE(std::isnan(score)) << name;
  }
}

// Counts of four hours are told apart as they would be in a study of epochs so long.
TEST(MembershipTest, LongerEpochsAreReadAsWhatTheyAre) {
  const std::string settings = "groups = [5]\ntrials = 15\ntargets = \"all\"\n";
  Town fine(24, settings);
  fine.add_defence("EPOCHS", {{"of", "4"}});
  Town coarse(24, settings, "4h");
  for (ingest::Visit& visit : coarse.visits) visit.epoch /= 4;
  const Line merged = play(fine.ground()).at("LIKELIHOOD trace none EPOCHS 5");
  const Line plain = play(coarse.ground()).at("LIKELIHOOD trace none RAW 5");
  ASSERT_EQ(merged.targets, plain.targets);
  ASSERT_EQ(merged.scores.with.size(), plain.scores.with.size());
  const auto same = [](double a, double b) { return a == b || std::abs(a - b) <= 1e-9; };  // impossible is infinite
  std::size_t finite = 0;
  for (std::size_t i = 0; i < plain.scores.with.size(); ++i) {
    EXPECT_PRED2(same, merged.scores.with[i], plain.scores.with[i]) << i;
    EXPECT_PRED2(same, merged.scores.without[i], plain.scores.without[i]) << i;
    finite += std::isfinite(plain.scores.with[i]) ? 1 : 0;
  }
  EXPECT_EQ(finite, plain.scores.with.size());
}

// Released cell by cell, or each group by itself: the same counts, so the same scores.
TEST(MembershipTest, WhatIsPatchedIsWhatWouldBePublished) {
  Town town(60, "groups = [3, 20]\ntrials = 15\ntargets = \"all\"\n");
  const std::map<std::string, std::string> values = {{"sensitivity", "event"}, {"epsilon", "1"}};
  town.add_defence("SCM", values);
  town.add_defence("ROUND", {{"base", "2"}});
  const auto fast = play(town.ground());
  for (goal::Defence& defence : town.study.defences) {
    // The same chain, said not to go by cell: totals are kept, which here changes nothing.
    release::StepEntry whole;
    whole.info.name = defence.chain.name();
    struct Whole final : release::Step {
      release::Chain chain;
      release::Draft apply(const release::Draft& draft, const release::NoiseSource& source) const override {
        return chain.run(draft, source);
      }
      void describe(const release::Draft& draft, release::Rule& rule) const override { rule = chain.rule(draft); }
    };
    const release::Chain inner = defence.chain;
    whole.make = [inner](const Parameters&) {
      auto step = std::make_unique<Whole>();
      step->chain = inner;
      return step;
    };
    Parameters parameters(whole.info.name);
    for (const auto& [key, value] :
         defence.chain.name() == "SCM" ? values : std::map<std::string, std::string>{{"base", "2"}}) {
      parameters.set(key, value);
    }
    release::Chain chain;
    chain.add(whole, parameters);
    ASSERT_EQ(chain.parameter(), inner.parameter());
    ASSERT_FALSE(chain.by_cell());
    defence.chain = chain;
  }
  const auto slow = play(town.ground());
  ASSERT_EQ(fast.size(), slow.size());
  for (const auto& [name, line] : slow) {
    const Line& other = fast.at(name);
    for (std::size_t t = 0; t < line.targets.size(); ++t) {
      const auto place = std::find(other.targets.begin(), other.targets.end(), line.targets[t]) - other.targets.begin();
      for (std::size_t trial = 0; trial < line.scores.trials; ++trial) {
        const auto expect_same = [&](double score, double expected) {
          if (score == expected) return;  // infinite ones, too
          EXPECT_NEAR(score, expected, 1e-9 * std::max(1.0, std::fabs(expected))) << name;
        };
        const auto at = static_cast<std::size_t>(place);
        expect_same(line.scores.with_of(t)[trial], other.scores.with_of(at)[trial]);
        expect_same(line.scores.without_of(t)[trial], other.scores.without_of(at)[trial]);
      }
    }
  }
}

TEST(MembershipTest, NoiseMakesItHarder) {
  Town town(100, "groups = [20]\ntrials = 100\ntargets = 30\n");
  town.add_defence("SCM", {{"sensitivity", "event"}, {"epsilon", "0.3"}});
  const auto mean = [](const Line& line) {
    double sum = 0;
    for (std::size_t t = 0; t < line.targets.size(); ++t) sum += line.area(t);
    return sum / static_cast<double>(line.targets.size());
  };
  const auto lines = play(town.ground());
  const double raw = mean(lines.at("LIKELIHOOD trace none RAW 20"));
  const double noisy = mean(lines.at("LINEAR trace none SCM 20"));
  EXPECT_GT(raw, 0.9);
  EXPECT_LT(noisy, raw - 0.1);
  EXPECT_GT(noisy, 0.5);
}

TEST(MembershipTest, GroupsTooCloseToEverybodyAreRefusedUnlessToldSo) {
  Town town(40, "groups = [21]\ntrials = 2\n");
  try {
    play(town.ground());
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("more than half of the 40 people"));
    EXPECT_THAT(error.what(), HasSubstr("membership.beyond_half"));
  }
  Town told(40, "groups = [21, 39]\ntrials = 2\nbeyond_half = true\n");
  for (const auto& [name, line] : play(told.ground())) EXPECT_TRUE(line.scores.line.near_all) << name;
  Town more(40, "groups = [40]\ntrials = 2\nbeyond_half = true\n");
  EXPECT_THROW(play(more.ground()), ConfigError);
  Town usual(90, "trials = 2\n");
  const auto lines = play(usual.ground());
  EXPECT_EQ(lines.size(), 1U) << "of 10, 100 and 1000 one is honest";
  EXPECT_EQ(lines.count("LIKELIHOOD trace none RAW 10"), 1U);
}

TEST(MembershipTest, TargetsComeFromEveryThirdByActivity) {
  Town town(90, "trials = 2\ntargets = 9\n");
  for (std::uint32_t user = 0; user < 30; ++user) {
    for (std::uint32_t epoch = kObserve; epoch < kEpochs; ++epoch)
      town.add_visit(epoch, user, (epoch + user) % kPlaces);
  }
  for (std::uint32_t user = 60; user < 90; ++user) {
    town.remove(user);
    town.add_visit(60, user, 1);
  }
  const goal::Ground ground = town.ground();
  const goal::MembershipGame game(ground);
  ASSERT_EQ(game.targets().size(), 9U);
  std::size_t thirds[3] = {};
  for (const std::uint32_t target : game.targets()) ++thirds[target / 30];
  EXPECT_THAT(thirds, testing::Each(3U));
}

// Laplace noise that hides so many counts of 1 with `kept`, and a claim of its own.
goal::Defence claiming(double epsilon, const std::string& unit, double hidden, double kept) {
  struct Claiming final : release::Step {
    double epsilon = 1;
    double hidden = 1;
    double kept = 1;
    std::string unit;
    release::Draft apply(const release::Draft& draft, const release::NoiseSource& source) const override {
      release::CountMatrix counts = draft.counts();
      for (std::size_t roi = 0; roi < counts.rois(); ++roi) {
        const auto bits = source.stream(roi);
        for (double& count : counts.series(roi)) count += source.noise(*bits, hidden, kept, 1);
      }
      return draft.with_counts(std::move(counts));
    }
    release::Guarantee guarantee(const release::Draft&) const override { return {epsilon, unit, "", {}}; }
  };
  release::StepEntry entry;
  entry.info.name = "HALF";
  entry.make = [=](const Parameters&) {
    auto step = std::make_unique<Claiming>();
    step->epsilon = epsilon;
    step->hidden = hidden;
    step->kept = kept;
    step->unit = unit;
    return step;
  };
  goal::Defence defence;
  defence.chain.add(entry, Parameters("HALF"));
  return defence;
}

TEST(AuditTest, FindsHalfTheNoiseAndThePapersFourierMechanism) {
  Town town(120, "");
  const goal::Ground ground = town.ground();
  for (const double epsilon : {0.5, 1.0, 2.0}) {
    const std::optional<goal::Audit> half =
        goal::audit(ground, goal::inference_traces(ground), claiming(epsilon, "one event", 1, 2 * epsilon));
    ASSERT_TRUE(half);
    EXPECT_GT(half->found, epsilon) << "half the noise of epsilon " << epsilon;
    EXPECT_LT(half->found, 2 * epsilon);
    EXPECT_TRUE(half->broken());
  }
  town.add_defence("FPA", {{"form", "paper"}, {"k", "5"}, {"epsilon", "1"}});
  const std::optional<goal::Audit> paper =
      goal::audit(ground, goal::inference_traces(ground), town.study.defences.back());
  ASSERT_TRUE(paper);
  EXPECT_EQ(paper->claim.unit, "a user in one ROI");
  EXPECT_TRUE(paper->broken()) << paper->found;
}

TEST(AuditTest, BelievesWhatIsTrue) {
  Town town(120, "");
  const std::vector<std::pair<std::string, std::map<std::string, std::string>>> sound = {
      {"SCM", {{"sensitivity", "event"}, {"epsilon", "1"}}}, {"SCM", {{"sensitivity", "event"}, {"epsilon", "0.1"}}},
      {"SCM", {{"sensitivity", "roi"}, {"epsilon", "2"}}},   {"SCM", {{"sensitivity", "user"}, {"epsilon", "1"}}},
      {"SCM", {{"bound", "4"}, {"epsilon", "1"}}},           {"FPA", {{"form", "sound"}, {"k", "5"}, {"epsilon", "1"}}},
      {"LAPLACE", {{"unit", "event"}, {"epsilon", "4"}}},    {"KRR", {{"p", "0.5"}}}};
  for (const auto& [name, values] : sound) town.add_defence(name, values);
  const goal::Ground ground = town.ground();
  for (const goal::Defence& defence : ground.defences) {
    const std::optional<goal::Audit> audit = goal::audit(ground, goal::inference_traces(ground), defence);
    if (!audit) {
      EXPECT_EQ(defence.chain.name(), "KRR") << defence.parameter;
      continue;
    }
    EXPECT_FALSE(audit->broken()) << defence.chain.name() << ' ' << defence.parameter << ": " << audit->found;
    // Rounded continuous noise would show no more than ln(.932 / .068) = 2.62.
    if (defence.chain.name() == "LAPLACE") {
      EXPECT_GT(audit->found, 2.8);
    }
  }
  // One event, one cell: nearly all of the claim can be shown.
  EXPECT_GT(goal::audit(ground, goal::inference_traces(ground), ground.defences[0])->found, 0.6);
}

// A unit of some epochs is tried with what a user does in them, not with all there is of a user.
TEST(AuditTest, TriesNoMoreThanTheUnitHides) {
  Town town(120, "");
  const goal::Ground ground = town.ground();
  const auto broken = [&](double hidden, const std::string& unit) {
    const std::optional<goal::Audit> audit =
        goal::audit(ground, goal::inference_traces(ground), claiming(1, unit, hidden, 1));
    return audit && audit->broken();
  };
  const double two_epochs = 2 * kPlaces;
  EXPECT_FALSE(broken(two_epochs, "a user in any 2 epochs"));
  EXPECT_TRUE(broken(two_epochs, "a user"));
  EXPECT_TRUE(broken(1, "a user in any 2 epochs"));
}

// Scores that do not differ rule nothing out; those that never meet rule out a lot.
TEST(AuditTest, TheBoundFollowsTheScores) {
  std::mt19937 bits(2);
  std::vector<double> one(1000);
  std::vector<double> other(1000);
  for (double& x : one) x = std::uniform_real_distribution<>()(bits);
  for (double& x : other) x = std::uniform_real_distribution<>()(bits);
  EXPECT_LT(goal::least_epsilon(one, other), 0.3);
  for (double& x : other) x -= 2;
  EXPECT_GT(goal::least_epsilon(one, other), 4);
  EXPECT_LT(goal::least_epsilon(one, other), 6) << "500 trials cannot show more";
}

}  // namespace
}  // namespace hearsay
