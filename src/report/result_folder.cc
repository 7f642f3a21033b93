// SPDX-License-Identifier: Apache-2.0
#include "report/result_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/errors.h"

namespace hearsay::report {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& constraint) {
  throw ConfigError("--out", path, constraint);
}

// Names of the files an earlier run wrote, its manifest included; empty where the folder holds no results.
std::vector<std::string> listed_files(const fs::path& folder) {
  std::ifstream in(folder / kManifestName);
  const nlohmann::json manifest = nlohmann::json::parse(in, nullptr, false);
  if (!manifest.is_object() || !manifest.contains("hearsay")) return {};
  std::vector<std::string> names = {kManifestName};
  for (const nlohmann::json& file : manifest.value("files", nlohmann::json::array())) {
    if (file.is_object()) names.push_back(file.value("name", ""));
  }
  return names;
}

void check_existing(const std::string& given, const fs::path& folder) {
  if (!fs::is_directory(folder)) fail(given, "is a file, not a folder");
  if (fs::is_empty(folder)) return;
  const std::vector<std::string> ours = listed_files(folder);
  if (ours.empty()) fail(given, "is a folder of something else than results; choose a new one");
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (std::find(ours.begin(), ours.end(), name) == ours.end()) {
      fail(given, "holds " + name + " besides earlier results; move it away or choose a new folder");
    }
  }
}

void rename_or_throw(const std::string& from, const std::string& to) {
  if (rename(from.c_str(), to.c_str()) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot put results into " + to);
  }
}

// Puts `staging` at `target` and leaves what was there in `staging` or `aside`.
void exchange(const std::string& staging, const std::string& target, const std::string& aside) {
  if (renameat2(AT_FDCWD, staging.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0) return;
  // Not every file system can exchange.
  rename_or_throw(target, aside);
  try {
    rename_or_throw(staging, target);
  } catch (...) {
    rename(aside.c_str(), target.c_str());
    throw;
  }
}

}  // namespace

std::string checked_result_path(const std::string& path) {
  if (path.empty()) fail(path, "must name a folder");
  try {
    fs::path target = fs::weakly_canonical(fs::absolute(path));
    if (!target.has_filename()) target = target.parent_path();
    if (target == target.root_path()) fail(path, "must name a folder");
    if (fs::exists(target)) check_existing(path, target);
    fs::path parent = target.parent_path();
    while (!fs::exists(parent)) parent = parent.parent_path();
    if (!fs::is_directory(parent)) fail(path, parent.filename().string() + " is a file, not a folder");
    if (access(parent.c_str(), W_OK | X_OK) != 0) fail(path, "cannot be written there");
    return target.string();
  } catch (const fs::filesystem_error& error) {
    fail(path, error.code().message());
  }
}

ResultFolder::Parents::Parents(const std::string& target) {
  const fs::path nearest = fs::path(target).parent_path();
  for (fs::path parent = nearest; !fs::exists(parent); parent = parent.parent_path()) made_.push_back(parent.string());
  fs::create_directories(nearest);
}

ResultFolder::Parents::~Parents() {
  std::error_code ignored;
  for (const std::string& parent : made_) fs::remove(parent, ignored);
}

ResultFolder::ResultFolder(const std::string& path) : target_(checked_result_path(path)), parents_(target_) {
  const fs::path target(target_);
  temporary_.emplace(target.parent_path().string(), fmt::format(".{}.partial-", target.filename().string()));
  // A folder of its own inside the private one, so that it has the permissions the user's other folders have.
  staging_ = (fs::path(temporary_->path()) / "new").string();
  fs::create_directory(staging_);
}

std::string ResultFolder::path_of(const std::string& name) const {
  return (fs::path(staging_) / name).string();
}

ResultFile ResultFolder::describe(const std::string& name, std::uint64_t rows) const {
  return {name, fs::file_size(path_of(name)), rows};
}

void write_text_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out)
    throw std::system_error(errno, std::generic_category(), "cannot write " + fs::path(path).filename().string());
}

void ResultFolder::put_in_place() {
  without_removal([this] {
    if (fs::exists(target_)) {
      exchange(staging_, target_, (fs::path(temporary_->path()) / "old").string());
    } else {
      rename_or_throw(staging_, target_);
    }
    parents_.keep();
  });
  temporary_.reset();
}

}  // namespace hearsay::report
