// SPDX-License-Identifier: Apache-2.0
#include "report/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/errors.h"
#include "ingest/database.h"
#include "report/page.h"
#include "report/run_study.h"
#include "report/test_data.h"

namespace hearsay::report {
namespace {

using testing::HasSubstr;
using testing::Not;

class DocumentTest : public testing::Test {
 protected:
  Json run(const std::vector<std::string>& overrides = {}, const std::string& events = kEvents) {
    const experiment::Study study = tiny_study(place_.path(), overrides);
    write_file(place_.path() + "/events.csv", events);
    RunOptions options;
    options.out = out_;
    options.study_name = "tiny.toml";
    run_study(study, options);
    return Json::parse(read_text(out_ + "/report.json"));
  }
  TemporaryFolder place_{"", "hearsay-test-"};
  std::string out_ = place_.path() + "/out";
};

TEST_F(DocumentTest, HasEverythingThePageNeeds) {
  const Json document = run();
  EXPECT_EQ(document["schema"], kDocumentSchema);
  EXPECT_EQ(document["title"], "tiny");
  EXPECT_EQ(document["dataset"]["users"], 4);
  EXPECT_EQ(document["dataset"]["timezone"], "Europe/London");
  EXPECT_EQ(document["inputs"][0]["name"], "events.csv");
  EXPECT_EQ(document["hours"]["times"].size(), 2U);
  EXPECT_EQ(document["hours"]["times"][0], "2024-01-02 00:00:00");
  EXPECT_EQ(document["rois"]["places"].size(), 3U);
  EXPECT_TRUE(document["paper"].is_null());
  EXPECT_TRUE(document["who"]["exposed"]["ids"].is_null());
  EXPECT_EQ(document["entries"]["priors"].size(), prior::all_priors().size());
  // Every combination has one curve, of as many points as there are users, rising.
  EXPECT_EQ(document["cdf"]["probabilities"].size(), 4U);
  for (const Json& curve : document["cdf"]["curves"]) {
    ASSERT_EQ(curve["errors"].size(), 4U);
    EXPECT_TRUE(std::is_sorted(curve["errors"].begin(), curve["errors"].end()));
  }
}

TEST_F(DocumentTest, SummaryIsThatOfTheFile) {
  const Json document = run();
  ingest::Database database({});
  ingest::Result rows = database.execute("SELECT count(*), sum(loss_mean) FROM read_csv($1)", {out_ + "/summary.csv"});
  ASSERT_TRUE(rows.next());
  double loss = 0;
  for (const Json& row : document["summary"]) loss += row["loss_mean"].is_null() ? 0 : row["loss_mean"].get<double>();
  EXPECT_EQ(rows.integer(0, 0), static_cast<std::int64_t>(document["summary"].size()));
  EXPECT_NEAR(rows.number(1, 0), loss, 1e-9);
}

TEST_F(DocumentTest, LossByPlaceComparesErrorsWhereTheTruthIs) {
  run({"study.priors=FREQ_ROI"});
  ingest::Database database({});
  // d is in z in the second inferred hour and nobody else ever: FREQ_ROI says null, so its error there is 1.
  ingest::Result rows = database.execute(
      "SELECT error, visits::BIGINT FROM read_csv($1) WHERE roi = 'z' AND attack = 'PRIOR'", {out_ + "/rois.csv"});
  ASSERT_TRUE(rows.next());
  EXPECT_NEAR(rows.number(0, 0), 1, 1e-9);
  EXPECT_EQ(rows.integer(1, 0), 1);
}

TEST_F(DocumentTest, UsersAreNamedOnlyIfTheStudySaysSo) {
  const Json hidden = run();
  EXPECT_THAT(hidden.dump(), Not(HasSubstr("\"ids\":[")));
  const Json shown = run({"results.show_users=true"});
  ASSERT_TRUE(shown["who"]["exposed"]["ids"].is_array());
  EXPECT_EQ(shown["who"]["exposed"]["ids"].size(), shown["who"]["exposed"]["users"].get<std::size_t>());
}

TEST_F(DocumentTest, DefencesCarryTheirGuarantees) {
  const experiment::Study study = experiment::parse_study(
      std::string(kStudyText) + "[[release]]\nmechanism = \"SCM\"\nsensitivity = \"event\"\nepsilon = 1\nrepeats = 3\n",
      "tiny.toml", place_.path(), {});
  write_file(place_.path() + "/events.csv", kEvents);
  RunOptions options;
  options.out = out_;
  run_study(study, options);
  const Json document = Json::parse(read_text(out_ + "/report.json"));
  ASSERT_EQ(document["defences"].size(), 1U);
  const Json& defence = document["defences"][0];
  EXPECT_EQ(defence["epsilon"], 1.0);
  EXPECT_EQ(defence["epsilon_with_null"], 2.0);
  EXPECT_EQ(defence["unit"], "one event");
  EXPECT_EQ(defence["repeats"], 3);
  EXPECT_TRUE(defence["mre_half_width"].is_number());
  EXPECT_FALSE(defence["adversaries"].empty());
}

TEST_F(DocumentTest, NoTextOfTheDataCanEndItsElement) {
  std::string events = kEvents;
  events += "e,</script><img src=x onerror=alert(1)>,2024-01-02 00:00:00\n";
  run({}, events);
  const std::string page = read_text(out_ + "/report.html");
  EXPECT_THAT(page, Not(HasSubstr("</script><img")));
  EXPECT_THAT(page, HasSubstr("\\u003c/script\\u003e\\u003cimg src=x"));
}

TEST_F(DocumentTest, ThePageCanBeMadeAnew) {
  run();
  const std::string page = read_text(out_ + "/report.html");
  std::filesystem::remove(out_ + "/report.html");
  EXPECT_EQ(write_page(out_), out_ + "/report.html");
  EXPECT_EQ(read_text(out_ + "/report.html"), page);
  write_file(out_ + "/report.json", "{}");
  EXPECT_THROW(write_page(out_), InputError);
  EXPECT_THROW(write_page(place_.path()), InputError);
}

}  // namespace
}  // namespace hearsay::report
