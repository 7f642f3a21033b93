// SPDX-License-Identifier: Apache-2.0
#include "results/result_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/errors.h"
#include "results/test_data.h"

namespace hearsay::results {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

class ResultFolderTest : public testing::Test {
 protected:
  void write_results(const std::string& path, const std::string& text) const {
    ResultFolder folder(path);
    folder.write_text("summary.csv", text);
    folder.write_text(kManifestName, R"({"hearsay": "0", "files": [{"name": "summary.csv"}]})");
    folder.put_in_place();
  }
  std::string refusal(const std::string& path) const {
    try {
      checked_result_path(path);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder place_{"", "hearsay-test-"};
  std::string out_ = place_.path() + "/out";
};

TEST_F(ResultFolderTest, AppearsWholeWithOrdinaryPermissions) {
  write_results(out_, "one");
  EXPECT_EQ(read_text(out_ + "/summary.csv"), "one");
  EXPECT_THAT(names_in(place_.path()), UnorderedElementsAre("out"));
  struct stat status {};
  ASSERT_EQ(stat(out_.c_str(), &status), 0);
  const mode_t mask = umask(0);
  umask(mask);
  EXPECT_EQ(status.st_mode & 0777, 0777 & ~mask);
}

TEST_F(ResultFolderTest, MakesFoldersAboveIt) {
  write_results(place_.path() + "/a/b/out/", "one");
  EXPECT_EQ(read_text(place_.path() + "/a/b/out/summary.csv"), "one");
}

TEST_F(ResultFolderTest, ReplacesEarlierResults) {
  write_results(out_, "one");
  write_results(out_, "two");
  EXPECT_EQ(read_text(out_ + "/summary.csv"), "two");
  EXPECT_THAT(names_in(place_.path()), UnorderedElementsAre("out"));
}

TEST_F(ResultFolderTest, LeavesNothingAfterAFailure) {
  write_results(out_, "one");
  const auto fail_midway = [&](const std::string& path) {
    ResultFolder folder(path);
    folder.write_text("summary.csv", "two");
    throw std::runtime_error("disk on fire");
  };
  EXPECT_THROW(fail_midway(out_), std::runtime_error);
  EXPECT_THROW(fail_midway(place_.path() + "/new/deep/out"), std::runtime_error);
  EXPECT_EQ(read_text(out_ + "/summary.csv"), "one");
  EXPECT_THAT(names_in(place_.path()), UnorderedElementsAre("out"));
}

TEST_F(ResultFolderTest, TakesAnEmptyFolder) {
  std::filesystem::create_directory(out_);
  write_results(out_, "one");
  EXPECT_EQ(read_text(out_ + "/summary.csv"), "one");
}

TEST_F(ResultFolderTest, FollowsALink) {
  std::filesystem::create_directory(place_.path() + "/real");
  std::filesystem::create_directory_symlink(place_.path() + "/real", out_);
  write_results(out_, "one");
  EXPECT_TRUE(std::filesystem::is_symlink(out_));
  EXPECT_EQ(read_text(place_.path() + "/real/summary.csv"), "one");
}

TEST_F(ResultFolderTest, RefusesAForeignFolder) {
  std::filesystem::create_directory(out_);
  write_file(out_ + "/thesis.tex", "years of work");
  EXPECT_THAT(refusal(out_), HasSubstr("--out"));
  write_file(out_ + "/manifest.json", "{\"name\": \"a web page\"}");
  EXPECT_THAT(refusal(out_), HasSubstr("something else"));
  write_file(out_ + "/manifest.json", "not JSON");
  EXPECT_THAT(refusal(out_), HasSubstr("something else"));
}

TEST_F(ResultFolderTest, RefusesToRemoveWhatItDidNotWrite) {
  write_results(out_, "one");
  write_file(out_ + "/notes.txt", "mine");
  EXPECT_THAT(refusal(out_), HasSubstr("notes.txt"));
}

TEST_F(ResultFolderTest, RefusesFilesAndNothing) {
  write_file(out_, "a file");
  EXPECT_THAT(refusal(out_), HasSubstr("not a folder"));
  EXPECT_NE(refusal(out_ + "/below"), "");
  EXPECT_THAT(refusal(""), HasSubstr("must name a folder"));
  EXPECT_THAT(refusal("/"), HasSubstr("must name a folder"));
}

}  // namespace
}  // namespace hearsay::results
