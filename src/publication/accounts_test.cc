// SPDX-License-Identifier: Apache-2.0
//
// Budgets that hold whatever the data is called, wherever it is published, and whoever else publishes at once.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>

#include "publication/ledger.h"
#include "publication/release_files.h"
#include "publication/test_publication.h"
#include "results/manifest.h"

namespace hearsay::publication {
namespace {

using testing::HasSubstr;

using AccountsTest = PublicationTest;

// Publishes in a process of its own; 0 where it did, 1 where it was refused.
class Children {
 public:
  template <typename Work>
  void start(const Work& work) {
    const pid_t child = fork();
    if (child == 0) {
      int code = 0;
      try {
        work();
      } catch (const ConfigError&) {
        code = 1;
      } catch (...) {
        code = 2;
      }
      _exit(code);
    }
    children_.push_back(child);
  }
  std::vector<int> wait() {
    std::vector<int> ends;
    for (const pid_t child : children_) {
      int status = 0;
      waitpid(child, &status, 0);
      ends.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
    }
    std::sort(ends.begin(), ends.end());
    return ends;
  }

 private:
  std::vector<pid_t> children_;
};

TEST_F(AccountsTest, AccountAndBudgetMustBeStated) {
  PublicationRequest nameless = scm("1", "counts.csv");
  nameless.account.clear();
  EXPECT_THAT(refusal(study(), nameless), HasSubstr("account = \"riders\""));
  PublicationRequest broken = nameless;
  broken.account = "two\nlines";
  EXPECT_THAT(refusal(study(), broken), HasSubstr("one line"));
  EXPECT_THAT(refusal(study(), later("1", "counts.csv")), HasSubstr("account riders has none yet"));
  PublicationRequest nothing = scm("1", "counts.csv");
  nothing.budget = 0;
  EXPECT_THAT(refusal(study(), nothing), HasSubstr("above 0"));
  EXPECT_EQ(publish(study({"data.account=cyclists"}), nameless, {}).account.name, "cyclists");
}

// Whatever opened a new budget by accident when data was known by its bytes and the ledger by the folder.
TEST_F(AccountsTest, TheSamePeopleHaveOneBudget) {
  PublicationRequest first = scm("0.6", "one.csv");
  first.budget = 1;
  publish(study(), first, {});

  PublicationRequest elsewhere = later("0.6", "x.csv");
  elsewhere.out = place_.path() + "/elsewhere/one.csv";
  EXPECT_THAT(refusal(study(), elsewhere), HasSubstr("has spent 0.6 of 1"));

  const experiment::Study grown = study();
  results::write_file(place_.path() + "/events.csv", std::string(results::kEvents) + "e,x,2024-01-02 01:00:00\n");
  EXPECT_THAT(refusal(grown, later("0.1", "two.csv")), HasSubstr("--new-data"));
  PublicationRequest agreed = later("0.6", "two.csv");
  agreed.new_data = true;
  EXPECT_THAT(refusal(grown, agreed), HasSubstr("has spent 0.6 of 1"));
  agreed.parameters.back() = "epsilon=0.1";
  EXPECT_NEAR(publish(grown, agreed, {}).account.spent(), 0.7, 1e-12);
  EXPECT_NEAR(publish(grown, later("0.1", "three.csv"), {}).account.spent(), 0.8, 1e-12);  // known now

  ASSERT_EQ(std::system(("gzip -k " + place_.path() + "/events.csv").c_str()), 0);
  const experiment::Study zipped = study({"data.path=events.csv.gz"});
  EXPECT_THAT(refusal(zipped, later("0.1", "four.csv")), HasSubstr("--new-data"));
  PublicationRequest copy = later("0.6", "four.csv");
  copy.new_data = true;
  EXPECT_THAT(refusal(zipped, copy), HasSubstr("has spent 0.8 of 1"));
}

TEST_F(AccountsTest, KnownDataHasNoSecondAccount) {
  publish(study(), scm("0.6", "one.csv"), {});
  PublicationRequest other = scm("0.6", "two.csv");
  other.account = "bikes";
  EXPECT_THAT(refusal(study(), other), HasSubstr("published under account riders"));
  const experiment::Study another = study();
  results::write_file(place_.path() + "/events.csv", std::string(results::kEvents) + "e,x,2024-01-02 01:00:00\n");
  EXPECT_NEAR(publish(another, other, {}).account.spent(), 0.6, 1e-12);
}

// A data file is known by its role, not by the name of the list of places.
TEST_F(AccountsTest, ADataFileMayHaveTheNameOfTheList) {
  std::filesystem::create_directories(place_.path() + "/data");
  const experiment::Study named = study({"data.path=data/rois.csv"});
  results::write_file(place_.path() + "/data/rois.csv", results::kEvents);
  publish(named, scm("1", "one.csv"), {});
  results::write_file(place_.path() + "/data/rois.csv", std::string(results::kEvents) + "e,x,2024-01-02 01:00:00\n");
  EXPECT_THAT(refusal(named, later("1", "two.csv")), HasSubstr("--new-data"));
}

TEST_F(AccountsTest, UnitsAreMixedOnlyOnRequest) {
  publish(study(), scm("1", "one.csv"), {});
  PublicationRequest user = request("SCM", {"bound=2", "epsilon=1"}, "two.csv");
  EXPECT_THAT(refusal(study(), user), HasSubstr("budget of account riders is for one event"));
  user.mix_units = true;
  EXPECT_THAT(publish(study(), user, {}).account.standing(),
              HasSubstr("2 of 1e+06 for one event, a user; units are mixed: the sum holds for the smallest only"));
  EXPECT_EQ(results::Json::parse(ledger_text())["accounts"]["riders"]["units"], results::Json({"one event", "a user"}));
}

TEST_F(AccountsTest, UnsafeReleasesAreWithoutBound) {
  PublicationRequest unsafe = request("SPOTME", {"p=0.5"}, "counts.csv");
  unsafe.unsafe = true;
  unsafe.budget = 1;
  EXPECT_THAT(publish(study(), unsafe, {}).account.standing(),
              HasSubstr("without bound: 1 release without a guarantee. The others: 0 of 1"));
  const results::Json account = results::Json::parse(ledger_text())["accounts"]["riders"];
  EXPECT_EQ(account["spent"], "without bound");
  EXPECT_TRUE(account["releases"][0]["epsilon"].is_null());
  // What has a guarantee still keeps within the budget.
  EXPECT_THAT(publish(study(), later("0.6", "two.csv"), {}).account.standing(), HasSubstr("0.6 of 1 for one event"));
  EXPECT_THAT(refusal(study(), later("0.6", "three.csv")), HasSubstr("without bound"));
}

TEST_F(AccountsTest, TheLedgerIsTheUsersAlone) {
  setenv("XDG_STATE_HOME", (place_.path() + "/home").c_str(), 1);
  PublicationRequest wanted = scm("1", "counts.csv");
  wanted.ledger.clear();
  const PublicationOutcome outcome = publish(study(), wanted, {});
  EXPECT_EQ(outcome.ledger, place_.path() + "/home/hearsay");
  namespace fs = std::filesystem;
  EXPECT_EQ(fs::status(outcome.ledger).permissions(), fs::perms::owner_all);
  for (const char* name : {"ledger.json", "ledger.json.lock"}) {
    EXPECT_EQ(fs::status(outcome.ledger + "/" + name).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  }
  EXPECT_EQ(published(), (std::set<std::string>{"counts.csv", "counts.csv.guarantee.json"}));
  wanted = scm("1", "two.csv");
  wanted.ledger = out_ + "/";
  EXPECT_THAT(refusal(study(), wanted), HasSubstr("which others will see"));
}

TEST_F(AccountsTest, ALedgerOfAnEarlierVersionIsNotForgotten) {
  std::filesystem::create_directories(out_);
  results::write_file(out_ + "/ledger.json", R"({"schema":1,"budgets":{},"releases":[]})");
  EXPECT_THAT(refusal(study(), scm("1", "counts.csv")), HasSubstr("ledger of an earlier version"));
}

TEST_F(AccountsTest, ABrokenLedgerStopsEverythingAndKeepsNoLock) {
  std::filesystem::create_directories(state_);
  results::write_file(state_ + "/ledger.json", "{}");
  EXPECT_THROW(publish(study(), scm("1", "counts.csv"), {}), InputError);
  EXPECT_TRUE(published().empty());
  std::filesystem::remove(state_ + "/ledger.json");
  // Would wait for ever for a lock that the attempt above left.
  const int lock = open((state_ + "/ledger.json.lock").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(lock, 0);
  ASSERT_EQ(flock(lock, LOCK_EX | LOCK_NB), 0);
  close(lock);
  EXPECT_NEAR(publish(study(), scm("1", "counts.csv"), {}).account.spent(), 1, 1e-12);
}

TEST_F(AccountsTest, NoSymbolicLinkIsFollowed) {
  namespace fs = std::filesystem;
  fs::create_directories(out_);
  fs::create_symlink(place_.path() + "/target.csv", out_ + "/counts.csv");
  EXPECT_THAT(refusal(study(), scm("1", "counts.csv")), HasSubstr("never replaced"));
  fs::create_symlink(place_.path() + "/target.json", out_ + "/two.csv.guarantee.json");
  EXPECT_THAT(refusal(study(), scm("1", "two.csv")), HasSubstr("never replaced"));

  fs::create_directories(place_.path() + "/elsewhere");
  fs::create_directory_symlink(place_.path() + "/elsewhere", place_.path() + "/link");
  PublicationRequest linked = scm("1", "three.csv");
  linked.ledger = place_.path() + "/link/";
  EXPECT_THAT(refusal(study(), linked), HasSubstr("symbolic link"));

  fs::create_directories(state_);
  fs::create_symlink(place_.path() + "/target.lock", state_ + "/ledger.json.lock");
  EXPECT_THAT(refusal(study(), scm("1", "three.csv")), HasSubstr("no ordinary file"));
  fs::remove(state_ + "/ledger.json.lock");
  fs::create_symlink(place_.path() + "/target.ledger", state_ + "/ledger.json");
  EXPECT_THROW(publish(study(), scm("1", "three.csv"), {}), InputError);
  for (const char* name : {"target.csv", "target.json", "target.lock", "target.ledger"}) {
    EXPECT_FALSE(fs::exists(place_.path() + "/" + name)) << name;
  }
}

// Another process publishes while this one reads its data.
TEST_F(AccountsTest, WhatAppearsMeanwhileIsNotReplaced) {
  const experiment::Study of = study();
  std::atomic_bool appeared = false;
  engine::LoadOptions options;
  options.progress = [&](auto&&...) {
    std::filesystem::create_directories(out_);
    if (!appeared.exchange(true)) results::write_file(out_ + "/counts.csv", "theirs");
  };
  EXPECT_THROW(publish(of, scm("1", "counts.csv"), options), ConfigError);
  ASSERT_TRUE(appeared);
  EXPECT_EQ(results::read_text(out_ + "/counts.csv"), "theirs");
  EXPECT_EQ(ledger_text(), "");
  EXPECT_EQ(published(), std::set<std::string>{"counts.csv"});
}

TEST_F(AccountsTest, FilesArePutInPlaceOnlyWhereThereAreNone) {
  std::filesystem::create_directories(out_);
  results::write_file(place_.path() + "/counts", "ours");
  results::write_file(place_.path() + "/guarantee", "ours");
  const ReleaseFiles files(out_ + "/counts.csv");
  results::write_file(files.counts.string(), "theirs");
  EXPECT_THROW(files.put_in_place(place_.path() + "/counts", place_.path() + "/guarantee"), ConfigError);
  EXPECT_EQ(results::read_text(files.counts.string()), "theirs");
  EXPECT_EQ(published(), std::set<std::string>{"counts.csv"});
}

// Nothing is published that is not in the books.
TEST_F(AccountsTest, WithoutTheBooksNothingIsPublished) {
  std::filesystem::create_directories(state_ + "/ledger.json.next");
  EXPECT_THROW(publish(study(), scm("1", "counts.csv"), {}), std::system_error);
  EXPECT_TRUE(published().empty());
}

TEST_F(AccountsTest, OfTwoProcessesOneTakesTheName) {
  const experiment::Study of = study();
  Children children;
  for (int i = 0; i < 4; ++i) children.start([&] { publish(of, scm("0.5", "counts.csv"), {}); });
  EXPECT_THAT(children.wait(), testing::ElementsAre(0, 1, 1, 1));
  EXPECT_EQ(results::Json::parse(ledger_text())["accounts"]["riders"]["releases"].size(), 1U);
}

TEST_F(AccountsTest, ProcessesAtOnceKeepTheBudget) {
  const experiment::Study of = study();
  Children children;
  for (int i = 0; i < 4; ++i) {
    PublicationRequest wanted = scm("0.5", std::to_string(i) + ".csv");
    wanted.budget = 1;
    children.start([&of, wanted] { publish(of, wanted, {}); });
  }
  EXPECT_THAT(children.wait(), testing::ElementsAre(0, 0, 1, 1));
  EXPECT_EQ(published().size(), 2U * 2);
}

TEST_F(AccountsTest, ACrashAfterTheBooksLeavesNoCounts) {
  publish(study(), scm("0.5", "one.csv"), {});
  const experiment::Study of = study();
  Children children;
  children.start([&] {
    // The kernel ends the process when the ledger is renamed into its place.
    const int folder = open(state_.c_str(), O_RDONLY | O_DIRECTORY);
    if (fcntl(folder, F_NOTIFY, DN_RENAME) == 0) publish(of, scm("0.5", "two.csv"), {});
  });
  EXPECT_THAT(children.wait(), testing::ElementsAre(-SIGIO));
  EXPECT_EQ(results::Json::parse(ledger_text())["accounts"]["riders"]["releases"].size(), 2U);
  EXPECT_FALSE(std::filesystem::exists(out_ + "/two.csv"));
  EXPECT_NEAR(publish(study(), scm("0.5", "three.csv"), {}).account.spent(), 1.5, 1e-12);
}

}  // namespace
}  // namespace hearsay::publication
