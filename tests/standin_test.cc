// SPDX-License-Identifier: Apache-2.0
//
// The synthetic commuters: like the paper's Transport for London data in its statistics, which they were calibrated to,
// and in the order of its results, which they were not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>

#include "base/temporary_folder.h"
#include "dataset/statistics.h"
#include "engine/loading.h"
#include "experiment/study.h"
#include "generate/commuters.h"
#include "goal/inference.h"
#include "results/people_figures.h"

namespace hearsay {
namespace {

struct Study {
  TemporaryFolder folder{"", "hearsay-test-"};
  experiment::Study study;
  std::unique_ptr<engine::Loaded> loaded;
  std::map<std::string, results::SummaryRow> rows;    // by "prior attack", profiling on the raw release
  std::map<std::string, std::vector<double>> hourly;  // mean error by epoch

  Study() {
    generate::CommuterOptions options;
    options.threads = 2;
    generate::generate_commuters(options, folder.path() + "/trips.parquet");
    std::filesystem::copy_file(HEARSAY_SOURCE_DIR "/examples/demo/study.toml", folder.path() + "/study.toml");
    study = experiment::load_study(folder.path() + "/study.toml", {"study.goals=profiling"});
    study.defences.clear();
    StageClock clock;
    engine::LoadOptions load;
    load.threads = 2;
    loaded = std::make_unique<engine::Loaded>(engine::load(study, load, folder.path(), clock));
    goal::infer(study.ground(loaded->dataset, {.threads = 2}), [&](const goal::Result& result) {
      if (!result.combination.decision.empty()) return;  // not the paper's
      const std::string key = result.combination.prior + " " + result.combination.attack;
      const goal::Measurement users = {{},
                                       goal::Unit::kUser,
                                       {{"error", result.with.users, result.with.sorted},
                                        {"loss", result.losses},
                                        {"loss_signed", result.plain_losses}}};
      rows[key] = results::figures_of(result.combination, users, {}, {}).row;
      hourly[key] = {result.with.epochs.begin(), result.with.epochs.end()};
    });
  }
  double error(const std::string& key) const { return rows.at(key).error.mean; }
};

const Study& study() {
  static const Study kShared;
  return kShared;
}

void expect_near(const dataset::Spread& reached, double mean, double deviation, const char* what) {
  EXPECT_NEAR(reached.mean / mean, 1, 0.05) << what;
  EXPECT_NEAR(reached.deviation / deviation, 1, 0.20) << what;
}

TEST(StandInTest, HasTheStatisticsOfThePapersData) {
  const dataset::Statistics reached = dataset::describe(study().loaded->dataset);
  EXPECT_EQ(reached.users, 10000U);
  EXPECT_EQ(reached.rois, 582U);
  expect_near(reached.reports_per_user, 171, 26, "visits");
  expect_near(reached.rois_per_user, 19, 9, "unique ROIs");
  expect_near(reached.active_epochs_per_user, 115, 21, "active epochs");
  expect_near(reached.reports_per_roi, 818, 1361, "station reports");
  expect_near(reached.active_epochs_per_roi, 71, 54, "active hours");
}

TEST(StandInTest, PriorsKeepThePapersOrder) {
  const double frequent = study().error("FREQ_ROI PRIOR");
  EXPECT_LT(study().error("ROI_DAY_WEEK PRIOR"), frequent);
  EXPECT_LT(study().error("LAST_WEEK PRIOR"), frequent);
  EXPECT_LT(frequent, study().error("TIME_DAY PRIOR"));
}

TEST(StandInTest, EveryAttackHelpsAgainstMostPeople) {
  for (const char* attack : {"BAYES", "MAX_ROI", "MAX_USER"}) {
    EXPECT_GT(study().rows.at(fmt::format("FREQ_ROI {}", attack)).improved.value(), 0.5) << attack;
  }
}

// Share of the prior's error that an attack removed, over the chosen hours of the inference week.
double loss_over(const std::string& attack, const std::function<bool(int day, int hour)>& chosen) {
  const std::vector<double>& before = study().hourly.at("ROI_DAY PRIOR");
  const std::vector<double>& after = study().hourly.at("ROI_DAY " + attack);
  double sum_before = 0;
  double sum_after = 0;
  for (std::size_t epoch = 0; epoch < before.size(); ++epoch) {
    if (!chosen(static_cast<int>(epoch / 24), static_cast<int>(epoch % 24))) continue;
    sum_before += before[epoch];
    sum_after += after[epoch];
  }
  return 1 - sum_after / sum_before;
}

TEST(StandInTest, RegularHoursAreBetterProtected) {
  for (const char* attack : {"BAYES", "MAX_USER"}) {
    const double morning = loss_over(attack, [](int day, int hour) { return day < 5 && hour >= 7 && hour < 9; });
    const double midday = loss_over(attack, [](int day, int hour) { return day < 5 && hour >= 11 && hour < 15; });
    const double weekend = loss_over(attack, [](int day, int) { return day >= 5; });
    EXPECT_GT(midday, morning) << attack;
    EXPECT_GT(weekend, morning) << attack;
  }
}

}  // namespace
}  // namespace hearsay
