// SPDX-License-Identifier: Apache-2.0
#include "report/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace hearsay::report {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Row {
  std::string goal = "profiling";
  std::string attack = {};
  std::string decision = {};
  std::string release = goal::kRaw;
  std::string baseline = {};
  double error = 0;
  double change = 0;               // mean loss or gain
  std::optional<double> own = {};  // what being counted costs; none without a control
  double counted = 0.5;
  std::string prior = "FREQ_ROI";
  bool paper = true;
};

std::vector<results::SummaryRow> summary_of(const std::vector<Row>& rows) {
  std::vector<results::SummaryRow> summary;
  for (const Row& row : rows) {
    results::SummaryRow& made = summary.emplace_back();
    made.combination = {row.goal, row.prior, row.attack, row.decision, row.release, "", 0, row.baseline};
    made.combination.uses_release = row.attack != "PRIOR" && row.attack != "NOWHERE";
    made.combination.uses_prior = row.attack != "NOWHERE";
    made.combination.paper = row.paper;
    made.error.mean = row.error;
    if (row.baseline.starts_with("PRIOR")) made.loss_mean = row.change;
    if (row.baseline == goal::kRaw) {
      made.combination.repeat = 1;
      made.gain_mean = row.change;
    }
    if (!row.baseline.empty()) made.improved = 0.75;
    if (!row.own) continue;
    made.control.emplace();
    made.control->own.mean = *row.own;
    made.control->without.mean = row.error + *row.own;
    made.control->counted = row.counted;
    if (made.loss_mean) made.control->loss_without = *made.loss_mean / 2;
  }
  return summary;
}

std::vector<goal::ReleaseResult> releases_of(const std::vector<std::string>& names) {
  std::vector<goal::ReleaseResult> releases;
  releases.reserve(names.size());
  for (const std::string& name : names) releases.push_back({name, "", 1, {}, {}});
  return releases;
}

// Prior 0.40, raw 0.20: the counts took 0.20.
std::vector<Row> attacked() {
  return {{.attack = "PRIOR", .error = 0.40}, {.attack = "BAYES", .baseline = "PRIOR", .error = 0.20, .change = 0.53}};
}

TEST(Findings, GivenBackIsAShareOfWhatWasTaken) {
  std::vector<Row> rows = attacked();
  rows.push_back({.attack = "BAYES", .release = "WEAK", .baseline = "RAW", .error = 0.25, .change = 0.0625});
  rows.push_back({.attack = "BAYES", .release = "STRONG", .baseline = "RAW", .error = 0.70, .change = 0.625});
  const auto tried = tried_defences(summary_of(rows), releases_of({"WEAK", "STRONG"}), {});
  ASSERT_EQ(tried.size(), 2U);
  EXPECT_NEAR(tried[0].given_back->mean, 0.25, 1e-12);
  EXPECT_NEAR(tried[0].gain.mean, 0.0625, 1e-12);
  // Misled beyond her prior, she goes back to it: all of what was taken, and no more.
  EXPECT_NEAR(tried[1].given_back->mean, 1, 1e-12);
  EXPECT_NEAR(tried[1].gain.mean, 0.625, 1e-12);
}

TEST(Findings, SentencesSayOfWhatTheirSharesAre) {
  std::vector<Row> rows = attacked();
  rows.push_back({.attack = "BAYES", .release = "WEAK", .baseline = "RAW", .error = 0.25, .change = 0.0625});
  const auto sentences = findings(summary_of(rows), releases_of({"WEAK"}), {});
  ASSERT_EQ(sentences.size(), 4U) << "to somebody who knows one thing";
  EXPECT_EQ(sentences[0],
            "What leaks: an adversary who guesses as well as she can errs by 0.400 about people's habits without the "
            "counts (PRIOR) and by 0.200 with them (FREQ_ROI, BAYES), 50% less.");
  EXPECT_THAT(sentences[1], HasSubstr("To whom: somebody who knows how often"));
  EXPECT_EQ(sentences[2],
            "By the paper's measure: against what she knew before, the counts bring her mean error from 0.40 to 0.20, "
            "50% less (FREQ_ROI, BAYES); the mean privacy loss is 53%, and 75% of the people lose some. It does not "
            "tell what being counted costs a person from what the counts of the others say about anybody.");
  EXPECT_THAT(sentences[3], HasSubstr("gives back 25% of the error that the counts took away"));
}

// The sentence that compares with the paper's adversaries, or nothing.
std::string stronger(const std::vector<Row>& rows) {
  for (const std::string& sentence : findings(summary_of(rows), {}, {})) {
    if (sentence.starts_with("Stronger than the paper's: ")) return sentence;
  }
  return "";
}

TEST(Findings, TheStrongestStandsBesideThePapersBest) {
  std::vector<Row> rows = attacked();
  EXPECT_EQ(stronger(rows), "") << "the paper's is the strongest";
  rows.push_back({.attack = "TILT", .decision = "COMMIT", .baseline = "PRIOR", .error = 0.20 - 4e-5, .paper = false});
  EXPECT_EQ(stronger(rows), "") << "by no more than rounding";
  rows.back().error = 0.15;
  EXPECT_EQ(stronger(rows),
            "Stronger than the paper's: knowing the same (FREQ_ROI), the best of the paper's adversaries tried errs by "
            "0.200 about people's habits (BAYES), the strongest tried by 0.150 (TILT read by COMMIT). Judged by the "
            "paper's alone, people look safer than they are.");
  rows.back().error = 0.195;
  EXPECT_THAT(stronger(rows), HasSubstr("errs by 0.2000 about people's habits (BAYES), the strongest tried by 0.1950"));
}

// The prior is the paper's, and so is ignoring the counts: that is no attack of the paper's.
TEST(Findings, NothingIsSaidOfThePapersAttacksWhereNoneWasRun) {
  EXPECT_EQ(stronger({{.attack = "PRIOR", .error = 0.40},
                      {.attack = "TILT", .decision = "COMMIT", .baseline = "PRIOR", .error = 0.15, .paper = false}}),
            "");
}

TEST(Findings, KnowledgeThatThePaperLacksIsComparedWithItsBestOfAny) {
  std::vector<Row> rows = attacked();
  const Row prior = {.attack = "PRIOR", .decision = "COMMIT", .error = 0.45, .prior = "RECENT", .paper = false};
  rows.push_back(prior);
  EXPECT_EQ(stronger(rows), "") << "the paper's knowledge serves better";
  rows.push_back({.attack = "TILT",
                  .decision = "COMMIT",
                  .baseline = "PRIOR/COMMIT",
                  .error = 0.10,
                  .prior = "RECENT",
                  .paper = false});
  EXPECT_THAT(
      stronger(rows),
      HasSubstr("with any knowledge tried, the best of the paper's adversaries tried errs by 0.200 about people's "
                "habits (FREQ_ROI, BAYES), the strongest tried by 0.100 (RECENT, TILT read by COMMIT)"));
  for (Row& row : rows) row.paper = false;
  EXPECT_EQ(stronger(rows), "") << "none of the paper's was tried";
}

TEST(Findings, NothingTakenIsNothingToGiveBack) {
  const auto summary = summary_of({{.attack = "PRIOR", .error = 0.20},
                                   {.attack = "BAYES", .baseline = "PRIOR", .error = 0.30},
                                   {.attack = "BAYES", .release = "WEAK", .baseline = "RAW", .error = 0.35}});
  EXPECT_FALSE(tried_defences(summary, releases_of({"WEAK"}), {}).front().given_back);
  const auto sentences = findings(summary, releases_of({"WEAK"}), {});
  EXPECT_EQ(sentences.front(),
            "What leaks: nothing about people's habits that she would not guess as well without the counts. Her best "
            "guess without them errs by 0.200 (PRIOR), and none of the adversaries tried does better with them.");
  EXPECT_THAT(sentences[1], HasSubstr("from 0.20 to 0.30, no less"));
  EXPECT_THAT(sentences.back(), HasSubstr("the counts took no error away"));
}

TEST(Findings, DefencesTriedAgainstTheWeakAloneAreNotJudged) {
  std::vector<Row> rows = attacked();
  rows.push_back({.attack = "MAX_ROI", .baseline = "PRIOR", .error = 0.45});
  rows.push_back({.attack = "MAX_ROI", .release = "WEAK", .baseline = "RAW", .error = 0.47});
  EXPECT_THAT(
      findings(summary_of(rows), releases_of({"WEAK"}), {}).back(),
      HasSubstr("not measured. Defences were tried only against adversaries from whom the counts take no error"));
}

TEST(Findings, ThePriorIsReadAsItErrsLeast) {
  std::vector<Row> rows = {
      {.attack = "PRIOR", .decision = "ALL", .error = 0.360},
      {.attack = "PRIOR", .decision = "POP", .error = 0.036},
      {.attack = "BAYES", .decision = "ALL", .baseline = "PRIOR/ALL", .error = 0.032, .change = 0.91},
      {.attack = "BAYES", .decision = "POP", .baseline = "PRIOR/POP", .error = 0.034, .change = 0.06}};
  for (Row& row : rows) row.goal = "localization";
  const auto summary = summary_of(rows);
  const auto sentences = findings(summary, {}, {});
  EXPECT_THAT(sentences.front(), HasSubstr("errs by 0.036 about"));
  EXPECT_THAT(sentences.front(), HasSubstr("(PRIOR read by POP) and by 0.032 with them (FREQ_ROI, BAYES read by ALL)"));
  EXPECT_THAT(sentences.back(),
              HasSubstr("from 0.04 to 0.03, 6% less (FREQ_ROI, BAYES read by POP against PRIOR/POP)"));
  EXPECT_THAT(sentences.back(), Not(HasSubstr("91%")));
}

TEST(Findings, ABlindGuessThatDoesBetterIsTheFirstWord) {
  std::vector<Row> rows = attacked();
  rows.push_back({.attack = "NOWHERE", .baseline = "PRIOR", .error = 0.05, .change = 0.9});
  const auto sentences = findings(summary_of(rows), {}, {});
  EXPECT_THAT(sentences.front(), HasSubstr("nothing about people's habits"));
  EXPECT_THAT(sentences.front(), HasSubstr("errs by 0.050 (NOWHERE: she guesses"));
  EXPECT_THAT(sentences[1], HasSubstr("from 0.40 to 0.20"));
  EXPECT_THAT(sentences[1], Not(HasSubstr("90%"))) << "a blind guess takes nothing from anybody";
}

// Prior 0.40, without the person 0.25, raw 0.20.
std::vector<Row> controlled(double own = 0.05, double counted = 0.5) {
  return {{.attack = "PRIOR", .error = 0.40, .own = 0, .counted = 0},
          {.attack = "BAYES", .baseline = "PRIOR", .error = 0.20, .change = 0.53, .own = own, .counted = counted}};
}

TEST(Findings, TellWhatTheCrowdSaysFromWhatBeingCountedCosts) {
  const auto sentences = findings(summary_of(controlled()), {}, {}, {0.125, 0.3, "Whom.", "Where."});
  EXPECT_THAT(sentences[0], HasSubstr("Of the 0.200 that the counts take, counts that leave the person out take 0.150 "
                                      "as well: the crowd's rhythm. What being counted costs is the rest, 0.050: 20% "
                                      "of the 0.250 by which she would err without the person."));
  EXPECT_EQ(sentences[1],
            "For how many: did she do the same (FREQ_ROI, BAYES) with counts that leave a person out, her error would "
            "be larger for 50% of the people, and by a hundredth of it or more for 30%; over everybody by 0.050 on "
            "average (0.250 in place of 0.200), and for one person in twenty by 0.125 or more.");
  EXPECT_EQ(sentences[2], "Whom.");
  EXPECT_EQ(sentences[3], "Where.");
  EXPECT_THAT(sentences[5], HasSubstr("the mean privacy loss is 53%"));
  EXPECT_THAT(sentences[5], HasSubstr("With counts that leave each person out it would be 26%"));
}

TEST(Findings, ASampleIsSaidToBeOne) {
  const auto of_sample = [](double own, std::size_t people, double half_width) {
    std::vector<results::SummaryRow> summary = summary_of(controlled(own));
    for (results::SummaryRow& row : summary) {
      row.users = 10'000;
      row.control->users = people;
      row.control->half_width = half_width;
    }
    return findings(summary, {}, {}, {{}, {}, "Whom.", "Where."});
  };
  const auto telling = of_sample(0.05, 1024, 0.01);
  EXPECT_THAT(telling[0], HasSubstr("Counts that leave the person out bring it to 0.250 (+- 0.010, 95%), measured on "
                                    "1,024 people, taken out of the data one at a time. What being counted costs is "
                                    "the difference, 0.050: 20% of the error without the person."));
  EXPECT_EQ(telling[1],
            "For how many: a sample does not tell. On average, did she do the same (FREQ_ROI, BAYES) with counts that "
            "leave a person out, her error would be 0.250 (+- 0.010, 95%) in place of 0.200, measured on 1,024 people, "
            "taken out of the data one at a time.");
  const auto lost = of_sample(0.05, 12, 0.08);
  EXPECT_THAT(lost[0], HasSubstr("one at a time: what being counted costs cannot be told from nothing."));
  EXPECT_THAT(lost[0], Not(HasSubstr("costs is")));
  EXPECT_THAT(
      lost[1],
      HasSubstr("0.250 (+- 0.080, 95%), too near the 0.200 with them to tell the two apart, measured on 12 people"));
  EXPECT_THAT(of_sample(-0.05, 1024, 0.01)[0], HasSubstr("one at a time: being counted does not help her."));
  EXPECT_THAT(of_sample(0.05, 1, 0)[0],
              HasSubstr("0.250, measured on one person, taken out of the data: what being counted costs cannot"));
  EXPECT_THAT(of_sample(0, 1024, 0)[0], HasSubstr("cannot be told from nothing"));
}

TEST(Findings, AnOwnPartThatIsNothingOrTinyIsNotMadeMore) {
  const auto first = [](double own, double counted) {
    return findings(summary_of(controlled(own, counted)), {}, {}, {0.00001, 0.0, "Whom.", "Where."});
  };
  EXPECT_THAT(first(0, 0)[0], HasSubstr("take as much: it is the crowd's rhythm, and to the adversaries tried being "
                                        "counted adds nothing, on average."));
  EXPECT_THAT(first(0, 0)[1], HasSubstr("her error would be the same for everybody."));
  EXPECT_THAT(first(0, 0)[2], HasSubstr("To whom")) << "it costs nobody anything, nowhere";
  EXPECT_THAT(first(0.0004, 0.0001)[0],
              HasSubstr("Of the 0.2000 that the counts take, counts that leave the person out "
                        "take 0.1996 as well: the crowd's rhythm. What being counted costs is "
                        "the rest, 0.0004: 0.2% of the 0.2004"));
  EXPECT_THAT(first(0.00001, 0.001)[0], HasSubstr("the rest, less than 0.0001: less than 0.1% of the 0.2000"));
  EXPECT_THAT(first(0.00001, 0.9999)[1],
              HasSubstr("larger for more than 99.9% of the people, and by a hundredth of it or more for nobody; over "
                        "everybody by less than 0.0001 on average (0.2000 in place of 0.2000)."));
  EXPECT_THAT(first(-0.05, 0.1)[0], HasSubstr("bring it to 0.150: being counted does not help her"));
  EXPECT_THAT(first(-0.05, 0.1)[1],
              HasSubstr("larger for 10% of the people, and by a hundredth of it or more for nobody; over "
                        "everybody it would be no larger on average."));
  // Without the person she would rather keep to what she knew.
  EXPECT_THAT(first(0.30, 1)[0], HasSubstr("take nothing: all of it is what being counted costs, 50% of the 0.400"));
}

TEST(Findings, SayPlainlyThatNothingBeatsAGuess) {
  std::vector<Row> rows = controlled();
  rows.push_back({.attack = "NOWHERE", .error = 0.05, .own = 0, .counted = 0});
  const auto sentences = findings(summary_of(rows), {}, {});
  EXPECT_THAT(sentences[0], HasSubstr("What leaks: nothing about people's habits that she would not guess"));
  EXPECT_THAT(sentences[1],
              HasSubstr("(FREQ_ROI, BAYES, who errs least of those who use the counts: by 0.200) with counts"));
}

TEST(Findings, WhereSheIsNeverWrongNothingIsGivenAwayAboutAnybody) {
  const auto sentences = findings(summary_of({{.attack = "PRIOR", .error = 0, .own = 0, .counted = 0},
                                              {.attack = "BAYES", .baseline = "PRIOR", .own = 0, .counted = 0},
                                              {.attack = "NOWHERE", .own = 0, .counted = 0}}),
                                  {}, {}, {0.0, 0.0, "Whom.", "Where."});
  EXPECT_EQ(
      sentences[0],
      "What leaks: the counts give nothing away about anybody. Without them her best guess (PRIOR) is never wrong "
      "about people's habits.");
  EXPECT_THAT(sentences[1], HasSubstr("her error would be the same for everybody."));
}

TEST(Findings, TheAnswerIsAboutThePriorToWhichTheCountsAddMost) {
  // ROI_DAY loses the larger share, FREQ_ROI the larger error.
  std::vector<Row> rows = attacked();
  rows.push_back({.attack = "PRIOR", .error = 0.10, .prior = "ROI_DAY"});
  rows.push_back({.attack = "MAX_ROI", .baseline = "PRIOR", .error = 0.01, .change = 0.9, .prior = "ROI_DAY"});
  EXPECT_EQ(chosen_adversary(summary_of(rows))->prior, "FREQ_ROI");
  // Where they add nothing, the strongest of those who use them.
  for (Row& row : rows) row.error += row.baseline.empty() ? 0 : 0.5;
  EXPECT_EQ(chosen_adversary(summary_of(rows))->prior, "ROI_DAY");
  EXPECT_FALSE(chosen_adversary({}));
}

TEST(Findings, DefencesAreMeasuredByWhatBeingCountedStillCosts) {
  std::vector<Row> rows = controlled();
  rows.push_back({.attack = "BAYES", .release = "WEAK", .baseline = "RAW", .error = 0.25, .own = 0.04});
  rows.push_back({.attack = "BAYES", .release = "STRONG", .baseline = "RAW", .error = 0.50, .own = 0.01});
  // Not tried on the defences: it does not count for what they are compared with.
  rows.push_back({.attack = "MAX_ROI", .baseline = "PRIOR", .error = 0.10, .change = 0.5, .own = 0.20});
  std::vector<goal::ReleaseResult> releases = releases_of({"WEAK", "STRONG"});
  releases[1].guarantee = {1.0, "a user", "", 2.0};
  const auto tried = tried_defences(summary_of(rows), releases, {});
  EXPECT_NEAR(tried[0].own->left.mean, 0.04, 1e-12);
  EXPECT_NEAR(tried[0].own->raw, 0.05, 1e-12);
  EXPECT_FALSE(tried[0].own_bound) << "no guarantee";
  // Misled beyond her prior she ignores the counts, with the person or without.
  EXPECT_NEAR(tried[1].own->left.mean, 0, 1e-12);
  EXPECT_NEAR(*tried[1].own_bound, std::tanh(1.0), 1e-12);
  EXPECT_THAT(findings(summary_of(rows), releases, {}).back(),
              HasSubstr("STRONG leaves nothing of the 0.0500 that being counted costs against the adversaries tried "
                        "(by its guarantee at most 0.76) "
                        "and gives back 100% of the error that the counts took away"));
}

// The bound is reached: a release that says whether a person is in, by randomized response.
TEST(Findings, TheBoundOfAnOwnPartIsTight) {
  for (const double epsilon : {0.1, 1.0, 3.0}) {
    const double truth = std::exp(epsilon) / (1 + std::exp(epsilon));
    // She errs by 1 where the answer is "out": without the person that is said with probability `truth`.
    EXPECT_NEAR(truth - (1 - truth), own_part_bound(epsilon, 1), 1e-12);
  }
  EXPECT_EQ(own_part_bound(0, 0.83), 0);
}

TEST(Findings, AnotherBaseSaysWhereErrorsEnd) {
  EXPECT_THAT(findings(summary_of(attacked()), {}, {.log_base = std::numbers::e}).front(),
              HasSubstr("the largest error possible is 0.83"));
  EXPECT_THAT(findings(summary_of(attacked()), {}, {}).front(), Not(HasSubstr("largest")));
}

}  // namespace
}  // namespace hearsay::report
