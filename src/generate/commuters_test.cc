// SPDX-License-Identifier: Apache-2.0
#include "generate/commuters.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/errors.h"
#include "generate/network.h"
#include "storage/database.h"

namespace hearsay::generate {
namespace {

class CommutersTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "hearsay-generate-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string bytes(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ + "/" + name, std::ios::binary).rdbuf();
    return text.str();
  }
  std::uint64_t generate(const std::string& name, std::size_t cards, std::size_t threads, std::uint64_t seed = 1,
                         bool whole_city = false) const {
    CommuterOptions options;
    options.cards = cards;
    options.threads = threads;
    options.seed = seed;
    options.whole_city = whole_city;
    return generate_commuters(options, folder_ + "/" + name);
  }
  double number(const std::string& sql, const std::string& name) const {
    storage::Database database({});
    storage::QueryRows rows = database.execute("SELECT CAST((" + sql + ") AS DOUBLE)", {folder_ + "/" + name});
    rows.next();
    return rows.number(0, 0);
  }

  std::string folder_;
};

TEST_F(CommutersTest, ThreadsDoNotChangeAByteAndSeedsDo) {
  generate("a.parquet", 2500, 1);
  generate("b.parquet", 2500, 3);
  generate("other/c.parquet", 2500, 1, 2);
  EXPECT_EQ(bytes("a.parquet"), bytes("b.parquet"));
  EXPECT_NE(bytes("a.parquet"), bytes("other/c.parquet"));
}

TEST_F(CommutersTest, TripsArePossible) {
  const std::uint64_t trips = generate("trips.csv", 300, 2);
  EXPECT_EQ(static_cast<double>(trips), number("SELECT count(*) FROM read_csv($1)", "trips.csv"));
  EXPECT_EQ(number("SELECT count(DISTINCT uid) FROM read_csv($1)", "trips.csv"), 300);
  EXPECT_EQ(
      number("SELECT count(*) FROM read_csv($1) WHERE end_time <= start_time OR start_roi = end_roi", "trips.csv"), 0);
  // Nobody is on two trains at once, and between nights (trains stop at 3) everybody gets in where she got out.
  EXPECT_EQ(number("SELECT count(*) FROM (SELECT start_time, lag(end_time) OVER (PARTITION BY uid ORDER BY start_time) "
                   "AS before FROM read_csv($1)) WHERE start_time <= before",
                   "trips.csv"),
            0);
  EXPECT_EQ(number("SELECT count(*) FROM (SELECT start_roi, start_time, lag(end_roi) OVER w AS place, lag(start_time) "
                   "OVER w AS before FROM read_csv($1) WINDOW w AS (PARTITION BY uid ORDER BY start_time)) WHERE "
                   "start_roi <> place AND (start_time - INTERVAL 3 HOUR)::DATE = (before - INTERVAL 3 HOUR)::DATE",
                   "trips.csv"),
            0);
  EXPECT_GT(number("SELECT avg((hour(start_time) <> hour(end_time))::INT) FROM read_csv($1)", "trips.csv"), 0.2);
  EXPECT_EQ(number("SELECT min(start_time) >= '2010-03-01' AND max(end_time) < '2010-03-29 03:00:00' FROM read_csv($1)",
                   "trips.csv"),
            1);
}

TEST_F(CommutersTest, StationsHaveNamesAndPlaces) {
  generate("trips.parquet", 1, 1);
  EXPECT_EQ(number("SELECT count(DISTINCT (roi, name, lat, lng)) FROM read_csv($1)", "stations.csv"),
            Network::kStations);
  EXPECT_EQ(number("SELECT count(DISTINCT name) FROM read_csv($1)", "stations.csv"), Network::kStations);
  EXPECT_EQ(number("SELECT count(*) FROM read_csv($1) WHERE lat NOT BETWEEN 51 AND 52 OR lng NOT BETWEEN -1 AND 1",
                   "stations.csv"),
            0);
}

// A stations.csv that is already there may be somebody's own, or that of trips that were made before.
TEST_F(CommutersTest, StationsThatNobodyNamedAreNotReplaced) {
  std::ofstream(folder_ + "/stations.csv") << "my own";
  EXPECT_THROW(generate("trips.csv", 1, 1), ConfigError);
  EXPECT_EQ(bytes("stations.csv"), "my own");
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/trips.csv"));

  CommuterOptions options;
  options.cards = 1;
  options.stations = folder_ + "/places/named.csv";
  generate_commuters(options, folder_ + "/trips.csv");
  EXPECT_EQ(bytes("stations.csv"), "my own");
  const std::string first = bytes("places/named.csv");
  options.seed = 2;
  generate_commuters(options, folder_ + "/trips.csv");
  EXPECT_NE(bytes("places/named.csv"), first) << "a file that was named was not replaced";

  std::filesystem::remove(folder_ + "/stations.csv");
  generate("trips.csv", 1, 1);
  EXPECT_EQ(bytes("stations.csv"), first);
  generate("more.csv", 1, 1);  // the same seed has the same stations
  EXPECT_THROW(generate("others.csv", 1, 1, 2), ConfigError);
  EXPECT_EQ(bytes("stations.csv"), first);
  options.stations = folder_ + "/trips.csv";
  EXPECT_THROW(generate_commuters(options, folder_ + "/trips.csv"), ConfigError);
}

TEST_F(CommutersTest, AWholeCityIsMostlyOccasionalTravellers) {
  const std::uint64_t trips = generate("city.parquet", 60000, 2, 1, true);
  EXPECT_NEAR(static_cast<double>(trips) / 60000, 15, 1);
  EXPECT_LT(number("SELECT median(n) FROM (SELECT count(*) AS n FROM read_parquet($1) GROUP BY uid)", "city.parquet"),
            10);
  EXPECT_GT(number("SELECT max(n) FROM (SELECT count(*) AS n FROM read_parquet($1) GROUP BY uid)", "city.parquet"),
            100);
}

TEST_F(CommutersTest, ImpossibleRequestsAreRefused) {
  EXPECT_THROW(generate("x.parquet", 0, 1), ConfigError);
  EXPECT_THROW(generate("x.txt", 1, 1), ConfigError);
  CommuterOptions options;
  options.weeks = 0;
  EXPECT_THROW(generate_commuters(options, folder_ + "/x.csv"), ConfigError);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace
}  // namespace hearsay::generate
