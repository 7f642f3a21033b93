// SPDX-License-Identifier: Apache-2.0
//
// For tests: a small study in a folder of its own, whose data and settings a test makes hostile.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "program.h"
#include "storage/database.h"

namespace hearsay {

namespace fs = std::filesystem;

inline constexpr std::uint64_t kPlenty = 300U << 20;  // what a refusal may take at most: DuckDB itself is a third of it

class HostileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "hearsay-hostile-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    write_events();
    write("study.toml", kStudy);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  // Two users, two days; `place` and `user` in place of one each.
  void write_events(const std::string& user = "ann", const std::string& place = "r1") const {
    std::string text = "uid,roi,datetime\n";
    for (int hour = 0; hour < 48; ++hour) {
      text += fmt::format("{},{},2010-03-{:02} {:02}:10:00\n", user, hour % 3 == 0 ? place : "r2", 1 + hour / 24,
                          hour % 24);
      if (hour % 4 == 0) text += fmt::format("bob,r2,2010-03-{:02} {:02}:20:00\n", 1 + hour / 24, hour % 24);
    }
    write("events.csv", text);
  }
  static std::vector<std::string> release_of(const std::vector<std::string>& more, const std::string& epsilon = "1") {
    std::vector<std::string> arguments = {"release", "study.toml", "--account", "riders", "--budget", "1"};
    for (const std::string& parameter : {std::string("sensitivity=event"), "epsilon=" + epsilon}) {
      arguments.insert(arguments.end(), {"--parameter", parameter});
    }
    arguments.insert(arguments.end(), {"--mechanism", "SCM"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  Ended study(const std::vector<std::string>& sets = {}) const {
    std::vector<std::string> arguments = {"study", "study.toml", "--quiet", "--out", "out"};
    for (const std::string& set : sets) {
      arguments.emplace_back("--set");
      arguments.push_back(set);
    }
    return run_program(folder_, arguments);
  }
  // A sentence of one line, no results, and no memory taken for it.
  void expect_refusal(const Ended& ended, const std::string& sentence) const {
    EXPECT_EQ(ended.code, 2) << ended.err << " signal " << ended.signal;
    EXPECT_THAT(ended.err, testing::HasSubstr(sentence));
    EXPECT_EQ(ended.err.find('\n'), ended.err.size() - 1) << ended.err;
    EXPECT_LT(ended.err.size(), 2200U);
    if (!kSanitized) {
      EXPECT_LT(ended.peak_bytes, kPlenty);
    }
    EXPECT_FALSE(fs::exists(folder_ / "out"));
  }
  // Every byte of every result, Parquet unpacked.
  std::string all_results() const {
    std::string text;
    for (const std::string& name : names_in(folder_ / "out")) {
      text += name + read_file(folder_ / "out" / name);
      if (!name.ends_with(".parquet")) continue;
      storage::Database database({});
      database.copy_to(fmt::format("FROM read_parquet('{}')", (folder_ / "out" / name).string()),
                       (folder_ / "unpacked.csv").string(), storage::FileFormat::kCsv);
      text += read_file(folder_ / "unpacked.csv");
    }
    return text;
  }

  static constexpr const char* kStudy = R"([data]
path = "events.csv"
timezone = "UTC"
[rois]
kind = "ids"
[period]
start = 2010-03-01
length = "2 days"
observe = "1 day"
[study]
priors = ["FREQ_ROI", "LAST_DAY"]
)";
  fs::path folder_;
};

}  // namespace hearsay
