// SPDX-License-Identifier: Apache-2.0
#include "ingest/test_files.h"
#include "storage/test_packing.h"
#include "storage/unpack.h"

namespace hearsay::ingest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class PackedTest : public FilesTest {
 protected:
  static constexpr const char* kHeader = "uid,roi,datetime\n";

  std::string xz(const std::string& name, const std::string& text) const { return write(name, storage::pack_xz(text)); }
  std::string zip(const std::string& name, const storage::Members& members) const {
    storage::pack_zip(path(name), members);
    return path(name);
  }
};

TEST_F(PackedTest, ReadsXz) {
  const std::string row = "a,r,2010-03-01 03:00:00\n";
  const Visits visits = read(events(xz("e.csv.xz", kHeader + row)), RoiIds{});
  EXPECT_EQ(triples(visits), (Triples{{"a", "r", 3}}));
  EXPECT_EQ(visits.inputs.at(0).name, path("e.csv.xz"));
  // Whatever it is called; and messages name the file given.
  EXPECT_EQ(read(events(xz("e.csv", kHeader + row)), RoiIds{}).tally.rows, 1U);
  EXPECT_THAT(error_of<InputError>(events(xz("e.csv.xz", kHeader + row + "b,r,soon\n")), RoiIds{}),
              StartsWith(path("e.csv.xz") + ":3: column datetime: \"soon\" is not a time"));
  const std::string whole = xz("e.xz", kHeader + row);
  std::filesystem::resize_file(whole, std::filesystem::file_size(whole) - 5);
  EXPECT_EQ(error_of<InputError>(events(whole), RoiIds{}), whole + ": a broken xz file, or cut off");
}

TEST_F(PackedTest, ReadsTheFilesOfAnArchive) {
  const std::string first = std::string(kHeader) + "a,r,2010-03-01 03:00:00\n";
  const std::string second = std::string(kHeader) + "b,r,2010-03-01 04:00:00\n";
  const std::string archive = zip("e.zip", {{"2010/a.csv", first},
                                            {"2010/", ""},
                                            {"__MACOSX/2010/._a.csv", "x"},
                                            {"README.txt", "x"},
                                            {"../../b.csv", second}});
  const Visits visits = read(events(archive), RoiIds{});
  EXPECT_EQ(triples(visits), (Triples{{"a", "r", 3}, {"b", "r", 4}}));
  ASSERT_EQ(visits.inputs.size(), 1U);
  EXPECT_EQ(visits.inputs[0].name, archive);
  EXPECT_THAT(error_of<InputError>(events(zip("e.zip", {{"a.csv", first}, {"2010/b.csv", first + "b\n"}})), RoiIds{}),
              StartsWith(archive + "/2010/b.csv:3: too few columns"));
  EXPECT_THAT(error_of<InputError>(events(zip("e.zip", {{"README", "x"}})), RoiIds{}), HasSubstr("no file to read"));
  EXPECT_THAT(error_of<InputError>(events(zip("e.zip", {{std::string(300, 'x'), "x"}})), RoiIds{}),
              HasSubstr("a name of more than 200 bytes"));
  Source source = events(zip("e.zip", {{"000/Trajectory/a.csv", "roi,datetime\nr,2010-03-01 03:00:00\n"}}));
  source.user = {UserRule::From::kFolder, 2};
  EXPECT_THAT(read(source, RoiIds{}).users, ElementsAre("000"));
}

// Found by fuzzing.
TEST_F(PackedTest, NamesOfAnArchiveNeedNotBeUtf8) {
  const std::string row = "roi,datetime\nr,2010-03-01 03:00:00\n";
  const std::string archive = zip("e.zip", {{"\xE9.csv", row}, {"\xE8.csv", row}, {"\xC3\xA9.csv", row}});
  Source source = events(archive);
  source.user = {UserRule::From::kFile, 1};
  EXPECT_THAT(read(source, RoiIds{}).users, ElementsAre("%E8", "%E9", "\xC3\xA9"));
  EXPECT_THAT(error_of<InputError>(events(zip("e.zip", {{"\xE9.csv", row}})), RoiIds{}),
              StartsWith(archive + "/%E9.csv: "));
}

TEST_F(PackedTest, FilesWhoseNamesAreNotUtf8AreNamed) {
  const std::string row = std::string(kHeader) + "a,r,2010-03-01 03:00:00\n";
  EXPECT_EQ(error_of<InputError>(events(write("\xE9.csv", row)), RoiIds{}),
            path("?.csv") + ": its name is not UTF-8; rename it");
  EXPECT_THAT(error_of<InputError>(events(path("*.csv")), RoiIds{}), HasSubstr(path("*.csv")));
}

TEST_F(PackedTest, TooManyFilesAreRefusedBeforeAnyIsUnpacked) {
  storage::Members members;
  for (std::size_t i = 0; i <= storage::kMostMembers; ++i) members.push_back({std::to_string(i), ""});
  const std::string archive = zip("e.zip", members);
  std::filesystem::create_directory(path("made"));
  EXPECT_THROW(storage::unpack(archive, path("made")), InputError);
  EXPECT_TRUE(std::filesystem::is_empty(path("made")));
  EXPECT_THAT(error_of<InputError>(events(archive), RoiIds{}), HasSubstr("more than 10000 files in it"));
}

TEST_F(PackedTest, RefusesBombs) {
  const std::string zeros(storage::kSmallUnpacked + 1, '0');
  EXPECT_THAT(error_of<InputError>(events(zip("bomb.zip", {{"a.csv", zeros}})), RoiIds{}),
              HasSubstr("unpacks to more than a hundred times its size"));
  EXPECT_THAT(error_of<InputError>(events(xz("bomb.xz", zeros)), RoiIds{}),
              HasSubstr("unpacks to more than a hundred times its size"));
}

}  // namespace
}  // namespace hearsay::ingest
