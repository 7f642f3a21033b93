// SPDX-License-Identifier: Apache-2.0
//
// The rules of the house that a compiler does not check: data flows one way, and an attack never sees the truth.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace hearsay {
namespace {

using Includes = std::map<std::string, std::vector<std::string>>;  // file -> what it includes, both relative to src/

const std::vector<std::string> kStages = {"base",   "ingest", "generate",   "dataset", "release", "prior",
                                          "attack", "metric", "experiment", "report",  "cli"};

Includes read_includes(const std::filesystem::path& source) {
  Includes includes;
  static const std::regex kInclude("^#include \"([^\"]+)\"");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source)) {
    const std::string extension = entry.path().extension();
    if (extension != ".h" && extension != ".cc") continue;
    std::ifstream in(entry.path());
    std::vector<std::string>& list = includes[std::filesystem::relative(entry.path(), source)];
    for (std::string line; std::getline(in, line);) {
      std::smatch match;
      if (std::regex_search(line, match, kInclude)) list.push_back(match[1]);
    }
  }
  return includes;
}

std::size_t stage_of(const std::string& file) {
  const std::string folder = file.substr(0, file.find('/'));
  return static_cast<std::size_t>(std::find(kStages.begin(), kStages.end(), folder) - kStages.begin());
}

bool is_test(const std::string& file) {
  return file.ends_with("_test.cc");
}

std::vector<std::string> against_the_flow(const Includes& includes) {
  std::vector<std::string> found;
  for (const auto& [file, list] : includes) {
    for (const std::string& included : list) {
      if (stage_of(included) > stage_of(file)) found.push_back(fmt::format("{} includes {}", file, included));
    }
  }
  return found;
}

std::vector<std::string> attacks_that_see_the_truth(const Includes& includes) {
  const std::set<std::string> truth = {"dataset/dataset.h", "dataset/visit_store.h", "ingest/ingest.h"};
  std::vector<std::string> found;
  for (const auto& [file, list] : includes) {
    if (!file.starts_with("attack/") || is_test(file)) continue;
    std::set<std::string> reached;
    std::vector<std::string> open = list;
    while (!open.empty()) {
      const std::string next = open.back();
      open.pop_back();
      if (!reached.insert(next).second || !includes.contains(next)) continue;
      open.insert(open.end(), includes.at(next).begin(), includes.at(next).end());
    }
    for (const std::string& header : truth) {
      if (reached.contains(header)) found.push_back(fmt::format("{} reaches {}", file, header));
    }
  }
  return found;
}

TEST(HouseTest, DataFlowsOneWay) {
  const Includes includes = read_includes(HEARSAY_SOURCE_DIR "/src");
  ASSERT_GT(includes.size(), 30U);
  EXPECT_THAT(against_the_flow(includes), testing::IsEmpty());
}

TEST(HouseTest, AttacksNeverSeeTheTruth) {
  EXPECT_THAT(attacks_that_see_the_truth(read_includes(HEARSAY_SOURCE_DIR "/src")), testing::IsEmpty());
}

TEST(HouseTest, ViolationsAreFound) {
  EXPECT_THAT(against_the_flow({{"prior/x.h", {"attack/attack.h"}}, {"attack/y.h", {"prior/prior.h"}}}),
              testing::ElementsAre("prior/x.h includes attack/attack.h"));
  EXPECT_THAT(attacks_that_see_the_truth({{"attack/x_attack.cc", {"release/release.h"}},
                                          {"release/release.h", {"dataset/dataset.h"}},
                                          {"dataset/dataset.h", {}}}),
              testing::ElementsAre("attack/x_attack.cc reaches dataset/dataset.h"));
}

TEST(HouseTest, EverySourceSaysItsLicence) {
  for (const char* folder : {"src", "tests", "bench", "include", "python"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(HEARSAY_SOURCE_DIR) / folder)) {
      const std::string extension = entry.path().extension();
      if (extension != ".h" && extension != ".cc") continue;
      std::ifstream in(entry.path());
      std::string line;
      std::getline(in, line);
      EXPECT_EQ(line, "// SPDX-License-Identifier: Apache-2.0") << entry.path();
    }
  }
}

}  // namespace
}  // namespace hearsay
