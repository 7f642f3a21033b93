// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "job/test_document.h"

namespace hearsay::job {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kReleases =
    "[[release]]\nsteps = [\"BOUND(at_most=2,per=day)\", \"LAPLACE(epsilon=1,unit=user)\", \"ROUND(base=2)\"]\n"
    "repeats = 3\nattacks = [\"BAYES\"]\n"
    "[[release]]\npreset = \"ine-spain\"\n"
    "[[release]]\nmechanism = \"SCM\"\nsensitivity = \"event\"\nepsilon = 1\ngoals = [\"audit\"]\n";

class DocumentChainsTest : public DocumentTest {
 protected:
  results::Json chains(const std::vector<std::string>& overrides = {}) {
    const experiment::Study study =
        experiment::parse_study(std::string(results::kStudyText) + kReleases, "tiny.toml", place_.path(), overrides);
    results::write_file(place_.path() + "/events.csv", results::kEvents);
    RunOptions options;
    options.out = out_;
    run_study(study, options);
    document_ = results::Json::parse(results::read_text(out_ + "/report.json"));
    return document_["chains"];
  }
  results::Json document_;
};

const std::vector<std::string> kAudited = {"study.goals=[\"profiling\", \"localization\", \"audit\"]",
                                           "membership.audit_trials=50"};

TEST_F(DocumentChainsTest, HasEveryChainWhateverItWasTriedFor) {
  const results::Json all = chains(kAudited);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(document_["defences"].size(), 2U) << "the last was not tried against errors";

  const results::Json& chain = all[0];
  EXPECT_EQ(chain["release"], "BOUND+LAPLACE+ROUND");
  EXPECT_TRUE(chain["preset"].is_null());
  EXPECT_EQ(chain["steps"], results::Json::parse(R"([{"name": "BOUND", "parameter": "at_most=2,per=day"},
      {"name": "LAPLACE", "parameter": "epsilon=1"}, {"name": "ROUND", "parameter": "base=2"}])"));
  EXPECT_EQ(chain["epsilon"], 1.0);
  EXPECT_EQ(chain["unit"], "a user");
  EXPECT_TRUE(chain["mre_half_width"].is_number() && chain["mae_half_width"].is_number());
  EXPECT_THAT(chain["attacks"], ElementsAre("BAYES"));

  const results::Json& preset = all[1];
  EXPECT_EQ(preset["release"], "ine-spain");
  EXPECT_EQ(preset["preset"]["name"], "ine-spain");
  EXPECT_THAT(preset["preset"]["summary"].get<std::string>(), HasSubstr("Statistics Spain"));
  EXPECT_EQ(preset["steps"], results::Json::parse(R"([{"name": "SUPPRESS", "parameter": "at_most=9"}])"));
  EXPECT_TRUE(preset["epsilon"].is_null());
  EXPECT_TRUE(preset["mre_half_width"].is_null()) << "one draw";
  EXPECT_GT(preset["attacks"].size(), 1U);

  EXPECT_EQ(all[2]["release"], "SCM");
  EXPECT_TRUE(all[2]["responses"].empty());
  EXPECT_TRUE(all[2]["attacks"].empty());
  EXPECT_EQ(document_["membership"]["audit"].size(), 2U) << "of those that promise something";
}

TEST_F(DocumentChainsTest, ResponsesAddUpAndOneOfEachGoalIsTheStrongest) {
  for (const results::Json& chain : chains(kAudited)) {
    for (const char* goal : {"profiling", "localization"}) {
      if (chain["responses"].empty()) continue;
      int strongest = 0;
      int strongest_raw = 0;
      for (const results::Json& one : chain["responses"]) {
        if (one["goal"] != goal) continue;
        const auto number = [&](const char* name) { return one[name].get<double>(); };
        EXPECT_NEAR(number("own"), number("without") - number("with"), 1e-9);
        EXPECT_LE(number("with"), number("before"));
        EXPECT_TRUE(one["own_raw"].is_number());
        EXPECT_EQ(one["own_bound"].is_number(), chain["unit"] == "a user");
        EXPECT_FALSE(one["strategies"].empty());
        strongest += one["strongest"].get<bool>() ? 1 : 0;
        strongest_raw += one["strongest_raw"].get<bool>() ? 1 : 0;
      }
      EXPECT_EQ(strongest, 1);
      EXPECT_EQ(strongest_raw, 1);
    }
  }
}

TEST_F(DocumentChainsTest, WithoutAControlOwnPartsAreNull) {
  std::vector<std::string> overrides = kAudited;
  overrides.emplace_back("study.control=false");
  const results::Json all = chains(overrides);
  ASSERT_EQ(all.size(), 3U);
  ASSERT_FALSE(all[0]["responses"].empty());
  for (const results::Json& one : all[0]["responses"]) {
    EXPECT_TRUE(one["own"].is_null() && one["own_half_width"].is_null() && one["own_raw"].is_null());
  }
}

}  // namespace
}  // namespace hearsay::job
