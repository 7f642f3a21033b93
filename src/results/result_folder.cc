// SPDX-License-Identifier: Apache-2.0
#include "results/result_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/descriptor.h"
#include "base/errors.h"
#include "base/output_name.h"
#include "base/regular_file.h"

namespace hearsay::results {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, const std::string& constraint) {
  throw ConfigError("--out", path, constraint);
}

// Names of the files an earlier run wrote, its manifest included; empty where the folder holds no results.
std::vector<std::string> listed_files(const fs::path& folder) {
  const auto text = read_regular_file((folder / kManifestName).string(), kMostManifestBytes);
  const auto manifest = nlohmann::json::parse(text.value_or(""), nullptr, false);
  if (!manifest.is_object() || !manifest.contains("hearsay")) return {};
  std::vector<std::string> names = {kManifestName};
  const auto files = manifest.find("files");
  if (files == manifest.end() || !files->is_array()) return names;
  for (const nlohmann::json& file : *files) {
    const auto name = file.is_object() ? file.find("name") : file.end();
    if (name != file.end() && name->is_string()) names.push_back(name->get<std::string>());
  }
  return names;
}

void check_existing(const std::string& given, const fs::path& folder) {
  if (!fs::is_directory(folder)) fail(given, "is not a folder; choose another name");
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

// No folder can be made under the name of a symbolic link that leads nowhere.
void check_link(const std::string& given, const fs::path& path) {
  if (!fs::is_symlink(path) || fs::exists(path)) return;
  fail(given, fmt::format("{} is a symbolic link to something that does not exist; remove it, or choose another name",
                          path.filename().string()));
}

// Beginning of the names of the hidden folders in which results for `target` are made.
std::string staging_prefix(const fs::path& target) {
  return fmt::format(".{}.partial-", target.filename().string());
}

constexpr const char* kAside = "old";

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
    check_output_name("--out", target.string());
    if (fs::exists(target)) check_existing(path, target);
    check_link(path, target);
    fs::path parent = target.parent_path();
    for (; !fs::exists(parent); parent = parent.parent_path()) check_link(path, parent);
    if (!fs::is_directory(parent)) fail(path, parent.filename().string() + " is not a folder; choose another name");
    if (access(parent.c_str(), W_OK | X_OK) != 0) {
      fail(path, fmt::format("cannot be written there: {}; choose a folder that you can write to",
                             std::generic_category().message(errno)));
    }
    return target.string();
  } catch (const fs::filesystem_error& error) {
    std::error_code no_folder;
    if (fs::current_path(no_folder).empty()) {
      fail(path, "the current folder does not exist any more; change to one that does");
    }
    fail(path, fmt::format("cannot be used: {}; choose another folder", error.code().message()));
  }
}

void tidy_result_place(const std::string& target) {
  remove_stale_folders(fs::path(target).parent_path().string(), staging_prefix(target), [&](const std::string& stale) {
    const fs::path aside = fs::path(stale) / kAside;
    std::error_code ignored;
    if (fs::exists(aside, ignored) && !fs::exists(target, ignored)) fs::rename(aside, target, ignored);
  });
}

void sync_path(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file || fsync(file.get()) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot write " + fs::path(path).filename().string());
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
  temporary_.emplace(target.parent_path().string(), staging_prefix(target));
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
  for (const fs::directory_entry& entry : fs::directory_iterator(staging_)) sync_path(entry.path().string());
  sync_path(staging_);
  without_removal([this] {
    if (fs::exists(target_)) {
      exchange(staging_, target_, (fs::path(temporary_->path()) / kAside).string());
    } else {
      rename_or_throw(staging_, target_);
    }
    parents_.keep();
  });
  sync_path(fs::path(target_).parent_path().string());
  temporary_.reset();
}

}  // namespace hearsay::results
