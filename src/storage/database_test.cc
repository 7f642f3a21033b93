// SPDX-License-Identifier: Apache-2.0
#include "storage/database.h"

#include "storage/test_files.h"

namespace hearsay::storage {
namespace {

using DatabaseTest = FilesTest;

TEST_F(DatabaseTest, BindsEveryKindOfParameter) {
  Database database({});
  QueryRows result = database.execute("SELECT $1::VARCHAR, $2::BIGINT, $3::DOUBLE, len($4::VARCHAR[])",
                                      {std::string("it's"), std::int64_t{-7}, 0.5, std::vector<std::string>{"a", "b"}});
  ASSERT_TRUE(result.next());
  EXPECT_EQ(result.text(0, 0), "it's");
  EXPECT_EQ(result.integer(1, 0), -7);
  EXPECT_EQ(result.number(2, 0), 0.5);
  EXPECT_EQ(result.integer(3, 0), 2);
  EXPECT_FALSE(result.next());
}

TEST_F(DatabaseTest, GivesAllChunksAndNulls) {
  Database database({2, 0, ""});
  for (const bool streaming : {false, true}) {
    const std::string sql = "SELECT CASE WHEN i % 2 = 0 THEN i END FROM range(10000) AS r(i)";
    QueryRows result = streaming ? database.stream(sql) : database.execute(sql);
    std::int64_t nulls = 0;
    std::int64_t sum = 0;
    while (result.next()) {
      for (std::size_t row = 0; row < result.rows(); ++row) {
        result.is_null(0, row) ? ++nulls : sum += result.integer(0, row);
      }
    }
    EXPECT_EQ(nulls, 5000);
    EXPECT_EQ(sum, 24995000);
  }
}

TEST_F(DatabaseTest, ThrowsItsErrors) {
  Database database({});
  EXPECT_THROW(database.execute("SELEC 1"), DatabaseError);
  EXPECT_THROW(database.execute("SELECT 'x'::INTEGER"), DatabaseError);
  EXPECT_THROW(database.execute("SELECT $1", {}), DatabaseError);
  EXPECT_THROW(Appender(database, "absent"), DatabaseError);
  EXPECT_THROW(Database({1, 0, path("absent")}), std::system_error);
}

TEST_F(DatabaseTest, AppendsAndCopiesToFiles) {
  Database database({});
  database.execute("CREATE TABLE t (name VARCHAR, x DOUBLE, n UBIGINT, i BIGINT, b BOOLEAN)");
  Appender appender(database, "t");
  appender.append("a,\"b\"");
  appender.append(std::optional<double>());
  appender.append(std::uint32_t{7});
  appender.append(-3);
  appender.append(true);
  appender.end_row();
  appender.finish();
  const std::string csv = path("it's; a name.csv");
  database.copy_to("SELECT * FROM t", csv, FileFormat::kCsv);
  std::ifstream file(csv);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(text, "name,x,n,i,b\n\"a,\"\"b\"\"\",,7,-3,true\n");
  database.copy_to("SELECT * FROM t", path("t.parquet"), FileFormat::kParquet);
  QueryRows back = database.execute("SELECT name FROM read_parquet($1)", {path("t.parquet")});
  ASSERT_TRUE(back.next());
  EXPECT_EQ(back.text(0, 0), "a,\"b\"");
}

TEST_F(DatabaseTest, RemovesItsTemporaryFolder) {
  {
    Database database({1, 100'000'000, folder_.string()});
    ASSERT_FALSE(std::filesystem::is_empty(folder_));
    const auto folder = std::filesystem::directory_iterator(folder_)->path();
    EXPECT_EQ(std::filesystem::status(folder).permissions(), std::filesystem::perms::owner_all);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(DatabaseTest, AnExceptionInProgressCancelsTheQuery) {
  Database database({2, 0, ""});
  struct Stop {};
  EXPECT_THROW(database.execute("SELECT count(*) FROM range(100000000000) WHERE hash(range) = 7", {},
                                [](double) { throw Stop(); }),
               Stop);
  QueryRows after = database.execute("SELECT 1::BIGINT");
  EXPECT_TRUE(after.next());
}

}  // namespace
}  // namespace hearsay::storage
