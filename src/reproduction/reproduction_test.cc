// SPDX-License-Identifier: Apache-2.0
#include "reproduction/reproduction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "base/text_table.h"

namespace hearsay::reproduction {
namespace {

using testing::HasSubstr;

TEST(PaperFigures, AreBuiltIn) {
  const std::vector<report::Figure> figures = report::paper_figures();
  EXPECT_EQ(figures.size(), 91U);
  EXPECT_EQ(figures.front().prior, "FREQ_ROI");
  EXPECT_EQ(figures.front().value, 0.65);
  const auto quoted =
      std::find_if(figures.begin(), figures.end(), [](const report::Figure& f) { return f.release == "FPA"; });
  EXPECT_EQ(quoted->parameter, "k=20,epsilon=0.001");
  EXPECT_EQ(quoted->prior, "");
}

TEST(PaperFigures, StatisticsAreBuiltIn) {
  const std::vector<report::PaperStatistic> statistics = report::paper_statistics();
  ASSERT_EQ(statistics.size(), 7U);
  EXPECT_EQ(statistics[1].paper_deviation, 1116);
  EXPECT_FALSE(statistics[0].paper_deviation);
}

TEST(Reproduction, StudyIsThePapers) {
  const experiment::Study study = san_francisco_study("somewhere");
  EXPECT_EQ(study.data.name, "SFC");
  EXPECT_EQ(study.data.period.epochs, 504U);
  EXPECT_EQ(study.data.observe, 336U);
  EXPECT_EQ(study.adversary.metric.log_base, std::numbers::e);
  ASSERT_EQ(study.adversary.priors.size(), 8U);
  EXPECT_EQ(study.adversary.priors.back()->info.name, "LAST_HOUR");
  for (const attack::AttackEntry* entry : study.adversary.attacks) {
    EXPECT_TRUE(entry->info.is_paper() || entry->info.name == "NOWHERE") << entry->info.name;
  }
  EXPECT_EQ(study.adversary.attacks.size(), 6U);
  EXPECT_EQ(study.adversary.decisions.size(), 3U);
  EXPECT_EQ(study.as_run.find("somewhere"), std::string::npos);
}

results::SummaryRow row_of(goal::Combination combination, double error, std::optional<double> loss = std::nullopt) {
  results::SummaryRow row;
  row.dataset = "SFC";
  row.combination = std::move(combination);
  row.error.mean = error;
  row.loss_mean = loss;
  return row;
}

TEST(Reproduction, ComparesWithTheRowOfTheSameBaseline) {
  const std::vector<results::SummaryRow> summary = {
      row_of({"profiling", "LAST_WEEK", "PRIOR", "", "RAW", "", 0, ""}, 0.6),
      row_of({"localization", "FREQ_ROI", "MAX_ROI", "ASSIGNED", "RAW", "", 0, "PRIOR/POP"}, 0.5, 0.3),
      row_of({"localization", "FREQ_ROI", "MAX_ROI", "ASSIGNED", "RAW", "", 0, "PRIOR/ALL"}, 0.5, 0.09)};
  const Reproduction reproduction = compare_with_paper("SFC", summary, {}, {});
  ASSERT_EQ(reproduction.figures.size(), 2U);
  EXPECT_EQ(reproduction.not_run, 67U - 2);
  EXPECT_NEAR(reproduction.figures[0].difference, -0.07, 1e-12);
  EXPECT_TRUE(reproduction.figures[0].known);
  EXPECT_FALSE(reproduction.figures[0].close());
  EXPECT_EQ(reproduction.figures[1].here, 0.09);
  EXPECT_TRUE(reproduction.figures[1].close());
  EXPECT_FALSE(reproduction.figures[1].known);
  EXPECT_THAT(reproduction_text(reproduction), HasSubstr("known"));
  EXPECT_THAT(reproduction_markdown(reproduction), HasSubstr("| profiling | LAST_WEEK | PRIOR |"));
}

TEST(TextTable, AlignsColumns) {
  TextTable table({{"name"}, {"n", true}});
  table.add({"a", "10"});
  table.add({"longer", "2"});
  EXPECT_EQ(table.aligned(), "name     n\n------  --\na       10\nlonger   2\n");
  EXPECT_EQ(table.markdown(), "| name | n |\n|---|---:|\n| a | 10 |\n| longer | 2 |\n");
}

TEST(TextTable, NumbersAreReadable) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1234567), "1,234,567");
  EXPECT_EQ(readable_bytes(12), "12 B");
  EXPECT_EQ(readable_bytes(1536), "1.5 KiB");
}

}  // namespace
}  // namespace hearsay::reproduction
