// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>
#include <vector>

#include "base/errors.h"
#include "base/output_name.h"

namespace hearsay {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRandomCharacters = 6;
// Between the prefix and the rest of the name before the lock is taken and while the folder is removed: an empty folder
// of this name is ours and nobody else's, one without may be anybody's.
constexpr const char* kUnlocked = "unlocked-";

struct Registry {
  std::mutex mutex;
  std::set<std::string> paths;
};

// Never destroyed: a signal may come while statics are torn down.
Registry& registry() {
  static auto* const kRegistry = new Registry;
  return *kRegistry;
}

// The folder that the environment names for temporary files, or the one that is usual.
std::string system_place() {
  for (const char* name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"}) {
    if (const char* set = std::getenv(name)) return set;
  }
  return "/tmp";
}

[[noreturn]] void refuse_system_place(const std::error_code& problem) {
  throw ConfigError("TMPDIR", system_place(),
                    problem.message() + "; set TMPDIR to a folder that exists and that you can write to");
}

[[noreturn]] void fail(const std::string& parent, const fs::path& base) {
  const std::error_code problem(errno, std::generic_category());
  const bool place_is_wrong = problem == std::errc::permission_denied || problem == std::errc::read_only_file_system ||
                              problem == std::errc::no_such_file_or_directory;
  if (parent.empty() && place_is_wrong) refuse_system_place(problem);
  throw std::system_error(problem, "cannot make a folder in " + base.string());
}

fs::path place_of(const std::string& parent) {
  if (!parent.empty()) return parent;
  std::error_code problem;
  fs::path place = fs::temp_directory_path(problem);
  if (problem) refuse_system_place(problem);
  check_output_name("TMPDIR", place.string());
  return place;
}

// Makes the lock in a new folder and takes it. None where a process that tidies up took the folder first.
Descriptor take_lock(const std::string& folder) {
  const std::string name = (fs::path(folder) / kFolderLockName).string();
  Descriptor lock(open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock) return {};
  struct stat status {};
  const bool taken = flock(lock.get(), LOCK_EX) == 0 && fstat(lock.get(), &status) == 0 && status.st_nlink > 0;
  return taken ? std::move(lock) : Descriptor();
}

bool rename_to_new(const std::string& from, const std::string& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  // Not every file system can tell whether it is new; six random characters do.
  return errno == EINVAL && rename(from.c_str(), to.c_str()) == 0;
}

std::string unlocked_name(const std::string& path) {
  return path.substr(0, path.size() - kRandomCharacters) + kUnlocked + path.substr(path.size() - kRandomCharacters);
}

// The lock goes last, so that what a crash leaves on the way is known for what it is.
void remove_unlocked(const std::string& path) {
  std::error_code ignored;
  for (fs::directory_iterator entry(path, ignored), end; !ignored && entry != end; entry.increment(ignored)) {
    std::error_code stays;
    if (entry->path().filename() != kFolderLockName) fs::remove_all(entry->path(), stays);
  }
  fs::remove(fs::path(path) / kFolderLockName, ignored);
  rmdir(path.c_str());
}

void remove_folder(const std::string& path) {
  const std::string unlocked = unlocked_name(path);
  remove_unlocked(rename_to_new(path, unlocked) ? unlocked : path);
}

bool is_ours(const fs::path& path, const std::string& prefix) {
  const std::string name = path.filename().string();
  if (!name.starts_with(prefix) || name.size() != prefix.size() + kRandomCharacters) return false;
  if (!std::all_of(name.end() - kRandomCharacters, name.end(), [](unsigned char c) { return std::isalnum(c) != 0; })) {
    return false;
  }
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

void remove_if_abandoned(const fs::path& path, bool unlocked,
                         const std::function<void(const std::string& path)>& rescue) {
  const Descriptor lock(open((path / kFolderLockName).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  if (!lock) {
    if (errno == ENOENT && unlocked) rmdir(path.c_str());
    return;
  }
  if (flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return;
  if (unlocked) {
    remove_unlocked(path);
  } else {
    if (rescue) rescue(path.string());
    remove_folder(path);
  }
}

}  // namespace

void remove_stale_folders(const std::string& parent, const std::string& prefix,
                          const std::function<void(const std::string& path)>& rescue) {
  std::error_code problem;
  std::vector<std::pair<fs::path, bool>> found;
  for (fs::directory_iterator entry(place_of(parent), problem), end; !problem && entry != end;
       entry.increment(problem)) {
    const bool unlocked = is_ours(entry->path(), prefix + kUnlocked);
    if (unlocked || is_ours(entry->path(), prefix)) found.emplace_back(entry->path(), unlocked);
  }
  for (const auto& [path, unlocked] : found) remove_if_abandoned(path, unlocked, rescue);
}

TemporaryFolder::TemporaryFolder(const std::string& parent, const std::string& prefix) {
  const fs::path base = place_of(parent);
  remove_stale_folders(parent, prefix);
  const std::lock_guard lock(registry().mutex);
  constexpr int kAttempts = 8;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::string unlocked = (base / (prefix + kUnlocked + "XXXXXX")).string();
    if (mkdtemp(unlocked.data()) == nullptr) fail(parent, base);
    path_ = (base / (prefix + unlocked.substr(unlocked.size() - kRandomCharacters))).string();
    lock_ = take_lock(unlocked);
    if (lock_ && rename_to_new(unlocked, path_)) {
      registry().paths.insert(path_);
      return;
    }
    remove_unlocked(unlocked);
    lock_ = Descriptor();
  }
  fail(parent, base);
}

TemporaryFolder::~TemporaryFolder() {
  const std::lock_guard lock(registry().mutex);
  remove_folder(path_);
  registry().paths.erase(path_);
}

void remove_temporary_folders() {
  // Kept locked: whoever would make, move or remove a folder now waits until the process ends.
  registry().mutex.lock();
  for (const std::string& path : registry().paths) {
    // A second try for what work under way made anew during the first.
    std::error_code problem;
    for (int attempt = 0; attempt < 3 && fs::exists(path, problem); ++attempt) remove_folder(path);
  }
}

void without_removal(const std::function<void()>& work) {
  const std::lock_guard lock(registry().mutex);
  work();
}

}  // namespace hearsay
