// SPDX-License-Identifier: Apache-2.0
#include "storage/file_digest.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <memory>

#include "base/errors.h"
#include "storage/sql_text.h"

namespace hearsay::storage {
namespace {

constexpr std::size_t kDigestBlock = std::size_t{1} << 18;

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    if (!context_ || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1) fail();
  }
  void add(const char* data, std::size_t size) {
    if (EVP_DigestUpdate(context_.get(), data, size) != 1) fail();
  }
  std::string hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    if (EVP_DigestFinal_ex(context_.get(), digest.data(), &size) != 1) fail();
    std::string text;
    for (unsigned int i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
    return text;
  }

 private:
  [[noreturn]] static void fail() { throw std::runtime_error("SHA-256 is not available"); }

  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

InputFile digest_file(const std::string& path, const std::stop_token& stop) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError({one_line(path), 0, ""}, "cannot be read");
  Sha256 hash;
  InputFile input{path, 0, "", false};
  std::vector<char> block(kDigestBlock);
  while (file && !stop.stop_requested()) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    const auto count = static_cast<std::size_t>(file.gcount());
    hash.add(block.data(), count);
    input.bytes += count;
  }
  if (file.bad()) throw InputError({one_line(path), 0, ""}, "cannot be read");
  input.sha256 = hash.hex();
  return input;
}

InputFile combine(const std::string& directory, const std::vector<InputFile>& inputs) {
  std::vector<std::string> lines;
  InputFile whole{directory, 0, "", false};
  for (const InputFile& input : inputs) {
    lines.push_back(fmt::format("{}  {}\n", input.sha256, std::filesystem::path(input.name).filename().string()));
    whole.bytes += input.bytes;
  }
  std::sort(lines.begin(), lines.end());
  Sha256 hash;
  for (const std::string& line : lines) hash.add(line.data(), line.size());
  whole.sha256 = hash.hex();
  return whole;
}

std::string directory_name(const std::string& directory) {
  const auto path = std::filesystem::absolute(directory).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

}  // namespace

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes.data(), bytes.size());
  return hash.hex();
}

FileDigests::State FileDigests::state_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) throw InputError({one_line(path), 0, ""}, "cannot be read");
  return {static_cast<std::uintmax_t>(status.st_size), status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec,
          status.st_ino};
}

FileDigests::FileDigests(const std::vector<std::string>& data, std::string directory, const std::string& list)
    : files_(data), has_list_(!list.empty()), directory_(std::move(directory)) {
  if (has_list_) files_.push_back(list);
  for (const std::string& file : files_) states_.push_back(state_of(file));
  worker_ = std::jthread([this](const std::stop_token& stop) { digest(stop); });
}

void FileDigests::digest(const std::stop_token& stop) {
  try {
    for (const std::string& file : files_) {
      if (stop.stop_requested()) return;
      inputs_.push_back(digest_file(file, stop));
    }
    const auto data_end = inputs_.end() - (has_list_ ? 1 : 0);
    if (!directory_.empty()) {
      const InputFile whole = combine(directory_name(directory_), {inputs_.begin(), data_end});
      inputs_.erase(inputs_.begin(), data_end);
      inputs_.insert(inputs_.begin(), whole);
    }
    if (has_list_) inputs_.back().places = true;
  } catch (...) {
    error_ = std::current_exception();
  }
}

std::vector<InputFile> FileDigests::get() {
  worker_.join();
  if (error_) std::rethrow_exception(error_);
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (state_of(files_[i]) != states_[i]) {
      throw InputError({one_line(files_[i]), 0, ""},
                       "was changed while it was read; run again when nothing writes to it");
    }
  }
  return std::move(inputs_);
}

}  // namespace hearsay::storage
