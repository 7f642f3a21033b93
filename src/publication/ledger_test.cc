// SPDX-License-Identifier: Apache-2.0
//
// The ledger as a file that others can reach: removed, replaced, damaged, or not to be written.
#include "publication/ledger.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <atomic>
#include <thread>

#include "base/errors.h"
#include "publication/ledger_file.h"
#include "results/test_data.h"

namespace hearsay::publication {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class LedgerTest : public testing::Test {
 protected:
  static Posting posting(double epsilon, const std::string& file = "counts.csv") {
    return {"riders", {"0f"}, 1.0, false, false, {file, "SCM", "epsilon=1", epsilon, "one event", 0}};
  }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  double booked() const {
    const std::vector<Account> accounts = read_accounts(folder_);
    return accounts.empty() ? 0 : accounts.front().spent();
  }
  template <typename Work>
  static std::string refusal(const Work& work) {
    try {
      work();
    } catch (const ConfigError& error) {
      return error.what();
    } catch (const InputError& error) {
      return error.what();
    }
    return "done";
  }
  std::string open_refusal() const {
    return refusal([&] { const Ledger ledger(folder_); });
  }
  // True where a process waits for a lock on the file. The kernel marks it with an arrow in its list of locks.
  static bool somebody_waits_for(const std::string& file) {
    struct stat status {};
    if (stat(file.c_str(), &status) != 0) return false;
    const std::string inode = ":" + std::to_string(status.st_ino) + " ";
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);) {
      if (line.find("-> FLOCK") != std::string::npos && line.find(inode) != std::string::npos) return true;
    }
    return false;
  }
  static Descriptor locked(const std::string& file) {
    Descriptor lock(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    EXPECT_EQ(flock(lock.get(), LOCK_EX), 0);
    return lock;
  }

  TemporaryFolder place_{"", "hearsay-test-"};
  std::string folder_ = place_.path() + "/state";
};

// Somebody removes the lock while a process has it: a second process gets in, and the first must notice.
TEST_F(LedgerTest, OfTwoHoldersOneBooks) {
  Ledger first(folder_);
  fs::remove(path("ledger.json.lock"));
  {
    Ledger second(folder_);
    second.spend(posting(0.6));
  }
  EXPECT_THAT(refusal([&] { first.spend(posting(0.6)); }), HasSubstr("ledger.json.lock in it was removed or replaced"));
  EXPECT_EQ(booked(), 0.6);
  EXPECT_FALSE(fs::exists(path("ledger.json.next")));
}

TEST_F(LedgerTest, AFolderThatWasReplacedIsNotWrittenTo) {
  Ledger first(folder_);
  fs::rename(folder_, place_.path() + "/moved");
  Ledger(folder_).spend(posting(0.6));
  EXPECT_THAT(refusal([&] { first.spend(posting(0.6)); }), HasSubstr("removed or replaced"));
  EXPECT_EQ(booked(), 0.6);
  EXPECT_TRUE(read_accounts(place_.path() + "/moved").empty());
}

// The lock that a process waits for is removed before it gets it. It must wait for the one that is there now.
TEST_F(LedgerTest, ALockOnARemovedFileIsNoLock) {
  if (!fs::exists("/proc/locks")) GTEST_SKIP() << "no /proc/locks here";
  fs::create_directory(folder_);
  const std::string name = path("ledger.json.lock");
  Descriptor old = locked(name);
  std::atomic_bool entered = false;
  std::jthread waiter([&] {
    const Ledger ledger(folder_);
    entered = true;
  });
  while (!somebody_waits_for(name)) std::this_thread::yield();
  fs::remove(name);
  Descriptor now = locked(name);
  old = Descriptor();
  while (!somebody_waits_for(name) && !entered) std::this_thread::yield();
  EXPECT_FALSE(entered);
  now = Descriptor();
  waiter.join();
  EXPECT_TRUE(entered);
}

TEST_F(LedgerTest, WhatWasTakenBackIsNotBooked) {
  Ledger ledger(folder_);
  ledger.spend(posting(0.25, "one.csv"));
  ledger.spend(posting(0.5, "two.csv"));
  ledger.take_back();
  EXPECT_EQ(booked(), 0.25);
  EXPECT_EQ(ledger.accounts().front().releases.size(), 1U);
}

TEST_F(LedgerTest, ATextIsReadAsItWasWritten) {
  Account account{"riders", 2, {"0f", "1e"}, {{"a.csv", "SCM", "epsilon=1", 0.5, "a user", 1e-6}}};
  account.releases.push_back({"b.csv", "SPOTME", "p=0.5", std::nullopt, "none", 0});
  const std::vector<Account> read = accounts_in(ledger_text({account}), "ledger.json");
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(ledger_text(read), ledger_text({account}));
  EXPECT_EQ(read.front().spent(), 0.5);
  EXPECT_EQ(read.front().unsafe_releases(), 1U);
}

std::string one_account(const std::string& budget, const std::string& data, const std::string& releases) {
  return "{\"schema\": 2,\n\"accounts\": {\n\"riders\": {\"budget\": " + budget + ", \"data\": " + data +
         ",\n\"releases\": [" + releases + "]}}}";
}

std::string release(const std::string& epsilon, const std::string& more = "") {
  return "\n{\"file\": \"f\", \"mechanism\": \"SCM\", \"parameter\": \"p\", \"epsilon\": " + epsilon +
         ", \"unit\": \"one event\"" + more + "}";
}

// A damaged ledger may say that less was spent than was, so nothing is published with it.
TEST_F(LedgerTest, DamagedLedgersAreRefusedWithTheirLine) {
  const std::string good = one_account("2", "[\"0f\"]", release("0.5") + "," + release("0"));
  EXPECT_EQ(accounts_in(good, "l").front().spent(), 0.5);
  const auto refused = [](const std::string& text) { return refusal([&] { accounts_in(text, "l"); }); };
  const auto with = [&](const std::string& releases) { return refused(one_account("2", "[\"0f\"]", releases)); };
  EXPECT_EQ(with(release("0.5") + "," + release("-0.4")),
            "l:6: a release has spent epsilon -0.4, but epsilon is never negative; restore the ledger from a copy");
  EXPECT_THAT(with(release("0.5", ", \"delta\": -1")), HasSubstr("l:5: a release has delta -1"));
  EXPECT_THAT(with(release("0.5", ", \"delta\": 1.5")), HasSubstr("delta is a chance"));
  EXPECT_THAT(with(release("\"none\"")), HasSubstr("l:5: this is not a ledger"));
  EXPECT_THAT(with("\n7"), HasSubstr("this is not a ledger"));
  EXPECT_EQ(with(""),
            "l:3: account riders has no releases, but an account begins with its first release; restore the ledger "
            "from a copy");
  EXPECT_THAT(refused(one_account("2", "[]", release("1"))), HasSubstr("l:5: account riders has no data"));
  EXPECT_THAT(refused(one_account("-2", "[\"0f\"]", release("1"))), HasSubstr("account riders has a budget of -2"));
  EXPECT_THAT(refused(one_account("2", "[1]", release("1"))), HasSubstr("l:3: this is not a ledger"));
  EXPECT_THAT(refused(good.substr(0, good.size() - 3)), HasSubstr("l:6: this is not a ledger"));
  EXPECT_THAT(refused(""), HasSubstr("l:1: this is not a ledger"));
  EXPECT_THAT(refused("{\"schema\": 2}"), HasSubstr("this is not a ledger"));
  EXPECT_THAT(refused(std::string(100'000, '[')), HasSubstr("this is not a ledger"));
  EXPECT_THAT(refused("{\"schema\": 2,\n\"accounts\": {\"a\": {},\n\"a\": {}}}"),
              HasSubstr("l:3: \"a\" is there twice"));
}

TEST_F(LedgerTest, WhatIsNoOrdinaryFileIsRefused) {
  fs::create_directory(folder_);
  ASSERT_EQ(mkfifo(path("ledger.json").c_str(), 0600), 0);
  EXPECT_THAT(open_refusal(), HasSubstr("state/ledger.json: this is a named pipe; name an ordinary file"));
  EXPECT_THAT(refusal([&] { read_accounts(folder_); }), HasSubstr("named pipe"));
  fs::remove(path("ledger.json"));
  fs::remove(path("ledger.json.lock"));
  ASSERT_EQ(mkfifo(path("ledger.json.lock").c_str(), 0600), 0);
  EXPECT_THAT(open_refusal(), HasSubstr("ledger.json.lock in it is no ordinary file"));
  fs::remove_all(folder_);
  results::write_file(folder_, "a file");
  EXPECT_THAT(open_refusal(), HasSubstr("cannot be opened as a folder: Not a directory"));
  fs::remove(folder_);
  fs::create_symlink(place_.path() + "/nowhere", folder_);
  EXPECT_THAT(open_refusal(), HasSubstr("is a symbolic link; name the folder that it leads to"));
}

TEST_F(LedgerTest, LookingChangesNothing) {
  EXPECT_TRUE(read_accounts(folder_).empty());
  EXPECT_FALSE(fs::exists(folder_));
  Ledger holder(folder_);
  holder.spend(posting(0.5));
  fs::remove(path("ledger.json.lock"));
  EXPECT_EQ(booked(), 0.5);
  EXPECT_EQ(results::names_in(folder_), std::set<std::string>{"ledger.json"});
}

}  // namespace
}  // namespace hearsay::publication
