// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_folder.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <thread>

namespace hearsay {
namespace {

namespace fs = std::filesystem;

mode_t mode_of(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

class TemporaryFolderTest : public testing::Test {
 protected:
  // A folder as a process leaves it that is killed with work in it.
  std::string abandoned(const std::string& prefix) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      const TemporaryFolder folder(place_.path(), prefix);
      std::ofstream(folder.path() + "/visits.tmp") << "ann was at home";
      fs::create_directory(folder.path() + "/old");
      [[maybe_unused]] const auto wrote = write(ends[1], folder.path().data(), folder.path().size());
      close(ends[1]);
      raise(SIGKILL);
    }
    close(ends[1]);
    std::string path(4096, '\0');
    path.resize(static_cast<std::size_t>(std::max<ssize_t>(0, read(ends[0], path.data(), path.size()))));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    return path;
  }

  TemporaryFolder place_{"", "hearsay-test-"};
};

TEST_F(TemporaryFolderTest, IsPrivateAndGoesWithItsOwner) {
  std::optional<TemporaryFolder> folder(std::in_place, place_.path(), "job-");
  EXPECT_EQ(mode_of(folder->path()), 0700U);
  EXPECT_EQ(mode_of(folder->path() + "/" + kFolderLockName), 0600U);
  const std::string path = folder->path();
  folder.reset();
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(TemporaryFolderTest, TheNextOneRemovesWhatACrashLeft) {
  const std::string left = abandoned("job-");
  ASSERT_TRUE(fs::exists(left + "/visits.tmp"));
  const TemporaryFolder other(place_.path(), "another-");
  EXPECT_TRUE(fs::exists(left));
  const std::string unlocked = place_.path() + "/job-unlocked-a1b2c3";  // killed before it made the lock
  fs::create_directory(unlocked);
  const TemporaryFolder next(place_.path(), "job-");
  EXPECT_FALSE(fs::exists(left));
  EXPECT_FALSE(fs::exists(unlocked));
  EXPECT_TRUE(fs::exists(next.path()));
}

TEST_F(TemporaryFolderTest, AKillAtAnyMomentLeavesNothingForGood) {
  std::mt19937 random(3);
  for (int kill_number = 0; kill_number < 200; ++kill_number) {
    const pid_t child = fork();
    if (child == 0) {
      while (true) {
        const TemporaryFolder folder(place_.path(), "job-");
        fs::create_directory(folder.path() + "/new");
        for (const char* name : {"/a", "/b", "/new/c"}) std::ofstream(folder.path() + name) << "ann was at home";
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(1000 + random() % 3000));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  { const TemporaryFolder next(place_.path(), "job-"); }
  for (const auto& entry : fs::directory_iterator(place_.path())) EXPECT_EQ(entry.path().filename(), kFolderLockName);
}

TEST_F(TemporaryFolderTest, TheLivingAndTheForeignStay) {
  const TemporaryFolder living(place_.path(), "job-");
  const std::string foreign = place_.path() + "/job-backup";  // six letters, too
  fs::create_directory(foreign);
  std::ofstream(foreign + "/thesis.tex") << "years of work";
  fs::create_directory(place_.path() + "/job-a1b2c3");  // empty, without a lock: anybody's
  const std::string longer = place_.path() + "/job-of-a-lifetime";
  fs::create_directory(longer);
  std::ofstream(longer + "/" + kFolderLockName) << "";
  const std::string link = place_.path() + "/job-abcdef";
  fs::create_directory_symlink(foreign, link);
  const TemporaryFolder next(place_.path(), "job-");
  EXPECT_TRUE(fs::exists(living.path()));
  EXPECT_TRUE(fs::exists(foreign + "/thesis.tex"));
  EXPECT_TRUE(fs::exists(longer));
  EXPECT_TRUE(fs::exists(place_.path() + "/job-a1b2c3"));
  EXPECT_TRUE(fs::is_symlink(link));
}

TEST_F(TemporaryFolderTest, WhatIsToBeRescuedIsShownFirst) {
  const std::string left = abandoned("job-");
  std::string seen;
  remove_stale_folders(place_.path(), "job-", [&](const std::string& path) {
    seen = path;
    fs::rename(path + "/old", place_.path() + "/rescued");
  });
  EXPECT_EQ(seen, left);
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(place_.path() + "/rescued"));
}

}  // namespace
}  // namespace hearsay
