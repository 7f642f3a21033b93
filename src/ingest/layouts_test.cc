// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ingest/row_checks.h"
#include "ingest/test_files.h"

namespace hearsay::ingest {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class LayoutsTest : public FilesTest {
 protected:
  // By number, no line of names.
  static Source numbered(const std::string& file) {
    Source source = events(file);
    source.text.header = false;
    source.columns = {{"uid", "1"}, {"roi", "2"}, {"datetime", "3"}};
    return source;
  }
};

TEST_F(LayoutsTest, ReadsFilesWithoutAHeader) {
  for (const bool careful : {false, true}) {
    Options options;
    options.careful = careful;
    const Source source = numbered(write("e.csv", "a;r;2010-03-01 03:00:00\nb;s;2010-03-01 04:00:00\n"));
    EXPECT_EQ(triples(read_visits(source, RoiIds{}, march(), options)), (Triples{{"a", "r", 3}, {"b", "s", 4}}));
  }
  // Lines are still those of the file.
  EXPECT_THAT(error_of<InputError>(numbered(write("e.csv", "a,r,2010-03-01\nb,s,soon\n")), RoiIds{}),
              StartsWith(path("e.csv") + ":2: column 3: \"soon\""));
  EXPECT_EQ(error_of<InputError>(numbered(write("e.csv", "")), RoiIds{}), path("e.csv") + ": no rows");
  Source source = numbered(write("e.csv", "a,r,2010-03-01\n"));
  source.columns["uid"] = "4";
  EXPECT_THAT(error_of<InputError>(source, RoiIds{}), HasSubstr("column 4: not found, though data.columns.uid"));
  source.columns = {};
  EXPECT_THAT(error_of<InputError>(source, RoiIds{}), HasSubstr("name it by number, such as data.columns.uid = 1"));
}

TEST_F(LayoutsTest, SaysThatAFirstLineLooksLikeData) {
  EXPECT_THAT(error_of<InputError>(events(write("e.csv", "17,0.5,0.5,2010-03-01 03:00:00\n"))),
              HasSubstr("the first line looks like data: set data.header = false"));
}

TEST_F(LayoutsTest, SkipsLines) {
  const std::string text = "made by a logger\na;b;c;d\n\nuid,roi,datetime\na,r,2010-03-01 03:00:00\n";
  Source source = events(write("e.csv", text));
  source.text.skip = 3;
  EXPECT_EQ(triples(read(source, RoiIds{})), (Triples{{"a", "r", 3}}));
  source.paths = {write("e.csv", text + "b,r,soon\n")};
  EXPECT_THAT(error_of<InputError>(source, RoiIds{}), StartsWith(path("e.csv") + ":6: column datetime: \"soon\""));
  source.paths = {write("e.csv", text + "b,r\n")};
  EXPECT_THAT(error_of<InputError>(source, RoiIds{}), StartsWith(path("e.csv") + ":6: too few columns"));
  source.text.skip = 20000;
  EXPECT_THAT(error_of<ConfigError>(source, RoiIds{}), HasSubstr("at most 10000 lines"));
}

TEST_F(LayoutsTest, TakesTheSeparatorItIsTold) {
  Source source = events(write("e.csv", "uid roi datetime\na r,s;t 2010-03-01T03:00:00\n"));
  source.text.separator = ' ';
  EXPECT_EQ(triples(read(source, RoiIds{})), (Triples{{"a", "r,s;t", 3}}));
  source = events(write("e.csv", "uid'roi'datetime\na'r'2010-03-01T03:00:00\n"));
  source.text.separator = '\'';
  EXPECT_EQ(triples(read(source, RoiIds{})), (Triples{{"a", "r", 3}}));
  source.text.separator = '"';
  EXPECT_THAT(error_of<ConfigError>(source, RoiIds{}), HasSubstr("data.separator"));
}

TEST_F(LayoutsTest, ReadsDecimalCommas) {
  EXPECT_EQ(triples(read(events(write("e.csv", "uid;lat;lng;datetime\na;0,5;1,5;2010-03-01 03:00:00\n")))),
            (Triples{{"a", "1", 3}}));
}

TEST_F(LayoutsTest, TakesTheUserFromThePath) {
  write("data/000/Trajectory/a.csv", "lat,lng,datetime\n0.5,0.5,2010-03-01 03:00:00\n");
  write("data/001/Trajectory/b.x.csv", "lat,lng,datetime\n0.5,0.5,2010-03-01 04:00:00\n");
  const auto users = [&](const UserRule& rule, bool careful) {
    Source source = events(path("data/*/Trajectory/*.csv"));
    source.user = rule;
    Options options;
    options.careful = careful;
    return read_visits(source, grid(), march(), options).users;
  };
  using From = UserRule::From;
  for (const bool careful : {false, true}) {
    EXPECT_THAT(users({From::kFile, 1}, careful), ElementsAre("a", "b.x"));
    EXPECT_THAT(users({From::kFolder, 1}, careful), ElementsAre("Trajectory"));
    EXPECT_THAT(users({From::kFolder, 2}, careful), ElementsAre("000", "001"));
  }
  Source source = events(path("data/*/Trajectory/*.csv"));
  source.user = {From::kFile, 1};
  source.columns = {{"uid", "who"}};
  EXPECT_THAT(error_of<ConfigError>(source), HasSubstr("set one of the two"));
}

TEST_F(LayoutsTest, BothWaysTakeTheSameUserFromAPath) {
  storage::Database database({});
  for (const char* file : {"a.csv", "a.b.csv.gz", ".plt", "x/.a.gz", "/a..gz", "d/e/f.zst", "d/e.f/g", "/a", "a"}) {
    for (const UserRule& rule : {UserRule{UserRule::From::kFile, 1}, UserRule{UserRule::From::kFolder, 1},
                                 UserRule{UserRule::From::kFolder, 2}}) {
      Fields fields;
      fields.user = rule;
      fields.columns = {{"roi", 0}, {"datetime", 0}};
      const std::string sql = raw_rows_sql({storage::FileKind::kDelimited, ',', true, true, {{"a"}}}, fields, 1);
      const std::size_t begin = sql.find("regexp_extract(path, ");
      const std::string call = sql.substr(begin, sql.find(" AS uid") - begin);
      storage::QueryRows rows = database.execute("SELECT " + call + " FROM (SELECT $1 AS path)", {std::string(file)});
      ASSERT_TRUE(rows.next());
      EXPECT_EQ(rows.text(0, 0), user_of_path(file, fields)) << file << " " << rule.level;
    }
  }
}

TEST_F(LayoutsTest, SaysWhatEncodingAFileHas) {
  const std::string text = "uid,roi,datetime\nJos\xE9,r,2010-03-01 03:00:00\n";
  Source source = events(write("e.csv", text));
  EXPECT_THAT(error_of<InputError>(source, RoiIds{}),
              AllOf(StartsWith(path("e.csv") + ":2: not UTF-8"), HasSubstr("data.encoding = \"latin-1\"")));
  source.text.encoding = "latin-1";
  EXPECT_THAT(read(source, RoiIds{}).users, ElementsAre("Jos\xC3\xA9"));
  source.text.encoding = "cp1252";
  EXPECT_THAT(error_of<ConfigError>(source, RoiIds{}), HasSubstr("expected \"utf-8\", \"latin-1\" or \"utf-16\""));
  std::string wide = "\xFF\xFE";
  for (const char c : std::string("uid,roi,datetime\na,r,2010-03-01 03:00:00\n")) wide += {c, '\0'};
  EXPECT_EQ(triples(read(events(write("e.csv", wide)), RoiIds{})), (Triples{{"a", "r", 3}}));
  EXPECT_THAT(error_of<InputError>(events(write("e.csv", wide.substr(2))), RoiIds{}), HasSubstr("zero bytes"));
}

TEST_F(LayoutsTest, LooksIntoAFileForItsCompression) {
  const std::string query = "SELECT 'a' AS uid, 'r' AS roi, '2010-03-01 03:00:00' AS datetime";
  for (const auto& [name, wrong] : {std::pair{"e.csv.gz", "f.csv"}, std::pair{"e.csv.zst", "g.csv.gz"},
                                    std::pair{"e.csv", "h.csv.gz"}, std::pair{"e.json.gz", "i.json"}}) {
    SCOPED_TRACE(wrong);
    std::filesystem::rename(copy(query, name), path(wrong));
    EXPECT_EQ(triples(read(events(path(wrong)), RoiIds{})), (Triples{{"a", "r", 3}}));
  }
  EXPECT_THAT(error_of<InputError>(events(write("e.csv", "BZh91AY")), RoiIds{}), HasSubstr("bzip2"));
  EXPECT_THAT(error_of<InputError>(events(write("e.zip", "PK\x03\x04 rest")), RoiIds{}),
              StartsWith(path("e.zip") + ": a broken zip archive"));
  const Source good = events(write("e.csv", "uid,roi,datetime\na,r,2010-03-01\n"));
  EXPECT_THAT(error_of<InputError>(good, RoiIds{write("l.zip", "PK\x03\x04 rest")}), HasSubstr("zip archive"));
}

TEST_F(LayoutsTest, RefusesAbsurdLines) {
  EXPECT_THAT(error_of<InputError>(events(write("e.csv", std::string(10 << 20, 'x') + "\na\n"))),
              StartsWith(path("e.csv") + ":1: line too long"));
  EXPECT_THAT(error_of<InputError>(events(write("e.csv", std::string(100000, ',') + "\na\n"))),
              HasSubstr("100001 columns; at most 10000 are read"));
}

}  // namespace
}  // namespace hearsay::ingest
