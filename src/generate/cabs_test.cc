// SPDX-License-Identifier: Apache-2.0
#include "generate/cabs.h"

#include <iterator>
#include <thread>

#include "base/errors.h"
#include "storage/test_files.h"

namespace hearsay::generate {
namespace {

class CabsTest : public storage::FilesTest {
 protected:
  // The file's bytes.
  std::string made(const CabOptions& options, const std::string& name) const {
    generate_cabs(options, path(name));
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // The first row of what the query gives, all of it numbers.
  std::vector<double> row(const std::string& sql, const storage::Values& parameters = {}) {
    storage::QueryRows result = database_.execute(sql, parameters);
    if (!result.next()) throw std::runtime_error("no row");
    std::vector<double> numbers;
    for (std::size_t column = 0; column < result.columns(); ++column) numbers.push_back(result.number(column, 0));
    return numbers;
  }

  // Mean and spread of n, and the largest.
  std::vector<double> spread(const std::string& counts) {
    return row("SELECT avg(n)::DOUBLE, stddev_pop(n)::DOUBLE, max(n)::DOUBLE FROM (" + counts + ")");
  }

  void expect_near(const std::string& counts, double mean, double deviation) {
    const std::vector<double> reached = spread(counts);
    EXPECT_NEAR(reached[0], mean, 0.05 * mean) << counts;
    EXPECT_NEAR(reached[1], deviation, 0.2 * deviation) << counts;
  }

  storage::Database database_{{std::thread::hardware_concurrency(), 0, ""}};
};

CabOptions small_fleet() {
  CabOptions options;
  options.cabs = 11;
  options.weeks = 1;
  return options;
}

// The statistics of the San Francisco data, on the grid and in the hours of the paper's study.
TEST_F(CabsTest, IsLikeTheRealFleet) {
  CabOptions options;
  options.threads = 2;
  const auto rows = static_cast<double>(generate_cabs(options, path("cabs.parquet")));
  EXPECT_NEAR(rows, 11e6, 1e6);
  database_.execute(
      "CREATE TABLE reports AS SELECT DISTINCT uid, (datetime - 1211180400) // 3600 AS epoch,"
      " floor((lat - 37.727) / 0.00717)::BIGINT * 10 + floor((lng + 122.435) / 0.00668)::BIGINT AS cell"
      " FROM read_parquet($1) WHERE lat >= 37.727 AND lat < 37.7987 AND lng >= -122.435 AND lng < -122.3682",
      {path("cabs.parquet")});
  EXPECT_EQ(row("SELECT count(DISTINCT uid)::DOUBLE FROM reports")[0], 534);
  expect_near("SELECT count(*) AS n FROM reports GROUP BY uid", 3630, 1136);
  expect_near("SELECT count(DISTINCT cell) AS n FROM reports GROUP BY uid", 76.9, 6.3);
  expect_near("SELECT count(DISTINCT epoch) AS n FROM reports GROUP BY uid", 338, 94);
  expect_near(
      "SELECT count(epoch) AS n FROM range(100) AS every(cell)"
      " LEFT JOIN (FROM reports WHERE epoch >= 336) USING (cell) GROUP BY cell",
      6691, 7486);
  EXPECT_NEAR(spread("SELECT count(*) AS n FROM reports WHERE epoch >= 336 GROUP BY uid")[2], 2755, 0.2 * 2755);
}

TEST_F(CabsTest, RowsAreInOrderWithinThePeriodAndNearTheCity) {
  const CabOptions options = small_fleet();
  const std::uint64_t rows = generate_cabs(options, path("cabs.parquet"));
  const std::vector<double> limits =
      row("SELECT count(*)::DOUBLE, count(DISTINCT uid)::DOUBLE, min(datetime)::DOUBLE, max(datetime)::DOUBLE,"
          " min(lat), max(lat), min(lng), max(lng) FROM read_parquet($1)",
          {path("cabs.parquet")});
  EXPECT_EQ(limits[0], static_cast<double>(rows));
  EXPECT_EQ(limits[1], 11);
  EXPECT_GE(limits[2], 1211180400);
  EXPECT_LT(limits[3], 1211180400 + 7 * 86400);
  EXPECT_GT(limits[4], 37.5);
  EXPECT_LT(limits[5], 37.9);
  EXPECT_GT(limits[6], -122.6);
  EXPECT_LT(limits[7], -122.1);
  const std::vector<double> steps =
      row("SELECT min(step)::DOUBLE, median(step)::DOUBLE FROM"
          " (SELECT datetime - lag(datetime) OVER (PARTITION BY uid ORDER BY file_row_number) AS step"
          " FROM read_parquet($1, file_row_number = true))",
          {path("cabs.parquet")});
  EXPECT_GT(steps[0], 0);
  EXPECT_NEAR(steps[1], 60, 10);
}

TEST_F(CabsTest, ThreadsDoNotChangeTheBytesAndTheSeedDoes) {
  CabOptions options = small_fleet();
  for (const char* ending : {".parquet", ".csv"}) {
    options.seed = 1;
    options.threads = 1;
    const std::string one = made(options, std::string("one") + ending);
    options.threads = 3;
    EXPECT_TRUE(one == made(options, std::string("three") + ending)) << ending;
    options.seed = 2;
    EXPECT_FALSE(one == made(options, std::string("other") + ending)) << ending;
  }
}

TEST_F(CabsTest, RefusesNoCabsAndWeeksBeyondSummerTime) {
  CabOptions options = small_fleet();
  options.cabs = 0;
  EXPECT_THROW(generate_cabs(options, path("cabs.csv")), ConfigError);
  for (const std::uint32_t weeks : {0U, 24U}) {
    options = small_fleet();
    options.weeks = weeks;
    EXPECT_THROW(generate_cabs(options, path("cabs.csv")), ConfigError);
  }
  EXPECT_FALSE(std::filesystem::exists(path("cabs.csv")));
}

}  // namespace
}  // namespace hearsay::generate
