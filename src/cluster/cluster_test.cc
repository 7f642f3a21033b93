// SPDX-License-Identifier: Apache-2.0
//
// A study over shares gives the bits of one machine: every prior, attack, decision, defence and control, however people
// are divided and in whatever order shares are worked on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "base/errors.h"
#include "cluster/driver.h"
#include "cluster/merge.h"
#include "cluster/share.h"
#include "dataset/people.h"
#include "engine/engine.h"
#include "goal/releases.h"

namespace hearsay::cluster {
namespace {

constexpr const char* kData =
    "[data]\nname = \"world\"\npath = \"events.csv\"\ntimezone = \"Europe/London\"\n{}"
    "[rois]\nkind = \"grid\"\nsouth = 0\nnorth = 2\nwest = 0\neast = 3\nrows = 2\ncols = 3\n"
    "[period]\nstart = \"2024-01-01 00:00\"\nepoch = \"6h\"\nlength = 84\nobserve = 60\n"
    "[results]\nleast_people = 1\nshow_users = true\n";

StudyText study_text(const std::string& rest, const std::string& data = "") {
  return {fmt::format(fmt::runtime(kData), data) + rest, "world.toml", "", {}};
}

// People with habits, some of whom are often where they usually are; visits by user, as shares have them.
struct World {
  std::vector<std::string> ids;
  std::vector<std::string> visits;
  std::vector<ingest::Roi> rois;

  World(std::size_t people, std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(random() % bound); };
    for (std::size_t roi = 0; roi < 6; ++roi) rois.push_back({std::to_string(roi), "", {}, {}});
    for (std::size_t i = 0; i < people; ++i) {
      std::map<std::uint64_t, bool> own;
      const std::uint32_t home = below(6);
      const std::uint32_t often = 1 + below(9);
      for (std::uint32_t e = 0; e < 84; ++e) {
        const bool out = below(10) < often && (e + i) % 4 != 0;
        if (out) own[std::uint64_t{e} << 32 | (below(3) == 0 ? below(6) : home)] = true;
        if (out && below(5) == 0) own[std::uint64_t{e} << 32 | below(6)] = true;
      }
      if (own.empty()) own[home] = true;
      ids.push_back(fmt::format("person {:04}", i));
      std::string& bytes = visits.emplace_back();
      for (const auto& [visit, there] : own) bytes.append(reinterpret_cast<const char*>(&visit), sizeof(visit));
    }
  }

  dataset::Dataset everybody(const experiment::Study& study) const {
    ingest::Visits all;
    all.users = ids;
    all.rois = rois;
    all.columns = 3;
    all.visits.epochs.resize(study.calendar().epochs);
    for (std::uint32_t user = 0; user < ids.size(); ++user) {
      for (std::size_t at = 0; at < visits[user].size(); at += 8) {
        std::uint64_t visit = 0;
        std::memcpy(&visit, visits[user].data() + at, 8);
        all.visits.epochs[visit >> 32].push_back(
            ingest::VisitList::key(user, static_cast<std::uint32_t>(visit & 0xffffffffU)));
      }
    }
    return {std::move(all), study.calendar(), study.data.user_limit};
  }
};

// All that results are written from, as text with every bit.
using Story = std::vector<std::string>;

std::string bits(double number) {
  return std::isnan(number) ? "none" : fmt::format("{:a}", number);
}
template <typename Numbers>
std::string list(const Numbers& numbers) {
  std::string text;
  for (const auto& number : numbers) {
    if constexpr (std::is_same_v<std::decay_t<decltype(number)>, std::optional<double>>) {
      text += number ? bits(*number) + " " : "- ";
    } else {
      text += bits(static_cast<double>(number)) + " ";
    }
  }
  return text;
}

std::string text_of(const goal::Key& key) {
  std::string text;
  for (const goal::Field& field : key) text += field.name + "=" + field.value + " ";
  return text;
}

std::string text_of(const results::Distribution& of) {
  return list(std::vector<double>{of.mean, of.deviation, of.p05, of.p25, of.p50, of.p75, of.p95});
}

std::string text_of(const results::Exposed& exposed) {
  std::string text = fmt::format("{}:", exposed.users);
  for (const auto& one : exposed.most) text += fmt::format(" {} {}", one.user, bits(one.lost));
  return text;
}

std::string text_of(const results::PeopleFigures& of) {
  const results::SummaryRow& row = of.row;
  std::string text = text_of(goal::key_of(row.combination)) + fmt::format("users {} ", row.users);
  text += "error " + text_of(row.error);
  text += "means " +
          list(std::vector<std::optional<double>>{row.loss_mean, row.loss_signed_mean, row.gain_mean, row.improved});
  if (row.control) {
    const results::Control& control = *row.control;
    text += fmt::format("control {} ", control.users) + text_of(control.without) + text_of(control.own) +
            list(std::vector<std::optional<double>>{control.own_clipped, control.own_loss, control.counted,
                                                    control.half_width, control.loss_without});
  }
  if (row.active) {
    text += fmt::format("active {} ", row.active->users) + bits(row.active->mean) + " " +
            list(std::vector<std::optional<double>>{row.active->without});
  }
  if (of.gains)
    text += "gains " + list(std::vector<double>{of.gains->mean, of.gains->p05, of.gains->p50, of.gains->p95});
  text += "steps " + list(of.error_steps);
  if (of.loss) {
    text += "loss " + list(std::vector<std::optional<double>>{of.loss->p95});
    for (const auto& groups : of.loss->groups) text += list(groups);
    text += text_of(of.loss->exposed);
  }
  if (of.own) {
    text += "own " + list(of.own->steps) + bits(of.own->p95) + bits(of.own->hundredth);
    for (const auto& groups : of.own->groups) text += list(groups);
    text += text_of(of.own->exposed);
  }
  for (const results::UserRow& user : of.rows) text += fmt::format(" user {} ", user.user) + list(user.numbers);
  return text;
}

std::string text_of(const goal::Measurement& measurement) {
  std::string text = text_of(measurement.key) + goal::name_of(measurement.unit) + " ";
  for (const goal::Numbers& numbers : measurement.numbers) text += numbers.name + " " + list(numbers.values);
  return text;
}

std::string text_of(const goal::ReleaseResult& release) {
  std::string text = fmt::format("{} {} {} {} {} ", release.release, release.parameter, release.repeat,
                                 release.guarantee.unit, release.guarantee.note);
  if (release.guarantee.epsilon) text += bits(*release.guarantee.epsilon) + " ";
  for (const auto& number : release::numbers_of(release.utility)) {
    text += number.value ? bits(*number.value) + " " : "- ";
  }
  return text;
}

Story alone(const StudyText& text, const World& world) {
  const experiment::Study study = text.parse();
  const dataset::Dataset data = world.everybody(study);
  const results::Known known = results::facts_of(data, study);
  const goal::Ground ground = study.ground(data);
  Story story;
  goal::Releases(ground).measure([&](const goal::ReleaseResult& release) { story.push_back(text_of(release)); });
  for (const goal::GoalEntry* entry : study.goals) {
    const auto goal = entry->create(ground);
    for (const std::string& part : goal->parts()) {
      goal->run(part, [&](const goal::Measurement& measurement) {
        if (!entry->of_errors || measurement.unit != goal::Unit::kUser) {
          story.push_back(text_of(measurement));
          return;
        }
        const goal::Combination combination = goal::combination_of(measurement.key, study.adversary);
        story.push_back(text_of(results::figures_of(combination, measurement, known.data, known.users)));
      });
    }
  }
  return story;
}

Story in_shares(const StudyText& text, const World& world, std::size_t shares, std::uint32_t seed,
                std::uint64_t range_candidates = 40) {
  std::mt19937 random(seed);
  Driver driver({.study = text,
                 .rois = world.rois,
                 .columns = 3,
                 .shares = shares,
                 .threads = 1,
                 .range_candidates = range_candidates,
                 .round_bytes = seed % 2 == 0 ? 1U : 1U << 28});
  while (const Told* told = driver.next()) {
    const std::string bytes = told->bytes();
    std::vector<std::uint32_t> order(shares);
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), random);
    std::map<std::string, std::vector<std::string>> rows;
    for (const std::uint32_t share : order) {
      ShareRows own{share, {}, {}};
      for (std::size_t i = world.ids.size() * share / shares; i < world.ids.size() * (share + 1) / shares; ++i) {
        own.ids.push_back(world.ids[i]);
        own.visits.push_back(world.visits[i]);
      }
      for (Row& row : run_stage(Told::from_bytes(bytes), own, 1)) rows[row.key].push_back(std::move(row.value));
    }
    const Told at_merge = Told::from_bytes(bytes);
    for (const auto& [key, values] : rows) {
      for (const Row& row : merge(at_merge, key, std::vector<std::string_view>(values.begin(), values.end()))) {
        driver.take(row.key, row.value);
      }
    }
  }
  Story story;
  driver.hand_over(
      {[&](const goal::ReleaseResult& release) { story.push_back(text_of(release)); },
       [&](const goal::GoalEntry&, const goal::Measurement& measurement) { story.push_back(text_of(measurement)); },
       [&](const results::PeopleFigures& people) { story.push_back(text_of(people)); }});
  return story;
}

void expect_same(const StudyText& text, const World& world, std::initializer_list<std::size_t> shares) {
  const Story expected = alone(text, world);
  ASSERT_FALSE(expected.empty());
  for (const std::size_t number : shares) {
    const Story found = in_shares(text, world, number, static_cast<std::uint32_t>(number));
    ASSERT_EQ(found.size(), expected.size()) << number << " shares";
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], expected[i]) << number << " shares";
  }
}

TEST(ClusterTest, EveryPriorAttackDecisionAndControl) {
  expect_same(study_text(""), World(60, 1), {1, 2, 7, 64});
}

TEST(ClusterTest, MorePeopleThanAreTakenOut) {
  expect_same(study_text("[study]\ncontrol_sample = 5\n"), World(400, 2), {3});
}

TEST(ClusterTest, TheMostActivePeople) {
  for (const char* limit : {"users = 25\n", "users = 59\n", "users = 60\n", "users = 1000\n", "users = 1\n"}) {
    SCOPED_TRACE(limit);
    expect_same(study_text("[study]\npriors = [\"FREQ_ROI\"]\n", limit), World(60, 3), {1, 7});
  }
}

TEST(ClusterTest, DefencesOfCounts) {
  expect_same(study_text("[[release]]\nmechanism = \"SCM\"\nsensitivity = \"event\"\nepsilon = [0.1, 1]\nrepeats = 2\n"
                         "[[release]]\nmechanism = \"FPA\"\nk = 5\nepsilon = 1\n"
                         "[[release]]\nsteps = [\"SUPPRESS(at_most=4)\", \"ROUND(base=5)\"]\n"),
              World(50, 4), {1, 4});
}

TEST(ClusterTest, DefencesOfPeople) {
  expect_same(study_text("[[release]]\nsteps = [\"SAMPLE(rate=0.5)\", \"LAPLACE(epsilon=1)\"]\nrepeats = 2\n"
                         "[[release]]\nsteps = [\"BOUND(at_most=5)\", \"GAUSSIAN(epsilon=1)\"]\n"
                         "[[release]]\nsteps = [\"PLACES(of=2)\", \"EPOCHS(of=4)\"]\n"
                         "[[release]]\nsteps = [\"BOUND(at_most=3,per=day)\", \"FPA(k=5,epsilon=1)\"]\n"),
              World(50, 5), {1, 4});
}

TEST(ClusterTest, LocalReports) {
  expect_same(study_text("[study]\ncontrol_sample = 50\n[[release]]\nmechanism = \"KRR\"\np = 0.5\n"
                         "[[release]]\nmechanism = \"SPOTME\"\np = 0.5\n"
                         "[[release]]\nmechanism = \"SCM\"\nsensitivity = \"delta\"\nepsilon = 1\n"
                         "[[release]]\nmechanism = \"SCM\"\nbound = 5\nepsilon = 1\n",
                         "population = 70\n"),
              World(50, 6), {1, 4});
}

TEST(ClusterTest, GoalsAboutGroupsAndPaths) {
  expect_same(study_text("[study]\npriors = [\"FREQ_ROI\"]\ngoals = [\"profiling\", \"membership\", \"audit\", "
                         "\"trajectories\"]\n[membership]\ngroups = [5]\ntrials = 20\ntargets = 5\naudit_trials = "
                         "50\n[[release]]\nmechanism = \"LAPLACE\"\nepsilon = 1\n"),
              World(40, 8), {1, 5});
}

TEST(ClusterTest, WithoutAControl) {
  expect_same(study_text("[study]\ncontrol = false\n"), World(40, 7), {1, 5});
}

}  // namespace
}  // namespace hearsay::cluster
