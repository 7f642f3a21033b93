// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "storage/input_file.h"

namespace hearsay::storage {

// SHA-256 in hex.
std::string sha256(std::string_view bytes);

// Sizes and digests of files, made in a thread of its own while they are read for other reasons.
class FileDigests {
 public:
  // With a `directory` the data files are in it and give one entry for all, else one each. The list of ROIs (empty:
  // none) gives the last entry.
  FileDigests(const std::vector<std::string>& data, std::string directory, const std::string& list);

  // Waits; throws InputError where a file cannot be read, or is not what it was when this was made: call it when all
  // reading is done.
  std::vector<InputFile> get();

 private:
  // What tells that a file was written to.
  struct State {
    std::uintmax_t bytes = 0;
    std::int64_t changed_ns = 0;
    std::uint64_t inode = 0;
    bool operator==(const State&) const = default;
  };
  static State state_of(const std::string& path);
  void digest(const std::stop_token& stop);

  std::vector<std::string> files_;  // the list, if any, last
  bool has_list_;
  std::string directory_;
  std::vector<State> states_;
  std::vector<InputFile> inputs_;
  std::exception_ptr error_;
  std::jthread worker_;  // last: it uses the others
};

}  // namespace hearsay::storage
