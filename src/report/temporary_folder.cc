// SPDX-License-Identifier: Apache-2.0
#include "report/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>

namespace hearsay::report {
namespace {

struct Registry {
  std::mutex mutex;
  std::set<std::string> paths;
};

// Never destroyed: a signal may come while statics are torn down.
Registry& registry() {
  static auto* const kRegistry = new Registry;
  return *kRegistry;
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& parent, const std::string& prefix) {
  const std::filesystem::path base =
      parent.empty() ? std::filesystem::temp_directory_path() : std::filesystem::path(parent);
  path_ = (base / (prefix + "XXXXXX")).string();
  const std::lock_guard lock(registry().mutex);
  if (mkdtemp(path_.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), "cannot make a folder in " + base.string());
  }
  registry().paths.insert(path_);
}

TemporaryFolder::~TemporaryFolder() {
  const std::lock_guard lock(registry().mutex);
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  registry().paths.erase(path_);
}

void remove_temporary_folders() {
  // Kept locked: whoever would make, move or remove a folder now waits until the process ends.
  registry().mutex.lock();
  for (const std::string& path : registry().paths) {
    // A second try for files that were added during the first.
    std::error_code problem;
    for (int attempt = 0; attempt < 3 && std::filesystem::exists(path, problem); ++attempt) {
      std::filesystem::remove_all(path, problem);
    }
  }
}

void without_removal(const std::function<void()>& work) {
  const std::lock_guard lock(registry().mutex);
  work();
}

}  // namespace hearsay::report
