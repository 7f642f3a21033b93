// SPDX-License-Identifier: Apache-2.0
#include "results/people_tally.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <string>

namespace hearsay::results {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kBin = 0x1p-20;
constexpr std::size_t kLeast = 3;
using Random = std::mt19937;
using Draw = std::function<double(Random&)>;
using Users = std::vector<std::uint32_t>;

bool is_control(const std::string& column) {
  return column == "without" || column == "own" || column == "loss_without" || column == "active_without";
}

// Numbers by user of one combination, and what is known of the data.
struct Everybody {
  goal::Combination combination;
  std::map<std::string, std::vector<double>> columns;
  std::vector<std::vector<double>> quantities;  // that users are grouped by
  DataFacts facts;

  // The numbers of some users; `taken` says which columns.
  struct Some {
    std::map<std::string, std::vector<double>> columns;
    goal::Measurement measurement;
    UsersAtHand at_hand;
  };
  Some some(const Users& users, const std::function<bool(const std::string&)>& taken) const {
    Some some;
    some.measurement.key = goal::key_of(combination);
    for (const auto& [name, values] : columns) {
      if (!taken(name)) continue;
      std::vector<double>& own = some.columns[name];
      for (const std::uint32_t user : users) own.push_back(values[user]);
      if (!own.empty()) some.measurement.numbers.push_back({name, own});
    }
    for (std::size_t i = 0; i < quantities.size(); ++i) {
      std::vector<double> values;
      for (const std::uint32_t user : users) values.push_back(quantities[i][user]);
      some.at_hand.groups.push_back(facts.groupings[i].groups_of(values));
    }
    const Users& chosen = facts.chosen.users;
    for (std::uint32_t i = 0; i < users.size(); ++i) {
      if (std::binary_search(chosen.begin(), chosen.end(), users[i])) some.at_hand.chosen.push_back(i);
    }
    some.at_hand.numbers = users;
    return some;
  }
};

enum class Kind { kRawControlled, kRaw, kDefended, kSampled };

Everybody everybody(std::size_t users, Kind kind, const Draw& draw, Random& random) {
  Everybody all;
  const bool raw = kind != Kind::kDefended;
  all.combination.release = raw ? goal::kRaw : "NOISE";
  all.combination.baseline = raw ? "PRIOR" : goal::kRaw;
  const auto add = [&](const char* name) -> std::vector<double>& {
    std::vector<double>& values = all.columns[name];
    for (std::size_t i = 0; i < users; ++i) values.push_back(draw(random));
    return values;
  };
  add("error");
  for (double& value : add("active")) value = random() % 4 == 0 ? kNone : value;
  add(raw ? "loss" : "gain");
  for (double& value : add(raw ? "loss_signed" : "gain_signed")) value = value * 3000 - 1500;
  if (kind == Kind::kRawControlled || kind == Kind::kSampled) {
    for (const char* name : {"without", "loss_without", "active_without"}) add(name);
    all.columns["own"] = all.columns["without"];
    for (std::size_t i = 0; i < users; ++i) all.columns["own"][i] -= all.columns["error"][i];
    for (std::size_t i = 0; i < users; ++i) {
      if (std::isnan(all.columns["active"][i])) all.columns["active_without"][i] = kNone;
      if (kind != Kind::kSampled || random() % 5 == 0) continue;
      for (const char* name : {"without", "own", "loss_without", "active_without"}) all.columns[name][i] = kNone;
    }
  }
  all.facts.users = users;
  all.facts.least_people = kLeast;
  for (int i = 0; i < 2; ++i) {
    std::vector<double>& values = all.quantities.emplace_back(users);
    for (double& value : values) value = std::floor(draw(random) * 30);
    all.facts.groupings.emplace_back("", "", counts_of(values), kLeast);
  }
  all.facts.chosen = choose_users(users, users / 3 + 1);
  return all;
}

// Divided among so many shares, in any order, each by way of its bytes.
std::vector<Users> divided(std::size_t users, std::size_t shares, Random& random) {
  std::vector<Users> all(shares);
  for (std::uint32_t user = 0; user < users; ++user) all[user * shares / users].push_back(user);
  std::shuffle(all.begin(), all.end(), random);
  return all;
}

template <typename Tally>
void add_bytes(Tally& to, const Tally& tally) {
  BytesWriter out;
  tally.write(out);
  const std::string bytes = out.take();
  BytesReader in(bytes);
  Tally read;
  read.read(in);
  EXPECT_TRUE(in.at_end());
  to.add(read);
}

struct Piece {
  Everybody::Some people;
  Part part = Part::kAll;
};

PeopleFigures figures_of_pieces(const Everybody& all, const std::vector<Piece>& pieces) {
  PeopleTally tally;
  for (const Piece& piece : pieces) {
    const Everybody::Some& people = piece.people;
    add_bytes(tally, PeopleTally(all.combination, people.measurement, all.facts, people.at_hand, piece.part));
  }
  return tally.figures(all.combination, all.facts);
}

class Same {
 public:
  // `near`: how far numbers may be apart that come of their order.
  explicit Same(double near) : near_(near) {}

  void operator()(const PeopleFigures& a, const PeopleFigures& b) const {
    rows(a.row, b.row);
    lists(a.error_steps, b.error_steps);
    ASSERT_EQ(a.gains.has_value(), b.gains.has_value());
    if (a.gains) distributions(*a.gains, *b.gains);
    ASSERT_EQ(a.loss.has_value(), b.loss.has_value());
    if (a.loss) {
      ASSERT_EQ(a.loss->p95.has_value(), b.loss->p95.has_value());
      EXPECT_NEAR(a.loss->p95.value_or(0), b.loss->p95.value_or(0), near_);
      EXPECT_EQ(a.loss->groups, b.loss->groups);
      exposed(a.loss->exposed, b.loss->exposed);
    }
    ASSERT_EQ(a.own.has_value(), b.own.has_value());
    if (a.own) {
      lists(a.own->steps, b.own->steps);
      EXPECT_NEAR(a.own->p95, b.own->p95, near_);
      EXPECT_EQ(a.own->hundredth, b.own->hundredth);
      EXPECT_EQ(a.own->groups, b.own->groups);
      exposed(a.own->exposed, b.own->exposed);
    }
    ASSERT_EQ(a.rows.size(), b.rows.size());
    for (std::size_t i = 0; i < a.rows.size(); ++i) {
      EXPECT_EQ(a.rows[i].user, b.rows[i].user);
      for (std::size_t k = 0; k < kUserColumns.size(); ++k) exact(a.rows[i].numbers[k], b.rows[i].numbers[k]);
    }
  }

 private:
  static void exact(double a, double b) { EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << a << " " << b; }
  void lists(const std::vector<double>& a, const std::vector<double>& b) const {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], near_);
  }
  void distributions(const Distribution& a, const Distribution& b) const {
    exact(a.mean, b.mean);
    exact(a.deviation, b.deviation);
    for (double Distribution::*const member :
         {&Distribution::p05, &Distribution::p25, &Distribution::p50, &Distribution::p75, &Distribution::p95}) {
      EXPECT_NEAR(a.*member, b.*member, near_);
    }
  }
  static void exposed(const Exposed& a, const Exposed& b) {
    EXPECT_EQ(a.users, b.users);
    ASSERT_EQ(a.most.size(), b.most.size());
    for (std::size_t i = 0; i < a.most.size(); ++i) {
      EXPECT_EQ(a.most[i].user, b.most[i].user);
      EXPECT_EQ(a.most[i].lost, b.most[i].lost);
    }
  }
  void rows(const SummaryRow& a, const SummaryRow& b) const {
    EXPECT_EQ(a.users, b.users);
    distributions(a.error, b.error);
    EXPECT_EQ(a.loss_mean, b.loss_mean);
    EXPECT_EQ(a.loss_signed_mean, b.loss_signed_mean);
    EXPECT_EQ(a.gain_mean, b.gain_mean);
    EXPECT_EQ(a.improved, b.improved);
    ASSERT_EQ(a.active.has_value(), b.active.has_value());
    if (a.active) {
      EXPECT_EQ(a.active->users, b.active->users);
      EXPECT_EQ(a.active->mean, b.active->mean);
      EXPECT_EQ(a.active->without, b.active->without);
    }
    ASSERT_EQ(a.control.has_value(), b.control.has_value());
    if (!a.control) return;
    EXPECT_EQ(a.control->users, b.control->users);
    distributions(a.control->without, b.control->without);
    distributions(a.control->own, b.control->own);
    EXPECT_EQ(a.control->own_clipped, b.control->own_clipped);
    EXPECT_EQ(a.control->own_loss, b.control->own_loss);
    EXPECT_EQ(a.control->counted, b.control->counted);
    EXPECT_EQ(a.control->half_width, b.control->half_width);
    EXPECT_EQ(a.control->loss_without, b.control->loss_without);
  }

  double near_;
};

double uniform(Random& random) {
  return std::uniform_real_distribution<double>()(random);
}

// How numbers come about, and how near percentiles and steps are to be.
struct Numbers {
  const char* name;
  Draw draw;
  double near;
};
const std::vector<Numbers>& all_numbers() {
  static const std::vector<Numbers> kAll = {
      {"any", uniform, kBin},
      {"many in few bins", [](Random& random) { return 0.5 + uniform(random) * 3 * kBin; }, kBin},
      {"ties", [](Random& random) { return std::floor(uniform(random) * 16) / 16; }, 0},
      {"two in a bin",
       [](Random& random) { return std::floor(uniform(random) * 8) / 8 + (random() % 3 == 0 ? 0x1p-22 : 0); }, 0},
      {"all the same", [](Random&) { return 0.1; }, 0}};
  return kAll;
}

class Shares : public testing::TestWithParam<Kind> {};

const auto kEveryColumn = [](const std::string&) { return true; };

TEST_P(Shares, AddUpToTheFiguresOfEverybody) {
  Random random(7);
  for (const Numbers& numbers : all_numbers()) {
    for (const std::size_t users : {0U, 1U, 2U, 5U, 40U, 300U, 4000U}) {
      const Everybody all = everybody(users, GetParam(), numbers.draw, random);
      Users everyone(users);
      std::iota(everyone.begin(), everyone.end(), 0U);
      const Everybody::Some whole = all.some(everyone, kEveryColumn);
      const PeopleFigures expected = figures_of(all.combination, whole.measurement, all.facts, whole.at_hand);
      for (const std::size_t shares : {1U, 2U, 7U, 64U}) {
        SCOPED_TRACE(numbers.name + (" " + std::to_string(users)) + " in " + std::to_string(shares));
        std::vector<Piece> pieces;
        for (const Users& share : divided(users, shares, random)) pieces.push_back({all.some(share, kEveryColumn)});
        Same{0}(figures_of_pieces(all, pieces), expected);
        const FewNumbers few(3);
        Same{numbers.near}(figures_of_pieces(all, pieces), expected);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Shares,
                         testing::Values(Kind::kRawControlled, Kind::kRaw, Kind::kDefended, Kind::kSampled));

TEST(Bins, AreTheSameHoweverTheyWerePutTogether) {
  Random random(9);
  const FewNumbers few(3);
  std::vector<double> numbers;
  for (int i = 0; i < 600; ++i) numbers.push_back(0.5 + std::floor(uniform(random) * 60) * kBin / 20);
  const auto bytes_of = [](const Bins& bins) {
    BytesWriter out;
    bins.write(out);
    return out.take();
  };
  const auto binned = [](std::vector<double> some) {
    std::sort(some.begin(), some.end());
    return Bins(some);
  };
  const Bins whole = binned(numbers);
  EXPECT_EQ(whole.crowded().size(), 3U);
  for (const std::size_t shares : {2U, 7U, 64U, 600U}) {
    std::shuffle(numbers.begin(), numbers.end(), random);
    Bins all;
    for (std::size_t i = 0; i < shares; ++i) {
      const auto at = [&](std::size_t share) {
        return numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() * share / shares);
      };
      all.add(binned({at(i), at(i + 1)}));
    }
    EXPECT_EQ(bytes_of(all), bytes_of(whole)) << shares;
  }
}

TEST(PeopleTally, TheControlOfASampleMayComeApart) {
  Random random(8);
  for (const std::size_t users : {1U, 40U, 1000U}) {
    const Everybody all = everybody(users, Kind::kSampled, uniform, random);
    Users everyone(users);
    std::iota(everyone.begin(), everyone.end(), 0U);
    Users sampled;
    for (const std::uint32_t user : everyone) {
      if (!std::isnan(all.columns.at("own")[user])) sampled.push_back(user);
    }
    const Everybody::Some whole = all.some(everyone, kEveryColumn);
    const PeopleFigures expected = figures_of(all.combination, whole.measurement, all.facts, whole.at_hand);
    std::vector<Piece> pieces;
    for (const Users& share : divided(users, 7, random)) {
      pieces.push_back({all.some(share, [](const std::string& column) { return !is_control(column); })});
    }
    // Whoever measures the control knows the errors of the sample, too, which do not count again.
    pieces.push_back({all.some(sampled, kEveryColumn), Part::kControl});
    std::shuffle(pieces.begin(), pieces.end(), random);
    Same{kBin}(figures_of_pieces(all, pieces), expected);
  }
}

}  // namespace
}  // namespace hearsay::results
