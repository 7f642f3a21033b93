// SPDX-License-Identifier: Apache-2.0
#include "results/checkpoint.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

#include "base/errors.h"
#include "goal/combination.h"
#include "job/run_study.h"
#include "results/test_data.h"
#include "storage/file_digest.h"

namespace hearsay::job {
namespace {

namespace fs = std::filesystem;

class CheckpointTest : public testing::Test {
 protected:
  static void make_results(const goal::Emit& take) {
    const std::vector<double> errors = {0.1, 1.0 / 3, 0};
    const std::vector<double> rois = {std::numeric_limits<double>::quiet_NaN(), -0.0};
    const goal::Combination one = {"profiling", "FREQ_ROI", "BAYES", "", "RAW", "", 0, "PRIOR"};
    take({goal::key_of(one), goal::Unit::kUser, {{"error", errors, errors}, {"loss", errors}}});
    take({goal::key_of(one, "baseline"), goal::Unit::kPlace, {{"error", rois}}});
    take({{{"size", "7", true}, {"what", ""}}, goal::Unit::kGroup, {}});
  }
  // Every bit of what is handed over.
  static goal::Emit into(std::string& text) {
    return [&text](const goal::Measurement& measurement) {
      for (const goal::Field& field : measurement.key) {
        text += field.name + "=" + field.value + (field.number ? "#;" : ";");
      }
      text += goal::name_of(measurement.unit);
      for (const goal::Numbers& one : measurement.numbers) {
        text += ";" + one.name;
        for (const auto& numbers : {one.values, one.sorted}) {
          text += ";" + std::to_string(numbers.size()) + ":";
          text.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
        }
      }
    };
  }
  std::vector<fs::path> parts() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(place_.path() + "/.out.parts")) {
      if (entry.path().extension() == ".part") found.push_back(entry.path());
    }
    return found;
  }

  TemporaryFolder place_{"", "hearsay-test-"};
  std::string out_ = place_.path() + "/out";
};

TEST_F(CheckpointTest, WhatWasRecordedIsReplayedToTheBit) {
  std::string recorded;
  results::Checkpoint(out_, "key").record("FREQ_ROI", make_results, into(recorded));
  ASSERT_FALSE(recorded.empty());
  const results::Checkpoint again(out_, "key");
  std::string replayed;
  EXPECT_TRUE(again.replay("FREQ_ROI", into(replayed)));
  EXPECT_EQ(replayed, recorded);
  EXPECT_FALSE(again.replay("LAST_DAY", into(replayed)));
}

TEST_F(CheckpointTest, PartsArePrivateAndGoAtTheEnd) {
  std::string ignored;
  results::Checkpoint parts(out_, "key");
  parts.record("FREQ_ROI", make_results, into(ignored));
  struct stat status {};
  ASSERT_EQ(stat((place_.path() + "/.out.parts").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0700U);
  parts.discard();
  EXPECT_TRUE(results::names_in(place_.path()).count(".out.parts") == 0);
}

TEST_F(CheckpointTest, AnotherStudyStartsAnew) {
  std::string ignored;
  results::Checkpoint(out_, "key").record("FREQ_ROI", make_results, into(ignored));
  const results::Checkpoint other(out_, "another key");
  EXPECT_FALSE(other.replay("FREQ_ROI", into(ignored)));
  EXPECT_TRUE(parts().empty());
}

TEST_F(CheckpointTest, ADamagedPartIsNotUsed) {
  std::string recorded;
  results::Checkpoint(out_, "key").record("FREQ_ROI", make_results, into(recorded));
  const fs::path part = parts().at(0);
  const std::string whole = results::read_text(part.string());
  const auto refused = [&](const std::string& bytes) {
    results::write_file(part.string(), bytes);
    std::string replayed;
    const bool used = results::Checkpoint(out_, "key").replay("FREQ_ROI", into(replayed));
    return !used && replayed.empty();
  };
  for (std::size_t size = 0; size < whole.size(); size += 7) EXPECT_TRUE(refused(whole.substr(0, size))) << size;
  for (std::size_t place = 0; place < whole.size(); place += 3) {
    std::string flipped = whole;
    flipped[place] = static_cast<char>(flipped[place] ^ 0x10);
    EXPECT_TRUE(refused(flipped)) << place;
  }
  EXPECT_TRUE(refused(whole + "x"));
  EXPECT_FALSE(refused(whole));
}

TEST_F(CheckpointTest, AFailedPartIsNotKept) {
  const results::Checkpoint parts(out_, "key");
  std::string seen;
  const auto fail = [](const goal::Emit& take) {
    make_results(take);
    throw std::runtime_error("killed");
  };
  EXPECT_THROW(parts.record("FREQ_ROI", fail, into(seen)), std::runtime_error);
  EXPECT_FALSE(results::Checkpoint(place_.path() + "/elsewhere", "key").replay("FREQ_ROI", into(seen)));
  EXPECT_FALSE(parts.replay("FREQ_ROI", into(seen)));
}

TEST_F(CheckpointTest, TwoRunsDoNotShareAFolder) {
  const results::Checkpoint first(out_, "key");
  EXPECT_THROW(results::Checkpoint(out_, "key"), ConfigError);
  results::remove_parts(out_);  // at work: stays
  EXPECT_TRUE(fs::exists(place_.path() + "/.out.parts"));
}

TEST_F(CheckpointTest, AFolderThatIsNotOursIsRefusedAndStays) {
  const std::string folder = place_.path() + "/.out.parts";
  const auto expect_refused = [&](const std::string& why) {
    try {
      const results::Checkpoint parts(out_, "key");
      ADD_FAILURE() << "not refused: " << why;
    } catch (const ConfigError& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
    results::remove_parts(out_);  // leaves it, too
  };
  fs::create_directory(folder);
  fs::permissions(folder, fs::perms::owner_all);
  results::write_file(folder + "/thesis.txt", "years of work");
  expect_refused("holds thesis.txt");
  EXPECT_EQ(results::read_text(folder + "/thesis.txt"), "years of work");
  fs::remove(folder + "/thesis.txt");
  // The name of a part does not make a folder one.
  fs::create_directory(folder + "/" + std::string(32, 'a') + "-FREQ_ROI.part");
  expect_refused("which is no part");
  fs::remove_all(folder);
  fs::create_directory(folder);
  fs::permissions(folder, fs::perms::owner_all | fs::perms::others_all);
  expect_refused("open to other users");
  fs::remove_all(folder);
  // A link to a folder with parts of ours in it.
  const std::string elsewhere = place_.path() + "/elsewhere";
  std::string ignored;
  results::Checkpoint(elsewhere, "other").record("FREQ_ROI", make_results, into(ignored));
  fs::create_symlink(place_.path() + "/.elsewhere.parts", folder);
  expect_refused("is a link");
  EXPECT_TRUE(results::Checkpoint(elsewhere, "other").replay("FREQ_ROI", into(ignored)));
  if (geteuid() == 0) {
    fs::remove(folder);
    fs::create_directory(folder);
    fs::permissions(folder, fs::perms::owner_all);
    ASSERT_EQ(chown(folder.c_str(), 12345, 12345), 0);
    expect_refused("belongs to another user");
    EXPECT_TRUE(fs::exists(folder));
  }
}

TEST_F(CheckpointTest, WhatFailsToStartHoldsNoLock) {
  const std::string folder = place_.path() + "/.out.parts";
  { const results::Checkpoint parts(out_, "key"); }
  results::write_file(folder + "/thesis.txt", "");
  EXPECT_THROW(results::Checkpoint(out_, "key"), ConfigError);
  fs::remove(folder + "/thesis.txt");
  EXPECT_NO_THROW(results::Checkpoint(out_, "key"));
}

TEST_F(CheckpointTest, BuildsAreToldApart) {
  std::ifstream program("/proc/self/exe", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(program), {}};
  EXPECT_EQ(results::build_id(), storage::sha256(bytes));
}

class ResumeTest : public CheckpointTest {
 protected:
  std::map<std::string, std::string> run(bool resume, const Progress& progress = {}) {
    const experiment::Study study = results::tiny_study(
        place_.path(), {"release=[{mechanism=\"SCM\", sensitivity=\"event\", epsilon=1, repeats=2}]"});
    RunOptions options;
    options.out = out_;
    options.resume = resume;
    options.load.progress = progress;
    run_study(study, options);
    std::map<std::string, std::string> files;
    for (const std::string& name : results::names_in(out_)) {
      if (name != results::kManifestName) files[name] = results::read_text(out_ + "/" + name);
    }
    return files;
  }
};

TEST_F(ResumeTest, AnInterruptedStudyEndsWithTheSameBytes) {
  int attacked = 0;
  const auto count = [&](std::string_view stage, std::uint64_t, std::uint64_t) { attacked += stage == "attacking"; };
  const auto straight = run(false, count);
  ASSERT_TRUE(straight.count("summary.csv") == 1 && straight.count("users.parquet") == 1);
  fs::remove_all(out_);
  // Both priors take the same steps: stopped before the second is done.
  const int half = attacked / 2;
  int calls = 0;
  const auto stop = [&](std::string_view stage, std::uint64_t, std::uint64_t) {
    if (stage == "attacking" && ++calls > half + 1) throw std::runtime_error("stopped");
  };
  EXPECT_THROW(run(true, stop), std::runtime_error);
  EXPECT_FALSE(fs::exists(out_));
  ASSERT_EQ(parts().size(), 1U);
  attacked = 0;
  EXPECT_EQ(run(true, count), straight);
  EXPECT_EQ(attacked, half);  // the second prior only
  EXPECT_EQ(results::names_in(place_.path()), (std::set<std::string>{"events.csv", "out"}));
}

TEST_F(ResumeTest, OtherDataDoesNotUseTheParts) {
  int calls = 0;
  const auto stop = [&](std::string_view stage, std::uint64_t, std::uint64_t) {
    if (stage == "attacking" && ++calls > 6) throw std::runtime_error("stopped");
  };
  EXPECT_THROW(run(true, stop), std::runtime_error);
  const std::string parts_before = parts().at(0).filename().string();
  experiment::Study study = results::tiny_study(place_.path());
  results::write_file(place_.path() + "/events.csv", std::string(results::kEvents) + "e,z,2024-01-02 01:10:00\n");
  RunOptions options;
  options.out = out_;
  options.resume = true;
  run_study(study, options);
  EXPECT_TRUE(fs::exists(out_ + "/summary.csv"));
  EXPECT_EQ(results::names_in(place_.path()), (std::set<std::string>{"events.csv", "out"}));
}

TEST_F(ResumeTest, ARunWithoutTheFlagTidiesUp) {
  std::string ignored;
  results::Checkpoint(out_, "key").record("FREQ_ROI", make_results, into(ignored));
  run(false);
  EXPECT_EQ(results::names_in(place_.path()), (std::set<std::string>{"events.csv", "out"}));
}

}  // namespace
}  // namespace hearsay::job
