// SPDX-License-Identifier: Apache-2.0
//
// The scores against the plain formulas, cell by cell.
#include "membership/distinguisher.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace hearsay::membership {
namespace {

constexpr double kTolerance = 1e-12;
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// A group's counts, somebody who comes, and what is known of a target.
struct World {
  Question question;
  std::vector<double> chances;
  std::vector<std::vector<std::uint32_t>> traces;
  std::vector<double> counts;
  std::vector<Changed> changed;
  std::vector<Presence> presences;
  std::vector<std::uint8_t> known;

  explicit World(std::uint32_t seed, release::Rule rule = {}, bool crowd = false) : bits_(seed) {
    question.grid = {1 + below(7), 1 + below(9)};
    question.group = 1 + below(30);
    question.rule = rule;
    const std::size_t cells = question.grid.cells();
    std::vector<double> popular(question.grid.places);
    for (double& place : popular) place = below(4) == 0 ? 0.9 : 0.4 * unit();
    std::vector<double> busy(question.grid.epochs);
    for (double& epoch : busy) epoch = unit();
    std::vector<double> more(cells);
    counts.resize(cells);
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const double chance = popular[cell / question.grid.epochs] * busy[cell % question.grid.epochs];
      for (std::size_t person = 1; person < question.group; ++person) counts[cell] += unit() < chance ? 1 : 0;
      if (below(20) == 0) counts[cell] = static_cast<double>(question.group - 1);
      chances.push_back(std::clamp(chance, 0.001, 0.999));
      if (unit() < chance + 0.1)
        presences.push_back({static_cast<std::uint32_t>(cell), below(2) == 0 ? 1 : 0.9 * unit() + 0.05});
      if (unit() < chance + 0.1) changed.push_back({static_cast<std::uint32_t>(cell), published(counts[cell] + 1)});
      counts[cell] = published(counts[cell]);
    }
    if (below(2) == 0) {
      known.resize(question.grid.epochs);
      for (std::uint8_t& one : known) one = below(2) == 0 ? 1 : 0;
      std::erase_if(presences, [&](const Presence& one) { return known[one.cell % question.grid.epochs] == 0; });
    }
    if (!crowd) return;
    question.crowd.chances = chances;
    for (int person = 0; person < 12; ++person) {
      std::vector<std::uint32_t>& trace = traces.emplace_back();
      for (std::uint32_t cell = 0; cell < cells; ++cell) {
        if (unit() < chances[cell]) trace.push_back(cell);
      }
    }
    question.crowd.traces = traces;
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  Target target() const { return {presences, known}; }
  std::vector<double> counts_then() const {
    std::vector<double> all = counts;
    for (const Changed& one : changed) all[one.cell] = one.count;
    return all;
  }

 private:
  std::size_t below(std::size_t bound) { return bits_() % bound; }
  double unit() { return std::uniform_real_distribution<>()(bits_); }
  double published(double count) {
    const release::Rule& rule = question.rule;
    if (!rule.exact) return count + std::normal_distribution<>(0, std::sqrt(rule.variance))(bits_);
    if (rule.hidden && count <= static_cast<double>(*rule.hidden)) return kMissing;
    const auto base = static_cast<double>(rule.base);
    return rule.base > 1 ? std::floor(count / base + 0.5) * base : count;
  }
  std::mt19937 bits_;
};

// By cell: the product of the margins of plain counts.
std::vector<double> chances_of(const Question& question, const std::vector<double>& counts) {
  const std::size_t epochs = question.grid.epochs;
  std::vector<double> places(question.grid.places);
  std::vector<double> times(epochs);
  double total = 0;
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    places[cell / epochs] += counts[cell];
    times[cell % epochs] += counts[cell];
    total += counts[cell];
  }
  const auto m = static_cast<double>(question.group);
  std::vector<double> chances(counts.size());
  for (std::size_t cell = 0; cell < counts.size() && total > 0; ++cell) {
    chances[cell] = std::min(places[cell / epochs] * times[cell % epochs] / (total * m), m / (m + 1));
  }
  return chances;
}

double x_of(const Target& target, std::size_t cell) {
  for (const Presence& one : target) {
    if (one.cell == cell) return one.chance;
  }
  return 0;
}

double log_chance(std::size_t k, std::size_t n, double q) {
  const auto [a, b] = std::pair(static_cast<double>(k), static_cast<double>(n - k));
  return std::lgamma(a + b + 1) - std::lgamma(a + 1) - std::lgamma(b + 1) + a * std::log(q) + b * std::log1p(-q);
}

// That a published count comes of `group` people, one of whom was surely there (1) or surely not (0) or like all (-1).
double likelihood(const Question& question, double published, double q, int one) {
  double sum = 0;
  const release::Rule& rule = question.rule;
  for (std::size_t count = 0; count <= question.group; ++count) {
    const bool missing = rule.hidden && count <= *rule.hidden;
    const auto base = static_cast<double>(rule.base);
    const double rounded = std::floor(static_cast<double>(count) / base + 0.5) * base;
    if (std::isnan(published) ? !missing : missing || rounded != published) continue;
    const std::size_t there = one == 1 ? 1 : 0;
    const std::size_t others = question.group - (one < 0 ? 0 : 1);
    if (count < there || count - there > others) continue;
    sum += std::exp(log_chance(count - there, others, q));
  }
  return sum;
}

double reference_score(const World& world, const std::vector<double>& counts, const std::vector<double>& chances) {
  double sum = 0;
  const auto m = static_cast<double>(world.question.group);
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    if (!world.target().knows(cell % world.question.grid.epochs)) continue;
    const double x = x_of(world.target(), cell);
    const double q = chances[cell];
    if (q == 0) {
      sum += std::log(1 - x);
    } else if (world.question.rule.hidden || world.question.rule.base > 1) {
      const double all = likelihood(world.question, counts[cell], q, -1);
      sum += std::log((x * likelihood(world.question, counts[cell], q, 1) +
                       (1 - x) * likelihood(world.question, counts[cell], q, 0)) /
                      all);
    } else {
      sum += std::log(x * counts[cell] / (m * q) + (1 - x) * (m - counts[cell]) / (m * (1 - q)));
    }
  }
  return sum;
}

double linear_reference(const World& world, const std::vector<double>& counts, const std::vector<double>& chances) {
  double sum = 0;
  const auto m = static_cast<double>(world.question.group);
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    if (!world.target().knows(cell % world.question.grid.epochs)) continue;
    const double q = std::max(chances[cell], 1e-9);
    sum += (x_of(world.target(), cell) - chances[cell]) * (counts[cell] - m * q) /
           (m * q * (1 - q) + world.question.rule.variance);
  }
  return sum;
}

const DistinguisherEntry& named(const std::string& name) {
  for (const DistinguisherEntry* entry : all_distinguishers()) {
    if (entry->info.name == name) return *entry;
  }
  throw std::logic_error(name);
}

double scored(Reader& reader, const World& world, std::span<const Changed> changed, const Lesson* lesson) {
  reader.change(changed);
  return reader.score(world.target(), lesson);
}

void expect_score(double score, double expected) {
  if (std::isinf(expected)) {
    EXPECT_EQ(score, expected);
  } else {
    EXPECT_NEAR(score, expected, kTolerance * std::max(1.0, std::fabs(expected)));
  }
}

TEST(LikelihoodTest, IsTheFormulaCellByCell) {
  std::size_t finite = 0;
  for (std::uint32_t seed = 1; seed <= 2000 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const World world(seed, {}, seed % 2 == 0);
    const auto reader = named("LIKELIHOOD").create(world.question)->reader();
    const std::vector<double> then = world.counts_then();
    const auto chances = [&](const std::vector<double>& counts) {
      return seed % 2 == 0 ? world.chances : chances_of(world.question, counts);
    };
    reader->open(world.counts);
    const double with = scored(*reader, world, world.changed, nullptr);
    finite += std::isfinite(with) ? 1 : 0;
    expect_score(with, reference_score(world, then, chances(then)));
    expect_score(scored(*reader, world, {}, nullptr), reference_score(world, world.counts, chances(world.counts)));
  }
  EXPECT_GT(finite, 500U);
}

TEST(LikelihoodTest, KnowsWhatSuppressionAndRoundingDo) {
  std::size_t finite = 0;
  const release::Rule rules[] = {{.hidden = 5}, {.hidden = 0}, {.base = 5}, {.base = 4}, {.hidden = 3, .base = 5}};
  for (std::uint32_t seed = 1; seed <= 1000 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const World world(seed, rules[seed % 5], true);
    const auto reader = named("LIKELIHOOD").create(world.question)->reader();
    reader->open(world.counts);
    const double score = scored(*reader, world, world.changed, nullptr);
    finite += std::isfinite(score) ? 1 : 0;
    const double expected = reference_score(world, world.counts_then(), world.chances);
    if (std::isinf(expected) || std::isinf(score)) {
      EXPECT_EQ(score, expected);
    } else {
      EXPECT_NEAR(score, expected, 1e-9 * std::max(1.0, std::fabs(expected))) << "lgamma costs three digits";
    }
  }
  EXPECT_GT(finite, 300U);
}

TEST(LinearTest, IsTheFormulaCellByCell) {
  for (std::uint32_t seed = 1; seed <= 1000 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const bool crowd = seed % 2 == 0;
    const World world(seed, {.exact = false, .variance = seed % 3 == 0 ? 0.0 : 4.0}, crowd);
    const auto reader = named("LINEAR").create(world.question)->reader();
    // Without a crowd to compare with, counts that cannot be are cut off.
    std::vector<double> then = world.counts_then();
    if (!crowd) {
      for (double& one : then) one = std::clamp(one, 0.0, static_cast<double>(world.question.group));
    }
    reader->open(world.counts);
    const double score = scored(*reader, world, world.changed, nullptr);
    expect_score(score, linear_reference(world, then, crowd ? world.chances : chances_of(world.question, then)));
  }
}

class NoPractice final : public Practice {
 public:
  explicit NoPractice(std::size_t cells) : seen_(cells) {}
  std::span<const double> seen() const override { return seen_; }
  void release(std::size_t, std::span<double>) const override {}
  std::size_t groups() const override { return 0; }
  void group(std::size_t, bool, std::span<double>) const override {}

 private:
  std::vector<double> seen_;
};

// What changed is told, or opened with everything else: the score is the same. Factors, too, and every rule.
TEST(DistinguisherTest, ChangedCountsScoreAsIfTheyHadBeenThere) {
  const release::Rule rules[] = {{}, {.exact = false, .variance = 3}, {.hidden = 4}, {.base = 5}};
  for (const std::string name : {"LIKELIHOOD", "LINEAR"}) {
    for (std::uint32_t seed = 1; seed <= 400 && !testing::Test::HasFailure(); ++seed) {
      SCOPED_TRACE(fmt::format("{} seed {}", name, seed));
      const World world(seed, rules[seed % 4], seed % 3 != 0);
      DistinguisherEntry entry = named(name);
      if (!world.question.rule.exact && !entry.takes_noise) continue;
      if (entry.takes_noise && seed % 5 != 0) {
        entry.info.given = Parameters(name);
        entry.info.given.set("factors", "3");
      }
      const auto distinguisher = entry.create(world.question);
      const auto lesson = distinguisher->learn(world.target(), NoPractice(world.counts.size()));
      const auto reader = distinguisher->reader();
      reader->open(world.counts);
      const double told = scored(*reader, world, world.changed, lesson.get());
      const double before = scored(*reader, world, {}, lesson.get());
      const std::vector<double> then = world.counts_then();
      reader->open(then);
      expect_score(told, scored(*reader, world, {}, lesson.get()));
      reader->open(world.counts);
      expect_score(scored(*reader, world, {}, lesson.get()), before);
    }
  }
}

// A crowd that moves as one hides behind itself: what it does in common says nothing of the target.
TEST(LinearTest, FactorsTakeOutWhatACrowdDoesInCommon) {
  std::mt19937 bits(7);
  const auto flip = [&](double chance) { return std::uniform_real_distribution<>()(bits) < chance; };
  Question question;
  question.grid = {8, 24};
  question.group = 20;
  const std::size_t cells = question.grid.cells();
  // Half of the people are out early, half late, and the target is of those out early.
  const auto person = [&] {
    const bool early = flip(0.5);
    std::vector<std::uint32_t> trace;
    for (std::uint32_t cell = 0; cell < cells; ++cell) {
      if (flip((cell % 24 < 12) == early ? 0.4 : 0.02)) trace.push_back(cell);
    }
    return trace;
  };
  std::vector<std::vector<std::uint32_t>> traces;
  std::vector<double> chances(cells, 0.5 / 201);
  for (int i = 0; i < 200; ++i) {
    traces.push_back(person());
    for (const std::uint32_t cell : traces.back()) chances[cell] += 1.0 / 201;
  }
  question.crowd = {chances, traces};
  const std::vector<std::uint32_t> target = person();
  std::vector<Presence> presences;
  for (const std::uint32_t cell : target) presences.push_back({cell, 1});
  double right[2] = {};
  constexpr int kGroups = 400;
  for (const int factors : {0, 4}) {
    DistinguisherEntry entry = named("LINEAR");
    entry.info.given = Parameters("LINEAR");
    entry.info.given.set("factors", std::to_string(factors));
    const auto distinguisher = entry.create(question);
    const auto lesson = distinguisher->learn({presences, {}}, NoPractice(cells));
    const auto reader = distinguisher->reader();
    std::vector<double> scores[2];
    for (int group = 0; group < kGroups; ++group) {
      std::vector<double> counts(cells);
      const bool with = group % 2 == 0;
      for (std::size_t i = with ? 1 : 0; i < question.group; ++i) {
        for (const std::uint32_t cell : person()) counts[cell] += 1;
      }
      for (const std::uint32_t cell : target) counts[cell] += with ? 1 : 0;
      reader->open(counts);
      scores[with ? 1 : 0].push_back(reader->score({presences, {}}, lesson.get()));
    }
    for (const double in : scores[1]) {
      for (const double out : scores[0]) right[factors == 0 ? 0 : 1] += in > out ? 1 : 0;
    }
  }
  EXPECT_GT(right[1], right[0] * 1.05);
}

TEST(LinearTest, RefusesTooManyFactors) {
  Question question;
  question.grid = {1, 1};
  question.group = 1;
  DistinguisherEntry entry = named("LINEAR");
  entry.info.given = Parameters("LINEAR");
  entry.info.given.set("factors", "100000");
  EXPECT_ANY_THROW(entry.create(question));
}

}  // namespace
}  // namespace hearsay::membership
