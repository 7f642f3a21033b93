// SPDX-License-Identifier: Apache-2.0
//
// What other versions of the program wrote, or may write: it is opened, or refused with what to do. tests/versions has
// the files.
#include <regex>

#include "cli_fixture.h"

namespace hearsay {
namespace {

using testing::ContainsRegex;

class VersionsTest : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    fs::copy(fs::path(HEARSAY_SOURCE_DIR) / "tests/versions", folder_ / "versions", fs::copy_options::recursive);
  }

  // A table of a study of tests/versions, which stays where it is: its data is named from there.
  Ran run_study(const std::string& file, const std::string& more = "") const {
    return hearsay(fmt::format("study '{}/tests/versions/{}' --quiet --out '{}' {}", HEARSAY_SOURCE_DIR, file,
                               (folder_ / "out").string(), more));
  }
};

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_F(VersionsTest, TheProgramSaysWhatItIs) {
  const std::string printed = hearsay("--version").out;
  EXPECT_TRUE(std::regex_search(printed, std::regex("^hearsay [0-9]+\\.[0-9]+\\.[0-9]+\n"))) << printed;
  for (const char* fact : {"\ncompiler +(GNU|Clang) [0-9]", "\nbuild +Rel", "\nsystem +Linux ", "\nDuckDB +v[0-9]+\\.",
                           "\nOpenSSL +[0-9]+\\.", "\nBoost +1\\.", "\nstudy schema +1\n", "\nresults schema +1\n",
                           "\nreport schema +4\n", "\nledger schema +2\n"}) {
    EXPECT_THAT(printed, ContainsRegex(fact));
  }
  // Where there is no git, or it does not trust who owns the folder, nothing is said of a commit.
  const std::string ask = fmt::format("test -e '{0}/.git' && git -C '{0}' rev-parse HEAD >'{1}' 2>/dev/null",
                                      HEARSAY_SOURCE_DIR, (folder_ / "head").string());
  const bool known = std::system(ask.c_str()) == 0;
  EXPECT_EQ(known, std::regex_search(printed, std::regex("\ncommit +[0-9a-f]{12}(, changed since)?\n"))) << printed;
}

#ifdef HEARSAY_NO_DUCKDB
// A database takes threads and memory, and what only prints needs none.
TEST_F(VersionsTest, WhatOnlyPrintsOpensNoDatabase) {
  ASSERT_EQ(setenv("LD_PRELOAD", HEARSAY_NO_DUCKDB, 1), 0);
  for (const char* command : {"--help", "--version", "list", "explain SCM", "study --help"}) {
    EXPECT_EQ(hearsay(command).code, 0) << command;
  }
  const Ran described = hearsay(fmt::format("describe '{}/examples/small/study.toml'", HEARSAY_SOURCE_DIR));
  unsetenv("LD_PRELOAD");
  EXPECT_NE(described.code, 0) << "what opens one is not ended, so that the rest proves nothing";
}
#endif

TEST_F(VersionsTest, StudiesOfANewerSchemaAreRefused) {
  expect_refusal("study versions/newer/study.toml", "newer/study.toml:1: schema = 2: this is hearsay 0.");
  expect_refusal("study versions/newer/study.toml", "reads studies up to schema 1: upgrade hearsay");
  expect_refusal("describe versions/newer/study.toml", "upgrade hearsay");
  expect_refusal("study versions/garbage/study.toml", "garbage/study.toml:1: schema = 'the first': must be a whole");
  expect_refusal("study versions/garbage/study.toml --set schema=0", "--set: schema = 0: must be 1 or more");
  expect_refusal("study versions/garbage/study.toml --set schema=1.5", "schema = 1.5: must be a whole");
}

TEST_F(VersionsTest, OldSpellingsAreReadAndSaidOnceWithTheNewOnes) {
  const Ran old = run_study("older/study.toml");
  ASSERT_EQ(old.code, 0) << old.err;
  EXPECT_EQ(times(old.err, "\n"), 2U) << old.err;
  EXPECT_THAT(old.err, ContainsRegex("hearsay: warning: .*older/study.toml:21: study.delta is an old spelling, read "
                                     "until hearsay 1.0: write study.decisions = \\[\"ALL\", \"POP\\(delta=0.3\\)\", "
                                     "\"BEST\", \"COMMIT\"\\]\n"));
  EXPECT_EQ(times(old.err, "post_process = false is an old spelling, read until hearsay 1.0: write \"none\"\n"), 1U);
  const std::string before = read_text(folder_ / "out/summary.csv");
  EXPECT_THAT(read_text(folder_ / "out/manifest.json"), HasSubstr("\"toml\": \"schema = 1\\n"));

  const Ran today = run_study("today.toml");
  ASSERT_EQ(today.code, 0) << today.err;
  EXPECT_EQ(today.err, "");
  const std::string after = read_text(folder_ / "out/summary.csv");
  EXPECT_THAT(after, HasSubstr("ROI_DAY_WEEK,BAYES,POP(delta=0.3),RAW,")) << "the name of the new spelling in results";
  EXPECT_EQ(std::regex_replace(after, std::regex("POP\\(delta=0.3\\)"), "POP"), before);

  const Ran usual = run_study("older/study.toml", "--set study.delta=0.5");
  ASSERT_EQ(usual.code, 0) << usual.err;
  EXPECT_NE(read_text(folder_ / "out/summary.csv"), before) << "delta has no effect here, so that nothing was compared";
}

TEST_F(VersionsTest, ADefaultSpeltOutIsToBeLeftOut) {
  const Ran ran = run_study("today.toml", "--set study.delta=0.5");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(
      ran.err,
      "hearsay: warning: --set: study.delta is an old spelling, read until hearsay 1.0: leave it out, since it is "
      "the default\n");
}

TEST_F(VersionsTest, ReportsOfOtherVersionsAreRefused) {
  expect_refusal(
      "report versions/older",
      "versions/older/report.json: a report document of version 3, made by hearsay 0.1.0; this is hearsay 0.");
  expect_refusal("report versions/older", "which reads version 4: run the study again");
  expect_refusal("report versions/newer", "a report document of version 5, made by hearsay 0.9.0; this is hearsay 0.");
  expect_refusal("report versions/newer", "which reads version 4: upgrade hearsay");
  expect_refusal("report versions/garbage", "not a report document: it has no number of its version");
  for (const char* folder : {"older", "newer", "garbage"}) {
    EXPECT_FALSE(fs::exists(folder_ / "versions" / folder / "report.html")) << folder;
  }
}

TEST_F(VersionsTest, LedgersOfOtherVersionsAreRefused) {
  expect_refusal("ledger --ledger versions/older", "a ledger of version 1; this is hearsay 0.");
  expect_refusal("ledger --ledger versions/older", "less what those releases spent");
  expect_refusal("ledger --ledger versions/newer", "which reads version 2: upgrade hearsay");
  expect_refusal("ledger --ledger versions/garbage", "not a ledger: it has no number of its version");
}

}  // namespace
}  // namespace hearsay
