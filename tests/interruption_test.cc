// SPDX-License-Identifier: Apache-2.0
//
// A study that is killed, interrupted, starved of disk or memory, or has its data changed under it: whole results or
// none, the old ones intact, and a sentence that says why.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <thread>

#include "program.h"

namespace hearsay {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using testing::HasSubstr;

class InterruptionTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "hearsay-kill-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    fs::create_directory(folder_ / "tmp");
    limits_.temporary_folder = (folder_ / "tmp").string();
    write_study(100, 4, 6);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // Enough work for the moments of a kill to fall into every stage.
  void write_study(int users, int reports, int repeats) const {
    std::string events = "uid,roi,datetime\n";
    std::mt19937 random(5);
    for (int user = 0; user < users; ++user) {
      for (int day = 1; day <= 4; ++day) {
        for (int i = 0; i < reports; ++i) {
          events += fmt::format("u{},r{},2010-03-{:02} {:02}:10:00\n", user, random() % 20, day, random() % 24);
        }
      }
    }
    std::ofstream(folder_ / "events.csv") << events;
    std::ofstream(folder_ / "study.toml") << fmt::format(R"([data]
path = "events.csv"
timezone = "UTC"
[period]
start = 2010-03-01
length = "4 days"
observe = "3 days"
[study]
priors = ["FREQ_ROI", "ROI_DAY", "TIME_DAY", "LAST_DAY", "LAST_HOUR"]
[[release]]
mechanism = "SCM"
sensitivity = "event"
epsilon = 1
repeats = {}
)",
                                                         repeats);
  }
  std::vector<std::string> study(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"study", "study.toml", "--out", "out", "--threads", "2", "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  Ended run(const std::vector<std::string>& arguments) const { return run_program(folder_, arguments, limits_); }
  // Nothing in the place but what was there, the results and what a program prints.
  void expect_tidy() const { expect_only({".err", ".out", "events.csv", "out", "study.toml", "tmp"}); }
  void expect_only(const std::set<std::string>& names) const {
    EXPECT_EQ(names_in(folder_), names);
    EXPECT_TRUE(fs::is_empty(folder_ / "tmp"));
  }
  // It ends with exit code 1, and one line that matches.
  void expect_failure(const Ended& ended, const std::string& sentence) const {
    EXPECT_EQ(ended.code, 1) << ended.err << " signal " << ended.signal;
    EXPECT_THAT(ended.err, testing::MatchesRegex("\n?hearsay: (" + sentence + ")\n"));
  }

  fs::path folder_;
  Limits limits_;
};

// These run in `make test-long`.
using InterruptionLongTest = InterruptionTest;

TEST_F(InterruptionLongTest, KilledAtAnyMomentTheResultsAreTheOldOnesOrTheNewOnes) {
  ASSERT_EQ(run(study()).code, 0);
  const auto results = results_in(folder_ / "out");
  const std::string manifest = read_file(folder_ / "out/manifest.json");
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(run(study()).code, 0);
  const auto whole =
      std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin) + milliseconds(20);
  std::mt19937 random(11);
  int killed = 0;
  for (int attempt = 0; attempt < 40; ++attempt) {
    Program program(folder_, study(), limits_);
    std::this_thread::sleep_for(milliseconds(random() % static_cast<unsigned>(whole.count())));
    program.send(SIGKILL);
    killed += program.wait().signal == SIGKILL ? 1 : 0;
    ASSERT_EQ(results_in(folder_ / "out"), results) << "attempt " << attempt;
    ASSERT_THAT(read_file(folder_ / "out/manifest.json"), HasSubstr("\"hearsay\"")) << "attempt " << attempt;
  }
  EXPECT_GT(killed, 20);
  ASSERT_EQ(run(study()).code, 0);
  expect_tidy();
  RecordProperty("kills", killed);
}

TEST_F(InterruptionLongTest, KilledAgainAndAgainAStudyIsResumedToTheSameBytes) {
  ASSERT_EQ(run(study()).code, 0);
  const auto straight = results_in(folder_ / "out");
  std::mt19937 random(12);
  int kills = 0;
  int with_parts = 0;
  for (int round = 0; round < 3; ++round) {
    fs::remove_all(folder_ / "out");
    for (unsigned patience = 60;; patience += 40) {
      Program program(folder_, study({"--resume"}), limits_);
      if (program.ends_within(milliseconds(random() % patience + 20))) {
        ASSERT_EQ(program.wait().code, 0) << program.wait().err;
        break;
      }
      program.send(SIGKILL);
      kills += program.wait().signal == SIGKILL ? 1 : 0;
      with_parts += fs::exists(folder_ / ".out.parts") && names_in(folder_ / ".out.parts").size() > 1 ? 1 : 0;
      if (fs::exists(folder_ / "out")) {
        ASSERT_EQ(results_in(folder_ / "out"), straight);
      }
    }
    ASSERT_EQ(results_in(folder_ / "out"), straight) << "round " << round;
    expect_tidy();
  }
  EXPECT_GT(kills, 5);
  EXPECT_GT(with_parts, 0);
  RecordProperty("kills", kills);
  RecordProperty("kills_after_a_part", with_parts);
}

TEST_F(InterruptionTest, AnInterruptEndsItAndLeavesNothing) {
  ASSERT_EQ(run(study()).code, 0);
  const auto results = results_in(folder_ / "out");
  write_study(3000, 24, 400);
  for (const int signal : {SIGINT, SIGTERM}) {
    for (const int wait : {0, 100, 400, 800}) {
      Program program(folder_, study(), limits_);
      // From the moment it has begun to write something.
      while (fs::is_empty(folder_ / "tmp")) ASSERT_FALSE(program.ends_within(milliseconds(1))) << program.wait().err;
      ASSERT_FALSE(program.ends_within(milliseconds(wait))) << program.wait().err;
      program.send(signal);
      ASSERT_TRUE(program.ends_within(std::chrono::minutes(2)));
      EXPECT_EQ(program.wait().code, 128 + signal);
      EXPECT_THAT(program.wait().err, HasSubstr("interrupted"));
      EXPECT_EQ(results_in(folder_ / "out"), results);
      expect_tidy();
    }
  }
}

TEST_F(InterruptionTest, AFullDiskLeavesTheOldResults) {
  ASSERT_EQ(run(study()).code, 0);
  const auto results = results_in(folder_ / "out");
  for (const std::uint64_t bytes : {1U << 10, 12U << 10, 60U << 10, 300U << 10}) {
    limits_.file_bytes = bytes;
    const std::string sentence =
        "the disk is full: File too large|cannot (write [a-z.]+|keep a part of the study): File too large; a limit on "
        "the size of files is too low \\(see ulimit -f\\)";
    expect_failure(run(study()), sentence);
    expect_failure(run(study({"--resume"})), sentence);
    EXPECT_EQ(results_in(folder_ / "out"), results);
    fs::remove_all(folder_ / ".out.parts");
    expect_tidy();
  }
}

TEST_F(InterruptionTest, AFullDeviceLeavesNothing) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const std::string command = fmt::format("'{}' list >/dev/full 2>'{}/.err'", HEARSAY_BINARY, folder_.string());
  EXPECT_NE(std::system(command.c_str()), 0);
  EXPECT_THAT(read_file(folder_ / ".err"), HasSubstr("cannot write to the standard output"));
}

TEST_F(InterruptionTest, AFolderThatCannotBeWrittenIsRefused) {
  fs::create_directory(folder_ / "closed");
  fs::permissions(folder_ / "closed", fs::perms(0555));
  limits_.heed_modes = true;
  std::vector<std::string> arguments = study();
  arguments[3] = "closed/out";
  const Ended ended = run(arguments);
  EXPECT_EQ(ended.code, 2) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("cannot be written there"));
  EXPECT_TRUE(fs::is_empty(folder_ / "closed"));
  arguments[3] = "/proc/results";
  EXPECT_NE(run(arguments).code, 0);
}

// A folder for temporary files, for results or to be in may be gone, or be something else.
TEST_F(InterruptionTest, PlacesThatCannotBeUsedAreRefusedWithWhatToDo) {
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& sentence) {
    const Ended ended = run(arguments);
    EXPECT_EQ(ended.code, 2) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr(sentence));
    EXPECT_THAT(ended.err, testing::Not(HasSubstr("unexpected")));
  };
  limits_.temporary_folder = (folder_ / "none").string();
  refused(study(), "none: No such file or directory; set TMPDIR to a folder that exists and that you can write to");
  limits_.temporary_folder = (folder_ / "tmp").string();

  fs::create_symlink(folder_ / "none", folder_ / "out");
  refused(study(), "out is a symbolic link to something that does not exist; remove it, or choose another name");
  std::vector<std::string> below = study();
  below[3] = "out/below";
  refused(below, "out is a symbolic link to something that does not exist");
  fs::remove(folder_ / "out");
  below[3] = "r\xFFsults";
  refused(below, "is not UTF-8; choose a name that is");
  below[3] = std::string(250, 'x');
  refused(below, "has a name of more than 200 bytes; choose a shorter one");
  below[3] = "out/below";
  std::ofstream(folder_ / "out") << "a file";
  refused(study(), "is not a folder; choose another name");
  refused(below, "out is not a folder; choose another name");
  refused({"generate", "cabs", "--cabs", "1", "--weeks", "1", "--out", "out/cabs.csv"}, "cannot use ");
  fs::create_directory(folder_ / "cabs.csv");
  refused({"generate", "cabs", "--cabs", "1", "--weeks", "1", "--out", "cabs.csv"}, "is a folder; name a file");
  fs::remove(folder_ / "cabs.csv");
  refused({"report", "out"}, "out/report.json: the file cannot be read: Not a directory");
  fs::remove(folder_ / "out");
  expect_only({".err", ".out", "events.csv", "study.toml", "tmp"});
}

TEST_F(InterruptionTest, AClosedFolderIsRefusedWithWhatToDo) {
  limits_.heed_modes = true;
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& sentence) {
    const Ended ended = run(arguments);
    EXPECT_EQ(ended.code, 2) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr(sentence));
  };
  fs::permissions(folder_ / "tmp", fs::perms(0555));
  refused(study(), "tmp: Permission denied; set TMPDIR to a folder that exists and that you can write to");
  refused({"generate", "commuters", "--users", "1", "--out", "trips.csv"}, "set TMPDIR");
  fs::permissions(folder_ / "tmp", fs::perms(0700));
  fs::create_directory(folder_ / "closed");
  fs::permissions(folder_ / "closed", fs::perms(0555));
  refused({"generate", "cabs", "--cabs", "1", "--weeks", "1", "--out", "closed/cabs.csv"},
          "cannot make a folder in " + (folder_ / "closed").string() + ": Permission denied; name another file");
  refused({"generate", "cabs", "--cabs", "1", "--weeks", "1", "--out", "closed/in/cabs.csv"},
          "cannot use " + (folder_ / "closed/in").string() + ": Permission denied; name another file or folder");
  const std::vector<std::string> release = {"release",  "study.toml",  "--mechanism", "SCM",       "--parameter",
                                            "bound=2",  "--parameter", "epsilon=1",   "--account", "riders",
                                            "--budget", "1",           "--ledger",    "state",     "--out"};
  const auto release_to = [&](const std::string& out) {
    std::vector<std::string> arguments = release;
    arguments.push_back(out);
    return arguments;
  };
  refused(release_to("closed/counts.csv"), "closed: the folder cannot be written to: Permission denied; name a file");
  fs::create_directories(folder_ / "state");
  std::ofstream(folder_ / "state/ledger.json") << R"({"schema": 2, "accounts": {"riders": {"budget": 1, "data": ["0f"],
    "releases": [{"file": "a", "mechanism": "SCM", "parameter": "", "epsilon": 1, "unit": "a user"}]}}})";
  fs::permissions(folder_ / "state", fs::perms(0555));
  refused(release_to("counts.csv"), "state: the folder cannot be written to: Permission denied; every release is");
  const Ended shown = run({"ledger", "--ledger", "state"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("account riders has spent 1 of 1"));
  fs::permissions(folder_ / "study.toml", fs::perms(0));
  refused(study(), "study.toml: the file cannot be read: Permission denied");
}

TEST_F(InterruptionTest, AFolderThatIsGoneIsSaid) {
  const std::string command = fmt::format(
      "mkdir '{0}/gone' && cd '{0}/gone' && rmdir '{0}/gone' && '{1}' study "
      "'{0}/study.toml' --out here 2>'{0}/.err'",
      folder_.string(), HEARSAY_BINARY);
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_THAT(read_file(folder_ / ".err"), HasSubstr("the current folder does not exist any more"));
}

TEST_F(InterruptionTest, AnInputThatChangesIsNoticed) {
  ASSERT_EQ(run(study()).code, 0);
  const auto results = results_in(folder_ / "out");
  write_study(6000, 24, 1);  // takes long enough to read for the change to come in between
  int noticed = 0;
  for (int attempt = 0; attempt < 20 && noticed == 0; ++attempt) {
    Program program(folder_, study(), limits_);
    for (int i = 0; i < 200 && !program.ends_within(milliseconds(1)); ++i) {
      std::ofstream(folder_ / "events.csv", std::ios::app) << "late,r1,2010-03-01 08:00:00\n";
    }
    const Ended ended = program.wait();
    if (ended.code == 0) continue;
    EXPECT_EQ(ended.code, 2) << ended.err;
    if (ended.err.find("changed while it was read") != std::string::npos) ++noticed;
    EXPECT_EQ(results_in(folder_ / "out"), results);
  }
  EXPECT_GT(noticed, 0);
  expect_tidy();
}

TEST_F(InterruptionLongTest, TooLittleMemoryIsASentence) {
  if (kSanitized) GTEST_SKIP() << "sanitizers reserve terabytes of addresses";
  ASSERT_EQ(run(study()).code, 0);
  const auto results = results_in(folder_ / "out");
  write_study(20000, 24, 2);
  int failed = 0;
  // The first two are refused at once, the others give out on the way.
  for (const std::uint64_t megabytes : {150U, 400U, 520U, 600U, 700U}) {
    limits_.memory_bytes = megabytes << 20;
    const Ended ended = run(study());
    ASSERT_EQ(ended.signal, 0) << megabytes << " MB";
    if (ended.code == 0) break;
    ++failed;
    expect_failure(ended, "(out of memory|no further thread can be started|unexpected failure: out of memory)[:, ].*");
    EXPECT_EQ(results_in(folder_ / "out"), results) << megabytes;
  }
  EXPECT_GT(failed, 2);
  // There may have been no memory left to tidy up with; the next run does.
  limits_.memory_bytes = 0;
  write_study(100, 4, 6);
  ASSERT_EQ(run(study()).code, 0);
  expect_tidy();
}

TEST_F(InterruptionTest, TemporaryFilesArePrivate) {
  write_study(3000, 24, 400);
  Program program(folder_, study(), limits_);
  std::size_t seen = 0;
  while (seen == 0 && !program.ends_within(milliseconds(5))) {
    for (const auto& entry : fs::directory_iterator(folder_ / "tmp")) {
      struct stat status {};
      if (stat(entry.path().c_str(), &status) != 0) continue;
      EXPECT_EQ(status.st_mode & 07777, 0700U) << entry.path();
      ++seen;
    }
  }
  EXPECT_GT(seen, 0U);
  program.send(SIGKILL);
  program.wait();
  EXPECT_FALSE(fs::is_empty(folder_ / "tmp"));
  write_study(10, 4, 1);
  ASSERT_EQ(run(study()).code, 0);  // the next start removes them
  EXPECT_TRUE(fs::is_empty(folder_ / "tmp"));
}

}  // namespace
}  // namespace hearsay
