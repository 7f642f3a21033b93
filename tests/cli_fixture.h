// SPDX-License-Identifier: Apache-2.0
//
// For tests of the program as its users meet it: a folder of its own, a small study, and what a run printed.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace hearsay {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct Ran {
  int code = -1;
  std::string out;
  std::string err;
};

inline std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class CliTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "hearsay-cli-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  Ran hearsay(const std::string& arguments) const {
    const fs::path out = folder_ / ".out";
    const fs::path err = folder_ / ".err";
    const std::string command = fmt::format("cd '{}' && '{}' {} >'{}' 2>'{}' </dev/null", folder_.string(),
                                            HEARSAY_BINARY, arguments, out.string(), err.string());
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), read_text(out), read_text(err)};
  }

  // A study over events.csv, with two days of which one is observed.
  fs::path write_study(const std::string& more = "") const {
    return write("study.toml", R"([data]
path = "events.csv"
timezone = "UTC"
[rois]
kind = "ids"
[period]
start = "2010-03-01"
length = "2 days"
observe = "1 day"
[study]
priors = ["FREQ_ROI", "LAST_DAY"]
)" + more);
  }

  // Ann and Bob, and others who are somewhere every eighth hour.
  void write_events(int others = 0) const {
    std::string text = "uid,roi,datetime\n";
    for (int user = 0; user < others; ++user) {
      for (int hour = user % 8; hour < 48; hour += 8) {
        text += fmt::format("u{},r2,2010-03-{:02} {:02}:30:00\n", user, 1 + hour / 24, hour % 24);
      }
    }
    for (int hour = 0; hour < 48; ++hour) {
      text += fmt::format("ann,r{},2010-03-{:02} {:02}:10:00\n", hour % 3, 1 + hour / 24, hour % 24);
      if (hour % 4 == 0) text += fmt::format("bob,r1,2010-03-{:02} {:02}:20:00\n", 1 + hour / 24, hour % 24);
    }
    write("events.csv", text);
  }

  // Refused: exit code 2, one line on standard error with `message`, and no results.
  void expect_refusal(const std::string& arguments, const std::string& message) const {
    const Ran ran = hearsay(arguments);
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(message));
    // One line, after the lines that tell of progress.
    const std::size_t error = ran.err.find("hearsay: ");
    ASSERT_NE(error, std::string::npos) << ran.err;
    EXPECT_EQ(ran.err.find('\n', error), ran.err.size() - 1) << ran.err;
    EXPECT_FALSE(fs::exists(folder_ / "results"));
    EXPECT_TRUE(ran.out.empty()) << ran.out;
  }

  fs::path folder_;
};

}  // namespace hearsay
