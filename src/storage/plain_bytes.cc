// SPDX-License-Identifier: Apache-2.0
#include "storage/plain_bytes.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/errors.h"
#include "base/parallel.h"
#include "storage/sql_text.h"

// DuckDB's library carries and exports Zstandard, and is pinned to one version. These are functions of <zstd.h>, so
// that a file is decoded here by the same code as there.
namespace duckdb_zstd {
struct ZSTD_DCtx_s;
ZSTD_DCtx_s* ZSTD_createDCtx();
std::size_t ZSTD_freeDCtx(ZSTD_DCtx_s* context);
std::size_t ZSTD_decompressStream_simpleArgs(ZSTD_DCtx_s* context, void* plain, std::size_t room, std::size_t* made,
                                             const void* packed, std::size_t size, std::size_t* taken);
unsigned ZSTD_isError(std::size_t code);
}  // namespace duckdb_zstd

namespace hearsay::storage {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18;
constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";
constexpr const char* kDamaged = "is damaged: it cannot be unpacked, or does not match its own checksum; copy it again";

// zlib checks length and checksum of each part.
class Gzip final : public Decoder {
 public:
  Gzip() {
    constexpr int kGzipOnly = 15 + 16;  // the largest window, with gzip's header and no other
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Gzip() override { inflateEnd(&stream_); }

  std::size_t decode(std::string_view& packed, std::vector<char>& plain, std::string& problem) override {
    if (ended_ && inflateReset(&stream_) != Z_OK) throw std::bad_alloc();  // another part follows
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    stream_.next_out = reinterpret_cast<Bytef*>(plain.data());
    stream_.avail_out = static_cast<uInt>(plain.size());
    const int state = inflate(&stream_, Z_NO_FLUSH);
    if (state == Z_MEM_ERROR) throw std::bad_alloc();
    if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR) problem = kDamaged;
    ended_ = state == Z_STREAM_END;
    packed.remove_prefix(packed.size() - stream_.avail_in);
    return plain.size() - stream_.avail_out;
  }
  bool at_end() const override { return ended_; }

 private:
  z_stream stream_{};
  bool ended_ = false;
};

class Zstd final : public Decoder {
 public:
  Zstd() : context_(duckdb_zstd::ZSTD_createDCtx(), &duckdb_zstd::ZSTD_freeDCtx) {
    if (!context_) throw std::bad_alloc();
  }

  std::size_t decode(std::string_view& packed, std::vector<char>& plain, std::string& problem) override {
    std::size_t made = 0;
    std::size_t taken = 0;
    const std::size_t state = duckdb_zstd::ZSTD_decompressStream_simpleArgs(
        context_.get(), plain.data(), plain.size(), &made, packed.data(), packed.size(), &taken);
    if (duckdb_zstd::ZSTD_isError(state) != 0) problem = kDamaged;
    ended_ = state == 0;
    packed.remove_prefix(taken);
    return made;
  }
  bool at_end() const override { return ended_; }

 private:
  std::unique_ptr<duckdb_zstd::ZSTD_DCtx_s, decltype(&duckdb_zstd::ZSTD_freeDCtx)> context_;
  bool ended_ = false;
};

}  // namespace

Compression compression_of(const std::string& file) {
  std::array<char, kZstdMagic.size()> bytes{};
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), bytes.size());
  const std::string_view head(bytes.data(), static_cast<std::size_t>(in.gcount()));
  if (head.starts_with(kGzipMagic)) return Compression::kGzip;
  return head.starts_with(kZstdMagic) ? Compression::kZstd : Compression::kNone;
}

PlainBytes::PlainBytes(const std::string& file) : file_(file), in_(file, std::ios::binary), block_(kBlock) {
  if (!in_) fail("cannot be read");
  switch (compression_of(file)) {
    case Compression::kGzip:
      decoder_ = std::make_unique<Gzip>();
      break;
    case Compression::kZstd:
      decoder_ = std::make_unique<Zstd>();
      break;
    case Compression::kNone:
      return;
  }
  plain_.resize(kBlock);
}

void PlainBytes::fail(const std::string& problem) const {
  throw InputError({one_line(file_), 0, ""}, problem);
}

std::string_view PlainBytes::next_packed() {
  if (in_.eof()) return {};
  in_.read(block_.data(), static_cast<std::streamsize>(block_.size()));
  if (in_.bad()) fail("cannot be read");
  return {block_.data(), static_cast<std::size_t>(in_.gcount())};
}

std::string_view PlainBytes::next() {
  if (!decoder_) return next_packed();
  bool full = true;  // what is left inside the decoder comes without further bytes
  while (true) {
    if (packed_.empty() && !full) packed_ = next_packed();
    if (packed_.empty() && !full) {
      if (decoder_->at_end()) return {};
      fail("is cut off: it ends before the compressed text does; copy it again");
    }
    std::string problem;
    const std::size_t made = packed_.empty() && decoder_->at_end() ? 0 : decoder_->decode(packed_, plain_, problem);
    if (!problem.empty()) fail(problem);
    if (made > 0) return {plain_.data(), made};
    full = false;
  }
}

void check_compressed_files(const std::vector<std::string>& files, std::size_t threads, const std::stop_token& stop) {
  std::vector<std::optional<InputError>> errors(files.size());
  parallel_for(files.size(), threads, [&](std::size_t i, std::size_t) {
    if (compression_of(files[i]) == Compression::kNone) return;
    try {
      PlainBytes bytes(files[i]);
      while (!stop.stop_requested() && !bytes.next().empty()) {
      }
    } catch (const InputError& error) {
      errors[i] = error;
    }
  });
  for (const std::optional<InputError>& error : errors) {
    if (error) throw InputError(*error);
  }
}

CompressedFiles::CompressedFiles(std::vector<std::string> files, std::size_t threads) {
  std::erase_if(files, [](const std::string& file) { return compression_of(file) == Compression::kNone; });
  if (files.empty()) return;
  worker_ = std::jthread([this, files = std::move(files), threads](const std::stop_token& stop) {
    try {
      check_compressed_files(files, threads, stop);
    } catch (...) {
      error_ = std::current_exception();
    }
  });
}

void CompressedFiles::check() {
  if (worker_.joinable()) worker_.join();
  if (error_) std::rethrow_exception(error_);
}

}  // namespace hearsay::storage
