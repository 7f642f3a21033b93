// SPDX-License-Identifier: Apache-2.0
#include "storage/unpack.h"

#include <fmt/format.h>
#include <lzma.h>
#include <minizip/unzip.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <memory>

#include "base/errors.h"
#include "storage/database.h"
#include "storage/sql_text.h"

namespace hearsay::storage {
namespace {

constexpr std::string_view kZip = "PK\x03\x04";
constexpr std::string_view kXz = "\xFD\x37\x7A\x58\x5A";
constexpr std::size_t kBlock = std::size_t{1} << 18;
constexpr std::size_t kLongestName = 200;
constexpr std::uint64_t kMostEntries = 10 * kMostMembers;  // folders and hidden files included
constexpr std::uint64_t kXzMemory = 256U << 20;

std::string head_of(const std::string& file) {
  std::array<char, 6> bytes{};
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), bytes.size());
  return {bytes.data(), static_cast<std::size_t>(in.gcount())};
}

[[noreturn]] void fail(const std::string& file, const std::string& problem) {
  throw InputError({one_line(file), 0, ""}, problem);
}

// Writes what is unpacked and stops at the limit for the whole archive.
class Budget {
 public:
  explicit Budget(const std::string& file) : file_(file) {
    std::error_code problem;
    const std::uint64_t bytes = std::filesystem::file_size(file, problem);
    if (problem) fail(file, "cannot be read");
    left_ = std::min(kMostUnpacked, std::max(kSmallUnpacked, bytes * kMostRatio));
  }
  void write(std::ofstream& out, const char* data, std::size_t size) {
    if (size > left_) {
      fail(
          file_,
          "unpacks to more than a hundred times its size, or to more than 64 GiB; if that is right, unpack it by hand");
    }
    left_ -= size;
    if (!out.write(data, static_cast<std::streamsize>(size))) throw ResourceError("no room for temporary files");
  }

 private:
  const std::string& file_;
  std::uint64_t left_ = 0;
};

void unpack_xz(const std::string& file, const std::string& made) {
  Budget budget(file);
  lzma_stream stream = LZMA_STREAM_INIT;
  const std::unique_ptr<lzma_stream, decltype(&lzma_end)> guard(&stream, &lzma_end);
  if (lzma_stream_decoder(&stream, kXzMemory, LZMA_CONCATENATED) != LZMA_OK) throw std::bad_alloc();
  std::ifstream in(file, std::ios::binary);
  std::ofstream out(made, std::ios::binary);
  std::vector<char> packed(kBlock);
  std::vector<char> plain(kBlock);
  lzma_ret state = LZMA_OK;
  while (state == LZMA_OK) {
    if (stream.avail_in == 0 && in) {
      in.read(packed.data(), static_cast<std::streamsize>(packed.size()));
      stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
      stream.avail_in = static_cast<std::size_t>(in.gcount());
    }
    stream.next_out = reinterpret_cast<std::uint8_t*>(plain.data());
    stream.avail_out = plain.size();
    state = lzma_code(&stream, in ? LZMA_RUN : LZMA_FINISH);
    budget.write(out, plain.data(), plain.size() - stream.avail_out);
  }
  if (state != LZMA_STREAM_END) fail(file, "a broken xz file, or cut off");
}

// A name of the archive as a path below a folder, whatever it is; empty where it is nothing to read.
std::filesystem::path safe_name(const std::string& member) {
  std::filesystem::path path;
  for (const std::filesystem::path& part : std::filesystem::path(member).relative_path()) {
    if (part == ".." || part == ".") continue;
    if (part == "__MACOSX" || part.string().find('\\') != std::string::npos) return {};
    path /= part;
  }
  const std::string name = normalized_name(path.filename().string());
  const bool about = name.find("readme") != std::string::npos || name.starts_with("licen");
  return name.empty() || name.front() == '.' || about ? std::filesystem::path() : path;
}

void unpack_member(unzFile archive, const std::string& file, const std::string& made, Budget& budget) {
  if (unzOpenCurrentFile(archive) != UNZ_OK) fail(file, "cannot be unpacked: an unknown way to compress");
  std::ofstream out(made, std::ios::binary);
  std::vector<char> block(kBlock);
  int count = 0;
  while ((count = unzReadCurrentFile(archive, block.data(), static_cast<unsigned>(block.size()))) > 0) {
    budget.write(out, block.data(), static_cast<std::size_t>(count));
  }
  if (count < 0 || unzCloseCurrentFile(archive) != UNZ_OK) fail(file, "a broken zip archive");
  if (!out.flush()) throw ResourceError("no room for temporary files");
}

struct Member {
  unz64_file_pos position;
  std::filesystem::path path;
};

// The files in an archive that are read. All of its list is looked at before anything is unpacked: what is refused is
// refused at once.
std::vector<Member> members_of(unzFile archive, const std::string& file) {
  unz_global_info64 all{};
  if (unzGetGlobalInfo64(archive, &all) != UNZ_OK) fail(file, "a broken zip archive");
  if (all.number_entry > kMostEntries) fail(file, fmt::format("more than {} files in it", kMostMembers));
  std::vector<Member> members;
  std::vector<char> name(4096);
  for (int state = unzGoToFirstFile(archive); state == UNZ_OK; state = unzGoToNextFile(archive)) {
    unz_file_info64 info{};
    Member member{};
    if (unzGetCurrentFileInfo64(archive, &info, name.data(), name.size() - 1, nullptr, 0, nullptr, 0) != UNZ_OK ||
        unzGetFilePos64(archive, &member.position) != UNZ_OK) {
      fail(file, "a broken zip archive");
    }
    name.back() = '\0';
    const std::string given = utf8_name(name.data());  // old archives have names in whatever their makers used
    member.path = given.ends_with('/') ? std::filesystem::path() : safe_name(given);
    const std::filesystem::path& path = member.path;
    if (path.empty()) continue;
    if ((info.flag & 1U) != 0) fail(file, "an encrypted zip archive; unpack it by hand");
    if (std::any_of(path.begin(), path.end(), [](const auto& part) { return part.string().size() > kLongestName; })) {
      fail(file, fmt::format("a name of more than {} bytes in it", kLongestName));
    }
    if (members.size() == kMostMembers) fail(file, fmt::format("more than {} files in it", kMostMembers));
    members.push_back(std::move(member));
  }
  return members;
}

std::vector<UnpackedFile> unpack_zip(const std::string& file, const std::string& folder) {
  const std::unique_ptr<void, decltype(&unzClose)> archive(unzOpen64(file.c_str()), &unzClose);
  if (!archive) fail(file, "a broken zip archive, or cut off");
  Budget budget(file);
  std::vector<UnpackedFile> files;
  for (const Member& member : members_of(archive.get(), file)) {
    // Two members may have one name.
    const std::filesystem::path made = std::filesystem::path(folder) / std::to_string(files.size()) / member.path;
    std::filesystem::create_directories(made.parent_path());
    if (unzGoToFilePos64(archive.get(), &member.position) != UNZ_OK) fail(file, "a broken zip archive");
    unpack_member(archive.get(), file, made.string(), budget);
    files.push_back({made.string(), member.path.string()});
  }
  if (files.empty()) fail(file, "no file to read in it");
  return files;
}

}  // namespace

bool is_packed(const std::string& file) {
  const std::string head = head_of(file);
  return head.starts_with(kZip) || head.starts_with(kXz);
}

std::vector<UnpackedFile> unpack(const std::string& file, const std::string& folder) {
  if (head_of(file).starts_with(kZip)) return unpack_zip(file, folder);
  const std::filesystem::path path(file);
  const bool named = normalized_name(path.extension().string()) == ".xz";
  const std::string made = (std::filesystem::path(folder) / (named ? path.stem() : path.filename())).string();
  unpack_xz(file, made);
  return {{made, ""}};
}

}  // namespace hearsay::storage
