// SPDX-License-Identifier: Apache-2.0
#include "experiment/release_command.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace hearsay::experiment {
namespace {

TEST(ReleaseCommandTest, ItsBudgetIsNoLessThanWhatTheReleaseSpends) {
  const Study study = parse_study(
      "[data]\npath = \"trips.csv\"\n[period]\nstart = 2010-03-01\nlength = \"4 weeks\"\nobserve = \"3 weeks\"\n"
      "[rois]\nkind = \"grid\"\nsouth = 0\nnorth = 1\nwest = 0\neast = 1\nrows = 2\ncols = 2\n",
      "", "", {});
  const std::string flag = "--budget ";
  for (const double epsilon : {1.0, 0.1, 1.0 / 3, 2.0000004999, 12345678.9, 1e-9 / 7}) {
    release::Guarantee guarantee;
    guarantee.epsilon = epsilon;
    const std::string line = release_command("study.toml", study, {}, guarantee).line;
    const std::size_t at = line.find(flag);
    ASSERT_NE(at, std::string::npos) << line;
    EXPECT_EQ(std::strtod(line.c_str() + at + flag.size(), nullptr), epsilon) << line;
  }
}

TEST(ReleaseCommandTest, NamesNoPostProcessingThatIsRefused) {
  const auto command = [](release::PostProcess how) {
    goal::Defence defence;
    defence.post_process = how;
    return release_command("study.toml", Study(), defence, {});
  };
  EXPECT_EQ(command(release::PostProcess::kPaper).line, command(release::kDefaultPostProcess).line);
  EXPECT_NE(command(release::PostProcess::kPaper).notes, command(release::kDefaultPostProcess).notes);
  EXPECT_NE(command(release::PostProcess::kNone).line.find(" --post-process none"), std::string::npos);
}

}  // namespace
}  // namespace hearsay::experiment
