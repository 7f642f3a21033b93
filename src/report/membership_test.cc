// SPDX-License-Identifier: Apache-2.0
#include "report/membership.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "goal/combination.h"
#include "report/findings.h"

namespace hearsay::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// One line at one group: the AUC of targets in order, the last of which is the most active and the least alone.
struct Tried {
  std::string attack = "LIKELIHOOD";
  std::string target = "trace";
  std::string crowd = "none";
  std::string release = goal::kRaw;
  std::string parameter = {};
  std::string group = "100";
  std::vector<double> aucs = {};
  bool near_all = false;
};

std::vector<double> spread(std::size_t targets, double low, double high) {
  std::vector<double> values(targets);
  for (std::size_t i = 0; i < targets; ++i) {
    values[i] = std::lerp(low, high, static_cast<double>(i) / static_cast<double>(targets - 1));
  }
  return values;
}

class Goals {
 public:
  Goals& add(const Tried& tried) {
    const std::size_t n = tried.aucs.size();
    const auto all = [&](double value) { return std::vector<double>(n, value); };
    const auto above = [&](double least) {
      std::vector<double> is(n);
      for (std::size_t i = 0; i < n; ++i) is[i] = tried.aucs[i] > least ? 1 : 0;
      return is;
    };
    std::vector<double> users(n);
    for (std::size_t i = 0; i < n; ++i) users[i] = static_cast<double>(i);
    const std::vector<std::pair<std::string, std::vector<double>>> columns = {
        {"user", users},
        {"auc", tried.aucs},
        {"auc_low", all(0.80)},
        {"auc_high", all(0.90)},
        {"loss", all(0.5)},
        {"tpr_1", all(0.25)},
        {"tpr_01", all(kNan)},
        {"above_06", above(0.6)},
        {"above_09", above(0.9)},
        {"visits", users},
        {"company", spread(n, 20, 2)},
        {"trials", all(200)},
        {"near_all", all(tried.near_all ? 1 : 0)}};
    take(kMembership, goal::Unit::kTarget,
         {{"attack", tried.attack},
          {"target", tried.target},
          {"crowd", tried.crowd},
          {"release", tried.release},
          {"parameter", tried.parameter},
          {"group", tried.group, true}},
         columns);
    return *this;
  }

  Goals& audit(const std::string& release, const std::string& parameter, double claimed, double found) {
    take(kAudit, goal::Unit::kGroup, {{"release", release}, {"parameter", parameter}, {"hides", "one event"}},
         {{"claimed", {claimed}}, {"found", {found}}, {"trials", {10000}}, {"broken", {found > claimed ? 1.0 : 0.0}}});
    return *this;
  }

  Membership read(std::size_t least_people = 10) const { return read_membership(goals_, least_people); }
  std::vector<std::string> sentences(std::size_t least_people = 10) const {
    return membership_sentences(read(least_people));
  }

 private:
  void take(const char* name, goal::Unit unit, const goal::Key& key,
            const std::vector<std::pair<std::string, std::vector<double>>>& columns) {
    goal::GoalEntry entry;
    entry.info.name = name;
    goal::Measurement measurement{key, unit, {}};
    for (const auto& [column, values] : columns) measurement.numbers.push_back({column, values});
    results::take_measured(goals_, entry, measurement);
  }

  std::vector<results::MeasuredGoal> goals_;
};

TEST(Membership, NothingAskedIsNothingSaid) {
  EXPECT_TRUE(membership_json(Goals().read()).is_null());
  EXPECT_THAT(Goals().sentences(), IsEmpty());
}

TEST(Membership, LinesHavePointsByGroup) {
  const Goals goals = Goals()
                          .add({.group = "100", .aucs = spread(200, 0.5, 0.7)})
                          .add({.group = "9", .aucs = spread(200, 0.9, 1.0)})
                          .add({.crowd = "past", .group = "9", .aucs = spread(200, 0.9, 1.0), .near_all = true});
  const results::Json json = membership_json(goals.read());
  ASSERT_THAT(json["lines"], SizeIs(2));
  const results::Json& line = json["lines"][0];
  EXPECT_EQ(line["knows"], "where the person was");
  EXPECT_EQ(line["knows_of_others"], "nothing of the others");
  EXPECT_EQ(line["raw"], true);
  ASSERT_THAT(line["points"], SizeIs(2));
  EXPECT_EQ(line["points"][0]["group"], 9);
  const results::Json& point = line["points"][1];
  EXPECT_EQ(point["group"], 100);
  EXPECT_EQ(point["targets"], 200);
  EXPECT_EQ(point["trials"], 200);
  EXPECT_NEAR(point["auc"]["p50"].get<double>(), 0.6, 1e-6);
  EXPECT_NEAR(point["auc"]["p05"].get<double>(), 0.51, 1e-6);
  EXPECT_NEAR(point["half_width"].get<double>(), 0.05, 1e-6);
  EXPECT_EQ(point["tpr_1"], 0.25);
  EXPECT_TRUE(point["tpr_01"].is_null()) << "too few trials to tell";
  EXPECT_EQ(point["above_06"], 0.5);
  EXPECT_EQ(point["above_09"], 0);
  EXPECT_EQ(point["near_all"], false);
  EXPECT_EQ(json["lines"][1]["points"][0]["near_all"], true);
  EXPECT_THAT(json["audit"], IsEmpty());
}

TEST(Membership, WhatRestsOnFewTargetsIsHeldBack) {
  const auto point = [](std::size_t targets, std::size_t least) {
    return membership_json(Goals().add({.aucs = spread(targets, 0.5, 1)}).read(least))["lines"][0]["points"][0];
  };
  const results::Json some = point(39, 10);
  EXPECT_TRUE(some["auc"]["p25"].is_null()) << "nine people below it";
  EXPECT_TRUE(some["auc"]["p50"].is_number());
  EXPECT_TRUE(point(40, 10)["auc"]["p25"].is_number());
  const results::Json few = point(19, 10);
  EXPECT_TRUE(few["auc"]["p50"].is_null());
  EXPECT_TRUE(few["auc"]["mean"].is_number());
  const results::Json nine = point(9, 10);
  for (const char* name : {"loss", "tpr_1", "above_06", "half_width"}) EXPECT_TRUE(nine[name].is_null()) << name;
  EXPECT_TRUE(nine["auc"]["mean"].is_null());
  EXPECT_TRUE(point(9, 1)["auc"]["p05"].is_number()) << "1 holds nothing back";
}

TEST(Membership, TheAnswerIsTheStrongestOfTheLargestHonestGroup) {
  const Goals goals =
      Goals()
          .add({.group = "10", .aucs = spread(40, 0.99, 0.99)})
          .add({.target = "habits(prior=ROI_DAY_WEEK)", .aucs = spread(40, 0.61, 0.61)})
          .add({.target = "habits(prior=ROI_DAY_WEEK)", .crowd = "past", .aucs = spread(40, 0.612, 0.612)})
          .add({.crowd = "sample(share=0.2)", .aucs = spread(40, 0.952, 0.952)})
          .add({.aucs = spread(40, 0.948, 0.948)})
          .add({.release = "SCM", .aucs = spread(40, 1, 1)})
          .add({.group = "300", .aucs = spread(40, 1, 1), .near_all = true});
  const Membership membership = goals.read();
  const std::optional<MembershipChoice> choice = membership.choice();
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->group, 100U);
  EXPECT_EQ(membership.lines[choice->line].crowd, "none") << "as strong to two decimals, and knows less";
  EXPECT_EQ(goals.sentences().front(),
            "Were you counted: somebody who knows where a person was and nothing of the others can tell from the "
            "counts of a group of 100 people whether that person is among them. Of two groups, one with the person and "
            "one without, she picks the right one with a probability (AUC) of 0.94 or more for half of the 40 people "
            "tried (LIKELIHOOD); 0.5 is a blind guess. The groups were drawn at random from the people in the data, "
            "200 with and as many without each person.");
  EXPECT_EQ(goals.sentences()[1],
            "Counted, to whom else: in groups of 100 the median AUC is 0.61 knowing how often the person was where at "
            "each time of the week and nothing of the others.");
}

TEST(Membership, WordsDoNotOverclaim) {
  const auto first = [](double auc, std::size_t targets, bool near_all = false) {
    return Goals().add({.aucs = spread(targets, auc, auc), .near_all = near_all}).sentences().front();
  };
  EXPECT_THAT(first(0.9996, 40), HasSubstr("of 0.999 or more for half of the 40"));
  EXPECT_THAT(first(1, 40), HasSubstr("of 1 for at least half of the 40"));
  EXPECT_THAT(first(0.7, 40), HasSubstr("can tell better than by guessing from"));
  EXPECT_THAT(first(0.52, 40), HasSubstr("can tell hardly better than by guessing, if at all, from"));
  EXPECT_THAT(first(0.9996, 15), HasSubstr("of above 0.999 on average over the 15 people tried"));
  EXPECT_THAT(first(1, 40), Not(HasSubstr("overstated")));
  EXPECT_THAT(first(1, 40, true), HasSubstr("the AUC is overstated"));
  EXPECT_THAT(first(1, 9), HasSubstr("fewer than 10 people, too few to tell of"));
}

TEST(Membership, DefencesAreComparedByTheSameKnowledge) {
  Goals goals;
  goals.add({.aucs = spread(40, 1, 1)})
      .add({.attack = "LINEAR", .release = "SCM", .parameter = "epsilon=0.1", .aucs = spread(40, 0.92, 0.92)})
      .add({.release = "SCM", .parameter = "epsilon=0.1", .aucs = spread(40, 0.83, 0.83)})
      .add({.crowd = "past", .release = "SCM", .parameter = "epsilon=0.1", .aucs = spread(40, 0.99, 0.99)})
      .add({.release = "SUPPRESS", .aucs = spread(40, 0.97, 0.97)});
  EXPECT_EQ(goals.sentences().back(),
            "Counted, defended: with the same knowledge and groups of 100, the median AUC of 1 becomes 0.92 with SCM "
            "epsilon=0.1, 0.97 with SUPPRESS.");
  for (const char* more : {"A", "B", "C", "D"}) goals.add({.release = more, .aucs = spread(40, 0.98, 0.98)});
  EXPECT_THAT(goals.sentences().back(), HasSubstr("becomes 0.92 with SCM epsilon=0.1 at the least and 0.98 with A at "
                                                  "the most, of 6 releases tried."));
}

TEST(Membership, AuditsStandClaimedBesideFound) {
  Goals goals;
  goals.audit("SCM", "epsilon=1", 1, 0.83);
  EXPECT_THAT(goals.sentences(), ElementsAre("Audit: SCM epsilon=1 claims epsilon 1 for one event; at least 0.83 was "
                                             "found, no more than it claims. That proves nothing beyond the attack "
                                             "tried."));
  goals.audit("SCM", "epsilon=2", 2, 1);
  EXPECT_THAT(goals.sentences().front(), HasSubstr("none of the 2 promises tried was found broken. The one that came "
                                                   "closest: SCM epsilon=1 claims epsilon 1"));
  goals.audit("FPA", "epsilon=1", 1, 1.7);
  EXPECT_THAT(goals.sentences().front(),
              HasSubstr("Audit: 1 of the 3 promises tried is broken, each at 95% confidence. FPA epsilon=1 claims "
                        "epsilon 1 for one event; at least 1.7 was found."));
  const results::Json json = membership_json(goals.read());
  EXPECT_THAT(json["lines"], IsEmpty());
  EXPECT_THAT(json["exposure"], IsEmpty());
  ASSERT_THAT(json["audit"], SizeIs(3));
  EXPECT_EQ(json["audit"][2]["claimed"], 1);
  EXPECT_EQ(json["audit"][2]["found"], 1.7);
  EXPECT_EQ(json["audit"][2]["trials"], 10000);
  EXPECT_EQ(json["audit"][2]["broken"], true);
  EXPECT_EQ(json["audit"][0]["broken"], false);
}

TEST(Membership, ExposureIsByThirds) {
  const results::Json all = membership_json(Goals()
                                                .add({.target = "habits", .aucs = spread(90, 0.50, 0.60)})
                                                .add({.aucs = spread(90, 0.50, 0.95)})
                                                .add({.release = "SCM", .aucs = spread(90, 0.50, 0.60)})
                                                .read())["exposure"];
  ASSERT_THAT(all, SizeIs(2)) << "the strongest, then the others on the same counts";
  EXPECT_EQ(all[1]["line"], 0);
  const results::Json& json = all[0];
  EXPECT_EQ(json["line"], 1);
  EXPECT_EQ(json["group"], 100);
  ASSERT_THAT(json["by"], SizeIs(2));
  const results::Json& activity = json["by"][0];
  EXPECT_EQ(activity["title"], "activity");
  ASSERT_THAT(activity["groups"], SizeIs(3));
  EXPECT_TRUE(activity["groups"][0]["from"].is_null()) << "one person's own number";
  EXPECT_EQ(activity["groups"][0]["to"], 29);
  EXPECT_EQ(activity["groups"][1]["from"], 30);
  EXPECT_EQ(activity["groups"][1]["targets"], 30);
  EXPECT_LT(activity["groups"][0]["auc"], 0.65);
  EXPECT_GT(activity["groups"][2]["auc"], 0.80);
  // The most active are the least among others.
  EXPECT_GT(json["by"][1]["groups"][0]["auc"], 0.80);
  // A third has twice the least number of people, so that its median can be told.
  EXPECT_THAT(membership_json(Goals().add({.aucs = spread(59, 0.5, 0.9)}).read())["exposure"][0]["by"][0]["groups"],
              SizeIs(2));
  EXPECT_THAT(membership_json(Goals().add({.aucs = spread(39, 0.5, 0.9)}).read())["exposure"][0]["by"], IsEmpty());
}

TEST(Membership, KnowledgeHasWords) {
  EXPECT_EQ(target_words("trace(share=0.1)"), "where the person was in 10% of the hours out");
  EXPECT_EQ(target_words("trace(hours=7-9+17)"), "where the person was at hours 7-9 and 17 of the day");
  EXPECT_EQ(target_words("trace(share=0.5,hours=8)"),
            "where the person was in 50% of the hours out, at hours 8 of the day");
  EXPECT_EQ(target_words("habits"), "how often the person was where at each time of the week");
  EXPECT_EQ(target_words("habits(prior=ROI_DAY)"), "how often the person was where at each time of day");
  EXPECT_EQ(target_words("habits(prior=FREQ_ROI)"), "how often the person visited each place, not when");
  EXPECT_EQ(target_words("habits(prior=MINE)"), "the person's habits (MINE)");
  EXPECT_EQ(target_words("a secret"), "a secret");
  EXPECT_EQ(crowd_words("sample(share=0.2)"), "where 20% of the others were");
  EXPECT_EQ(crowd_words("sample"), "where 20% of the others were");
  EXPECT_EQ(crowd_words("past"), "earlier counts");
  EXPECT_EQ(crowd_words("a friend"), "a friend");
}

TEST(Membership, SentencesAreAnAnswerOfTheirOwn) {
  Details details;
  details.membership = {"Were you counted: yes."};
  EXPECT_THAT(findings({}, {}, {}, details), ElementsAre("Were you counted: yes."));
}

// After what the errors say, before the paper's measure of them.
TEST(Membership, SentencesFollowTheFirstAnswer) {
  std::vector<results::SummaryRow> summary(2);
  summary[0].combination = {"profiling", "FREQ_ROI", "PRIOR", "", goal::kRaw, "", 0, ""};
  summary[0].combination.uses_release = false;
  summary[0].error.mean = 0.4;
  summary[1].combination = {"profiling", "FREQ_ROI", "BAYES", "", goal::kRaw, "", 0, "PRIOR"};
  summary[1].error.mean = 0.2;
  summary[1].loss_mean = 0.5;
  summary[1].improved = 0.75;
  Details details;
  details.membership = {"Were you counted: yes."};
  EXPECT_THAT(findings(summary, {}, {}, details), ElementsAre(StartsWith("What leaks: "), StartsWith("To whom: "),
                                                              "Were you counted: yes.", StartsWith("By the paper's")));
}

}  // namespace
}  // namespace hearsay::report
