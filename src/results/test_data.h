// SPDX-License-Identifier: Apache-2.0
//
// Small data and folders for the tests of this stage.
#pragma once

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/temporary_folder.h"
#include "dataset/dataset.h"
#include "experiment/study.h"

namespace hearsay::results {

inline std::string read_text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

inline void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

inline std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.insert(entry.path().filename().string());
  names.erase(kFolderLockName);  // of the test's own folder
  return names;
}

// Hourly epochs of one day and two hours, one user a row; ids are not in the order of activity.
inline constexpr const char* kEvents =
    "uid,roi,datetime\n"
    "b,x,2024-01-01 00:10:00\n"
    "b,y,2024-01-01 01:10:00\n"
    "b,x,2024-01-02 00:20:00\n"
    "a,x,2024-01-01 00:30:00\n"
    "a,y,2024-01-02 01:40:00\n"
    "c,y,2024-01-01 05:00:00\n"
    "c,y,2024-01-02 00:00:00\n"
    "d,z,2024-01-02 01:59:59\n";

inline constexpr const char* kStudyText =
    "[data]\nname = \"tiny\"\npath = \"events.csv\"\ntimezone = \"Europe/London\"\n"
    "[period]\nstart = \"2024-01-01 00:00\"\nlength = 26\nobserve = 24\n"
    "[study]\npriors = [\"FREQ_ROI\", \"LAST_DAY\"]\n"
    "[results]\nleast_people = 1\n";

// A study on kEvents, written into `folder`.
inline experiment::Study tiny_study(const std::string& folder, const std::vector<std::string>& overrides = {},
                                    experiment::Registry registry = {}) {
  write_file(folder + "/events.csv", kEvents);
  return experiment::parse_study(kStudyText, "tiny.toml", folder, overrides, std::move(registry));
}

// The given users, each with one visit in each of two epochs; the later in the list, the more active.
inline dataset::Dataset some_users(const std::vector<std::string>& ids) {
  ingest::Visits visits;
  visits.users = ids;
  for (std::size_t roi = 0; roi < ids.size(); ++roi) visits.rois.push_back({std::to_string(roi), "", {}, {}});
  for (std::uint32_t epoch = 0; epoch < 2; ++epoch) {
    for (std::uint32_t user = 0; user < ids.size(); ++user) {
      for (std::uint32_t roi = 0; roi <= user; ++roi) visits.visits.push_back({epoch, user, roi});
    }
  }
  return {std::move(visits), {3600, 2, 1}, 0};
}

}  // namespace hearsay::results
