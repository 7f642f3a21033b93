// SPDX-License-Identifier: Apache-2.0
//
// What every registered prior and attack promises, checked over all of them, a new one included.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "adversary.h"
#include "experiment/study.h"
#include "goal/inference.h"
#include "random_world.h"
#include "release/aggregate.h"

namespace hearsay {
// Of CONTRIBUTING.md.
namespace attack {
extern const AttackEntry guess_attack;
}
namespace decision {
extern const DecisionEntry sure_decision;
}
namespace release {
extern const StepEntry hush_step;
}
namespace goal {
extern const GoalEntry alone_goal;
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
  for (const auto* entry : release::all_steps()) expect_documented(entry->info, names);
  for (const auto* entry : decision::all_decisions()) expect_documented(entry->info, names);
  if (!names.contains(decision::sure_decision.info.name)) expect_documented(decision::sure_decision.info, names);
  for (const auto* entry : metric::all_metrics()) expect_documented(entry->info, names);
  if (!names.contains(release::hush_step.info.name)) expect_documented(release::hush_step.info, names);
  for (const auto* entry : goal::all_goals()) expect_documented(entry->info, names);
  for (const auto* entry : trajectory::all_methods()) expect_documented(entry->info, names);
  if (!names.contains(goal::alone_goal.info.name)) expect_documented(goal::alone_goal.info, names);
  EXPECT_THAT(names, testing::IsSupersetOf({"FREQ_ROI", "ROI_DAY", "ROI_DAY_WEEK", "TIME_DAY", "TIME_DAY_WEEK",
                                            "LAST_WEEK", "LAST_DAY", "LAST_HOUR", "PRIOR", "AGGREGATES", "BAYES",
                                            "MAX_ROI", "MAX_USER", "NOWHERE", "TILT"}));
  EXPECT_EQ(attack::all_attacks().front()->info.name, "PRIOR");
}

// A cluster asks before it has anybody to summarise.
TEST(RegistryTest, AttacksSayWhetherTheySummarise) {
  belief::RowTable table;
  table.add(UserId{0}, RoiId{0}, 1);
  table.close();
  const std::vector<std::uint32_t> ranks = {0};
  const dataset::Crowd crowd{1, 2, ranks};
  for (const attack::AttackEntry* entry : every_attack()) {
    const auto attack = entry->create();
    EXPECT_EQ(attack->summarises(), attack->summarise(table.rows(), crowd) != nullptr) << entry->info.name;
  }
}

// What sentences about an error are made of.
TEST(RegistryTest, EveryErrorSaysWhatSheIsAfter) {
  std::set<double> largest;
  for (const metric::MetricEntry* entry : metric::all_metrics()) {
    if (entry->make == nullptr) continue;
    EXPECT_FALSE(entry->goal.empty() || entry->about.empty() || entry->wants.empty()) << entry->info.name;
    EXPECT_EQ(entry->largest_error({}), 1) << entry->info.name;
    largest.insert(std::round(entry->largest_error({.log_base = std::numbers::e}) * 1e4));
  }
  EXPECT_THAT(largest, testing::ElementsAre(8326, 10000));
}

void expect_ordered(std::span<const UserId> users, belief::UserRange range) {
  EXPECT_TRUE(std::is_sorted(users.begin(), users.end()));
  EXPECT_EQ(std::adjacent_find(users.begin(), users.end()), users.end());
  for (const UserId user : users) EXPECT_TRUE(user >= range.begin && user < range.end);
}

void expect_rows(const belief::SparseRows& rows, const dataset::Crowd& crowd) {
  for (std::size_t row = 0; row < rows.users.size(); ++row) {
    const auto rois = rows.rois_of(row);
    ASSERT_FALSE(rois.empty());
    EXPECT_TRUE(std::is_sorted(rois.begin(), rois.end()));
    EXPECT_EQ(std::adjacent_find(rois.begin(), rois.end()), rois.end());
    EXPECT_LT(index_of(rois.back()), crowd.rois);
  }
}

void expect_well_formed(const belief::Beliefs& beliefs, belief::UserRange range, const dataset::Crowd& crowd) {
  expect_ordered(belief::users_of(beliefs), range);
  if (const auto* shared = std::get_if<belief::Shared>(&beliefs)) {
    EXPECT_EQ(shared->background.weights.size(), crowd.rois);
    double total = 0;
    for (const double weight : shared->background.weights) {
      EXPECT_GE(weight, 0);
      total += weight;
    }
    EXPECT_GT(total, 0);
    EXPECT_DOUBLE_EQ(shared->background.total, total);
  } else if (const auto* rows = std::get_if<belief::Rows>(&beliefs)) {
    expect_rows(*rows, crowd);
    for (std::size_t row = 0; row < rows->users.size(); ++row) {
      double total = 0;
      for (const double weight : rows->weights_of(row)) {
        EXPECT_GT(weight, 0);
        total += weight;
      }
      if (rows->weights.empty()) continue;
      EXPECT_DOUBLE_EQ(rows->total_of(row), total);
    }
  } else if (const auto* rates = std::get_if<belief::Rates>(&beliefs)) {
    expect_rows(*rates, crowd);
    EXPECT_EQ(rates->elsewhere.size(), crowd.rois);
    for (std::size_t row = 0; row < rates->users.size(); ++row) {
      EXPECT_EQ(rates->rois_of(row).back(), crowd.null_roi());
      for (const double chance : rates->chances_of(row)) EXPECT_TRUE(chance >= 0 && chance <= 1) << chance;
    }
    for (const double chance : rates->elsewhere) EXPECT_TRUE(chance >= 0 && chance <= 1) << chance;
  } else {
    const auto& assignment = std::get<belief::Assignment>(beliefs);
    expect_rows(assignment, crowd);
    // No ROI both by the rows and by the limits.
    for (std::size_t row = 0; row < assignment.users.size() && !assignment.limits.empty(); ++row) {
      for (const RoiId roi : assignment.rois_of(row)) {
        EXPECT_GE(assignment.place_of(assignment.users[row]), assignment.limits[index_of(roi)]);
      }
    }
  }
}

// Outside null, an assignment puts at most as many users into an ROI as were counted there; MAX_ROI exactly so many.
void expect_no_more_than_counted(const DenseBeliefs& assigned, const release::EpochCounts& counts, bool exactly) {
  for (std::size_t roi = 0; roi + 1 < counts.dense.size(); ++roi) {
    double people = 0;
    for (const std::vector<double>& row : assigned) people += row[roi];
    EXPECT_LE(people, counts.dense[roi]);
    EXPECT_TRUE(!exactly || people == counts.dense[roi]);
  }
}

void expect_well_formed_after(const attack::AttackEntry& entry, const belief::Series& prior,
                              const release::Release& release, const dataset::Crowd& crowd, const BlockSizes& blocks) {
  Adversary adversary(entry, prior, release, crowd, blocks);
  std::vector<double> dense;
  for (std::size_t e = 0; e < release.epochs(); ++e) {
    const auto epoch = static_cast<EpochId>(e);
    bool assigns = true;
    adversary.at(epoch, [&](belief::UserRange range, const belief::Beliefs& beliefs) {
      expect_well_formed(beliefs, range, crowd);
      assigns = assigns && std::holds_alternative<belief::Assignment>(beliefs);
    });
    EXPECT_TRUE(assigns || entry.output != attack::Output::kAssignment);
    if (assigns && entry.uses_release) {
      expect_no_more_than_counted(adversary.at(epoch), release.at(epoch, dense), entry.info.name == "MAX_ROI");
    }
  }
}

// Every prior of a study, built in such blocks, and every attack on it.
void expect_well_formed(const reference::RandomStudy& made, std::size_t threads, const BlockSizes& blocks) {
  const dataset::Dataset data(made.visits, made.study.calendar(), 0);
  const release::Release raw = release::aggregate(data.truth(), threads);
  const belief::UserRange everybody{UserId{0}, static_cast<UserId>(data.crowd().users)};
  for (const prior::PriorEntry* entry : made.study.adversary.priors) {
    const auto prior = entry->create({data.observation(), data.past(), threads, blocks});
    for (std::size_t e = 0; e < data.truth().epochs(); ++e) {
      const auto epoch = static_cast<EpochId>(e);
      ASSERT_LT(prior->table_of(epoch), prior->tables());
      const belief::Beliefs beliefs = prior->table(prior->table_of(epoch));
      expect_well_formed(beliefs, everybody, data.crowd());
      EXPECT_EQ(std::holds_alternative<belief::Assignment>(beliefs), entry->binary);
    }
    for (const attack::AttackEntry* attack : every_attack()) {
      if (attack->needs_rates && !entry->rates) continue;
      SCOPED_TRACE(entry->info.name + " " + attack->info.name);
      expect_well_formed_after(*attack, *prior, raw, data.crowd(), blocks);
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

// What is said of a user does not depend on who else is in the range.
TEST(ContractTest, EveryAttackSaysTheSameInAnyRanges) {
  for (std::uint32_t seed = 2200; seed < 2230; ++seed) {
    const reference::RandomStudy made = reference::make_random_study(seed);
    const dataset::Dataset data(made.visits, made.study.calendar(), 0);
    const release::Release raw = release::aggregate(data.truth(), 1);
    for (const prior::PriorEntry* entry : made.study.adversary.priors) {
      const auto prior = entry->create({data.observation(), data.past(), 1});
      for (const attack::AttackEntry* attack : every_attack()) {
        if (attack->needs_rates && !entry->rates) continue;
        SCOPED_TRACE(entry->info.name + " " + attack->info.name);
        Adversary whole(*attack, *prior, raw, data.crowd(), BlockSizes::all(1000));
        Adversary alone(*attack, *prior, raw, data.crowd(), BlockSizes::all(1));
        for (std::size_t e = 0; e < data.truth().epochs(); ++e) {
          EXPECT_EQ(whole.at(static_cast<EpochId>(e)), alone.at(static_cast<EpochId>(e)));
        }
      }
    }
  }
}

TEST(ContractTest, EmptyReleaseIsHandledByEveryAttack) {
  reference::RandomStudy made = reference::make_random_study(7);
  const dataset::Dataset data(made.visits, made.study.calendar(), 0);
  const release::Release nothing(data.crowd().rois, data.truth().epochs());
  std::vector<double> null(data.crowd().rois);
  null.back() = 1;
  for (const prior::PriorEntry* entry : made.study.adversary.priors) {
    const auto prior = entry->create({data.observation(), data.past(), 1});
    for (const attack::AttackEntry* attack : every_attack()) {
      if (attack->needs_rates && !entry->rates) continue;
      if (!attack->uses_release) continue;
      Adversary adversary(*attack, *prior, nothing, data.crowd());
      // Nobody counted: everybody in null.
      EXPECT_EQ(adversary.at(EpochId{0}), DenseBeliefs(data.crowd().users, null)) << attack->info.name;
    }
  }
}

// Reads all, but only when it was shown every epoch once.
class LookingDecision final : public decision::Decision {
 public:
  explicit LookingDecision(std::size_t epochs) : epochs_(epochs) {}
  bool looks_ahead() const override { return true; }
  std::unique_ptr<decision::Reading> read(belief::UserRange users, const dataset::Crowd&) const override {
    return std::make_unique<LookingReading>(epochs_, users);
  }

 private:
  class LookingReading final : public decision::Reading {
   public:
    LookingReading(std::size_t epochs, belief::UserRange users) : epochs_(epochs), users_(users) {}
    void look_at(const belief::Beliefs& beliefs, std::size_t epochs) override {
      seen_ += epochs;
      for (const UserId user : belief::users_of(beliefs)) EXPECT_TRUE(user >= users_.begin && user < users_.end);
    }
    decision::Prediction predict(const belief::Beliefs& beliefs) override {
      EXPECT_EQ(seen_, epochs_);
      return {beliefs};
    }

   private:
    std::size_t epochs_;
    belief::UserRange users_;
    std::size_t seen_ = 0;
  };
  std::size_t epochs_;
};

std::vector<std::vector<double>> localization_errors(const reference::RandomStudy& made,
                                                     const decision::DecisionEntry& decision) {
  experiment::Study study = made.study;
  study.adversary.decisions = {&decision};
  std::erase_if(study.adversary.goals, [](const metric::MetricEntry* goal) { return !goal->decides; });
  const dataset::Dataset data(made.visits, study.calendar(), 0);
  std::vector<std::vector<double>> errors;
  const auto keep = [&](const goal::Result& result) {
    errors.emplace_back(result.with.users.begin(), result.with.users.end());
    errors.emplace_back(result.with.epochs.begin(), result.with.epochs.end());
  };
  goal::infer(study.ground(data, {.threads = 2, .blocks = BlockSizes::all(3)}), keep);
  return errors;
}

// The goal that CONTRIBUTING.md adds.
TEST(GoalTest, TheExampleCountsThoseAlone) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const reference::RandomStudy made = reference::make_random_study(seed);
    const dataset::Dataset data(made.visits, made.study.calendar(), 0);
    std::vector<double> expected(data.crowd().users);
    for (std::size_t e = 0; e < data.truth().epochs(); ++e) {
      const dataset::EpochVisits visits = data.truth().at(static_cast<EpochId>(e));
      for (std::size_t row = 0; row < visits.users.size(); ++row) {
        for (const RoiId roi : visits.rois_of(row)) {
          const bool alone = std::count(visits.rois.begin(), visits.rois.end(), roi) == 1;
          if (alone) ++expected[index_of(visits.users[row])];
        }
      }
    }
    const goal::Ground ground = made.study.ground(data);
    std::size_t emitted = 0;
    goal::alone_goal.create(ground)->run("all", [&](const goal::Measurement& found) {
      ++emitted;
      EXPECT_EQ(found.unit, goal::Unit::kUser);
      EXPECT_THAT(found.of("visits").values, testing::ElementsAreArray(expected));
    });
    EXPECT_EQ(emitted, 1U);
  }
}

TEST(DecisionTest, ADecisionMayLookAtAllEpochsFirst) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const reference::RandomStudy made = reference::make_random_study(seed);
    const decision::DecisionEntry& all = *decision::all_decisions().front();
    decision::DecisionEntry looking = all;
    looking.make = [&](const Parameters&) -> std::unique_ptr<decision::Decision> {
      return std::make_unique<LookingDecision>(made.study.calendar().inference());
    };
    const auto errors = localization_errors(made, all);
    EXPECT_FALSE(errors.empty());
    EXPECT_EQ(localization_errors(made, looking), errors);
  }
}

// POP with the same least probability predicts the same.
TEST(DecisionTest, TheDecisionOfTheExampleReadsWhatIsSure) {
  const reference::RandomStudy made = reference::make_random_study(3);
  const auto pop = std::find_if(decision::all_decisions().begin(), decision::all_decisions().end(),
                                [](const auto* entry) { return entry->info.name == "POP"; });
  decision::DecisionEntry same = **pop;
  same.info.given.set("delta", "0.9");
  const auto errors = localization_errors(made, decision::sure_decision);
  EXPECT_FALSE(errors.empty());
  EXPECT_EQ(errors, localization_errors(made, same));
}

}  // namespace
}  // namespace hearsay
