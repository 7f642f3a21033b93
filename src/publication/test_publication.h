// SPDX-License-Identifier: Apache-2.0
//
// For tests: a small study to publish from, with a ledger of its own.
#pragma once

#include <gtest/gtest.h>

#include "base/errors.h"
#include "publication/publication.h"
#include "results/test_data.h"

namespace hearsay::publication {

class PublicationTest : public testing::Test {
 protected:
  PublicationTest() { results::write_file(place_.path() + "/rois.csv", "roi\nx\ny\nz\n"); }

  experiment::Study study(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> overrides = {"rois.list=rois.csv"};
    overrides.insert(overrides.end(), more.begin(), more.end());
    return results::tiny_study(place_.path(), overrides);
  }
  PublicationRequest request(const std::string& mechanism, const std::vector<std::string>& parameters,
                             const std::string& file) const {
    PublicationRequest wanted;
    wanted.mechanism = mechanism;
    wanted.parameters = parameters;
    wanted.out = out_ + "/" + file;
    wanted.account = "riders";
    wanted.ledger = state_;
    wanted.budget = 1e6;
    wanted.accept_noise = true;  // counts of a handful of people
    return wanted;
  }
  PublicationRequest scm(const std::string& epsilon, const std::string& file) const {
    return request("SCM", {"sensitivity=event", "epsilon=" + epsilon}, file);
  }
  std::set<std::string> published() const {
    return std::filesystem::exists(out_) ? results::names_in(out_) : std::set<std::string>{};
  }
  std::string ledger_text() const { return results::read_text(state_ + "/ledger.json"); }
  // Without a budget, as every release but the first.
  PublicationRequest later(const std::string& epsilon, const std::string& file) const {
    PublicationRequest wanted = scm(epsilon, file);
    wanted.budget.reset();
    return wanted;
  }
  // The message of a refusal, which must leave the folder and the books as they were.
  std::string refusal(const experiment::Study& of, const PublicationRequest& wanted) const {
    const std::set<std::string> before = published();
    const std::string books = ledger_text();
    try {
      publish(of, wanted, {});
    } catch (const ConfigError& error) {
      EXPECT_EQ(published(), before);
      EXPECT_EQ(ledger_text(), books);
      return error.what();
    }
    return "published";
  }

  TemporaryFolder place_{"", "hearsay-test-"};
  std::string out_ = place_.path() + "/published";
  std::string state_ = place_.path() + "/state";
};

}  // namespace hearsay::publication
