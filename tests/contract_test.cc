// SPDX-License-Identifier: Apache-2.0
//
// What every registered prior and attack promises, checked over all of them, a new one included.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "random_world.h"
#include "release/aggregate.h"

namespace hearsay {
namespace attack {
extern const AttackEntry guess_attack;  // of CONTRIBUTING.md
}

namespace {

// Those registered, and the one that CONTRIBUTING.md adds.
std::vector<const attack::AttackEntry*> every_attack() {
  std::vector<const attack::AttackEntry*> all = attack::all_attacks();
  if (std::find(all.begin(), all.end(), &attack::guess_attack) == all.end()) all.push_back(&attack::guess_attack);
  return all;
}

void expect_documented(const EntryInfo& info, std::set<std::string>& names) {
  EXPECT_TRUE(names.insert(info.name).second) << info.name << " is registered twice";
  EXPECT_TRUE(info.summary.ends_with('.') && info.summary.size() > 20) << info.name;
  EXPECT_GT(info.explanation.size(), 40U) << info.name;
  EXPECT_FALSE(info.citation.empty()) << info.name;
}

TEST(RegistryTest, EveryEntryIsDocumentedAndUnique) {
  std::set<std::string> names;
  for (const auto* entry : prior::all_priors()) expect_documented(entry->info, names);
  for (const auto* entry : every_attack()) expect_documented(entry->info, names);
  for (const auto* entry : metric::all_metrics()) expect_documented(entry->info, names);
  EXPECT_THAT(names, testing::IsSupersetOf({"FREQ_ROI", "ROI_DAY", "ROI_DAY_WEEK", "TIME_DAY", "TIME_DAY_WEEK",
                                            "LAST_WEEK", "LAST_DAY", "LAST_HOUR", "PRIOR", "AGGREGATES", "BAYES",
                                            "MAX_ROI", "MAX_USER"}));
  EXPECT_EQ(attack::all_attacks().front()->info.name, "PRIOR");
}

void expect_well_formed(const prior::Beliefs& beliefs, const dataset::Crowd& crowd) {
  EXPECT_TRUE(std::is_sorted(beliefs.users.begin(), beliefs.users.end()));
  EXPECT_EQ(std::adjacent_find(beliefs.users.begin(), beliefs.users.end()), beliefs.users.end());
  for (const UserId user : beliefs.users) EXPECT_LT(index_of(user), crowd.users);
  if (beliefs.background != nullptr) {
    EXPECT_EQ(beliefs.background->weights.size(), crowd.rois);
    double total = 0;
    for (const double weight : beliefs.background->weights) {
      EXPECT_GE(weight, 0);
      total += weight;
    }
    EXPECT_GT(total, 0);
    EXPECT_DOUBLE_EQ(beliefs.background->total, total);
    EXPECT_TRUE(beliefs.rois.empty());
    return;
  }
  EXPECT_FALSE(beliefs.everyone);
  for (std::size_t row = 0; row < beliefs.users.size(); ++row) {
    const auto rois = beliefs.rois_of(row);
    ASSERT_FALSE(rois.empty());
    EXPECT_TRUE(std::is_sorted(rois.begin(), rois.end()));
    EXPECT_EQ(std::adjacent_find(rois.begin(), rois.end()), rois.end());
    EXPECT_LT(index_of(rois.back()), crowd.rois);
    for (const double weight : beliefs.weights_of(row)) EXPECT_GT(weight, 0);
  }
}

// Outside null, an assignment puts at most as many users into an ROI as were counted there; MAX_ROI exactly so many.
void expect_no_more_than_counted(const prior::Beliefs& beliefs, const release::EpochCounts& counts,
                                 const dataset::Crowd& crowd, bool exactly) {
  std::vector<double> assigned(crowd.rois);
  for (std::size_t row = 0; row < beliefs.users.size(); ++row) {
    for (const RoiId roi : beliefs.rois_of(row)) {
      ++assigned[index_of(roi)];
      const std::uint32_t limit = beliefs.limits.empty() ? 0 : beliefs.limits[index_of(roi)];
      EXPECT_GE(static_cast<std::uint32_t>(beliefs.users[row]), limit);
    }
  }
  for (std::size_t roi = 0; roi + 1 < crowd.rois; ++roi) {
    if (!beliefs.limits.empty()) assigned[roi] += beliefs.limits[roi];
    EXPECT_LE(assigned[roi], counts.dense[roi]);
    EXPECT_TRUE(!exactly || assigned[roi] == counts.dense[roi]);
  }
}

void expect_well_formed_after(const attack::AttackEntry& entry, const prior::Beliefs& beliefs,
                              const release::EpochCounts& counts, const dataset::Crowd& crowd) {
  const auto attack = entry.make();
  attack::Workspace workspace;
  const auto preparation = attack->prepare(beliefs, crowd);
  const prior::Beliefs after = attack->infer(beliefs, preparation.get(), counts, crowd, workspace);
  expect_well_formed(after, crowd);
  EXPECT_TRUE(after.binary || entry.output != attack::Output::kAssignment);
  if (after.binary && entry.uses_release) {
    expect_no_more_than_counted(after, counts, crowd, entry.info.name == "MAX_ROI");
  }
  EXPECT_EQ(std::count(workspace.per_user.begin(), workspace.per_user.end(), 0U),
            static_cast<std::ptrdiff_t>(workspace.per_user.size()));
}

// Every prior of a study, built in such blocks, and every attack on it.
void expect_well_formed(const reference::RandomStudy& made, std::size_t threads, const BlockSizes& blocks) {
  const dataset::Dataset data(made.visits, made.study.calendar(), 0);
  const release::Release raw = release::aggregate(data.truth(), threads);
  for (const prior::PriorEntry* entry : made.study.priors) {
    const auto prior = entry->make({data.observation(), data.past(), threads, blocks});
    for (std::size_t e = 0; e < data.truth().epochs(); ++e) {
      const auto epoch = static_cast<EpochId>(e);
      ASSERT_LT(prior->table_of(epoch), prior->tables());
      const prior::Beliefs beliefs = prior->table(prior->table_of(epoch));
      expect_well_formed(beliefs, data.crowd());
      EXPECT_EQ(beliefs.binary, entry->binary);
      std::vector<double> dense;
      const release::EpochCounts counts = raw.at(epoch, dense);
      for (const attack::AttackEntry* attack : every_attack()) {
        SCOPED_TRACE(entry->info.name + " " + attack->info.name);
        expect_well_formed_after(*attack, beliefs, counts, data.crowd());
      }
    }
  }
}

TEST(ContractTest, BeliefsAreWellFormedBeforeAndAfterEveryAttack) {
  for (std::uint32_t seed = 2000; seed < 2060; ++seed) {
    const reference::RandomStudy made = reference::make_random_study(seed);
    expect_well_formed(made, 1, {});
    expect_well_formed(made, 1, BlockSizes::all(3));
  }
  for (std::uint32_t seed = 2100; seed < 2104; ++seed) {
    expect_well_formed(reference::make_crowded_study(seed), 3, BlockSizes::all(3));
  }
}

// Users, and the ROIs of each with their probabilities.
std::vector<double> flattened(const prior::Beliefs& beliefs) {
  std::vector<double> numbers;
  for (std::size_t row = 0; row < beliefs.users.size(); ++row) {
    const double total = beliefs.total_of(row);
    const auto rois = beliefs.rois_of(row);
    const auto weights = beliefs.weights_of(row);
    numbers.push_back(static_cast<double>(index_of(beliefs.users[row])));
    for (std::size_t i = 0; i < rois.size(); ++i) {
      numbers.push_back(static_cast<double>(index_of(rois[i])));
      numbers.push_back((weights.empty() ? 1.0 : weights[i]) / total);
    }
  }
  return numbers;
}

// An attack that says it takes each row by itself gives the same for a table in parts.
TEST(ContractTest, AnAttackByRowGivesTheSameInParts) {
  std::size_t compared = 0;
  for (std::uint32_t seed = 2200; seed < 2230; ++seed) {
    const reference::RandomStudy made = reference::make_random_study(seed);
    const dataset::Dataset data(made.visits, made.study.calendar(), 0);
    const release::Release raw = release::aggregate(data.truth(), 1);
    for (const prior::PriorEntry* entry : made.study.priors) {
      const auto prior = entry->make({data.observation(), data.past(), 1});
      const prior::Beliefs beliefs = prior->table(prior->table_of(EpochId{0}));
      if (beliefs.background != nullptr) continue;
      std::vector<double> dense;
      const release::EpochCounts counts = raw.at(EpochId{0}, dense);
      for (const attack::AttackEntry* attack_entry : every_attack()) {
        if (!attack_entry->by_row) continue;
        SCOPED_TRACE(entry->info.name + " " + attack_entry->info.name);
        const auto attack = attack_entry->make();
        const auto preparation = attack->prepare(beliefs, data.crowd());
        attack::Workspace workspace;
        const auto infer = [&](const prior::Beliefs& some) {
          return flattened(attack->infer(some, preparation.get(), counts, data.crowd(), workspace));
        };
        std::vector<double> in_parts;
        for (std::size_t row = 0; row < beliefs.users.size(); row += 3) {
          const auto part = infer(beliefs.rows(row, std::min<std::size_t>(3, beliefs.users.size() - row)));
          in_parts.insert(in_parts.end(), part.begin(), part.end());
        }
        EXPECT_EQ(in_parts, infer(beliefs));
        compared += beliefs.users.size() > 3 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(compared, 20U);
}

TEST(ContractTest, EmptyReleaseIsHandledByEveryAttack) {
  reference::RandomStudy made = reference::make_random_study(7);
  const dataset::Dataset data(made.visits, made.study.calendar(), 0);
  const release::Release nothing(data.crowd().rois, data.truth().epochs());
  for (const prior::PriorEntry* entry : made.study.priors) {
    const auto prior = entry->make({data.observation(), data.past(), 1});
    for (const attack::AttackEntry* attack_entry : every_attack()) {
      if (!attack_entry->uses_release) continue;
      const auto attack = attack_entry->make();
      attack::Workspace workspace;
      std::vector<double> dense;
      const prior::Beliefs beliefs = prior->table(0);
      const auto preparation = attack->prepare(beliefs, data.crowd());
      const prior::Beliefs after =
          attack->infer(beliefs, preparation.get(), nothing.at(EpochId{0}, dense), data.crowd(), workspace);
      EXPECT_TRUE(after.users.empty()) << attack_entry->info.name;  // nobody counted: everybody in null
      EXPECT_FALSE(after.everyone);
    }
  }
}

}  // namespace
}  // namespace hearsay
