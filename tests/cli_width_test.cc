// SPDX-License-Identifier: Apache-2.0
//
// What is printed follows the width of the terminal, and every word of it can be asked for.
#include <algorithm>
#include <set>
#include <vector>

#include "cli_fixture.h"

namespace hearsay {
namespace {

class CliWidthTest : public CliTest {
 protected:
  // Under COLUMNS as a shell would set it.
  Ran at_width(std::size_t width, const std::string& arguments) const {
    setenv("COLUMNS", std::to_string(width).c_str(), 1);
    const Ran ran = hearsay(arguments);
    unsetenv("COLUMNS");
    return ran;
  }

  static void expect_fits(const Ran& ran, std::size_t width, const std::string& what) {
    ASSERT_EQ(ran.code, 0) << ran.err;
    std::istringstream lines(ran.out);
    std::size_t longest = 0;
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), width) << what << ": " << line;
      longest = std::max(longest, line.size());
    }
    EXPECT_GT(longest, width / 2) << what << " uses the room there is";
  }
};

const std::string kChains =
    fmt::format("study '{}/examples/small/chains.toml' --set membership.trials=5 --set membership.audit_trials=10",
                HEARSAY_SOURCE_DIR);

TEST_F(CliWidthTest, NothingIsWiderThanTheTerminal) {
  for (const std::size_t width : {80, 120, 200}) {
    expect_fits(at_width(width, kChains + " --out out"), width, "study");
    expect_fits(at_width(width, "demo --users 300 --out demo"), width, "demo");
    expect_fits(at_width(width, "list"), width, "list");
    expect_fits(at_width(width, "explain MAX_ROI"), width, "explain");
  }
  const Ran described = at_width(80, fmt::format("describe '{}/examples/small/study.toml'", HEARSAY_SOURCE_DIR));
  expect_fits(described, 80, "describe");
}

TEST_F(CliWidthTest, NarrowTablesLoseNothing) {
  const auto bare = [](const std::string& text) {
    std::set<std::string> words;
    std::istringstream in(text.substr(0, text.find("What leaks")));
    for (std::string word; in >> word;) words.insert(word);
    return words;
  };
  const std::set<std::string> narrow = bare(at_width(80, kChains + " --out out").out);
  const std::string piped = hearsay(kChains + " --out out").out;
  for (const std::string& word : bare(piped)) {
    const bool number = word.find_first_not_of("0123456789.-%") == std::string::npos &&
                        word.find_first_of("0123456789") != std::string::npos;
    EXPECT_TRUE(!number || narrow.contains(word)) << word;
  }
  // Whoever reads a pipe by line has a line a release.
  EXPECT_THAT(piped, HasSubstr("BOUND+LAPLACE+SUPPRESS       at_most=4,per=day; epsilon=1,unit=user_day; at_most=9 "));
  EXPECT_THAT(piped, testing::ContainsRegex("ine-spain +preset "));
}

// A table in the terminal ends its heads with a line of dashes.
std::set<std::string> heads_of(const std::string& printed) {
  std::set<std::string> heads;
  std::istringstream lines(printed);
  std::string before;
  for (std::string line; std::getline(lines, line); before = line) {
    if (!line.starts_with("---")) continue;
    std::size_t at = 0;
    while (at < line.size()) {
      const std::size_t end = std::min(line.find(' ', at), line.size());
      std::string head = at < before.size() ? before.substr(at, end - at) : "";
      head.erase(0, std::min(head.find_first_not_of(' '), head.size()));
      head.erase(head.find_last_not_of(' ') + 1);
      if (!head.empty()) heads.insert(head);
      at = std::min(line.find_first_not_of(' ', end), line.size());
    }
  }
  return heads;
}

TEST_F(CliWidthTest, EveryColumnCanBeExplained) {
  const Ran ran = hearsay(kChains +
                          " --out out --set 'study.goals=[\"profiling\", \"localization\", \"membership\", "
                          "\"audit\", \"trajectories\"]'");
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::set<std::string> words = heads_of(ran.out);
  EXPECT_GT(words.size(), 15U);
  EXPECT_TRUE(words.contains("given back") && words.contains("with null") && words.contains("strongest"));
  for (const auto& file : fs::directory_iterator(folder_ / "out")) {
    if (file.path().extension() != ".csv") continue;
    std::istringstream first(read_text(file.path()));
    std::string line;
    std::getline(first, line);
    std::istringstream columns(line);
    for (std::string column; std::getline(columns, column, ',');) words.insert(column);
  }
  for (const char* word :
       {"MRE", "ALL", "POP", "null", "own part", "crowd part", "ZEROS", "LAST_WEEK_COUNTS", "AVERAGE_WEEK", "RAW",
        "preset", "best response", "learned", "uid", "feature", "importance"}) {
    words.insert(word);
  }
  EXPECT_GT(words.size(), 150U);
  for (const std::string& word : words) {
    const Ran explained = hearsay(fmt::format("explain '{}'", word));
    EXPECT_EQ(explained.code, 0) << word << ": " << explained.err;
  }
}

}  // namespace
}  // namespace hearsay
