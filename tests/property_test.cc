// SPDX-License-Identifier: Apache-2.0
//
// What must hold of every study, whatever the data: hundreds of random ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "adversary.h"
#include "experiment/study.h"
#include "goal/inference.h"
#include "random_world.h"
#include "release/aggregate.h"

namespace hearsay {
namespace {

constexpr double kTolerance = 1e-12;
constexpr std::uint32_t kFirst = 5000;
constexpr std::uint32_t kStudies = 150;
constexpr std::uint32_t kCrowded = 3;

struct Kept {
  goal::Combination combination;
  std::vector<std::string> users;        // as numbers by user are
  std::map<std::string, double> errors;  // by user id
  std::vector<double> epoch_errors;
  std::vector<double> roi_errors;
  std::vector<double> losses;
  std::vector<double> gains;
};

using Results = std::map<std::string, Kept>;

Results run(const ingest::Visits& visits, const experiment::Study& study, const BlockSizes& blocks) {
  const dataset::Dataset data(visits, study.calendar(), 0);
  Results results;
  const auto keep = [&](const goal::Result& r) {
    const goal::Combination& c = r.combination;
    Kept& kept = results[fmt::format("{} {} {} {} {} {} {} {}", c.goal, c.prior, c.attack, c.decision, c.release,
                                     c.parameter, c.repeat, c.baseline)];
    kept.combination = c;
    kept.users = data.user_ids();
    for (std::size_t u = 0; u < r.with.users.size(); ++u) kept.errors[data.user_ids()[u]] = r.with.users[u];
    kept.epoch_errors.assign(r.with.epochs.begin(), r.with.epochs.end());
    kept.roi_errors.assign(r.with.rois.begin(), r.with.rois.end());
    kept.losses.assign(r.losses.begin(), r.losses.end());
    kept.gains.assign(r.gains.begin(), r.gains.end());
  };
  goal::infer(study.ground(data, {.blocks = blocks}), keep);
  return results;
}

void expect_same_errors(const Kept& a, const Kept& b, const std::map<std::string, std::string>& renamed = {}) {
  for (const auto& [user, error] : a.errors) {
    const std::string& other = renamed.empty() ? user : renamed.at(user);
    ASSERT_TRUE(b.errors.contains(other)) << user;
    EXPECT_NEAR(error, b.errors.at(other), kTolerance) << user;
  }
}

// Calls check(study, blocks) for many random ones, a few of them crowded, in blocks of the usual size and of 3; stops
// at the first that fails.
template <typename Check>
void for_random_studies(const Check& check) {
  for (std::uint32_t seed = kFirst; seed < kFirst + kStudies + kCrowded; ++seed) {
    const reference::RandomStudy made =
        seed < kFirst + kStudies ? reference::make_random_study(seed) : reference::make_crowded_study(seed);
    for (const BlockSizes& blocks : {BlockSizes{}, BlockSizes::all(3)}) {
      SCOPED_TRACE(fmt::format("seed {}, {} rows at a time", seed, blocks.users));
      check(made, blocks);
      if (testing::Test::HasFailure()) return;
    }
  }
}

// The same visits with `change` made to each.
template <typename Change>
void change_visits(ingest::Visits& visits, const Change& change) {
  std::vector<ingest::Visit> list = visits.visits.all();
  for (ingest::Visit& visit : list) change(visit);
  std::sort(list.begin(), list.end(), [](const ingest::Visit& a, const ingest::Visit& b) {
    return std::tie(a.epoch, a.user, a.roi) < std::tie(b.epoch, b.user, b.roi);
  });
  visits.visits = ingest::VisitList(list);
}

// Nobody's prior knowledge changes; what is inferred from the counts may, since she is one more in null.
TEST(PropertyTest, AUserWithNoVisitsChangesNobodysPriorError) {
  for_random_studies([](const reference::RandomStudy& made, const BlockSizes& blocks) {
    ingest::Visits more = made.visits;
    more.users.emplace_back("zz silent");
    const Results before = run(made.visits, made.study, blocks);
    const Results after = run(more, made.study, blocks);
    ASSERT_EQ(before.size(), after.size());
    for (const auto& [key, kept] : before) {
      if (kept.combination.attack == "PRIOR") expect_same_errors(kept, after.at(key));
    }
  });
}

// The same counts before and after she is known of: she is sent to no place, and nobody else anywhere else. Null is
// left out, since the greedy attack that asks place by place takes her there in the place of somebody else.
TEST(PropertyTest, AUserWithNoVisitsIsAssignedNoPlaceThatOthersWouldHaveHad) {
  std::size_t compared = 0;
  for_random_studies([&](const reference::RandomStudy& made, const BlockSizes& blocks) {
    ingest::Visits more = made.visits;
    more.users.emplace_back("zz silent");
    const dataset::Dataset before(made.visits, made.study.calendar(), 0);
    const dataset::Dataset after(more, made.study.calendar(), 0);
    ASSERT_EQ(after.user_ids().back(), "zz silent");
    const std::size_t null = before.crowd().rois - 1;
    const release::Release release = release::aggregate(before.truth(), 1);
    for (const prior::PriorEntry* entry : made.study.adversary.priors) {
      const auto prior = entry->create({before.observation(), before.past(), 1, blocks});
      const auto prior_after = entry->create({after.observation(), after.past(), 1, blocks});
      for (const attack::AttackEntry* attack_entry : attack::all_attacks()) {
        if (attack_entry->needs_rates) continue;  // which thinks anybody possible anywhere
        SCOPED_TRACE(entry->info.name + " " + attack_entry->info.name);
        Adversary adversary(*attack_entry, *prior, release, before.crowd(), blocks);
        Adversary adversary_after(*attack_entry, *prior_after, release, after.crowd(), blocks);
        for (std::size_t e = 0; e < before.truth().epochs(); ++e) {
          const DenseBeliefs rows = adversary.at(static_cast<EpochId>(e));
          const DenseBeliefs rows_after = adversary_after.at(static_cast<EpochId>(e));
          for (std::size_t user = 0; user < rows_after.size(); ++user) {
            for (std::size_t s = 0; s < null; ++s) {
              // Only the attack that gives everybody the crowd's profile gives it to her, too.
              if (user == rows.size() && !attack_entry->uses_prior) continue;
              EXPECT_EQ(rows_after[user][s], user < rows.size() ? rows[user][s] : 0) << after.user_ids()[user];
              ++compared;
            }
          }
        }
      }
    }
  });
  EXPECT_GT(compared, 100'000U);
}

// She is one more in null, and no other count changes.
TEST(PropertyTest, AUserWithNoVisitsIsCountedInNullOnly) {
  for_random_studies([](const reference::RandomStudy& made, const BlockSizes&) {
    ingest::Visits more = made.visits;
    more.users.emplace_back("zz silent");
    const dataset::Dataset before(made.visits, made.study.calendar(), 0);
    const dataset::Dataset after(more, made.study.calendar(), 0);
    const release::Release counts = release::aggregate(before.truth(), 1);
    const release::Release counts_after = release::aggregate(after.truth(), 1);
    const std::size_t null = before.crowd().rois - 1;
    for (std::size_t e = 0; e < before.truth().epochs(); ++e) {
      std::vector<double> dense;
      std::vector<double> dense_after;
      const auto here = counts.at(static_cast<EpochId>(e), dense);
      const auto there = counts_after.at(static_cast<EpochId>(e), dense_after);
      for (std::size_t roi = 0; roi < null; ++roi) EXPECT_EQ(here.dense[roi], there.dense[roi]);
      EXPECT_EQ(here.dense[null] + 1, there.dense[null]);
    }
  });
}

// The numbers below `count` in an order that `seed` gives.
std::vector<std::uint32_t> shuffled(std::size_t count, std::size_t seed) {
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  std::shuffle(numbers.begin(), numbers.end(), random);
  return numbers;
}

bool has_ties(const ingest::Visits& visits, std::uint32_t observe) {
  std::vector<int> reports(visits.users.size());
  for (const ingest::Visit& visit : visits.visits.all()) reports[visit.user] += visit.epoch < observe ? 1 : 0;
  return std::set<int>(reports.begin(), reports.end()).size() != reports.size();
}

// MAX_ROI breaks ties by id, MAX_USER and the stronger MAX_ROI those of activity: the order of ids shows there and
// nowhere else.
TEST(PropertyTest, TheOrderOfUsersMattersOnlyForTies) {
  std::size_t without_ties = 0;
  for_random_studies([&](const reference::RandomStudy& made, const BlockSizes& blocks) {
    const std::size_t users = made.visits.users.size();
    const std::vector<std::uint32_t> place = shuffled(users, made.visits.visits.size() + 1);
    ingest::Visits permuted = made.visits;
    std::map<std::string, std::string> renamed;
    for (std::size_t u = 0; u < users; ++u) renamed[made.visits.users[u]] = made.visits.users[place[u]];
    change_visits(permuted, [&](ingest::Visit& visit) { visit.user = place[visit.user]; });
    const bool ties = has_ties(made.visits, made.study.data.observe);
    without_ties += ties ? 0 : 1;
    const Results before = run(made.visits, made.study, blocks);
    const Results after = run(permuted, made.study, blocks);
    for (const auto& [key, kept] : before) {
      const std::string& attack = kept.combination.attack;
      if (attack == "MAX_ROI" || (attack.starts_with("MAX_") && ties)) continue;
      expect_same_errors(kept, after.at(key), renamed);
    }
  });
  EXPECT_GT(without_ties, 2 * kStudies / 10);  // each in blocks of two sizes
}

TEST(PropertyTest, RelabellingPlacesChangesNothing) {
  for_random_studies([](const reference::RandomStudy& made, const BlockSizes& blocks) {
    const std::size_t rois = made.visits.rois.size();
    const std::vector<std::uint32_t> place = shuffled(rois, made.visits.visits.size() + 2);
    ingest::Visits permuted = made.visits;
    for (std::size_t s = 0; s < rois; ++s) permuted.rois[place[s]] = {fmt::format("other {}", s), "", {}, {}};
    change_visits(permuted, [&](ingest::Visit& visit) { visit.roi = place[visit.roi]; });
    const Results before = run(made.visits, made.study, blocks);
    const Results after = run(permuted, made.study, blocks);
    for (const auto& [key, kept] : before) {
      const Kept& other = after.at(key);
      expect_same_errors(kept, other);
      for (std::size_t s = 0; s < kept.roi_errors.size(); ++s) {
        const double here = kept.roi_errors[s];
        const double there = other.roi_errors[place[s]];
        EXPECT_TRUE(std::abs(here - there) <= kTolerance || (std::isnan(here) && std::isnan(there))) << s;
      }
    }
  });
}

// Counts as they are, or of visits merged into the places and epochs they were in.
class NoNoise final : public release::Step {
 public:
  explicit NoNoise(bool merges) : merges_(merges) {}
  bool gives_visits() const override { return merges_; }
  release::Draft apply(const release::Draft& draft, const release::NoiseSource&) const override {
    if (!merges_) return draft;
    const release::Geometry& same = draft.geometry();
    return draft.merged(same.place_of, same.places, same.epoch_of, same.epochs);
  }

 private:
  bool merges_;
};

TEST(PropertyTest, AReleaseWithoutNoiseIsTheRawRelease) {
  release::StepEntry entry{};
  entry.info.name = "NOTHING";
  entry.make = [](const Parameters& given) { return std::make_unique<NoNoise>(given.has("merge")); };
  Parameters merge("NOTHING");
  merge.set("merge", "true");
  for_random_studies([&](reference::RandomStudy made, const BlockSizes& blocks) {
    goal::Defence defence;
    defence.chain.add(entry, made.visits.visits.size() % 2 == 0 ? merge : Parameters());
    made.study.defences = {defence};
    std::size_t compared = 0;
    const Results results = run(made.visits, made.study, blocks);
    for (const auto& [key, kept] : results) {
      if (kept.combination.release != "NOTHING") continue;
      for (const double gain : kept.gains) EXPECT_EQ(gain, 0) << key;
      if (kept.combination.baseline == goal::kRaw) continue;
      goal::Combination raw = kept.combination;
      const std::string raw_key =
          fmt::format("{} {} {} {} RAW  0 {}", raw.goal, raw.prior, raw.attack, raw.decision, raw.baseline);
      ASSERT_TRUE(results.contains(raw_key)) << raw_key;
      EXPECT_EQ(kept.errors, results.at(raw_key).errors) << key;
      EXPECT_EQ(kept.losses, results.at(raw_key).losses) << key;
      ++compared;
    }
    EXPECT_GE(compared, 4 * made.study.adversary.priors.size());
  });
}

// Counts that have nothing to do with the truth.
class AnyCounts final : public release::Step {
 public:
  explicit AnyCounts(std::uint32_t seed) : seed_(seed) {}
  release::Draft apply(const release::Draft& draft, const release::NoiseSource&) const override {
    release::CountMatrix counts(draft.counts().rois(), draft.counts().epochs());
    SeededBits bits(seed_);
    for (std::size_t roi = 0; roi < counts.rois(); ++roi) {
      for (double& count : counts.series(roi)) count = static_cast<double>(bits.below(15));
    }
    return draft.with_counts(std::move(counts));
  }

 private:
  std::uint32_t seed_;
};

TEST(PropertyTest, ErrorsLossesAndGainsAreWhatTheyAreCalledAndBetweenZeroAndOne) {
  for_random_studies([](reference::RandomStudy made, const BlockSizes& blocks) {
    release::StepEntry entry{};
    entry.info.name = "ANY";
    entry.make = [&](const Parameters&) {
      return std::make_unique<AnyCounts>(static_cast<std::uint32_t>(made.visits.visits.size()));
    };
    goal::Defence defence;
    defence.chain.add(entry, Parameters());
    made.study.defences = {defence};
    made.study.adversary.metric.log_base = 2;
    std::size_t gains = 0;
    const auto in_range = [](double x) { return x >= 0 && x <= 1; };
    const Results results = run(made.visits, made.study, blocks);
    for (const auto& [key, kept] : results) {
      for (const auto& [user, error] : kept.errors) EXPECT_TRUE(in_range(error)) << key << ' ' << error;
      for (const double error : kept.epoch_errors)
        EXPECT_TRUE(in_range(error)) << key << fmt::format(" {:.17g}", error);
      EXPECT_TRUE(std::all_of(kept.losses.begin(), kept.losses.end(), in_range)) << key;
      EXPECT_TRUE(std::all_of(kept.gains.begin(), kept.gains.end(), in_range)) << key;
      for (const double error : kept.roi_errors) EXPECT_TRUE(in_range(error) || std::isnan(error)) << key << error;
      gains += kept.gains.size();
      if (kept.combination.baseline != goal::kRaw) continue;
      // The formula, from the errors of the same attack on the raw release.
      const Kept* raw = nullptr;
      for (const auto& [raw_key, other] : results) {
        const goal::Combination& c = other.combination;
        if (c.release == goal::kRaw && c.goal == kept.combination.goal && c.prior == kept.combination.prior &&
            c.attack == kept.combination.attack && c.decision == kept.combination.decision) {
          raw = &other;
        }
      }
      ASSERT_NE(raw, nullptr) << key;
      std::vector<double> expected;
      for (const std::string& user : kept.users) {
        const double before = raw->errors.at(user);
        expected.push_back(before == 1 ? 0 : std::max(0.0, (kept.errors.at(user) - before) / (1 - before)));
      }
      ASSERT_EQ(kept.gains.size(), expected.size());
      for (std::size_t u = 0; u < expected.size(); ++u) EXPECT_NEAR(kept.gains[u], expected[u], kTolerance) << key;
    }
    EXPECT_GT(gains, 0U);
  });
}

// Whoever takes results and whoever reads their keys are told the same of the entries.
TEST(PropertyTest, ResultsSayWhetherTheyAreThePapers) {
  const reference::RandomStudy made = reference::make_random_study(kFirst);
  std::set<bool> seen;
  for (const auto& [key, kept] : run(made.visits, made.study, {})) {
    const goal::Combination read = goal::combination_of(goal::key_of(kept.combination), made.study.adversary);
    EXPECT_EQ(kept.combination.paper, read.paper) << key;
    EXPECT_EQ(kept.combination.uses_release, read.uses_release) << key;
    EXPECT_EQ(kept.combination.uses_prior, read.uses_prior) << key;
    seen.insert(kept.combination.paper);
  }
  EXPECT_EQ(seen, std::set<bool>({false, true}));
}

// MAX_ROI assigns exactly as many users to a place as were counted there (all of them where the count is larger),
// MAX_USER at most, and no user to a place she was never known at.
TEST(PropertyTest, AssignmentsFollowTheCounts) {
  for_random_studies([](const reference::RandomStudy& made, const BlockSizes& blocks) {
    const dataset::Dataset data(made.visits, made.study.calendar(), 0);
    const dataset::Truth truth = data.truth();
    const release::Release release =
        AnyCounts(3)
            .apply(release::Draft(truth, std::nullopt, 1), *release::evaluation_noise(1, "", "", 1))
            .counts()
            .to_release();
    const std::size_t null = data.crowd().rois - 1;
    for (const prior::PriorEntry* entry : made.study.adversary.priors) {
      const auto prior = entry->create({data.observation(), data.past(), 1, blocks});
      for (const attack::AttackEntry* attack_entry : attack::all_attacks()) {
        const bool rates = attack_entry->needs_rates && entry->rates;
        if (!attack_entry->info.name.starts_with("MAX_") && !rates) continue;
        Adversary adversary(*attack_entry, *prior, release, data.crowd(), blocks);
        for (std::size_t e = 0; e < truth.epochs(); ++e) {
          const auto epoch = static_cast<EpochId>(e);
          std::vector<double> dense;
          const release::EpochCounts counts = release.at(epoch, dense);
          std::vector<double> assigned(data.crowd().rois);
          for (const std::vector<double>& row : adversary.at(epoch)) {
            for (std::size_t s = 0; s < row.size(); ++s) assigned[s] += row[s];
          }
          for (std::size_t s = 0; s < null; ++s) {
            const double most = std::min<double>(counts.dense[s], static_cast<double>(data.crowd().users));
            if (rates) {
              EXPECT_NEAR(assigned[s], most, 1e-9) << entry->info.name;
            } else if (attack_entry->info.name == "MAX_ROI") {
              EXPECT_EQ(assigned[s], most) << entry->info.name;
            } else {
              EXPECT_LE(assigned[s], most) << entry->info.name;
            }
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace hearsay
