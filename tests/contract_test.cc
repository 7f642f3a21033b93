// SPDX-License-Identifier: Apache-2.0
//
// What every registered prior, attack and mechanism promises, checked over all of them, a new one included.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

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
    experiment::run(town.data, study, 1, {}, {[](const experiment::Result&) {}, take});
    CountMatrix published =
        defence.mechanism->perturb(town.subject(), *release::evaluation_noise(study.seed, "SCM", defence.stream, 1));
    release::post_process(published, how, town.data.crowd().users);
    EXPECT_EQ(mre, release::measure_utility(town.counts, published).mre);
  }
  EXPECT_GT(errors[0], 10 * errors[1]) << "counts may exceed the number of people, which is not known to the reader";
}

}  // namespace
}  // namespace hearsay
