// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <exception>
#include <fstream>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace hearsay::storage {

// How a file's first bytes say that it is compressed.
enum class Compression { kNone, kGzip, kZstd };
Compression compression_of(const std::string& file);

// Takes the bytes of a compressed file and gives those of the text in it.
class Decoder {
 public:
  Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  virtual ~Decoder() = default;

  // Decodes from the front of `packed`, which it shortens, into `plain`, and returns how many bytes it wrote. Sets
  // `problem` where the bytes are damaged.
  virtual std::size_t decode(std::string_view& packed, std::vector<char>& plain, std::string& problem) = 0;
  // Whether the bytes decoded so far may be all there are.
  virtual bool at_end() const = 0;
};

// The bytes of a text file, block by block and unpacked. Unlike DuckDB's reader it tells a compressed file that is cut
// off or does not match its own checksum from one that is whole.
class PlainBytes {
 public:
  // Throws InputError where the file cannot be read.
  explicit PlainBytes(const std::string& file);

  // Gives the next bytes, valid until the next call; none at the end. Throws InputError for a file that is cut off or
  // damaged.
  std::string_view next();

 private:
  std::string_view next_packed();
  [[noreturn]] void fail(const std::string& problem) const;

  std::string file_;
  std::ifstream in_;
  std::unique_ptr<Decoder> decoder_;  // null: not compressed
  std::vector<char> block_;
  std::string_view packed_;  // of block_, still to be decoded
  std::vector<char> plain_;
};

// Reads all of some files and throws InputError for the first that is cut off or damaged. Files that are not compressed
// are left alone.
void check_compressed_files(const std::vector<std::string>& files, std::size_t threads,
                            const std::stop_token& stop = {});

// The same in a thread of its own, while the files are read for other reasons.
class CompressedFiles {
 public:
  CompressedFiles(std::vector<std::string> files, std::size_t threads);
  // Waits, and throws as check_compressed_files does.
  void check();

 private:
  std::exception_ptr error_;
  std::jthread worker_;  // last: it uses the others
};

}  // namespace hearsay::storage
