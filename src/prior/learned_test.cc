// SPDX-License-Identifier: Apache-2.0
//
// The fitted priors against plain loops over a dense array of who was where.
#include "prior/learned.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "base/errors.h"

namespace hearsay::prior {
namespace {

constexpr std::size_t kUsers = 30;
constexpr std::size_t kRois = 13;  // null included
constexpr std::size_t kNull = kRois - 1;

struct Town {
  dataset::Calendar calendar;
  std::vector<std::vector<std::vector<bool>>> visited;  // by user, epoch and ROI, null included

  dataset::Dataset dataset() const {
    ingest::Visits visits;
    for (std::size_t u = 0; u < kUsers; ++u) visits.users.push_back(fmt::format("u{:02}", u));
    for (std::size_t s = 0; s < kNull; ++s) visits.rois.push_back({fmt::format("s{:02}", s), "", {}, {}});
    for (std::uint32_t e = 0; e < calendar.epochs; ++e) {
      for (std::uint32_t u = 0; u < kUsers; ++u) {
        for (std::uint32_t s = 0; s < kNull; ++s) {
          if (visited[u][e][s]) visits.visits.push_back({e, u, s});
        }
      }
    }
    return {std::move(visits), calendar, 0};
  }
};

void visit(Town& town, std::size_t user, std::size_t epoch, std::mt19937& random) {
  std::vector<bool>& row = town.visited[user][epoch];
  std::fill(row.begin(), row.end(), false);
  const std::size_t hour = epoch * 24 / town.calendar.per_day() % 24;
  const bool out = user % 10 != 9 && (hour + user) % 24 < 12 && random() % 4 != 0;
  if (out) {
    row[random() % 3 == 0 ? random() % kNull : (user + hour / 6) % kNull] = true;
    if (epoch > 0 && random() % 2 == 0) {
      for (std::size_t s = 0; s < kNull; ++s) row[s] = row[s] || town.visited[user][epoch - 1][s];
    }
  }
  row[kNull] = std::none_of(row.begin(), row.end() - 1, [](bool there) { return there; });
}

// People who are out at hours of their own; every tenth never is, and the first only in the inference period.
Town make_town(std::uint32_t epoch_seconds, std::uint32_t observe_days, std::uint32_t days, std::uint32_t extra = 0) {
  const std::uint32_t day = dataset::kDaySeconds / epoch_seconds;
  Town town{{epoch_seconds, days * day, observe_days * day + extra}, {}};
  town.visited.assign(kUsers, {town.calendar.epochs, std::vector<bool>(kRois)});
  std::mt19937 random(observe_days);
  for (std::size_t u = 0; u < kUsers; ++u) {
    for (std::size_t e = 0; e < town.calendar.epochs; ++e) {
      visit(town, u, e, random);
      if (u > 0 || e >= town.calendar.observe) continue;
      std::fill(town.visited[u][e].begin(), town.visited[u][e].end(), false);
      town.visited[u][e][kNull] = true;
    }
  }
  return town;
}

Knowledge knowledge_of(const dataset::Dataset& data, std::size_t threads = 2, std::size_t block = 7) {
  return {data.observation(), data.past(), threads, BlockSizes::all(block)};
}

double plain_logit(double rate, double least) {
  rate = std::max(least, std::min(1 - least, rate));
  return std::log(rate / (1 - rate));
}

// The formulas, by loops.
struct Plain {
  const Town& town;
  std::uint32_t history;
  std::uint32_t day = town.calendar.per_day();

  // Visits and epochs at a position of a season.
  std::pair<double, double> counted(std::size_t user, std::size_t roi, std::uint32_t season,
                                    std::uint32_t position) const {
    std::pair<double, double> found;
    for (std::uint32_t e = position; e < history; e += season) {
      found.first += town.visited[user][e][roi] ? 1 : 0;
      ++found.second;
    }
    return found;
  }
  // Overall, by time of day, by time of the week.
  std::array<double, 3> rates(std::size_t user, std::size_t roi, std::uint32_t epoch, double seen = 0.05) const {
    const auto [all, epochs] = counted(user, roi, 1, 0);
    const double overall = (all + seen) / (epochs + (seen > 0 ? 1 : 0));
    const auto [day_count, day_epochs] = counted(user, roi, day, epoch % day);
    const double by_day = (day_count + 4 * overall) / (day_epochs + 4);
    const auto [week_count, week_epochs] = counted(user, roi, 7 * day, epoch % (7 * day));
    return {overall, by_day, (week_count + 2 * by_day) / (week_epochs + 2)};
  }
  // The mean over all people of rates without a start.
  std::array<double, 3> level(std::size_t roi, std::uint32_t epoch) const {
    std::array<double, 3> sum = {};
    for (std::size_t u = 0; u < kUsers; ++u) {
      const std::array<double, 3> own = rates(u, roi, epoch, 0);
      for (std::size_t i = 0; i < 3; ++i) sum[i] += own[i] / kUsers;
    }
    return sum;
  }
  std::vector<std::size_t> places(std::size_t user, std::uint32_t epoch) const {
    std::vector<std::size_t> found;
    for (std::size_t s = 0; s < kNull; ++s) {
      if (town.visited[user][epoch][s]) found.push_back(s);
    }
    return found;
  }
  // How often `to` follows `from`, and the epochs at `from`.
  std::pair<double, double> followed(std::size_t from, std::size_t to) const {
    std::pair<double, double> found;
    for (std::size_t u = 0; u < kUsers; ++u) {
      for (std::uint32_t e = 0; e + 1 < history; ++e) {
        if (!town.visited[u][e][from]) continue;
        ++found.second;
        found.first += from != to && town.visited[u][e + 1][to] ? 1 : 0;
      }
    }
    return found;
  }
  std::vector<double> person(std::size_t user, std::uint32_t epoch, bool recent) const {
    std::vector<double> features;
    for (const double rate : rates(user, kNull, epoch)) features.push_back(plain_logit(rate, 1e-4));
    if (!recent) return features;
    for (const std::uint32_t lag : {1U, 2U, day}) features.push_back(places(user, epoch - lag).empty() ? 0 : 1);
    for (const std::uint32_t lag : {1U, 2U}) {
      features.push_back(std::log(1.0 + static_cast<double>(places(user, epoch - lag).size())));
    }
    return features;
  }
  std::vector<double> cell(std::size_t user, std::uint32_t epoch, std::size_t roi, bool recent) const {
    std::vector<double> features;
    for (const double rate : rates(user, roi, epoch)) features.push_back(plain_logit(rate, 1e-4));
    features.push_back(plain_logit(level(roi, epoch)[2], 1e-6));
    if (!recent) return features;
    const std::vector<std::size_t> before = places(user, epoch - 1);
    double moved = 0;
    for (const std::size_t from : before) {
      const auto [count, epochs] = followed(from, roi);
      moved += (count + level(roi, epoch)[0]) / (epochs + 1) / static_cast<double>(before.size());
    }
    features.push_back(before.empty() ? plain_logit(level(roi, epoch)[0], 1e-6) : plain_logit(moved, 1e-5));
    for (const std::uint32_t lag : {1U, 2U, day}) features.push_back(town.visited[user][epoch - lag][roi] ? 1 : 0);
    return features;
  }
  std::set<std::size_t> candidates(std::size_t user, std::uint32_t epoch, bool recent) const {
    std::set<std::size_t> found;
    for (std::size_t s = 0; s < kNull; ++s) {
      if (counted(user, s, 1, 0).first > 0) found.insert(s);
    }
    if (!recent) return found;
    for (const std::size_t from : places(user, epoch - 1)) {
      found.insert(from);
      std::vector<std::pair<double, std::size_t>> moves;
      for (std::size_t to = 0; to < kNull; ++to) {
        if (const double count = followed(from, to).first; count > 0) moves.emplace_back(-count, to);
      }
      std::sort(moves.begin(), moves.end());
      for (std::size_t i = 0; i < std::min<std::size_t>(8, moves.size()); ++i) found.insert(moves[i].second);
    }
    return found;
  }
};

Ground ground_of(const Knowledge& knowledge, const Traces& traces, std::uint32_t history, bool recent) {
  return {knowledge.observation.calendar(), history, recent,
          Levels(dataset::observed_counts(knowledge.observation), history),
          recent ? Moves(traces, kRois, history) : Moves()};
}

Learned learn_from(const Knowledge& knowledge, bool recent, Ground& ground) {
  const dataset::Calendar& calendar = knowledge.observation.calendar();
  const dataset::Crowd& crowd = knowledge.observation.crowd();
  const std::vector<UserId> users = draw_users(dataset::observed_counts(knowledge.observation), crowd);
  Traces traces;
  traces.gather(knowledge, users, calendar.observe);
  ground = ground_of(knowledge, traces, calendar.observe, recent);
  return learn(knowledge, ground_of(knowledge, traces, earlier_part(calendar), recent), users, traces);
}

std::unique_ptr<belief::Series> make_learned(const Knowledge& knowledge, bool recent) {
  PriorEntry entry;
  entry.learning = [&](const dataset::ObservedCounts& counts, const Parameters&) {
    return make_learning(counts, recent);
  };
  return entry.create(knowledge);
}

std::vector<double> numbers(const belief::Rates& table) {
  std::vector<double> all(table.chances.begin(), table.chances.end());
  all.insert(all.end(), table.elsewhere.begin(), table.elsewhere.end());
  for (const UserId user : table.users) all.push_back(static_cast<double>(index_of(user)));
  for (const RoiId roi : table.rois) all.push_back(static_cast<double>(index_of(roi)));
  return all;
}

std::vector<double> numbers(const belief::Series& series, std::size_t index) {
  return numbers(std::get<belief::Rates>(series.table(index)));
}

class LearnedTest : public testing::TestWithParam<std::tuple<bool, std::tuple<std::uint32_t, std::uint32_t>>> {
 protected:
  bool recent_ = std::get<0>(GetParam());
  Town town_ = [] {
    const auto [seconds, days] = std::get<1>(GetParam());
    return make_town(seconds, days, days + 2, days == 3 ? 5 : 0);
  }();
};

TEST_P(LearnedTest, FeaturesAreThoseOfPlainLoops) {
  const dataset::Dataset data = town_.dataset();
  const Knowledge knowledge = knowledge_of(data);
  const std::uint32_t observe = town_.calendar.observe;
  Traces traces;
  traces.gather(knowledge, {UserId{0}, UserId{kUsers}}, town_.calendar.epochs - 1);
  for (const std::uint32_t history : {earlier_part(town_.calendar), observe}) {
    const Ground ground = ground_of(knowledge, traces, history, recent_);
    ASSERT_EQ(ground.place_names().size(), ground.person_features() + ground.cell_features());
    ASSERT_EQ(ground.null_names().size(), ground.person_features() + 1);
    const Plain plain{town_, history};
    PersonView view(ground, kRois);
    for (std::size_t u = 0; u < kUsers; u += 3) {
      view.open(traces.of(u));
      for (std::uint32_t e = history; e < town_.calendar.epochs; e += 7) {
        view.at(e);
        EXPECT_THAT(view.person(), testing::Pointwise(testing::DoubleNear(1e-12), plain.person(u, e, recent_)));
        EXPECT_NEAR(view.null().back(), plain_logit(plain.level(kNull, e)[2], 1e-6), 1e-12);
        const std::span<const std::uint32_t> candidates = view.candidates();
        EXPECT_THAT(candidates, testing::ElementsAreArray(plain.candidates(u, e, recent_)));
        for (const std::uint32_t roi : candidates) {
          EXPECT_THAT(view.cell(roi), testing::Pointwise(testing::DoubleNear(1e-12), plain.cell(u, e, roi, recent_)));
        }
      }
    }
  }
}

// Every chance is the model's of plain features, rounded; who is not listed is unlikely; the rest adds up.
TEST_P(LearnedTest, TablesAreThoseOfPlainLoops) {
  const dataset::Dataset data = town_.dataset();
  const Knowledge knowledge = knowledge_of(data);
  Ground ground;
  const Learned learned = learn_from(knowledge, recent_, ground);
  const std::unique_ptr<belief::Series> series = make_learned(knowledge, recent_);
  const ChanceGrid grid;
  const double step = 1 / ChanceGrid::kSteps;
  const double listed = plain_logit(kListed, 1e-5);
  const double out = plain_logit(kOut, 1e-5);
  const Plain plain{town_, town_.calendar.observe};
  ASSERT_EQ(series->tables(), std::min(town_.calendar.inference(), 7 * plain.day));
  for (std::size_t t = 0; t < series->tables(); t += 5) {
    const std::uint32_t epoch = town_.calendar.observe + static_cast<std::uint32_t>(t);
    const auto table = std::get<belief::Rates>(series->table(t));
    std::array<double, kRois> mass = {};
    std::array<double, kRois> people = {};
    std::size_t row = 0;
    for (std::size_t u = 0; u < kUsers; ++u) {
      const std::vector<double> person = plain.person(u, epoch, recent_);
      std::vector<double> features = person;
      features.push_back(plain_logit(plain.level(kNull, epoch)[2], 1e-6));
      const double null = std::clamp(learned.null.logit(features), -11.5, 11.5);
      if (row == table.users.size() || index_of(table.users[row]) != u) {
        EXPECT_LT(-null, out + step);
        mass[kNull] += 1 / (1 + std::exp(-null));
        continue;
      }
      EXPECT_GT(-null, out - step);
      const std::span<const RoiId> rois = table.rois_of(row);
      const std::span<const double> chances = table.chances_of(row++);
      ASSERT_EQ(index_of(rois.back()), kNull);
      EXPECT_NEAR(plain_logit(chances.back(), 1e-6), null, step / 2 + 1e-6);
      EXPECT_EQ(chances.back(), grid.chance(grid.of_chance(chances.back())));
      ++people[kNull];
      std::size_t found = 0;
      for (const std::size_t roi : plain.candidates(u, epoch, recent_)) {
        features = person;
        const std::vector<double> cell = plain.cell(u, epoch, roi, recent_);
        features.insert(features.end(), cell.begin(), cell.end());
        const double wanted = std::clamp(learned.places.logit(features), -11.5, 11.5);
        if (index_of(rois[found]) != roi) {
          EXPECT_LT(wanted, listed + step);
          continue;
        }
        EXPECT_GT(wanted, listed - step);
        EXPECT_NEAR(plain_logit(chances[found], 1e-6), wanted, step / 2 + 1e-6);
        ++people[roi];
        mass[roi] += chances[found++];
      }
      EXPECT_EQ(found + 1, rois.size());
    }
    EXPECT_EQ(row, table.users.size());
    for (std::size_t roi = 0; roi < kRois; ++roi) {
      const double others = kUsers - people[roi];
      const double left = roi == kNull ? mass[roi] : plain.level(roi, epoch)[2] * kUsers - mass[roi];
      const double mean = others == 0 ? (roi == kNull ? 1 : left) : left / others;
      const double wanted = std::clamp(mean, 1e-5, roi == kNull ? 1 - 1e-5 : kListed);
      EXPECT_NEAR(plain_logit(table.elsewhere[roi], 1e-6), plain_logit(wanted, 1e-6), 2 * step);
    }
  }
}

TEST_P(LearnedTest, ThreadsAndBlocksChangeNothing) {
  const dataset::Dataset data = town_.dataset();
  const std::unique_ptr<belief::Series> one = make_learned(knowledge_of(data, 1, 1000), recent_);
  for (const std::size_t block : {1U, 11U}) {
    const std::unique_ptr<belief::Series> many = make_learned(knowledge_of(data, 3, block), recent_);
    ASSERT_EQ(one->tables(), many->tables());
    EXPECT_EQ(one->bytes(), many->bytes());
    for (std::size_t t = 0; t < one->tables(); ++t) ASSERT_EQ(numbers(*one, t), numbers(*many, t));
    ASSERT_EQ(one->lessons().size(), many->lessons().size());
    for (std::size_t i = 0; i < one->lessons().size(); ++i) {
      EXPECT_EQ(one->lessons()[i].feature, many->lessons()[i].feature);
      EXPECT_EQ(one->lessons()[i].importance, many->lessons()[i].importance);
    }
  }
}

// What happens at an epoch changes nothing that is believed of it or of earlier ones; and nothing of the inference
// period what is learned from the observation period alone.
TEST_P(LearnedTest, NothingComesFromTheFuture) {
  const dataset::Dataset data = town_.dataset();
  const std::unique_ptr<belief::Series> before = make_learned(knowledge_of(data), recent_);
  const std::size_t changed = town_.calendar.inference() / 2;
  Town other = town_;
  std::mt19937 random(5);
  for (std::size_t u = 0; u < kUsers; ++u) {
    for (std::size_t e = town_.calendar.observe + changed; e < town_.calendar.epochs; ++e) {
      other.visited[u][e].assign(kRois, false);
      other.visited[u][e][random() % kRois] = true;
    }
  }
  const dataset::Dataset other_data = other.dataset();
  const std::unique_ptr<belief::Series> after = make_learned(knowledge_of(other_data), recent_);
  std::size_t differ = 0;
  for (std::size_t t = 0; t < before->tables(); ++t) {
    if (!recent_ || t <= changed) {
      EXPECT_EQ(numbers(*before, t), numbers(*after, t)) << t;
    }
    differ += numbers(*before, t) != numbers(*after, t) ? 1 : 0;
  }
  EXPECT_EQ(differ > 0, recent_);
}

TEST_P(LearnedTest, SaysWhatToldMost) {
  const dataset::Dataset data = town_.dataset();
  const std::unique_ptr<belief::Series> series = make_learned(knowledge_of(data), recent_);
  const std::span<const belief::Lesson> lessons = series->lessons();
  ASSERT_EQ(lessons.size(), recent_ ? 25U : 11U);
  EXPECT_GT(lessons.front().importance, 0.01);
  std::set<std::string> names;
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    names.insert(lessons[i].feature);
    if (i > 0) {
      EXPECT_LE(lessons[i].importance, lessons[i - 1].importance);
    }
  }
  EXPECT_EQ(names.size(), lessons.size());
  EXPECT_TRUE(names.contains("where: how often there at this time of the week"));
  const bool hourly = town_.calendar.epoch_seconds == 3600;
  EXPECT_EQ(names.contains(hourly ? "where: there an hour ago" : "where: there 30 minutes ago"), recent_);
}

INSTANTIATE_TEST_SUITE_P(Towns, LearnedTest,
                         testing::Combine(testing::Bool(),
                                          testing::Values(std::tuple{3600U, 15U}, std::tuple{3600U, 3U},
                                                          std::tuple{1800U, 8U})));

}  // namespace
}  // namespace hearsay::prior
