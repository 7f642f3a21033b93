// SPDX-License-Identifier: Apache-2.0
//
// The fitted priors of people in shares: the same bits as with everybody at hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "dataset/test_shares.h"
#include "prior/prior.h"

namespace hearsay::prior {
namespace {

// Few or many people with habits of their own, some of whom are never out or at several places.
dataset::Dataset random_town(std::uint32_t seed) {
  std::mt19937 random(seed);
  const std::uint32_t users = 1 + random() % 40;
  const std::uint32_t rois = 1 + random() % 9;
  const std::uint32_t per_day = random() % 2 == 0 ? 6 : 24;
  const std::uint32_t observe = (2 + random() % 14) * per_day;
  const std::uint32_t epochs = observe + 1 + random() % (9 * per_day);
  ingest::Visits visits;
  for (std::uint32_t u = 0; u < users; ++u) visits.users.push_back(std::to_string(1000 + u));
  for (std::uint32_t s = 0; s < rois; ++s) visits.rois.push_back({std::to_string(100 + s), "", {}, {}});
  for (std::uint32_t e = 0; e < epochs; ++e) {
    for (std::uint32_t u = 0; u < users; ++u) {
      const bool out = u % 7 != 6 && (e + u) % per_day < per_day / 2 && random() % 4 != 0;
      for (std::uint32_t s = 0; s < rois; ++s) {
        const bool usual = s == (u + e / (per_day / 2)) % rois;
        if (out && random() % 16 < (usual ? 12U : 1U)) visits.visits.push_back({e, u, s});
      }
    }
  }
  return {std::move(visits), {dataset::kDaySeconds / per_day, epochs, observe}, 0};
}

Knowledge knowledge_of_share(const dataset::Dataset& data) {
  return {data.observation(), data.past(), 2, BlockSizes::all(5)};
}

// Everything a series says of the users at hand, under their numbers among everybody.
struct Said {
  std::vector<std::vector<std::uint64_t>> rows;  // by table: number, ROI
  std::vector<std::vector<double>> chances;
  std::vector<std::vector<double>> elsewhere;
  std::vector<std::string> lessons;
  std::vector<double> importances;

  void add(const belief::Series& series, const dataset::Crowd& crowd) {
    rows.resize(series.tables());
    chances.resize(series.tables());
    std::vector<std::vector<double>> others;
    for (std::size_t t = 0; t < series.tables(); ++t) {
      const auto table = std::get<belief::Rates>(series.table(t));
      for (std::size_t row = 0; row < table.users.size(); ++row) {
        for (const RoiId roi : table.rois_of(row)) {
          rows[t].push_back(std::uint64_t{crowd.number_of(table.users[row])} << 32 | index_of(roi));
        }
      }
      chances[t].insert(chances[t].end(), table.chances.begin(), table.chances.end());
      others.emplace_back(table.elsewhere.begin(), table.elsewhere.end());
    }
    if (!elsewhere.empty()) {
      EXPECT_EQ(elsewhere, others);
    }
    elsewhere = std::move(others);
    lessons.clear();
    importances.clear();
    for (const belief::Lesson& lesson : series.lessons()) {
      lessons.push_back(lesson.feature);
      importances.push_back(lesson.importance);
    }
  }
};

void expect_same(const Said& one, const Said& other) {
  EXPECT_EQ(one.rows, other.rows);
  EXPECT_EQ(one.chances, other.chances);
  EXPECT_EQ(one.elsewhere, other.elsewhere);
  EXPECT_EQ(one.lessons, other.lessons);
  EXPECT_EQ(one.importances, other.importances);
}

// `busy`: it is told of three million visits, and learns from some of the people.
Said in_shares(const PriorEntry& entry, const dataset::Dataset& all, std::size_t shares, bool busy) {
  const std::vector<dataset::Dataset> cut = dataset::shares_of(all, shares);
  dataset::ObservedCounts counts = dataset::observed_counts(cut[0].observation());
  for (std::size_t i = 1; i < shares; ++i) counts.add(dataset::observed_counts(cut[i].observation()));
  if (busy) counts.total = 3'000'000;
  std::vector<std::uint32_t> wanted;
  const std::unique_ptr<CrowdLearning> learning = entry.learning(counts, entry.info.values());
  for (std::uint32_t number = 0; number < all.crowd().users; ++number) {
    if (learning->wants(number)) wanted.push_back(number);
  }
  EXPECT_EQ(wanted.size() < all.crowd().users, busy);
  const std::string learned = learning->learn(knowledge_of_share(dataset::share_of(all, wanted)));
  EXPECT_EQ(learned, learning->learn(knowledge_of_share(all)));
  std::vector<std::uint64_t> sum;
  for (const dataset::Dataset& share : cut) {
    const std::unique_ptr<UnfinishedSeries> series = learning->predict(knowledge_of_share(share), learned);
    const std::span<const std::uint64_t> own = series->contribution();
    sum.resize(own.size());
    std::transform(own.begin(), own.end(), sum.begin(), sum.begin(), std::plus<>());
  }
  Said said;
  for (const dataset::Dataset& share : cut) {
    said.add(*learning->predict(knowledge_of_share(share), learned)->finish(sum), share.crowd());
  }
  return said;
}

class LearnedSharesTest : public testing::TestWithParam<const char*> {
 protected:
  const PriorEntry& entry_ = **std::find_if(all_priors().begin(), all_priors().end(),
                                            [](const PriorEntry* entry) { return entry->info.name == GetParam(); });
};

TEST_P(LearnedSharesTest, AreTheSameBitsAsOfEverybody) {
  std::size_t entries = 0;
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const dataset::Dataset all = random_town(seed);
    Said everybody;
    everybody.add(*entry_.create(knowledge_of_share(all)), all.crowd());
    for (const auto& row : everybody.rows) entries += row.size();
    for (const std::size_t shares : {1U, 2U, 7U}) expect_same(everybody, in_shares(entry_, all, shares, false));
  }
  EXPECT_GT(entries, 1000U);
}

TEST_P(LearnedSharesTest, AreTheSameBitsWhereSomeAreLearnedFrom) {
  for (std::uint32_t seed = 20; seed < 26; ++seed) {
    SCOPED_TRACE(seed);
    const dataset::Dataset all = random_town(seed);
    const Said one = in_shares(entry_, all, 1, true);
    for (const std::size_t shares : {2U, 7U}) expect_same(one, in_shares(entry_, all, shares, true));
  }
}

INSTANTIATE_TEST_SUITE_P(Priors, LearnedSharesTest, testing::Values("HISTORY", "RECENT"));

}  // namespace
}  // namespace hearsay::prior
