// SPDX-License-Identifier: Apache-2.0
//
// A release whose process is killed at any of its steps: no counts that the ledger does not know, and nothing that
// stands in the way of the next release.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "publication/publishing_step.h"
#include "publication/test_publication.h"

namespace hearsay::publication {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::array kSteps = {PublishingStep::kBeforeBooking,    PublishingStep::kLedgerWritten,
                               PublishingStep::kBooked,           PublishingStep::kCountsWritten,
                               PublishingStep::kGuaranteeInPlace, PublishingStep::kCountsInPlace};

PublishingStep fatal_step;

void end_here(PublishingStep step) {
  if (step == fatal_step) raise(SIGKILL);
}

void fail_here(PublishingStep step) {
  if (step == fatal_step) throw std::system_error(ENOSPC, std::generic_category(), "no room");
}

class KilledTest : public PublicationTest {
 protected:
  void TearDown() override { on_publishing_step = nullptr; }

  // Publishes in a process that is killed at the step.
  void publish_until(PublishingStep step) {
    const experiment::Study of = study();
    const pid_t child = fork();
    if (child == 0) {
      fatal_step = step;
      on_publishing_step = end_here;
      try {
        publish(of, scm("0.5", "counts.csv"), {});
      } catch (...) {
        _exit(1);
      }
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
  }
  // Whether any file in the folder of the release, hidden ones included, has counts in it.
  bool counts_are_anywhere() const {
    if (!fs::exists(out_)) return false;
    const auto entries = fs::recursive_directory_iterator(out_);
    return std::any_of(begin(entries), end(entries), [](const fs::directory_entry& entry) {
      return entry.is_regular_file() && results::read_text(entry.path()).starts_with("roi,time,count");
    });
  }
  bool is_booked() const { return ledger_text().find("/counts.csv\"") != std::string::npos; }
};

TEST_F(KilledTest, CountsAreNeverThereWithoutTheirEntryAndTheNextReleaseTidies) {
  for (const PublishingStep step : kSteps) {
    SCOPED_TRACE(static_cast<int>(step));
    fs::remove_all(out_);
    fs::remove_all(state_);
    publish_until(step);
    EXPECT_EQ(is_booked(), step >= PublishingStep::kBooked);
    EXPECT_EQ(counts_are_anywhere(), step >= PublishingStep::kCountsWritten);
    EXPECT_EQ(fs::exists(out_ + "/counts.csv"), step == PublishingStep::kCountsInPlace);

    EXPECT_NEAR(publish(study(), scm("0.25", "next.csv"), {}).account.spent(),
                step >= PublishingStep::kBooked ? 0.75 : 0.25, 1e-12);
    std::set<std::string> expected = {"next.csv", "next.csv.guarantee.json"};
    if (step >= PublishingStep::kGuaranteeInPlace) expected.insert("counts.csv.guarantee.json");
    if (step == PublishingStep::kCountsInPlace) expected.insert("counts.csv");
    EXPECT_EQ(published(), expected);
    EXPECT_EQ(results::names_in(state_), (std::set<std::string>{"ledger.json", "ledger.json.lock"}));
  }
}

// Also one that is refused: what is left lies in a folder that others will see.
TEST_F(KilledTest, ARefusedReleaseRemovesWhatIsLeft) {
  publish_until(PublishingStep::kCountsWritten);
  EXPECT_EQ(published().size(), 1U);
  PublicationRequest wanted = scm("0.25", "next.csv");
  wanted.mechanism = "SMC";
  EXPECT_THROW(publish(study(), wanted, {}), ConfigError);
  EXPECT_TRUE(published().empty());
}

TEST_F(KilledTest, AGuaranteeAloneIsToldFromARelease) {
  publish_until(PublishingStep::kGuaranteeInPlace);
  EXPECT_THAT(refusal(study(), scm("0.25", "counts.csv")), HasSubstr("though its counts do not"));
}

// An error, unlike a kill, leaves time to take the entry back.
TEST_F(KilledTest, CountsThatCannotBeWrittenCostNothing) {
  publish(study(), scm("0.25", "before.csv"), {});
  const std::string books = ledger_text();
  for (const PublishingStep step : {PublishingStep::kCountsWritten, PublishingStep::kGuaranteeInPlace}) {
    fatal_step = step;
    on_publishing_step = fail_here;
    EXPECT_THROW(publish(study(), scm("0.5", "counts.csv"), {}), std::system_error);
    on_publishing_step = nullptr;
    EXPECT_EQ(ledger_text(), books);
    EXPECT_EQ(published(), (std::set<std::string>{"before.csv", "before.csv.guarantee.json"}));
  }
}

}  // namespace
}  // namespace hearsay::publication
