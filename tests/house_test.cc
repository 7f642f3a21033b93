// SPDX-License-Identifier: Apache-2.0
//
// The rules of the house that a compiler does not check. Data flows one way, and what a stage may know shows in what it
// may include: a header that is not on its list is refused. So an attack, which is given beliefs and counts, has no
// path to the visits behind them: no header it reaches declares them, opens a file or asks the system for anything.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "experiment/registry.h"
#include "goal/combination.h"
#include "metric/metric.h"

namespace hearsay {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

using Headers = std::vector<std::string>;
using Includes = std::map<std::string, Headers>;  // file -> what it includes: "stage/x.h" of src/, or "<x.h>"

// Of the standard library, what computes and does nothing else: allowed everywhere.
const Headers kComputing = {
    "<algorithm>",     "<array>",         "<atomic>",   "<bit>",         "<cassert>",    "<charconv>",
    "<cmath>",         "<complex>",       "<compare>",  "<concepts>",    "<deque>",      "<list>",
    "<cstddef>",       "<cstdint>",       "<cstring>",  "<exception>",   "<functional>", "<initializer_list>",
    "<iterator>",      "<limits>",        "<map>",      "<memory>",      "<mutex>",      "<new>",
    "<numbers>",       "<numeric>",       "<optional>", "<random>",      "<set>",        "<span>",
    "<stdexcept>",     "<stop_token>",    "<string>",   "<string_view>", "<tuple>",      "<type_traits>",
    "<unordered_map>", "<unordered_set>", "<utility>",  "<variant>",     "<vector>",     "<fmt/"};
// What touches files, threads and clocks; what is the system's own.
const Headers kOutside = {
    "<cctype>", "<cerrno>",     "<chrono>",  "<condition_variable>", "<csignal>", "<cstdio>",       "<cstdlib>",
    "<ctime>",  "<filesystem>", "<fstream>", "<iostream>",           "<sstream>", "<system_error>", "<thread>"};
const Headers kSystem = {"<dirent.h>", "<dlfcn.h>", "<fcntl.h>", "<link.h>", "<malloc.h>",
                         "<signal.h>", "<spawn.h>", "<stdio.h>", "<sys/",    "<unistd.h>"};
const Headers kTesting = {"<gtest/", "<gmock/", "dataset/test_shares.h"};

// What the files of a stage may include besides their own folder and kComputing. An entry that ends in '/' stands for
// all below it. Tests of a stage may use what the system has, and kTesting.
const std::map<std::string, std::vector<Headers>> kAllowed = {
    {"base", {{"<boost/multiprecision/", "<boost/sort/", "<linear.h>"}, kOutside, kSystem}},
    {"storage", {{"base/", "<duckdb.h>", "<openssl/", "<lzma.h>", "<minizip/", "<zlib.h>"}, kOutside, kSystem}},
    {"ingest", {{"base/", "storage/", "<duckdb.h>", "<nlohmann/json.hpp>", "<pugixml.hpp>"}, kOutside, kSystem}},
    {"look", {{"base/", "storage/", "ingest/", "<nlohmann/"}, kOutside}},
    {"generate", {{"base/", "storage/"}, kOutside}},
    {"dataset", {{"base/", "ingest/ingest.h", "ingest/visit_list.h"}}},
    {"belief", {{"base/"}}},
    {"release",
     {{"base/", "dataset/", "ingest/visit_list.h", "<boost/random/", "<gemmi/third_party/pocketfft_hdronly.h>"}}},
    {"prior", {{"base/", "dataset/dataset.h", "dataset/crowd.h", "dataset/observed_counts.h", "belief/"}}},
    {"attack",
     {{"base/bytes.h", "base/entry.h", "base/errors.h", "base/ids.h", "base/parameters.h", "base/radix_sort.h",
       "base/table_position.h", "dataset/crowd.h", "belief/beliefs.h", "belief/chances.h", "release/count_matrix.h",
       "release/geometry.h", "release/guarantee.h", "release/published.h", "release/release.h", "release/rule.h"}}},
    {"decision", {{"base/", "belief/", "dataset/crowd.h"}}},
    {"metric", {{"base/", "dataset/dataset.h", "dataset/visit_store.h", "belief/", "decision/decision.h"}}},
    {"membership",
     {{"base/entry.h", "base/errors.h", "base/parameters.h", "base/logistic_regression.h", "base/random.h",
       "release/rule.h", "<boost/math/"}}},
    {"trajectory",
     {{"base/entry.h", "base/errors.h", "base/ids.h", "base/parameters.h", "release/release.h", "<lemon/"}}},
    {"goal",
     {{"base/", "dataset/", "release/", "belief/", "prior/prior.h", "attack/attack.h", "attack/likely_counts.h",
       "decision/decision.h", "metric/metric.h", "membership/distinguisher.h", "membership/scores.h",
       "trajectory/matching.h", "trajectory/method.h", "ingest/visit_list.h"}}},
    {"experiment",
     {{"base/", "ingest/feeds.h", "ingest/ingest.h", "ingest/settings.h", "ingest/time_pattern.h", "dataset/",
       "release/", "prior/prior.h", "attack/attack.h", "decision/decision.h", "metric/metric.h",
       "membership/distinguisher.h", "trajectory/method.h", "goal/", "<toml++/"},
      kOutside}},
    {"engine", {{"base/", "ingest/ingest.h", "dataset/", "release/", "goal/", "experiment/"}, kOutside}},
    {"results",
     {{"base/", "storage/", "dataset/", "release/", "goal/", "experiment/", "engine/", "<nlohmann/", "<boost/math/"},
      kOutside,
      kSystem}},
    {"report",
     {{"base/", "storage/database.h", "dataset/", "release/", "prior/prior.h", "attack/attack.h", "metric/metric.h",
       "membership/distinguisher.h", "trajectory/method.h", "goal/", "experiment/", "engine/", "results/",
       "<nlohmann/"},
      kOutside}},
    {"advice",
     {{"base/", "dataset/", "release/", "prior/prior.h", "attack/attack.h", "goal/", "experiment/", "engine/",
       "results/", "report/"},
      kOutside}},
    {"job",
     {{"base/", "storage/", "dataset/", "release/", "goal/", "experiment/", "engine/", "results/", "report/"},
      kOutside}},
    {"cluster",
     {{"base/", "ingest/ingest.h", "ingest/places.h", "ingest/visit_list.h", "dataset/", "belief/", "release/",
       "prior/prior.h", "attack/", "metric/metric.h", "goal/", "experiment/", "engine/", "results/", "report/", "job/"},
      kOutside}},
    {"publication",
     {{"base/", "storage/", "dataset/", "release/", "goal/", "experiment/", "engine/", "results/", "<nlohmann/"},
      kOutside,
      kSystem}},
    {"reproduction",
     {{"base/", "storage/database.h", "dataset/", "membership/distinguisher.h", "membership/scores.h", "goal/",
       "experiment/", "engine/", "results/", "report/", "job/"},
      kOutside}},
    {"studio",
     {{"base/", "ingest/ingest.h", "release/", "prior/prior.h", "attack/attack.h", "metric/metric.h", "goal/",
       "experiment/", "engine/", "results/", "report/", "job/", "advice/", "<nlohmann/", "<toml++/", "<boost/asio/",
       "<boost/beast/", "<fcntl.h>"},
      kOutside}},
    {"about", {{"base/", "storage/", "experiment/", "results/", "report/", "publication/", "<boost/version.hpp>"}}},
    {"cli",
     {{"base/",
       "about/",
       "storage/",
       "ingest/",
       "look/",
       "generate/",
       "dataset/",
       "release/",
       "prior/prior.h",
       "attack/attack.h",
       "decision/decision.h",
       "metric/metric.h",
       "membership/distinguisher.h",
       "trajectory/method.h",
       "goal/",
       "experiment/",
       "engine/",
       "results/",
       "report/",
       "advice/",
       "job/",
       "publication/",
       "reproduction/",
       "studio/",
       "<CLI/"},
      kOutside,
      kSystem}},
};

Includes read_includes(const std::filesystem::path& source) {
  Includes includes;
  static const std::regex kInclude("^ *# *include *(?:\"([^\"]+)\"|(<[^>]+>))");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source)) {
    const std::string extension = entry.path().extension();
    if (extension != ".h" && extension != ".cc") continue;
    std::ifstream in(entry.path());
    Headers& list = includes[std::filesystem::relative(entry.path(), source)];
    for (std::string line; std::getline(in, line);) {
      std::smatch match;
      if (std::regex_search(line, match, kInclude)) list.push_back(match[1].matched ? match[1] : match[2]);
    }
  }
  return includes;
}

std::string stage_of(const std::string& file) {
  return file.substr(0, file.find('/'));
}

bool is_test(const std::string& file) {
  return file.ends_with("_test.cc") || file.find("/test_") != std::string::npos;
}

bool is_in(const Headers& list, const std::string& header) {
  return std::any_of(list.begin(), list.end(), [&](const std::string& allowed) {
    return allowed.ends_with('/') ? header.starts_with(allowed) : header == allowed;
  });
}

bool is_allowed(const std::string& file, const std::string& header) {
  const auto room = kAllowed.find(stage_of(file));
  if (room == kAllowed.end()) return false;
  if (header.starts_with(room->first + "/") || is_in(kComputing, header)) return true;
  if (is_test(file) && (is_in(kTesting, header) || is_in(kOutside, header) || is_in(kSystem, header))) return true;
  return std::any_of(room->second.begin(), room->second.end(),
                     [&](const Headers& list) { return is_in(list, header); });
}

Headers not_allowed(const Includes& includes) {
  Headers found;
  for (const auto& [file, list] : includes) {
    for (const std::string& header : list) {
      if (!is_allowed(file, header)) found.push_back(fmt::format("{} includes {}", file, header));
    }
  }
  return found;
}

// Also by way of other headers: what an attack, or whoever looks for paths, reaches must be what it may include.
Headers out_of_an_attacks_reach(const Includes& includes) {
  Headers found;
  for (const auto& [file, list] : includes) {
    if (!(file.starts_with("attack/") || file.starts_with("trajectory/")) || is_test(file)) continue;
    std::set<std::string> reached;
    Headers open = list;
    while (!open.empty()) {
      const std::string next = open.back();
      open.pop_back();
      if (!reached.insert(next).second || !includes.contains(next)) continue;
      open.insert(open.end(), includes.at(next).begin(), includes.at(next).end());
    }
    for (const std::string& header : reached) {
      if (!is_allowed(file, header)) found.push_back(fmt::format("{} reaches {}", file, header));
    }
  }
  return found;
}

TEST(HouseTest, AStageIncludesWhatItMayKnowOf) {
  const Includes includes = read_includes(HEARSAY_SOURCE_DIR "/src");
  ASSERT_GT(includes.size(), 30U);
  EXPECT_THAT(not_allowed(includes), testing::IsEmpty());
}

TEST(HouseTest, AttacksNeverSeeTheTruth) {
  const Includes includes = read_includes(HEARSAY_SOURCE_DIR "/src");
  ASSERT_TRUE(includes.contains("attack/bayes_attack.cc"));
  ASSERT_TRUE(includes.contains("trajectory/memory_method.cc"));
  EXPECT_THAT(out_of_an_attacks_reach(includes), testing::IsEmpty());
}

// No stage is let use one that comes after it.
TEST(HouseTest, TheListsFollowTheFlow) {
  const Headers flow = {"base",    "storage",     "ingest",       "look",     "generate", "dataset",    "belief",
                        "release", "prior",       "attack",       "decision", "metric",   "membership", "trajectory",
                        "goal",    "experiment",  "engine",       "results",  "report",   "advice",     "job",
                        "cluster", "publication", "reproduction", "studio",   "about",    "cli"};
  ASSERT_EQ(kAllowed.size(), flow.size());
  for (auto stage = flow.begin(); stage != flow.end(); ++stage) {
    for (const Headers& list : kAllowed.at(*stage)) {
      for (const std::string& header : list) {
        if (header.starts_with('<')) continue;
        EXPECT_NE(std::find(flow.begin(), stage, stage_of(header)), stage) << *stage << " may use " << header;
      }
    }
  }
}

TEST(HouseTest, ViolationsAreFound) {
  EXPECT_THAT(not_allowed({{"prior/x.h", {"attack/attack.h", "<vector>", "<fstream>"}},
                           {"attack/y.h", {"belief/beliefs.h", "dataset/dataset.h", "<unistd.h>", "greedy.h"}},
                           {"dataset/z.cc", {"ingest/ingest.h", "<duckdb.h>"}},
                           {"dataset/z_test.cc", {"<gtest/gtest.h>", "<fstream>"}},
                           {"new_stage/w.h", {"base/ids.h"}}}),
              testing::ElementsAre("attack/y.h includes dataset/dataset.h", "attack/y.h includes <unistd.h>",
                                   "attack/y.h includes greedy.h", "dataset/z.cc includes <duckdb.h>",
                                   "new_stage/w.h includes base/ids.h", "prior/x.h includes attack/attack.h",
                                   "prior/x.h includes <fstream>"));
  EXPECT_THAT(
      out_of_an_attacks_reach({{"attack/x_attack.cc", {"release/release.h"}},
                               {"release/release.h", {"dataset/dataset.h", "<vector>"}},
                               {"dataset/dataset.h", {"<fstream>"}}}),
      testing::ElementsAre("attack/x_attack.cc reaches <fstream>", "attack/x_attack.cc reaches dataset/dataset.h"));
}

std::set<std::string> entry_names() {
  std::set<std::string> names = {goal::kRaw};
  const auto add = [&](const auto& entries) {
    for (const auto* entry : entries) names.insert(entry->info.name);
  };
  const experiment::Registry known;
  add(known.priors);
  add(known.attacks);
  add(known.decisions);
  add(known.steps);
  add(metric::all_metrics());
  for (const metric::MetricEntry* entry : metric::all_metrics()) {
    if (entry->goal.empty()) continue;
    std::string title = entry->goal;
    title[0] = static_cast<char>(std::toupper(title[0]));
    names.insert({entry->goal, title});
  }
  return names;
}

std::vector<std::string> names_in(const std::string& text, const std::set<std::string>& names) {
  static const std::regex kWord("[A-Za-z0-9_]+");
  std::vector<std::string> found;
  for (auto word = std::sregex_iterator(text.begin(), text.end(), kWord); word != std::sregex_iterator(); ++word) {
    if (names.contains(word->str())) found.push_back(word->str());
  }
  return found;
}

// The page shows entries that it has never heard of: what it must know of one is in its document.
TEST(HouseTest, ThePageKnowsNoEntryByName) {
  const std::set<std::string> names = entry_names();
  EXPECT_THAT(names_in("a.attack === 'PRIOR' ? `Profiling` : \"LAST_DAY's, PRIORS, all\"", names),
              testing::ElementsAre("PRIOR", "Profiling", "LAST_DAY"));
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(HEARSAY_SOURCE_DIR "/web/src")) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path());
    const std::string text = text_of(entry.path());
    ++files;
    const std::vector<std::string> found = names_in(text, names);
    // The sliders that a newcomer is offered first are of steps chosen by hand, in one place.
    if (entry.path().filename() == "direct.ts") {
      EXPECT_THAT(found, testing::UnorderedElementsAre("EPOCHS", "PLACES", "BOUND", "LAPLACE", "SUPPRESS"));
    } else {
      EXPECT_THAT(found, testing::IsEmpty()) << entry.path();
    }
  }
  EXPECT_GT(files, 25U);
}

// What a reader can hold in mind: no source above 400 lines, no header above 200.
TEST(HouseTest, NoFileIsTooLong) {
  std::size_t files = 0;
  for (const char* folder : {"src", "tests", "bench", "fuzz", "include", "python"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(HEARSAY_SOURCE_DIR) / folder)) {
      const std::string extension = entry.path().extension();
      if (extension != ".h" && extension != ".cc") continue;
      std::ifstream in(entry.path());
      const auto lines = std::count(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>(), '\n');
      EXPECT_LE(lines, extension == ".h" ? 200 : 400) << entry.path();
      ++files;
    }
  }
  EXPECT_GT(files, 200U);
}

// `make mutants` needs the text that a fault replaces to stand in its file exactly once.
TEST(HouseTest, EveryPlantedFaultStillFitsItsSource) {
  const std::filesystem::path root = HEARSAY_SOURCE_DIR;
  std::ifstream list(root / "tests/mutants.txt");
  std::size_t faults = 0;
  for (std::string line; std::getline(list, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> fields;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, '\t');) fields.push_back(cell);
    ASSERT_TRUE(fields.size() == 5 || line.back() == '\t') << line;
    const std::string source = text_of(root / fields[2]);
    const std::size_t place = source.find(fields[3]);
    EXPECT_NE(place, std::string::npos) << fields[0] << ": " << fields[2] << " no longer has the text";
    EXPECT_EQ(source.find(fields[3], place + 1), std::string::npos) << fields[0] << ": the text stands there twice";
    ++faults;
  }
  EXPECT_GT(faults, 100U);
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
