// SPDX-License-Identifier: Apache-2.0
#include "report/publication.h"

#include <gmock/gmock.h>

#include "ingest/database.h"
#include "report/manifest.h"
#include "report/publication_fixture.h"

namespace hearsay::report {
namespace {

using testing::HasSubstr;

TEST_F(PublicationTest, CountsAreNonNegativeAndNullIsLeftOut) {
  const PublicationOutcome outcome = publish(study(), scm("0.1", "counts.csv"), {});
  EXPECT_EQ(outcome.rows, 3U * 2);
  EXPECT_EQ(*outcome.guarantee.epsilon, 0.1);
  EXPECT_EQ(outcome.guarantee.unit, "one event");
  ingest::Database database({});
  ingest::Result rows = database.execute(
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
  ingest::Database database({});
  ingest::Result rows = database.execute(
      "SELECT string_agg(count::VARCHAR, '' ORDER BY time, roi) FROM read_parquet($1)", {out_ + "/counts.parquet"});
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.text(0, 0), "110011");  // x and y in the first hour, y and z in the second
}

TEST_F(PublicationTest, NoiseIsNeverTheSameTwice) {
  publish(study(), scm("0.001", "one.csv"), {});
  publish(study(), scm("0.001", "two.csv"), {});
  EXPECT_NE(read_text(out_ + "/one.csv"), read_text(out_ + "/two.csv"));
}

TEST_F(PublicationTest, TheGuaranteeStandsBesideAndInsideTheCounts) {
  publish(study(), request("SCM", {"bound=2", "epsilon=0.5"}, "counts.parquet"), {});
  const Json guarantee = Json::parse(read_text(out_ + "/counts.parquet.guarantee.json"));
  EXPECT_EQ(guarantee["epsilon"], 0.5);
  EXPECT_EQ(guarantee["unit"], "a user");
  EXPECT_EQ(guarantee["sound"], true);
  ingest::Database database({});
  ingest::Result rows = database.execute(
      "SELECT decode(value) FROM parquet_kv_metadata($1) WHERE decode(key) = 'hearsay'", {out_ + "/counts.parquet"});
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(Json::parse(rows.text(0, 0)), guarantee);
}

TEST_F(PublicationTest, WhatHasNoSoundGuaranteeIsRefused) {
  const auto refused = [&](const std::string& mechanism, const std::vector<std::string>& parameters) {
    return refusal(study(), request(mechanism, parameters, "counts.csv"));
  };
  EXPECT_THAT(refused("FPA", {"k=1", "epsilon=1"}), HasSubstr("no sound guarantee"));
  EXPECT_THAT(refused("SCM", {"sensitivity=delta", "epsilon=1"}), HasSubstr("read off the data"));
  EXPECT_THAT(refused("SPOTME", {"p=0.5"}), HasSubstr("proves absence"));
  EXPECT_THAT(refused("FPA", {"form=sound", "k=best", "epsilon=1"}), HasSubstr("looking at the data"));
  EXPECT_THAT(refusal(tiny_study(place_.path()), scm("1", "counts.csv")), HasSubstr("rois.list"));
  EXPECT_THAT(refusal(study({"data.users=2"}), scm("1", "counts.csv")), HasSubstr("data.users"));
}

TEST_F(PublicationTest, UnsafePublishesAndSaysSo) {
  PublicationRequest unsafe = request("SPOTME", {"p=0.5"}, "counts.csv");
  unsafe.unsafe = true;
  EXPECT_FALSE(publish(study(), unsafe, {}).reasons.empty());
  const Json guarantee = Json::parse(read_text(out_ + "/counts.csv.guarantee.json"));
  EXPECT_EQ(guarantee["sound"], false);
  EXPECT_TRUE(guarantee["epsilon"].is_null());
  EXPECT_THAT(guarantee["unsafe"].dump(), HasSubstr("absence"));
}

TEST_F(PublicationTest, SoundMechanismsArePublished) {
  const auto made = [&](PublicationRequest wanted) {
    wanted.mix_units = true;
    publish(study(), wanted, {});
  };
  made(request("SCM", {"sensitivity=roi", "epsilon=1"}, "a.csv"));
  made(request("SCM", {"sensitivity=user", "epsilon=1"}, "b.csv"));
  made(request("FPA", {"form=sound", "k=1", "epsilon=1"}, "c.csv"));
  made(request("KRR", {"p=0.5"}, "d.csv"));
  EXPECT_EQ(published().size(), 4U * 2);
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
  write_file(place_.path() + "/rois.csv", "roi\nx\ny\n");
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

}  // namespace
}  // namespace hearsay::report
