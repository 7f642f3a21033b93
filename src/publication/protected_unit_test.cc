// SPDX-License-Identifier: Apache-2.0
#include "publication/protected_unit.h"

#include <gmock/gmock.h>

#include "publication/test_publication.h"

namespace hearsay::publication {
namespace {

using testing::HasSubstr;

class ProtectedUnitTest : public PublicationTest {
 protected:
  // The text of a unit where epochs are so many hours, and so many of them are counted together.
  static std::string unit(const std::string& name, std::uint32_t hours, std::uint32_t together = 1) {
    ingest::Visits visits;
    visits.users = {"a"};
    visits.rois = {{"x", "", {}, {}}};
    visits.visits = {{0, 0, 0}, {1, 0, 0}};
    const dataset::Dataset dataset(std::move(visits), {3600 * hours, together + 1, 1}, 0);
    const release::Draft draft(dataset.truth(), std::nullopt, 1);
    return protected_unit(name, draft.merged({0}, 1, std::vector<std::uint32_t>(together, 0), 1), dataset.rois());
  }
};

TEST_F(ProtectedUnitTest, ReleasesWithOtherEpochsProtectSomethingElse) {
  PublicationRequest hours = request("", {}, "hours.csv");
  hours.steps = {"LAPLACE(epsilon=1,unit=user_epoch)"};
  EXPECT_THAT(publish(study(), hours, {}).account.standing(), HasSubstr("for a user in one epoch of 1 hour"));
  PublicationRequest longer = request("", {}, "longer.csv");
  longer.steps = {"EPOCHS(of=2)", "LAPLACE(epsilon=1,unit=user_epoch)"};
  EXPECT_THAT(refusal(study(), longer),
              testing::AllOf(HasSubstr("unit = a user in one epoch of 2 hours"),
                             HasSubstr("budget of account riders is for a user in one epoch of 1 hour. --mix-units")));
  hours.out += ".csv";
  EXPECT_THAT(publish(study(), hours, {}).account.standing(), HasSubstr("2 of 1e+06"));
}

TEST_F(ProtectedUnitTest, ReleasesOfOtherPlacesProtectSomethingElse) {
  const auto wanted = [&](const std::string& file) {
    PublicationRequest places = request("", {}, file);
    places.steps = {"LAPLACE(epsilon=1,unit=user_place)"};
    return places;
  };
  publish(study(), wanted("one.csv"), {});
  EXPECT_NEAR(publish(study(), wanted("two.csv"), {}).account.spent(), 2, 1e-12);
  results::write_file(place_.path() + "/rois.csv", "roi\nx\ny\n");
  EXPECT_THAT(refusal(study(), wanted("three.csv")), HasSubstr("unit = a user in one ROI of 2 (set "));
}

// A ledger of an earlier version has "a user in one epoch" of epochs that nobody knows.
TEST_F(ProtectedUnitTest, AnEarlierLedgerLeavesTheSizeOpen) {
  PublicationRequest hours = request("", {}, "hours.csv");
  hours.steps = {"LAPLACE(epsilon=1,unit=user_epoch)"};
  publish(study(), hours, {});
  std::string books = ledger_text();
  const std::string with_size = "a user in one epoch of 1 hour";
  for (std::size_t at = 0; (at = books.find(with_size, at)) != std::string::npos;) {
    books.replace(at, with_size.size(), "a user in one epoch");
  }
  results::write_file(state_ + "/ledger.json", books);
  hours.out += ".csv";
  EXPECT_THAT(refusal(study(), hours), HasSubstr("an earlier version did not note how long its epochs were"));
  hours.mix_units = true;
  EXPECT_THAT(publish(study(), hours, {}).account.standing(), HasSubstr("units are mixed"));
}

TEST_F(ProtectedUnitTest, TheSameUnitHasOneText) {
  EXPECT_EQ(unit("a user in any 4 epochs", 3), unit("a user in any 6 epochs", 2));
  EXPECT_EQ(unit("a user in any 4 epochs", 3), "a user in any 12 hours in a row");
  EXPECT_EQ(unit("a user in one epoch", 24), "a user in one day");
  EXPECT_EQ(unit("a user in one epoch", 12, 2), "a user in one day");
  EXPECT_EQ(unit("a user in one epoch", 24, 7), "a user in one week");
  EXPECT_EQ(unit("a user in one epoch", 24, 2), "a user in one epoch of 2 days");
  EXPECT_EQ(unit("a user in one epoch", 1), "a user in one epoch of 1 hour");
  EXPECT_EQ(unit("one event", 24), "one event");
  EXPECT_EQ(unit("a user", 24), "a user");
  EXPECT_TRUE(leaves_size_open("a user in any 6 epochs"));
  EXPECT_FALSE(leaves_size_open("a user in one day"));
}

}  // namespace
}  // namespace hearsay::publication
