// SPDX-License-Identifier: Apache-2.0
#include "results/checkpoint.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "base/errors.h"
#include "results/checkpoint_record.h"
#include "results/result_folder.h"
#include "storage/file_digest.h"

namespace hearsay::results {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLockName = "lock";
constexpr std::string_view kSuffix = ".part";
constexpr std::string_view kPartialSuffix = ".part.partial";
constexpr std::size_t kKeyCharacters = 32;

std::string parts_folder(const std::string& target) {
  const fs::path path(target);
  return (path.parent_path() / fmt::format(".{}.parts", path.filename().string())).string();
}

// A part of ours, finished or not: the key, a hyphen, the name of the part.
bool is_part_name(std::string_view name) {
  if (!name.ends_with(kSuffix) && !name.ends_with(kPartialSuffix)) return false;
  return name.size() > kKeyCharacters && name[kKeyCharacters] == '-' &&
         name.find_first_not_of("0123456789abcdef") == kKeyCharacters;
}

// The names in a folder; none where it cannot be read, so that nothing in it is touched.
std::vector<std::string> names_in(int directory) {
  Descriptor again(openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const std::unique_ptr<DIR, int (*)(DIR*)> list(fdopendir(again.get()), &closedir);
  if (!list) return {};
  again.release();
  std::vector<std::string> names;
  while (const dirent* entry = readdir(list.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  return names;
}

// Why a folder of parts is not one of ours; empty where it is.
std::string objection(int directory) {
  struct stat status {};
  if (directory < 0 || fstat(directory, &status) != 0) return "is a link, a file or another user's folder";
  if (status.st_uid != geteuid()) return "belongs to another user";
  if ((status.st_mode & 077) != 0) return "is open to other users";
  for (const std::string& name : names_in(directory)) {
    struct stat file {};
    if (fstatat(directory, name.c_str(), &file, AT_SYMLINK_NOFOLLOW) != 0) continue;  // gone meanwhile
    const bool ours = S_ISREG(file.st_mode) && (name == kLockName || is_part_name(name));
    if (!ours) return fmt::format("holds {}, which is no part of a study", name);
  }
  return {};
}

Descriptor open_folder(const std::string& folder) {
  return Descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
}

// The lock of a folder of parts; none where there is none or another process has it.
Descriptor try_lock(int directory, int flags) {
  Descriptor lock(openat(directory, kLockName, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600));
  if (!lock || flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return {};
  struct stat status {};  // whoever had it before may have removed it
  return fstat(lock.get(), &status) == 0 && status.st_nlink > 0 ? std::move(lock) : Descriptor();
}

// The caller has the lock, which goes last.
void remove_folder(const std::string& folder, int directory) {
  for (const std::string& name : names_in(directory)) {
    if (is_part_name(name)) unlinkat(directory, name.c_str(), 0);
  }
  unlinkat(directory, kLockName, 0);
  rmdir(folder.c_str());
}

bool is_whole(const std::string& path, const std::string& key) {
  RecordReader reader(path, key);
  while (reader.next()) {
  }
  return reader.ended_well();
}

std::string digest_of_this_build() {
  static const int kHere = 0;
  Dl_info info{};
  link_map* object = nullptr;
  const bool found = dladdr1(&kHere, &info, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) != 0;
  // The program itself has no name here, and the one it was started by may be relative to a folder left since.
  const std::string path = found && *object->l_name != '\0' ? object->l_name : "/proc/self/exe";
  return storage::FileDigests({path}, "", "").get().front().sha256;
}

}  // namespace

std::string build_id() {
  static const std::string kDigest = digest_of_this_build();
  return kDigest;
}

Checkpoint::Checkpoint(const std::string& target, const std::string& key)
    : folder_(parts_folder(target)), key_(storage::sha256(key).substr(0, kKeyCharacters)) {
  fs::create_directories(fs::path(target).parent_path());
  if (mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST) {
    throw std::system_error(errno, std::generic_category(), "cannot keep parts of the study in " + folder_);
  }
  directory_ = open_folder(folder_);
  if (const std::string problem = objection(directory_.get()); !problem.empty()) {
    throw ConfigError("--resume", folder_, problem + "; move it away, or choose another --out");
  }
  lock_ = try_lock(directory_.get(), O_CREAT);
  if (!lock_) throw ConfigError("--resume", target, "another run of a study into this folder is at work");
  for (const std::string& name : names_in(directory_.get())) {
    const bool usable = name.starts_with(key_) && name.ends_with(kSuffix);
    if (is_part_name(name) && !usable) unlinkat(directory_.get(), name.c_str(), 0);
  }
}

std::string Checkpoint::path_of(const std::string& part) const {
  return (fs::path(folder_) / fmt::format("{}-{}{}", key_, part, kSuffix)).string();
}

bool Checkpoint::replay(const std::string& part, const goal::Emit& take) const {
  const std::string path = path_of(part);
  // Whole before the first measurement is handed over: whoever takes them cannot give them back.
  if (!fs::exists(path) || !is_whole(path, key_)) return false;
  RecordReader reader(path, key_);
  while (reader.next()) take(reader.measurement());
  return true;
}

void Checkpoint::record(const std::string& part, const std::function<void(const goal::Emit&)>& work,
                        const goal::Emit& take) const {
  const std::string path = path_of(part);
  const std::string partial = path + ".partial";
  {
    RecordWriter writer(partial, key_);
    work([&](const goal::Measurement& measurement) {
      writer.add(measurement);
      take(measurement);
    });
    writer.finish();
  }
  sync_path(partial);
  fs::rename(partial, path);
  sync_path(folder_);
}

void Checkpoint::discard() {
  remove_folder(folder_, directory_.get());
}

void remove_parts(const std::string& target) {
  const std::string folder = parts_folder(target);
  const Descriptor directory = open_folder(folder);
  if (!directory || !objection(directory.get()).empty()) return;
  if (const Descriptor lock = try_lock(directory.get(), 0)) remove_folder(folder, directory.get());
}

}  // namespace hearsay::results
