// SPDX-License-Identifier: Apache-2.0
#include "experiment/study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "base/errors.h"
#include "experiment/presets.h"
#include "experiment/test_study.h"

namespace hearsay::experiment {
namespace {

using testing::HasSubstr;

Study parse(const std::vector<std::string>& overrides = {}, const std::string& text = kTownStudy) {
  return parse_study(text, "town.toml", "folder", overrides);
}

// The message of the ConfigError that an override causes.
std::string refusal(const std::string& override_text, const std::string& text = kTownStudy) {
  try {
    parse({override_text}, text);
  } catch (const ConfigError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return error.what();
  }
  return "no error";
}

TEST(StudyTest, HoldsBackWhatRestsOnFewPeopleUnlessToldOtherwise) {
  EXPECT_EQ(parse().results.least_people, 10U);
  EXPECT_EQ(parse({"results.least_people=1"}).results.least_people, 1U);
  EXPECT_THROW(parse({"results.least_people=0"}), ConfigError);
}

TEST(StudyTest, ReadsWhatIsSaidAndFillsInTheRest) {
  const Study study = parse();
  EXPECT_EQ(study.data.name, "town");
  EXPECT_EQ(study.data.source.paths, std::vector<std::string>{"folder/trips.csv"});
  EXPECT_EQ(study.data.source.timezone, "Europe/London");
  EXPECT_EQ(study.data.period.start, "2010-03-01 00:00:00");
  EXPECT_EQ(study.data.period.epoch_seconds, 3600U);
  EXPECT_EQ(study.data.period.epochs, 672U);
  EXPECT_EQ(study.data.observe, 504U);
  ASSERT_EQ(study.adversary.priors.size(), 2U);
  EXPECT_EQ(study.adversary.priors[0]->info.name, "FREQ_ROI");  // the paper's order, whatever the study's
  EXPECT_EQ(study.adversary.attacks.size(), attack::all_attacks().size());
  EXPECT_EQ(study.adversary.goals.size(), 2U);
  EXPECT_EQ(study.adversary.metric.log_base, 2);
  EXPECT_EQ(study.adversary.delta, 0.5);
  EXPECT_FALSE(study.results.user_rows.has_value());
}

TEST(StudyTest, SaysHowFilesAreWritten) {
  const ingest::Source source =
      parse({"data.format=events", "data.header=false", "data.skip=6", "data.separator=\";\"", "data.encoding=latin-1",
             "data.user=folder 2", "data.columns.lat=1", "data.columns.lng=\"y\"", "data.utc=true",
             "data.time_format=[\"%m/%d/%Y %H:%M\", \"%d.%m.%Y\"]"})
          .data.source;
  EXPECT_FALSE(source.text.header);
  EXPECT_EQ(source.text.skip, 6U);
  EXPECT_EQ(source.text.separator, ';');
  EXPECT_EQ(source.text.encoding, "latin-1");
  EXPECT_EQ(source.user, (ingest::UserRule{ingest::UserRule::From::kFolder, 2}));
  EXPECT_EQ(source.columns, (std::map<std::string, std::string>{{"lat", "1"}, {"lng", "y"}}));
  EXPECT_TRUE(source.utc);
  EXPECT_EQ(source.time_format, ingest::TimeFormat::kPatterns);
  EXPECT_EQ(source.time_patterns, (std::vector<std::string>{"%m/%d/%Y %H:%M", "%d.%m.%Y"}));
  EXPECT_EQ(parse({"data.time_format=unix_ns"}).data.source.time_format, ingest::TimeFormat::kUnixNanoseconds);
  EXPECT_THAT(refusal("data.time_format=%n"), HasSubstr("has \"%n\", which is not known"));
  EXPECT_THAT(refusal("data.time_format=soon"), HasSubstr("is not known"));
  EXPECT_THAT(refusal("data.separator=ab"), HasSubstr("must be one character"));
  EXPECT_THAT(refusal("data.user=me"), HasSubstr("is not known"));
}

TEST(StudyTest, AKnownFeedSaysItAndTheStudyMaySayOtherwise) {
  const ingest::Source source = parse({"data.format=geolife", "data.user=file"}).data.source;
  EXPECT_EQ(source.format, ingest::Format::kEvents);
  EXPECT_EQ(source.text.skip, 6U);
  EXPECT_EQ(source.columns.at("date"), "6");
  EXPECT_TRUE(source.utc);
  EXPECT_EQ(source.user.from, ingest::UserRule::From::kFile);
}

TEST(StudyTest, PlacesAreZonesOrFlowsOrMapped) {
  const auto places = [](const std::vector<std::string>& sets) { return parse(sets).data.rois; };
  EXPECT_EQ(places({"rois.kind=flows"}), ingest::RoiRule(ingest::RoiIds{"", "", {}, true}));
  EXPECT_EQ(places({"rois.list=stops.txt", "rois.columns.roi=\"stop_code\""}),
            ingest::RoiRule(ingest::RoiIds{"folder/stops.txt", "", {{"roi", "stop_code"}}, false}));
  EXPECT_EQ(places({"data.format=events", "rois.kind=zones", "rois.list=z.geojson", "rois.columns.name=\"n\""}),
            ingest::RoiRule(ingest::Zones{"folder/z.geojson", {{"name", "n"}}}));
  EXPECT_THAT(refusal("rois.kind=zones"), HasSubstr("rois.list"));
  EXPECT_THAT(refusal("rois.columns.roi=\"a\""), HasSubstr("rois.list, which is not set"));
}

TEST(StudyTest, OverridesWin) {
  const Study study = parse({"study.log_base=e", "period.epoch=15 min", "data.users=10", "results.users=none",
                             "study.attacks=[\"BAYES\"]", "data.timezone=Asia/Tokyo", "period.start=2010-03-02 06:30"});
  EXPECT_EQ(study.adversary.metric.log_base, std::numbers::e);
  EXPECT_EQ(study.data.period.epoch_seconds, 900U);
  EXPECT_EQ(study.data.period.epochs, 2688U);
  EXPECT_EQ(study.data.user_limit, 10U);
  EXPECT_EQ(study.results.user_rows, 0U);
  EXPECT_EQ(study.data.source.timezone, "Asia/Tokyo");
  EXPECT_EQ(study.data.period.start, "2010-03-02 06:30:00");
  ASSERT_EQ(study.adversary.attacks.size(), 3U);
  EXPECT_EQ(study.adversary.attacks[0]->info.name, "PRIOR");    // the baseline is always there
  EXPECT_EQ(study.adversary.attacks[2]->info.name, "NOWHERE");  // and the blind guess
  EXPECT_THAT(study.as_run, HasSubstr("Asia/Tokyo"));
}

TEST(StudyTest, WhatNeedsRatesIsThereWhereAPriorOffersThem) {
  const auto has = [](const auto& entries, const std::string& name) {
    return std::any_of(entries.begin(), entries.end(), [&](const auto* entry) { return entry->info.name == name; });
  };
  const Study all = parse({});
  EXPECT_TRUE(has(all.adversary.attacks, "TILT") && has(all.adversary.decisions, "BEST"));
  const Study none = parse({"study.priors=[\"LAST_DAY\"]"});
  EXPECT_FALSE(has(none.adversary.attacks, "TILT"));
  const Study named = parse({"study.attacks=[\"TILT\"]", "study.decisions=[\"POP\"]"});
  EXPECT_TRUE(has(named.adversary.decisions, "BEST") && has(named.adversary.decisions, "COMMIT"));
  const Study without =
      parse({"study.attacks=[\"BAYES\"]", "study.priors=[\"FREQ_ROI\"]", "study.decisions=[\"POP\"]"});
  EXPECT_FALSE(has(without.adversary.decisions, "BEST"));
  EXPECT_THAT(refusal("study.decisions=[\"COMMIT\"]"), HasSubstr("must name one that reads places"));
  EXPECT_THROW(parse({"study.priors=[\"LAST_DAY\"]", "study.attacks=[\"TILT\"]"}), ConfigError);
}

TEST(StudyTest, BadSettingsAreOneLineWithTheParameter) {
  EXPECT_THAT(refusal("data.users=0"), HasSubstr("data.users = 0: must be at least 1"));
  EXPECT_THAT(refusal("period.epoch=7 min"), HasSubstr("must divide a day"));
  EXPECT_THAT(refusal("period.epoch=0"), HasSubstr("period.epoch"));
  EXPECT_THAT(refusal("period.observe=4 weeks"), HasSubstr("must be shorter than period.length"));
  EXPECT_THAT(refusal("period.length=1000 s"), HasSubstr("whole epochs"));
  EXPECT_THAT(refusal("period.start=soon"), HasSubstr("must be a civil date"));
  EXPECT_THAT(refusal("period.start=2010-02-30"), HasSubstr("must be a civil date"));
  EXPECT_THAT(refusal("study.delta=0"), HasSubstr("study.delta = 0"));
  EXPECT_THAT(refusal("study.log_base=1"), HasSubstr("study.log_base = 1"));
  EXPECT_THAT(refusal("results.users=-3"), HasSubstr("results.users"));
  EXPECT_THAT(refusal("rois.kind=hexagons"), HasSubstr("rois.kind"));
  EXPECT_THAT(refusal("data.format=tripz"), HasSubstr("did you mean \"trips\"?"));
  EXPECT_THAT(refusal("nonsense"), HasSubstr("--set = nonsense"));
}

TEST(StudyTest, UnknownNamesSuggestTheNearest) {
  EXPECT_THAT(refusal("study.priors=[\"FREQ_RIO\"]"), HasSubstr("FREQ_RIO: is not known; did you mean \"FREQ_ROI\"?"));
  EXPECT_THAT(refusal("study.attacks=MAX_USERS"), HasSubstr("did you mean \"MAX_USER\"?"));
  EXPECT_THAT(refusal("study.goals=profile"), HasSubstr("did you mean \"profiling\"?"));
  EXPECT_THAT(refusal("study.prior=FREQ_ROI"), HasSubstr("no such setting; did you mean \"study.priors\"?"));
  EXPECT_THAT(refusal("wibble=1"), HasSubstr("no such setting"));
}

TEST(StudyTest, LinesAreNamed) {
  const std::string text = std::string(kTownStudy) + "delta = 7\n";
  EXPECT_THAT(refusal("data.name=x", text), HasSubstr("town.toml:12: study.delta = 7"));
}

TEST(StudyTest, PriorsThatLookTooFarBackAreRefused) {
  EXPECT_THAT(refusal("period.observe=6 days", std::string(kTownStudy) + "[x]\n"), HasSubstr("no such setting"));
  const std::string last = R"([data]
path = "x.csv"
[rois]
kind = "ids"
[period]
start = "2010-03-01"
length = "2 weeks"
observe = "6 days"
)";
  EXPECT_THAT(refusal("study.priors=LAST_WEEK", last), HasSubstr("LAST_WEEK looks 168 epochs back"));
  EXPECT_THAT(refusal("study.priors=LAST_HOUR", last + "epoch = \"45 min\"\n"), HasSubstr("LAST_HOUR needs epochs"));
}

// An audit asks for no prior, and the period is too short for some that nobody named.
TEST(StudyTest, PriorsThatNoGoalUsesAreNotMissed) {
  const std::string days = R"([data]
path = "x.csv"
[rois]
kind = "ids"
[period]
start = "2010-03-01"
length = "4 days"
observe = "2 days"
)";
  EXPECT_THAT(refusal("data.name=x", days), HasSubstr("epochs back"));
  for (const char* goals : {"[\"audit\"]", "[\"audit\", \"membership\", \"trajectories\"]"}) {
    const Study study = parse_study(days, "town.toml", "", {std::string("study.goals=") + goals});
    EXPECT_FALSE(study.adversary.priors.empty());
    for (const prior::PriorEntry* entry : study.adversary.priors) EXPECT_NO_THROW(entry->check(study.calendar()));
  }
  EXPECT_THAT(refusal("study.goals=[\"audit\"]", days + "[study]\npriors = [\"LAST_WEEK\"]\n"),
              HasSubstr("LAST_WEEK looks 168 epochs back"));
}

TEST(StudyTest, GridIsChecked) {
  const std::string grid = R"([data]
path = "x.csv"
[period]
start = "2010-03-01"
length = "2 weeks"
observe = "1 week"
[rois]
kind = "grid"
south = 1
north = 2
west = 3
east = 4
rows = 10
cols = 10
)";
  EXPECT_EQ(std::get<ingest::Grid>(parse({}, grid).data.rois).rows, 10U);
  EXPECT_THAT(refusal("rois.south=3", grid), HasSubstr("rois.south = 3"));
  EXPECT_THAT(refusal("rois.east=300", grid), HasSubstr("rois.west = 3"));
  EXPECT_THAT(refusal("rois.rows=0", grid), HasSubstr("rois.rows = 0"));
  EXPECT_THAT(refusal("rois.cols=x", grid), HasSubstr("rois.cols"));
}

std::string with_release(const std::string& lines) {
  return std::string(kTownStudy) + "[[release]]\n" + lines;
}

TEST(StudyTest, ReleasesAreEveryChoiceOfTheirParameters) {
  const Study study = parse({}, with_release("mechanism = \"SCM\"\nepsilon = [0.001, 1.0]\nsensitivity = [\"event\", "
                                             "\"roi\"]\nrepeats = 3\n[[release]]\nmechanism = \"FPA\"\nk = 20\n"
                                             "epsilon = 1\npost_process = false\n"));
  std::vector<std::string> labels;
  for (const goal::Defence& defence : study.defences) labels.push_back(defence.chain.name() + " " + defence.parameter);
  EXPECT_THAT(labels, testing::ElementsAre("SCM sensitivity=event,epsilon=0.001", "SCM sensitivity=event,epsilon=1",
                                           "SCM sensitivity=roi,epsilon=0.001", "SCM sensitivity=roi,epsilon=1",
                                           "FPA k=20,epsilon=1,post_process=none"));
  EXPECT_EQ(study.defences[0].repeats, 3U);
  EXPECT_EQ(study.defences[0].post_process, release::PostProcess::kNonnegative);
  EXPECT_EQ(study.defences[4].post_process, release::PostProcess::kNone);
}

TEST(StudyTest, PostProcessingIsNamedInResultsWhereItIsNotTheDefault) {
  const auto defence = [](const std::string& value) {
    return parse({}, with_release("mechanism = \"KRR\"\np = 0.5\npost_process = " + value + "\n")).defences.front();
  };
  EXPECT_EQ(defence("true").parameter, "p=0.5");
  EXPECT_EQ(defence("\"nonnegative\"").parameter, "p=0.5");
  EXPECT_EQ(defence("\"projected\"").parameter, "p=0.5,post_process=projected");
  EXPECT_EQ(defence("\"paper\"").parameter, "p=0.5,post_process=paper");
  EXPECT_EQ(defence("\"paper\"").chain.parameter(), "p=0.5") << "the noise is the same";
}

TEST(StudyTest, AReleaseMayBeAChainOfSteps) {
  const Study study =
      parse({}, with_release("steps = [\"SCM(sensitivity=event, epsilon=1)\", \"FPA(k=3,epsilon=2,form=paper)\"]\n"
                             "repeats = 2\npost_process = \"round\"\n"));
  ASSERT_EQ(study.defences.size(), 1U);
  const goal::Defence& defence = study.defences.front();
  EXPECT_EQ(defence.chain.name(), "SCM+FPA");
  EXPECT_EQ(defence.chain.parameter(), "sensitivity=event,epsilon=1; k=3,epsilon=2");
  EXPECT_EQ(defence.parameter, "sensitivity=event,epsilon=1; k=3,epsilon=2,post_process=round");
  EXPECT_EQ(defence.repeats, 2U);
}

TEST(StudyTest, ParametersOfAChainMayHaveSeveralValues) {
  const Study study = parse(
      {},
      with_release(
          "steps = [\"BOUND(at_most=20|100)\", \"LAPLACE(epsilon=1|2, unit=user|user_day)\", \"ROUND(base=5)\"]\n"));
  std::vector<std::string> tried;
  for (const goal::Defence& defence : study.defences) tried.push_back(defence.chain.steps());
  ASSERT_EQ(tried.size(), 8U);
  EXPECT_EQ(tried[0], "BOUND(at_most=20), LAPLACE(epsilon=1), ROUND(base=5)");
  EXPECT_EQ(tried[1], "BOUND(at_most=20), LAPLACE(epsilon=1,unit=user_day), ROUND(base=5)");
  EXPECT_EQ(tried[2], "BOUND(at_most=20), LAPLACE(epsilon=2), ROUND(base=5)");
  EXPECT_EQ(tried[7], "BOUND(at_most=100), LAPLACE(epsilon=2,unit=user_day), ROUND(base=5)");
  const auto refused = [](const std::string& lines) { return refusal("data.name=x", with_release(lines)); };
  EXPECT_THAT(refused("steps = [\"LAPLACE(epsilon=1|)\"]\n"), HasSubstr("epsilon"));
  const std::string many = "1|2|3|4|5|6|7|8|9|10|11|12|13|14|15|16|17|18|19|20|21|22|23|24|25";
  EXPECT_THAT(refused("steps = [\"BOUND(at_most=" + many + ")\", \"BOUND(at_most=" + many +
                      ",per=day)\", \"LAPLACE(epsilon=" + many + ")\"]\n"),
              HasSubstr("makes more than 10000 choices of parameters"));
}

TEST(StudyTest, PresetsAreChainsUnderTheirNames) {
  const Study study = parse({}, with_release("preset = [\"ine-spain\", \"google-mobility\"]\n"));
  ASSERT_EQ(study.defences.size(), 2U);
  EXPECT_EQ(study.defences[0].chain.name(), "ine-spain");
  EXPECT_EQ(study.defences[0].chain.parameter(), "");
  EXPECT_EQ(study.defences[1].chain.steps(),
            "BOUND(at_most=4,per=day), LAPLACE(epsilon=2.64,unit=user_day), SUPPRESS(at_most=99)");
  for (const Preset& preset : all_presets()) {
    EXPECT_EQ(chain_of_preset("preset", preset.info.name, release::all_steps()).name(), preset.info.name);
  }
}

TEST(StudyTest, BadChainsAreOneLine) {
  const auto refused = [](const std::string& lines) { return refusal("data.name=x", with_release(lines)); };
  EXPECT_THAT(refused("steps = [\"SMC(epsilon=1)\"]\n"), HasSubstr("did you mean \"SCM\"?"));
  EXPECT_THAT(refused("steps = []\n"), HasSubstr("release.steps = []: must name a step"));
  EXPECT_THAT(refused("steps = [\"SCM(epsilon\"]\n"), HasSubstr("must be NAME or NAME(parameter=value,...)"));
  EXPECT_THAT(refused("steps = [\"KRR(q=1)\"]\n"), HasSubstr("is no parameter of KRR"));
  EXPECT_THAT(refused("mechanism = \"KRR\"\nsteps = [\"KRR(p=0.5)\"]\n"),
              HasSubstr("give one of mechanism, steps and preset"));
  EXPECT_THAT(refused("preset = \"ine-spian\"\n"), HasSubstr("did you mean \"ine-spain\"?"));
  EXPECT_THAT(refused("steps = [\"KRR(p=0.5)\"]\np = 0.5\n"), HasSubstr("release.p: no such setting"));
  EXPECT_THAT(refused("steps = [\"FPA(k=3,epsilon=2)\", \"KRR(p=0.5)\"]\n"),
              HasSubstr("KRR: must come first: after FPA there are counts, and nobody's visits"));
}

TEST(StudyTest, ThePopulationIsDeclared) {
  EXPECT_FALSE(parse({}).data.population.has_value());
  EXPECT_EQ(parse({"data.population=1200"}).data.population, 1200U);
  EXPECT_THAT(refusal("data.population=0"), HasSubstr("data.population = 0: must be at least 1"));
}

TEST(StudyTest, BadReleasesAreOneLine) {
  const auto refused = [](const std::string& lines) { return refusal("data.name=x", with_release(lines)); };
  EXPECT_THAT(refused("mechanism = \"SMC\"\n"), HasSubstr("did you mean \"SCM\"?"));
  EXPECT_THAT(refused("epsilon = 1\n"), HasSubstr("release.mechanism"));
  EXPECT_THAT(refused("mechanism = \"SCM\"\nsensitivity = \"event\"\n"), HasSubstr("SCM.epsilon: is required"));
  EXPECT_THAT(refused("mechanism = \"SCM\"\nepsilon = 1\n"),
              HasSubstr("SCM.sensitivity: is required, unless bound is given"));
  EXPECT_THAT(refused("mechanism = \"KRR\"\np = 0.5\npost_process = \"clamp\"\n"),
              HasSubstr("release.post_process = clamp: must be none, round, nonnegative, projected or paper"));
  EXPECT_THAT(refused("mechanism = \"SCM\"\nsensitivity = \"event\"\nepsilon = 0\n"),
              HasSubstr("SCM.epsilon = 0: must be above 0"));
  EXPECT_THAT(refused("mechanism = \"SCM\"\nsensitivity = \"event\"\nepsilon = -1\n"), HasSubstr("must be above 0"));
  EXPECT_THAT(refused("mechanism = \"SCM\"\nsensitivity = \"evnt\"\nepsilon = 1\n"),
              HasSubstr("did you mean \"event\"?"));
  EXPECT_THAT(refused("mechanism = \"SCM\"\nbound = 0\nepsilon = 1\n"), HasSubstr("SCM.bound = 0"));
  EXPECT_THAT(refused("mechanism = \"SPOTME\"\np = 0\n"), HasSubstr("SPOTME.p = 0: must be above 0 and below 1"));
  EXPECT_THAT(refused("mechanism = \"SPOTME\"\np = 1\n"), HasSubstr("SPOTME.p = 1"));
  EXPECT_THAT(refused("mechanism = \"KRR\"\n"), HasSubstr("KRR.p: is required"));
  EXPECT_THAT(refused("mechanism = \"FPA\"\nk = 169\nepsilon = 1\n"), HasSubstr("FPA.k = 169: must be at most 168"));
  EXPECT_THAT(refused("mechanism = \"FPA\"\nk = 0\nepsilon = 1\n"), HasSubstr("FPA.k = 0"));
  EXPECT_THAT(refused("mechanism = \"FPA\"\nk = 20\nepsilon = 1\nkk = 2\n"), HasSubstr("FPA.kk: no such setting"));
  EXPECT_THAT(refused("mechanism = \"FPA\"\nk = 20\nepsilon = \"x\"\n"), HasSubstr("must be a number"));
  EXPECT_THAT(refused("mechanism = \"SPOTME\"\np = 0.5\nrepeats = 0\n"), HasSubstr("repeats = 0"));
  EXPECT_THAT(refusal("release=5"), HasSubstr("must be tables headed [[release]]"));
}

TEST(StudyTest, NotTomlNamesTheLine) {
  try {
    parse({}, "[data]\npath = \n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().file, "town.toml");
    EXPECT_EQ(error.place().line, 2U);
  }
  EXPECT_THROW(load_study("/nowhere/at/all.toml", {}), InputError);
}

TEST(StudyTest, EntriesTakeParameters) {
  const Study study =
      parse({"study.attacks=[\"MAX_ROI( ties = reports )\", \"BAYES\", \"MAX_ROI\", \"MAX_ROI(ties=id)\"]",
             "study.decisions=[\"POP(delta=0.25)\", \"POP\"]", "study.delta=0.75"});
  std::vector<std::string> attacks;
  for (const attack::AttackEntry* entry : study.adversary.attacks) attacks.push_back(entry->info.name);
  EXPECT_THAT(attacks, testing::ElementsAre("PRIOR", "BAYES", "MAX_ROI(ties=reports)", "MAX_ROI", "NOWHERE"));
  EXPECT_EQ(study.adversary.attacks[2]->info.values().text("ties"), "reports");
  EXPECT_EQ(study.adversary.attacks[3]->info.values().text("ties"), "id");
  std::vector<std::string> decisions;
  for (const decision::DecisionEntry* entry : study.adversary.decisions) {
    decisions.push_back(entry->info.name + " " + entry->info.values().label());
  }
  EXPECT_THAT(decisions, testing::ElementsAre("POP(delta=0.25) delta=0.25", "POP delta=0.75", "ASSIGNED "));
}

TEST(StudyTest, ParametersThatCannotBeAreRefused) {
  EXPECT_EQ(refusal("study.attacks=\"MAX_ROI(tie=id)\""),
            "--set: study.attacks = tie: is no parameter of MAX_ROI; did you mean \"ties\"?");
  EXPECT_THAT(refusal("study.attacks=\"MAX_ROI(ties=luck)\""),
              HasSubstr("MAX_ROI(ties=luck).ties = luck: is not known"));
  EXPECT_THAT(refusal("study.attacks=\"MAX_ROI(ties=id\""), HasSubstr("must be NAME or NAME(parameter=value,...)"));
  EXPECT_THAT(refusal("study.attacks=\"MAX_ROI(ties=id,ties=reports)\""), HasSubstr("is given twice"));
  EXPECT_THAT(refusal("study.decisions=\"POP(delta=2)\""), HasSubstr("must be above 0 and at most 1"));
  EXPECT_THAT(refusal("study.goals=\"profiling(log_base=3)\""), HasSubstr("takes names only"));
  EXPECT_THAT(refusal("study.decisions=\"ASSIGNED\""), HasSubstr("must name one that reads places off probabilities"));
}

}  // namespace
}  // namespace hearsay::experiment
