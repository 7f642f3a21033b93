// SPDX-License-Identifier: Apache-2.0
#include "report/checkpoint.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/errors.h"
#include "ingest/file_digest.h"
#include "report/checkpoint_record.h"
#include "report/result_folder.h"

namespace hearsay::report {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLockName = "lock";
constexpr const char* kSuffix = ".part";
constexpr std::size_t kKeyCharacters = 32;

std::string parts_folder(const std::string& target) {
  const fs::path path(target);
  return (path.parent_path() / fmt::format(".{}.parts", path.filename().string())).string();
}

// The lock of a folder of parts; negative where there is none or another process has it.
int try_lock(const std::string& folder, int flags) {
  const int lock = open((fs::path(folder) / kLockName).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
  if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0) {
    close(lock);
    return -1;
  }
  return lock;
}

bool is_whole(const std::string& path, const std::string& key) {
  RecordReader reader(path, key);
  while (reader.next()) {
  }
  return reader.ended_well();
}

struct Search {
  const void* address;
  std::string id;
};

int find_build_id(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  const auto address = reinterpret_cast<ElfW(Addr)>(search.address);
  bool ours = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    const ElfW(Addr) begin = info->dlpi_addr + header.p_vaddr;
    ours = ours || (header.p_type == PT_LOAD && address >= begin && address < begin + header.p_memsz);
  }
  for (int i = 0; ours && i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_NOTE) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what the linker gives
    const auto* note = reinterpret_cast<const char*>(info->dlpi_addr + header.p_vaddr);
    const char* end = note + header.p_memsz;
    while (note + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) head;
      std::memcpy(&head, note, sizeof head);
      const char* name = note + sizeof head;
      const char* bytes = name + (head.n_namesz + 3UL) / 4 * 4;
      if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
        for (std::size_t b = 0; b < head.n_descsz; ++b) {
          search.id += fmt::format("{:02x}", static_cast<unsigned char>(bytes[b]));
        }
        return 1;
      }
      note = bytes + (head.n_descsz + 3UL) / 4 * 4;
    }
  }
  return ours ? 1 : 0;
}

}  // namespace

std::string build_id() {
  static const int kHere = 0;
  Search search{&kHere, ""};
  dl_iterate_phdr(find_build_id, &search);
  return search.id;
}

Checkpoint::Checkpoint(const std::string& target, const std::string& key)
    : folder_(parts_folder(target)), key_(ingest::sha256(key).substr(0, kKeyCharacters)) {
  fs::create_directories(fs::path(target).parent_path());
  if (mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST) {
    throw std::system_error(errno, std::generic_category(), "cannot keep parts of the study in " + folder_);
  }
  lock_ = try_lock(folder_, O_CREAT);
  if (lock_ < 0) throw ConfigError("--resume", target, "another run of a study into this folder is at work");
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    if (name != kLockName && !(name.starts_with(key_) && name.ends_with(kSuffix))) fs::remove_all(entry.path());
  }
}

Checkpoint::~Checkpoint() {
  if (lock_ >= 0) close(lock_);
}

std::string Checkpoint::path_of(const std::string& part) const {
  return (fs::path(folder_) / fmt::format("{}-{}{}", key_, part, kSuffix)).string();
}

bool Checkpoint::replay(const std::string& part, const TakeResult& take) const {
  const std::string path = path_of(part);
  // Whole before the first result is handed over: whoever takes them cannot give them back.
  if (!fs::exists(path) || !is_whole(path, key_)) return false;
  RecordReader reader(path, key_);
  while (reader.next()) take(reader.result());
  return true;
}

void Checkpoint::record(const std::string& part, const std::function<void(const TakeResult&)>& work,
                        const TakeResult& take) const {
  const std::string path = path_of(part);
  const std::string partial = path + ".partial";
  {
    RecordWriter writer(partial, key_);
    work([&](const experiment::Result& result) {
      writer.add(result);
      take(result);
    });
    writer.finish();
  }
  sync_path(partial);
  fs::rename(partial, path);
  sync_path(folder_);
}

void Checkpoint::discard() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void remove_parts(const std::string& target) {
  const std::string folder = parts_folder(target);
  const int lock = try_lock(folder, 0);
  if (lock < 0) return;
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  close(lock);
}

}  // namespace hearsay::report
