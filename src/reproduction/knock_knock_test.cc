// SPDX-License-Identifier: Apache-2.0
#include "reproduction/knock_knock.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/errors.h"
#include "base/random.h"
#include "base/temporary_folder.h"
#include "report/paper_figures.h"
#include "reproduction/reproduction.h"

namespace hearsay::reproduction {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kMonday = 1211180400;  // 2008-05-19 00:00 in San Francisco

// Cabs that keep to a few cells of their own more often than not.
std::string write_cabs(const TemporaryFolder& folder, std::size_t cabs) {
  const std::string path = folder.path() + "/cabs";
  std::filesystem::create_directory(path);
  for (std::size_t cab = 0; cab < cabs; ++cab) {
    SeededBits bits(cab);
    std::ofstream out(fmt::format("{}/new_{:03}.txt", path, cab));
    for (std::int64_t hour = 0; hour < 504; ++hour) {
      if (bits.below(3) == 0) continue;
      const std::uint64_t cell = bits.below(2) == 0 ? cab : bits.below(100);
      const double north = 37.727 + (static_cast<double>(cell / 10) + 0.5) * 0.00717;
      const double east = -122.435 + (static_cast<double>(cell % 10) + 0.5) * 0.00668;
      out << fmt::format("{:.5f} {:.5f} 0 {}\n", north, east, kMonday + hour * 3600 + 60);
    }
  }
  return path;
}

KnockKnockGame small_game() {
  KnockKnockGame game;
  game.targets = 2;
  game.subset_practice = game.different_practice = game.same = 40;
  game.subset_tests = game.different_tests = 20;
  return game;
}

std::string text_of(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(KnockKnock, FiguresAreBuiltIn) {
  const std::vector<report::KnockKnockFigure> figures = report::knock_knock_figures();
  EXPECT_EQ(figures.size(), 95U);
  EXPECT_EQ(figures.front().prior, "subset");
  EXPECT_EQ(figures.front().group, 5U);
  EXPECT_EQ(figures.front().classifier, "LR");
  EXPECT_EQ(figures.front().value, 0.99);
}

TEST(KnockKnock, PlaysSmallAndWritesFiles) {
  const TemporaryFolder folder("", "hearsay-test-");
  const std::string cabs = write_cabs(folder, 60);
  engine::LoadOptions options;
  options.threads = 1;
  std::uint64_t told = 0;
  options.progress = [&](std::string_view stage, std::uint64_t done, std::uint64_t) {
    if (stage == "playing") told = done;
  };
  const KnockKnockOutcome done = reproduce_knock_knock(cabs, folder.path() + "/one", small_game(), options);
  EXPECT_EQ(done.found.targets, 6U);
  ASSERT_EQ(done.found.rows.size(), 8U);  // 5 and 10 of a known fifth; 5, 10 and 50 of past groups
  EXPECT_EQ(done.found.not_run.size(), 8U);
  EXPECT_EQ(told, 8U * 6);
  const KnockKnockRow& subset = done.found.rows.front();
  EXPECT_EQ(subset.paper_best, 0.99);
  EXPECT_EQ(subset.paper_logistic, 0.99);
  EXPECT_GT(subset.median_learned(), 0.65);
  EXPECT_GT(subset.median_likelihood(), 0.99);
  EXPECT_THAT(knock_knock_text(done.found), HasSubstr("different_groups"));
  EXPECT_THAT(text_of(folder.path() + "/one/knock_knock.csv"), HasSubstr("subset,5,0.99,0.99,"));
  EXPECT_THAT(text_of(folder.path() + "/one/knock_knock.md"), HasSubstr("| subset | 5 | 0.99 | 0.99 |"));

  // Threads change nothing, and earlier results are replaced.
  options.threads = 4;
  const std::string before = text_of(folder.path() + "/one/knock_knock.csv");
  reproduce_knock_knock(cabs, folder.path() + "/one", small_game(), options);
  EXPECT_EQ(text_of(folder.path() + "/one/knock_knock.csv"), before);
}

TEST(KnockKnock, StopsOnRequestAndRefusesTooFew) {
  const TemporaryFolder folder("", "hearsay-test-");
  std::stop_source source;
  engine::LoadOptions options;
  options.stop = source.get_token();
  options.progress = [&](std::string_view stage, std::uint64_t, std::uint64_t) {
    if (stage == "playing") source.request_stop();
  };
  const std::string out = folder.path() + "/out";
  EXPECT_THROW(reproduce_knock_knock(write_cabs(folder, 20), out, small_game(), options), Cancelled);
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_THROW(reproduce_knock_knock(folder.path() + "/nowhere", out, small_game(), {}), std::runtime_error);
  for (int cab = 5; cab < 20; ++cab) std::filesystem::remove(fmt::format("{}/cabs/new_{:03}.txt", folder.path(), cab));
  EXPECT_THROW(reproduce_knock_knock(folder.path() + "/cabs", out, small_game(), {}), InputError);
}

TEST(KnockKnock, TargetsAreOfEachThird) {
  const TemporaryFolder folder("", "hearsay-test-");
  StageClock clock;
  const engine::Loaded loaded = engine::load(san_francisco_study(write_cabs(folder, 30)), {}, folder.path(), clock);
  const Weeks weeks(loaded.dataset, 1);
  std::vector<std::uint32_t> sorted = weeks.places_visited;
  std::sort(sorted.begin(), sorted.end());
  const std::vector<std::uint32_t> targets = targets_by_mobility(weeks, 3, 1);
  ASSERT_EQ(targets.size(), 9U);
  std::size_t low = 0;
  std::size_t high = 0;
  for (const std::uint32_t target : targets) {
    low += weeks.places_visited[target] <= sorted[9] ? 1 : 0;
    high += weeks.places_visited[target] >= sorted[20] ? 1 : 0;
  }
  EXPECT_GE(low, 3U);
  EXPECT_GE(high, 3U);
  EXPECT_EQ(targets_by_mobility(weeks, 3, 1), targets);
  EXPECT_EQ(targets_by_mobility(weeks, 50, 1).size(), 30U);
}

}  // namespace
}  // namespace hearsay::reproduction
