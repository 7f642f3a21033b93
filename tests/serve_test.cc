// SPDX-License-Identifier: Apache-2.0
//
// `hearsay serve` as a process: the browser that it opens, and ports that it cannot have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/temporary_folder.h"
#include "program.h"

namespace hearsay {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kStudy = HEARSAY_SOURCE_DIR "/examples/small/study.toml";

class ServeTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return place_.path() + "/" + name; }

  // What a run prints that ends at once.
  Ended refused(const std::string& port) const {
    return run_program(place_.path(), {"serve", kStudy, "--no-browser", "--port", port});
  }

  TemporaryFolder place_{"", "hearsay-test-"};
};

// The value of a line of /proc/PID/status.
std::uint64_t signals(const std::string& status, const std::string& name) {
  const std::size_t begin = status.find(name + ":");
  return begin == std::string::npos ? ~0ULL : std::stoull(status.substr(begin + name.size() + 1), nullptr, 16);
}

TEST_F(ServeTest, OpensABrowserThatHasNothingOfItsOwn) {
  // One that writes down what it was given, and the last of it under its name when all is there.
  std::ofstream(path("xdg-open")) << "#!/bin/sh\ncd '" << place_.path()
                                  << "'\ncat \"$1\" >link\ncat /proc/self/status >status\nls -l /proc/self/fd >files\n"
                                     "cut -d' ' -f6 /proc/self/stat >session\necho $$ >>session\nmv session done\n";
  ASSERT_EQ(chmod(path("xdg-open").c_str(), 0700), 0);
  const std::string before = std::getenv("PATH");
  setenv("PATH", (place_.path() + ":" + before).c_str(), 1);
  setenv("DISPLAY", ":none", 1);
  Program program(place_.path(), {"serve", kStudy});
  setenv("PATH", before.c_str(), 1);
  unsetenv("DISPLAY");
  for (int i = 0; i < 6000 && !std::filesystem::exists(path("done")); ++i) {
    ASSERT_FALSE(program.ends_within(std::chrono::milliseconds(10)));
  }
  const std::string status = read_file(path("status"));
  EXPECT_EQ(signals(status, "SigBlk"), 0U);
  const std::uint64_t ignored = signals(status, "SigIgn");
  for (const int signal : {SIGXFSZ, SIGPIPE}) EXPECT_EQ(ignored >> (signal - 1) & 1U, 0U) << signal;
  const std::string files = read_file(path("files"));
  EXPECT_THAT(files, AllOf(HasSubstr(" 0 -> /dev/null"), HasSubstr(" 2 -> /dev/null"), Not(HasSubstr("socket:"))));
  std::istringstream numbers(read_file(path("done")));
  int session = 0;
  int own = 1;
  numbers >> session >> own;
  EXPECT_EQ(session, own);
  EXPECT_THAT(read_file(path("link")), HasSubstr("http://127.0.0.1:"));
  program.send(SIGINT);
  const Ended ended = program.wait();
  EXPECT_EQ(ended.code, 128 + SIGINT) << ended.err;
}

TEST_F(ServeTest, StudiesDataThatHaveNoStudy) {
  std::filesystem::copy_file(HEARSAY_SOURCE_DIR "/examples/small/trips.csv", path("trips.csv"));
  Program program(place_.path(), {"serve", "trips.csv", "--no-browser"});
  for (int i = 0; i < 6000 && read_file(path(".out")).find("http://127.0.0.1:") == std::string::npos; ++i) {
    ASSERT_FALSE(program.ends_within(std::chrono::milliseconds(10)));
  }
  program.send(SIGINT);
  const Ended ended = program.wait();
  EXPECT_EQ(ended.code, 128 + SIGINT) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("That is a guess; `hearsay init trips.csv` writes it down"),
                               HasSubstr("The studio of trips.csv is at")));
}

TEST_F(ServeTest, RefusesPortsInASentence) {
  for (const char* port : {"65536", "-1", "http", "80.5"}) {
    const Ended ended = refused(port);
    EXPECT_EQ(ended.code, 2);
    EXPECT_THAT(ended.err, AllOf(HasSubstr("--port"), HasSubstr(port))) << ended.err;
  }
}

}  // namespace
}  // namespace hearsay
