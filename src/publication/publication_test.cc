// SPDX-License-Identifier: Apache-2.0
#include "publication/publication.h"

#include <gmock/gmock.h>

#include <cmath>

#include "publication/test_publication.h"
#include "results/manifest.h"
#include "storage/database.h"

namespace hearsay::publication {
namespace {

using testing::HasSubstr;

TEST_F(PublicationTest, CountsAreNonNegativeAndNullIsLeftOut) {
  const PublicationOutcome outcome = publish(study(), scm("0.1", "counts.csv"), {});
  EXPECT_EQ(outcome.rows, 3U * 2);
  EXPECT_EQ(*outcome.guarantee.epsilon, 0.1);
  EXPECT_EQ(outcome.guarantee.unit, "one event");
  storage::Database database({});
  storage::QueryRows rows = database.execute(
      "SELECT count(*), min(count), count(DISTINCT roi), min(time) FROM read_csv($1, types = {time: 'VARCHAR'})",
      {out_ + "/counts.csv"});
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.integer(0, 0), 6);
  EXPECT_GE(rows.integer(1, 0), 0);
  EXPECT_EQ(rows.integer(2, 0), 3);
  EXPECT_EQ(rows.text(3, 0), "2024-01-02 00:00:00");
}

TEST_F(PublicationTest, LargeEpsilonGivesTheCounts) {
  publish(study(), scm("100000", "counts.parquet"), {});
  storage::Database database({});
  storage::QueryRows rows = database.execute(
      "SELECT string_agg(count::VARCHAR, '' ORDER BY time, roi) FROM read_parquet($1)", {out_ + "/counts.parquet"});
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.text(0, 0), "110011");  // x and y in the first hour, y and z in the second
}

TEST_F(PublicationTest, NoiseIsNeverTheSameTwice) {
  publish(study(), scm("0.001", "one.csv"), {});
  publish(study(), scm("0.001", "two.csv"), {});
  EXPECT_NE(results::read_text(out_ + "/one.csv"), results::read_text(out_ + "/two.csv"));
}

TEST_F(PublicationTest, TheGuaranteeStandsBesideAndInsideTheCounts) {
  publish(study(), request("SCM", {"bound=2", "epsilon=0.5"}, "counts.parquet"), {});
  const results::Json guarantee = results::Json::parse(results::read_text(out_ + "/counts.parquet.guarantee.json"));
  EXPECT_EQ(guarantee["epsilon"], 0.5);
  EXPECT_EQ(guarantee["unit"], "a user");
  EXPECT_EQ(guarantee["sound"], true);
  const std::uint64_t times = guarantee["a_year"]["times"];
  EXPECT_GT(times, 1U);
  EXPECT_EQ(guarantee["a_year"]["times_with_a_unit"], times);
  EXPECT_DOUBLE_EQ(guarantee["a_year"]["epsilon"], 0.5 * static_cast<double>(times));
  storage::Database database({});
  storage::QueryRows rows = database.execute(
      "SELECT decode(value) FROM parquet_kv_metadata($1) WHERE decode(key) = 'hearsay'", {out_ + "/counts.parquet"});
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(results::Json::parse(rows.text(0, 0)), guarantee);
}

TEST_F(PublicationTest, WhatHasNoSoundGuaranteeIsRefused) {
  const auto refused = [&](const std::string& mechanism, const std::vector<std::string>& parameters) {
    return refusal(study(), request(mechanism, parameters, "counts.csv"));
  };
  EXPECT_THAT(refused("FPA", {"k=1", "epsilon=1"}), HasSubstr("no sound guarantee"));
  EXPECT_THAT(refused("SCM", {"sensitivity=delta", "epsilon=1"}), HasSubstr("read off the data"));
  EXPECT_THAT(refused("SPOTME", {"p=0.5"}), HasSubstr("proves absence"));
  EXPECT_THAT(refused("FPA", {"form=sound", "k=best", "epsilon=1"}), HasSubstr("looking at the data"));
  EXPECT_THAT(refusal(results::tiny_study(place_.path()), scm("1", "counts.csv")), HasSubstr("rois.list"));
  EXPECT_THAT(refusal(study({"data.users=2"}), scm("1", "counts.csv")), HasSubstr("data.users"));
}

TEST_F(PublicationTest, UnsafePublishesAndSaysSo) {
  PublicationRequest unsafe = request("SPOTME", {"p=0.5"}, "counts.csv");
  unsafe.unsafe = true;
  EXPECT_FALSE(publish(study(), unsafe, {}).reasons.empty());
  const results::Json guarantee = results::Json::parse(results::read_text(out_ + "/counts.csv.guarantee.json"));
  EXPECT_EQ(guarantee["sound"], false);
  EXPECT_TRUE(guarantee["epsilon"].is_null());
  EXPECT_TRUE(guarantee["a_year"].is_null());
  EXPECT_THAT(guarantee["unsafe"].dump(), HasSubstr("absence"));
}

TEST_F(PublicationTest, SoundMechanismsArePublished) {
  const auto made = [&](PublicationRequest wanted) {
    wanted.mix_units = true;
    publish(study({"data.population=4"}), wanted, {});
  };
  made(request("SCM", {"sensitivity=roi", "epsilon=1"}, "a.csv"));
  made(request("SCM", {"sensitivity=user", "epsilon=1"}, "b.csv"));
  made(request("FPA", {"form=sound", "k=1", "epsilon=1"}, "c.csv"));
  made(request("KRR", {"p=0.5"}, "d.csv"));
  EXPECT_EQ(published().size(), 4U * 2);
}

TEST_F(PublicationTest, RandomizedResponseNeedsADeclaredPopulation) {
  const PublicationRequest krr = request("KRR", {"p=0.5"}, "counts.csv");
  EXPECT_THAT(refusal(study(), krr), HasSubstr("declared in advance (data.population)"));
  const std::string few = refusal(study({"data.population=3"}), krr);
  EXPECT_THAT(few, HasSubstr("data.population = 3: the data has more people"));
  EXPECT_THAT(few, testing::Not(HasSubstr("4")));
  const PublicationOutcome outcome = publish(study({"data.population=1000"}), krr, {});
  EXPECT_NEAR(*outcome.guarantee.epsilon, std::log((4 - 3 * 0.5) / 0.5), 1e-12);
  const results::Json guarantee = results::Json::parse(results::read_text(out_ + "/counts.csv.guarantee.json"));
  EXPECT_EQ(guarantee["population"], 1000);
  EXPECT_NEAR(guarantee["noise_standard_deviation"].get<double>(), std::sqrt(1000 * 0.125 * 0.875) / 0.5, 1e-9);
}

TEST_F(PublicationTest, CountsThatAreMostlyNoiseAreRefusedBeforeAnythingIsSpent) {
  PublicationRequest noisy = request("SCM", {"bound=20", "epsilon=0.5"}, "counts.csv");
  noisy.accept_noise = false;
  std::optional<release::Worth> worth;
  noisy.preview = [&](const release::Worth& told) {
    worth = told;
    EXPECT_THAT(published(), testing::IsEmpty());
  };
  EXPECT_THAT(refusal(study(), noisy), HasSubstr("mostly noise: each off by about 40, where those above 0 are 1 on"));
  ASSERT_TRUE(worth.has_value());
  EXPECT_EQ(worth->true_total, 4);
  noisy.accept_noise = true;
  publish(study(), noisy, {});
  PublicationRequest clear = scm("100", "clear.csv");
  clear.accept_noise = false;
  clear.mix_units = true;
  publish(study(), clear, {});
}

TEST_F(PublicationTest, TheGuaranteeSaysHowLargeTheNoiseIsAndNothingOfTheData) {
  publish(study(), request("SCM", {"bound=20", "epsilon=0.5"}, "counts.csv"), {});
  results::Json guarantee = results::Json::parse(results::read_text(out_ + "/counts.csv.guarantee.json"));
  EXPECT_EQ(guarantee["noise_scale"], 40.0);
  EXPECT_NEAR(guarantee["expected_absolute_error"].get<double>(), 1 / std::sinh(0.025), 1e-9);  // of whole numbers
  EXPECT_EQ(guarantee["post_process"], "nonnegative");
  EXPECT_THAT(guarantee["post_processing"], HasSubstr("below 0 set to 0"));
  // The same of other data.
  results::write_file(place_.path() + "/events.csv",
                      std::string(results::kEvents) + "e,x,2024-01-02 01:00:00\ne,y,2024-01-02 01:00:00\n");
  const experiment::Study other =
      experiment::parse_study(results::kStudyText, "tiny.toml", place_.path(), {"rois.list=rois.csv"});
  PublicationRequest grown = request("SCM", {"bound=20", "epsilon=0.5"}, "other.csv");
  grown.new_data = true;
  publish(other, grown, {});
  EXPECT_EQ(results::Json::parse(results::read_text(out_ + "/other.csv.guarantee.json")), guarantee);
}

TEST_F(PublicationTest, PostProcessingIsAsAskedFor) {
  storage::Database database({});
  const auto published_as = [&](release::PostProcess how) {
    PublicationRequest wanted = scm("0.01", release::name_of(how) + ".parquet");
    wanted.post_process = how;
    publish(study(), wanted, {});
    storage::QueryRows rows =
        database.execute("SELECT min(count)::DOUBLE, any_value(typeof(count)) FROM read_parquet($1)",
                         {out_ + "/" + release::name_of(how) + ".parquet"});
    EXPECT_TRUE(rows.next());
    return std::pair(rows.number(0, 0), rows.text(1, 0));
  };
  EXPECT_EQ(published_as(release::PostProcess::kNone).second, "DOUBLE");
  EXPECT_EQ(published_as(release::PostProcess::kRound).second, "BIGINT");
  EXPECT_GE(published_as(release::PostProcess::kNonnegative).first, 0);
  EXPECT_GE(published_as(release::PostProcess::kProjected).first, 0);
  PublicationRequest paper = scm("1", "paper.csv");
  paper.post_process = release::PostProcess::kPaper;
  EXPECT_THAT(refusal(study(), paper), HasSubstr("number of users, read off the data"));
}

TEST_F(PublicationTest, TheBudgetHolds) {
  PublicationRequest first = scm("0.6", "one.csv");
  first.budget = 1;
  EXPECT_NEAR(publish(study(), first, {}).account.spent(), 0.6, 1e-12);
  EXPECT_THAT(refusal(study(), later("0.5", "two.csv")), HasSubstr("account riders has spent 0.6 of 1 for one event"));
  EXPECT_NEAR(publish(study(), later("0.4", "two.csv"), {}).account.spent(), 1.0, 1e-12);
  PublicationRequest more = scm("0.1", "three.csv");
  more.budget = 2;
  EXPECT_THAT(refusal(study(), more), HasSubstr("can only be lowered"));
  // Another list of places is the same data.
  results::write_file(place_.path() + "/rois.csv", "roi\nx\ny\n");
  EXPECT_THAT(refusal(study(), later("0.5", "three.csv")), HasSubstr("has spent 1 of 1"));
}

TEST_F(PublicationTest, BadRequestsAreRefused) {
  const auto refused = [&](const std::string& mechanism, const std::vector<std::string>& parameters) {
    return refusal(study(), request(mechanism, parameters, "x.csv"));
  };
  EXPECT_THAT(refused("SMC", {}), HasSubstr("did you mean \"SCM\"?"));
  EXPECT_THAT(refused("SCM", {"epsilon"}), HasSubstr("must be name=value"));
  EXPECT_THAT(refused("SCM", {"epsilonn=1"}), HasSubstr("did you mean \"epsilon\"?"));
  EXPECT_THAT(refused("SCM", {"sensitivity=event"}), HasSubstr("is required"));
  EXPECT_THAT(refusal(study(), scm("1", "counts.txt")), HasSubstr(".parquet or .csv"));
  publish(study(), scm("1", "counts.csv"), {});
  EXPECT_THAT(refusal(study(), scm("1", "counts.csv")), HasSubstr("never replaced"));
}

TEST_F(PublicationTest, AChainIsPublishedWithWhatItTakesToReadIt) {
  PublicationRequest wanted = request("", {}, "counts.csv");
  wanted.steps = {"EPOCHS(of=2)", "BOUND(at_most=2)", "GAUSSIAN(epsilon=2,delta=1e-5)", "SUPPRESS(at_most=1)"};
  const PublicationOutcome made = publish(study(), wanted, {});
  EXPECT_NEAR(*made.guarantee.epsilon, 2, 1e-6);
  EXPECT_EQ(made.guarantee.delta, 1e-5);
  EXPECT_THAT(made.account.standing(), HasSubstr("2 of 1e+06 for a user, but for a chance of 1e-05"));
  EXPECT_THAT(ledger_text(), HasSubstr("\"delta\": 1e-05"));
  const auto json = results::Json::parse(results::read_text(made.guarantee_file));
  EXPECT_EQ(json["delta"], 1e-5);
  EXPECT_EQ(json["unit"], "a user");
  EXPECT_EQ(json["epoch_seconds"], 2 * study().data.period.epoch_seconds);
  EXPECT_EQ(json["steps"], "EPOCHS(of=2), BOUND(at_most=2), GAUSSIAN(epsilon=2,delta=1e-5), SUPPRESS(at_most=1)");
  const double half_width = json["half_width_95"];
  // The least whole number within which 95 of 100 draws of discrete normal noise are.
  const double variance = std::pow(json["noise_standard_deviation"].get<double>(), 2);
  const auto within = [&](double width) {
    double inside = 0;
    double all = 0;
    for (double y = -60; y <= 60; ++y) {
      const double weight = std::exp(-y * y / (2 * variance));
      all += weight;
      inside += std::fabs(y) <= width ? weight : 0;
    }
    return inside / all;
  };
  EXPECT_GE(within(half_width), 0.95);
  EXPECT_LT(within(half_width - 1), 0.95);
  std::istringstream lines(results::read_text(made.file));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "roi,time,count,low,high");
  std::size_t rows = 0;
  for (; std::getline(lines, line); ++rows) {
    const std::size_t time_end = line.find(',', line.find(',') + 1);
    const std::string rest = line.substr(time_end + 1);
    if (rest == ",,") continue;  // too small to be there
    double count = 0;
    double low = 0;
    double high = 0;
    ASSERT_EQ(std::sscanf(rest.c_str(), "%lf,%lf,%lf", &count, &low, &high), 3) << line;
    EXPECT_GT(count, 1);
    EXPECT_NEAR(high, count + half_width, 1e-6);
    EXPECT_NEAR(low, std::max(0.0, count - half_width), 1e-6);
  }
  EXPECT_EQ(rows, made.rows);
  EXPECT_EQ(rows, json["places"].get<std::size_t>() * json["epochs"].get<std::size_t>());
}

// An interval by the formula of continuous noise would be 1 wide, in fractions, and cover 90.5 of 100 counts.
TEST_F(PublicationTest, IntervalsAreOfWholeNumbersAndCoverWhatTheySay) {
  const PublicationOutcome made = publish(study(), scm("3", "counts.csv"), {});
  const auto json = results::Json::parse(results::read_text(made.guarantee_file));
  EXPECT_EQ(json["half_width_95"], 1.0);
  EXPECT_NEAR(json["expected_absolute_error"].get<double>(), 1 / std::sinh(3.0), 1e-9);
  EXPECT_EQ(json["interval"],
            "low to high hold the count before noise in at least 95 of 100 cases; they are never below 0");
  std::istringstream lines(results::read_text(made.file));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const std::string ends = line.substr(line.find(',', line.find(',', line.find(',') + 1) + 1) + 1);
    double low = 0;
    double high = 0;
    ASSERT_EQ(std::sscanf(ends.c_str(), "%lf,%lf", &low, &high), 2) << line;
    EXPECT_EQ(low, std::round(low));
    EXPECT_EQ(high, std::round(high));
    EXPECT_LE(high - low, 2);
  }
  for (const char* leaves_out : {"BOUND(at_most=2)", "SAMPLE(rate=0.5)"}) {
    PublicationRequest bounded = request("", {}, std::string(leaves_out, 5) + ".csv");
    bounded.steps = {leaves_out, "LAPLACE(epsilon=1)"};
    bounded.mix_units = true;
    const auto other = results::Json::parse(results::read_text(publish(study(), bounded, {}).guarantee_file));
    EXPECT_THAT(other["interval"].get<std::string>(), HasSubstr("They cover the noise only")) << leaves_out;
  }
}

TEST_F(PublicationTest, ALargeDeltaIsRefused) {
  const auto normal = [&](const std::string& delta, const std::string& file) {
    return request("GAUSSIAN", {"epsilon=1", "delta=" + delta, "unit=event"}, file);
  };
  EXPECT_THAT(refusal(study(), normal("0.999999", "a.csv")),
              HasSubstr("delta = 0.999999: is more than 1e-05: with that chance epsilon does not hold"));
  EXPECT_THAT(refusal(study(), normal("2e-5", "a.csv")), HasSubstr("--allow-large-delta (allow_large_delta=True)"));
  PublicationRequest free = request("GAUSSIAN", {"rho=10", "delta=0.999999", "unit=event"}, "a.csv");
  EXPECT_THAT(refusal(study(), free), HasSubstr("delta = 0.999999: is more than 1e-05"));
  // One person in a million is what a delta of 1e-6 may cost, and no more.
  EXPECT_THAT(refusal(study({"data.population=2000000"}), normal("1e-6", "a.csv")),
              HasSubstr("delta = 1e-06: is more than 1 / the number of people"));
  // Deltas add up.
  publish(study(), normal("6e-6", "one.csv"), {});
  EXPECT_THAT(refusal(study(), normal("6e-6", "two.csv")),
              HasSubstr("delta = 1.2e-05: is what all releases of account riders come to, more than 1e-05"));
  PublicationRequest pure = scm("1", "pure.csv");
  publish(study(), pure, {});
  PublicationRequest insisted = normal("6e-6", "two.csv");
  insisted.allow_large_delta = true;
  EXPECT_NEAR(publish(study(), insisted, {}).account.delta(), 1.2e-5, 1e-12);
}

TEST_F(PublicationTest, ASingleEpochHasACoefficientToPublish) {
  PublicationRequest wanted = request("", {}, "counts.csv");
  const std::size_t hours = study().data.shape().epochs.value();
  wanted.steps = {"EPOCHS(of=" + std::to_string(hours) + ")", "EFPA(epsilon=1000)"};
  EXPECT_EQ(publish(study(), wanted, {}).rows, 3U);
}

TEST_F(PublicationTest, PlacesOfAZoneArePublishedUnderItsName) {
  results::write_file(place_.path() + "/rois.csv", "roi,district\nx,east\ny,west\nz,east\n");
  PublicationRequest wanted = request("", {}, "counts.csv");
  wanted.steps = {"PLACES(of=zone)", "LAPLACE(epsilon=1e5,unit=event)"};
  const PublicationOutcome made = publish(study({"rois.zone=district"}), wanted, {});
  std::istringstream lines(results::read_text(made.file));
  std::set<std::string> places;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) places.insert(line.substr(0, line.find(',')));
  EXPECT_EQ(places, (std::set<std::string>{"east", "west"}));
  EXPECT_EQ(results::Json::parse(results::read_text(made.guarantee_file))["places"], 2);
  wanted.out += ".csv";
  EXPECT_THAT(refusal(study(), wanted), HasSubstr("places have no zones: name the column of rois.list"));
  wanted.steps = {"PLACES(of=2)", "LAPLACE(epsilon=1,unit=event)"};
  EXPECT_THAT(refusal(study(), wanted), HasSubstr("places are no cells of a grid"));
}

TEST_F(PublicationTest, AWayToPublishIsOneOfThree) {
  PublicationRequest none = request("", {}, "counts.csv");
  EXPECT_THAT(refusal(study(), none), HasSubstr("give one of --mechanism, --step and --preset"));
  none.preset = "flowminder";
  EXPECT_THAT(refusal(study(), none), HasSubstr("has no sound guarantee here: Small counts are left out"));
  none.parameters = {"epsilon=1"};
  EXPECT_THAT(refusal(study(), none), HasSubstr("belongs to --mechanism"));
}

}  // namespace
}  // namespace hearsay::publication
