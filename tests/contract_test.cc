// SPDX-License-Identifier: Apache-2.0
//
// What every registered prior, attack and mechanism promises, checked over all of them, a new one included.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "adversary.h"
#include "experiment/runner.h"
#include "random_world.h"
#include "release/aggregate.h"
#include "release/post_process.h"
#include "release/test_town.h"
#include "release/utility.h"

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
  for (const auto* entry : release::all_mechanisms()) expect_documented(entry->info, names);
  for (const auto* entry : decision::all_decisions()) expect_documented(entry->info, names);
  for (const auto* entry : metric::all_metrics()) expect_documented(entry->info, names);
  EXPECT_THAT(names,
              testing::IsSupersetOf({"FREQ_ROI", "ROI_DAY", "ROI_DAY_WEEK", "TIME_DAY", "TIME_DAY_WEEK", "LAST_WEEK",
                                     "LAST_DAY", "LAST_HOUR", "PRIOR", "AGGREGATES", "BAYES", "MAX_ROI", "MAX_USER"}));
  EXPECT_EQ(attack::all_attacks().front()->info.name, "PRIOR");
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
  for (const prior::PriorEntry* entry : made.study.priors) {
    const auto prior = entry->make({data.observation(), data.past(), threads, blocks});
    for (std::size_t e = 0; e < data.truth().epochs(); ++e) {
      const auto epoch = static_cast<EpochId>(e);
      ASSERT_LT(prior->table_of(epoch), prior->tables());
      const belief::Beliefs beliefs = prior->table(prior->table_of(epoch));
      expect_well_formed(beliefs, everybody, data.crowd());
      EXPECT_EQ(std::holds_alternative<belief::Assignment>(beliefs), entry->binary);
    }
    for (const attack::AttackEntry* attack : every_attack()) {
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
    for (const prior::PriorEntry* entry : made.study.priors) {
      const auto prior = entry->make({data.observation(), data.past(), 1});
      for (const attack::AttackEntry* attack : every_attack()) {
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
  for (const prior::PriorEntry* entry : made.study.priors) {
    const auto prior = entry->make({data.observation(), data.past(), 1});
    for (const attack::AttackEntry* attack : every_attack()) {
      if (!attack->uses_release) continue;
      Adversary adversary(*attack, *prior, nothing, data.crowd());
      // Nobody counted: everybody in null.
      EXPECT_EQ(adversary.at(EpochId{0}), DenseBeliefs(data.crowd().users, null)) << attack->info.name;
    }
  }
}

using release::CountMatrix;
using release::Prepared;
using Values = std::vector<std::pair<std::string, std::string>>;

// A mechanism with parameters that suit 24 epochs.
struct Setting {
  std::string name;
  Values values;
  Values without_noise = {};    // parameters that leave the counts as they are
  bool one_place_only = false;  // it counts a person once an epoch, so only where nobody is in two places
};

const std::vector<Setting>& settings() {
  static const std::vector<Setting> list = {
      {"SCM", {{"sensitivity", "event"}, {"epsilon", "0.5"}}, {{"sensitivity", "event"}, {"epsilon", "1e12"}}},
      {"SCM", {{"sensitivity", "roi"}, {"epsilon", "2"}}, {{"sensitivity", "roi"}, {"epsilon", "1e12"}}},
      {"SCM", {{"sensitivity", "delta"}, {"epsilon", "2"}}, {{"sensitivity", "delta"}, {"epsilon", "1e12"}}},
      {"SCM", {{"sensitivity", "user"}, {"epsilon", "3"}}, {{"sensitivity", "user"}, {"epsilon", "1e12"}}},
      {"SCM", {{"bound", "1000"}, {"epsilon", "5"}}, {{"bound", "1000"}, {"epsilon", "1e12"}}},
      {"FPA",
       {{"form", "sound"}, {"k", "13"}, {"epsilon", "3"}},
       {{"form", "sound"}, {"k", "13"}, {"epsilon", "1e12"}}},
      {"FPA", {{"k", "24"}, {"epsilon", "3"}}, {{"k", "24"}, {"epsilon", "1e12"}}},
      {"FPA",
       {{"form", "sound"}, {"k", "best"}, {"epsilon", "3"}},
       {{"form", "sound"}, {"k", "best"}, {"epsilon", "1e12"}}},
      {"SPOTME", {{"p", "0.3"}}, {{"p", "1e-12"}}},
      {"KRR", {{"p", "0.3"}}, {{"p", "1e-12"}}, true},
  };
  return list;
}

CountMatrix draw(const Setting& setting, const Values& values, const Prepared& town, std::uint64_t seed,
                 std::size_t repeat) {
  const auto mechanism = release::make(setting.name, values);
  mechanism->check(town.counts.epochs());
  return mechanism->perturb(town.subject(), *release::evaluation_noise(seed, setting.name, "", repeat));
}

bool same(const CountMatrix& a, const CountMatrix& b) {
  return std::equal(a.all().begin(), a.all().end(), b.all().begin(), b.all().end());
}

// Everybody in one place at most.
release::Town orderly_town() {
  release::Town town{30, 4, 24, {}};
  SeededBits bits(8);
  for (std::uint32_t e = 0; e < town.epochs; ++e) {
    for (std::uint32_t u = 0; u < town.users; ++u) {
      const auto roi = static_cast<std::uint32_t>(bits.below(6));
      if (roi < town.rois) town.visits.push_back({e, u, roi});
    }
  }
  return town;
}

TEST(MechanismContractTest, EveryMechanismIsTried) {
  for (const release::MechanismEntry* entry : release::all_mechanisms()) {
    EXPECT_TRUE(std::any_of(settings().begin(), settings().end(),
                            [&](const Setting& setting) { return setting.name == entry->info.name; }))
        << "add parameters for " << entry->info.name << " to settings()";
  }
}

TEST(MechanismContractTest, NoiseFollowsSeedAndRepeatAndKeepsTheShape) {
  const Prepared town(release::busy_town(), 50);
  for (const Setting& setting : settings()) {
    SCOPED_TRACE(setting.name + " " + setting.values.front().second);
    const CountMatrix once = draw(setting, setting.values, town, 1, 1);
    EXPECT_EQ(once.rois(), town.counts.rois());
    EXPECT_EQ(once.epochs(), town.counts.epochs());
    EXPECT_TRUE(same(once, draw(setting, setting.values, town, 1, 1)));
    EXPECT_FALSE(same(once, draw(setting, setting.values, town, 1, 2)));
    EXPECT_FALSE(same(once, draw(setting, setting.values, town, 2, 1)));
    EXPECT_TRUE(std::all_of(once.all().begin(), once.all().end(), [](double x) { return std::isfinite(x); }));
  }
}

TEST(MechanismContractTest, WithoutNoiseCountsAreExact) {
  for (const Setting& setting : settings()) {
    SCOPED_TRACE(setting.name + " " + setting.values.front().second);
    const Prepared town(setting.one_place_only ? orderly_town() : release::busy_town());
    CountMatrix counts = draw(setting, setting.without_noise, town, 1, 1);
    release::post_process(counts, release::PostProcess::kRound, 0);
    EXPECT_TRUE(same(counts, town.counts));
  }
}

TEST(MechanismContractTest, NobodyAndASinglePersonAreHandled) {
  for (const release::Town& small : {release::Town{0, 2, 24, {}}, release::Town{1, 2, 24, {{3, 0, 1}}}}) {
    for (const std::optional<std::size_t> population : {std::optional<std::size_t>(), std::optional<std::size_t>(1)}) {
      const Prepared town(small, population);
      for (const Setting& setting : settings()) {
        SCOPED_TRACE(setting.name + " " + setting.values.front().second);
        const CountMatrix counts = draw(setting, setting.values, town, 1, 1);
        EXPECT_EQ(counts.rois(), 3U);
        EXPECT_TRUE(std::all_of(counts.all().begin(), counts.all().end(), [](double x) { return std::isfinite(x); }));
      }
    }
  }
}

TEST(MechanismContractTest, APromiseIsFiniteOrExplained) {
  for (const std::optional<std::size_t> population : {std::optional<std::size_t>(), std::optional<std::size_t>(60)}) {
    const Prepared town(release::busy_town(), population);
    for (const Setting& setting : settings()) {
      SCOPED_TRACE(setting.name + " " + setting.values.front().second);
      const release::Guarantee promise = release::make(setting.name, setting.values)->guarantee(town.subject());
      EXPECT_EQ(promise.epsilon.has_value(), promise.epsilon_with_null.has_value());
      if (promise.epsilon) {
        EXPECT_TRUE(std::isfinite(*promise.epsilon) && *promise.epsilon > 0);
        EXPECT_GE(*promise.epsilon_with_null, *promise.epsilon);
        EXPECT_NE(promise.unit, "none");
      } else {
        EXPECT_GT(promise.note.size(), 20U);
        EXPECT_EQ(promise.unit, "none");
      }
    }
  }
}

// What a mechanism says of its noise, against the noise: at a place where nobody ever is.
TEST(MechanismContractTest, NoiseIsAsLargeAsStated) {
  release::Town town = orderly_town();
  town.rois += 1;
  const std::size_t empty = town.rois - 1;
  const Prepared prepared(town, 40);
  for (const Setting& setting : settings()) {
    SCOPED_TRACE(setting.name + " " + setting.values.front().second);
    const std::optional<release::Noise> stated = release::make(setting.name, setting.values)->noise(prepared.subject());
    if (!stated) continue;
    ASSERT_GT(stated->deviation, 0);
    double squares = 0;
    double distances = 0;
    double n = 0;
    for (std::size_t repeat = 1; repeat <= 400; ++repeat) {
      const CountMatrix counts = draw(setting, setting.values, prepared, 1, repeat);
      for (const double count : counts.series(empty)) {
        squares += count * count;
        distances += std::fabs(count);
        ++n;
      }
    }
    EXPECT_NEAR(std::sqrt(squares / n) / stated->deviation, 1, 0.05);
    EXPECT_NEAR(distances / n / stated->absolute_error, 1, 0.1);
    EXPECT_EQ(stated->scale.has_value(), setting.name == "SCM");
  }
}

// Parameters, places, epochs and the declared population: what is stated of noise must not change with the visits.
TEST(MechanismContractTest, WhatIsStatedOfNoiseIsNotReadOffTheData) {
  release::Town other = release::busy_town();
  other.visits.resize(other.visits.size() / 3);
  other.users = 25;
  std::erase_if(other.visits, [&](const ingest::Visit& visit) { return visit.user >= other.users; });
  for (const std::optional<std::size_t> population : {std::optional<std::size_t>(), std::optional<std::size_t>(60)}) {
    const Prepared here(release::busy_town(), population);
    const Prepared there(other, population);
    for (const Setting& setting : settings()) {
      const auto mechanism = release::make(setting.name, setting.values);
      const std::optional<release::Noise> a = mechanism->noise(here.subject());
      const std::optional<release::Noise> b = mechanism->noise(there.subject());
      ASSERT_EQ(a.has_value(), b.has_value());
      EXPECT_EQ(a ? a->description : "", b ? b->description : "");
      EXPECT_EQ(mechanism->guarantee(here.subject()).epsilon, mechanism->guarantee(there.subject()).epsilon);
    }
  }
}

TEST(MechanismContractTest, PostProcessingHoldsForEveryMechanism) {
  const Prepared town(release::busy_town(), 50);
  for (const Setting& setting : settings()) {
    SCOPED_TRACE(setting.name + " " + setting.values.front().second);
    const CountMatrix noisy = draw(setting, setting.values, town, 1, 1);
    for (const release::PostProcess how : {release::PostProcess::kNonnegative, release::PostProcess::kProjected}) {
      CountMatrix counts = noisy;
      release::post_process(counts, how, 50);
      for (const double count : counts.all()) {
        EXPECT_GE(count, 0);
        EXPECT_EQ(count, std::round(count));
      }
      if (how != release::PostProcess::kProjected) continue;
      for (std::size_t epoch = 0; epoch < counts.epochs(); ++epoch) {
        double before = 0;
        double after = 0;
        for (std::size_t roi = 0; roi + 1 < counts.rois(); ++roi) {
          before += noisy.series(roi)[epoch];
          after += counts.series(roi)[epoch];
        }
        EXPECT_NEAR(after, std::max(0.0, before), 0.5 + 1e-9);
      }
    }
  }
}

// A study's errors are those of the file that would be published, and of the paper's counts only where it says so.
TEST(MechanismContractTest, AStudyMeasuresWhatWouldBePublished) {
  const Prepared town(release::busy_town());
  experiment::Study study;
  const Values values = {{"bound", "1300"}, {"epsilon", "1"}};
  const auto entry = *std::find_if(release::all_mechanisms().begin(), release::all_mechanisms().end(),
                                   [](const release::MechanismEntry* e) { return e->info.name == "SCM"; });
  double errors[2] = {};
  for (const release::PostProcess how : {release::kDefaultPostProcess, release::PostProcess::kPaper}) {
    experiment::Defence defence;
    defence.entry = entry;
    defence.mechanism = release::make("SCM", values);
    defence.stream = "bound=1300,epsilon=1";
    defence.post_process = how;
    study.defences = {defence};
    double& mre = errors[how == release::PostProcess::kPaper ? 1 : 0];
    const auto take = [&](const experiment::ReleaseResult& result) { mre = result.utility.mre; };
    experiment::run(town.data, study, {}, {[](const experiment::Result&) {}, take});
    CountMatrix published =
        defence.mechanism->perturb(town.subject(), *release::evaluation_noise(study.seed, "SCM", defence.stream, 1));
    release::post_process(published, how, town.data.crowd().users);
    EXPECT_EQ(mre, release::measure_utility(town.counts, published).mre);
  }
  EXPECT_GT(errors[0], 10 * errors[1]) << "counts may exceed the number of people, which is not known to the reader";
}

}  // namespace
}  // namespace hearsay
