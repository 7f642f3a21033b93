// SPDX-License-Identifier: Apache-2.0
//
// A study on small data, and its report's document.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "job/run_study.h"
#include "results/manifest.h"
#include "results/test_data.h"

namespace hearsay::job {

class DocumentTest : public testing::Test {
 protected:
  results::Json run(const std::vector<std::string>& overrides = {}, const std::string& events = results::kEvents) {
    const experiment::Study study = results::tiny_study(place_.path(), overrides);
    results::write_file(place_.path() + "/events.csv", events);
    RunOptions options;
    options.out = out_;
    options.study_name = "tiny.toml";
    run_study(study, options);
    return results::Json::parse(results::read_text(out_ + "/report.json"));
  }
  TemporaryFolder place_{"", "hearsay-test-"};
  std::string out_ = place_.path() + "/out";
};

// Whom the sentences are about.
inline const results::Json& adversary_of(const results::Json& document) {
  return document["adversaries"][document["adversary"].get<std::size_t>()];
}

// 24 people at `busy`, of whom 3 also go to `quiet`, on both days.
inline std::string busy_and_quiet() {
  std::string events = "uid,roi,datetime\n";
  for (int day = 1; day <= 2; ++day) {
    for (int user = 0; user < 24; ++user) {
      events += fmt::format("u{:02},busy,2024-01-0{} 0{}:30:00\n", user, day, (user + day) % 2);
      if (user < 3) events += fmt::format("u{:02},quiet,2024-01-0{} 01:40:00\n", user, day);
    }
  }
  return events;
}

}  // namespace hearsay::job
