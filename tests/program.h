// SPDX-License-Identifier: Apache-2.0
//
// For tests: the program as a process that can be limited, signalled, killed and measured.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace hearsay {

// Sanitizers take time and memory of their own, so that what is measured of the program means nothing.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

std::string read_file(const std::filesystem::path& path);
std::set<std::string> names_in(const std::filesystem::path& folder);

// Limits on the process; 0: none.
struct Limits {
  std::uint64_t memory_bytes = 0;  // address space
  std::uint64_t file_bytes = 0;    // of one file
  bool heed_modes = false;         // of files and folders, also as root
  std::string temporary_folder;    // empty: the system's
};

struct Ended {
  int code = -1;   // exit code, or -1 where a signal ended it
  int signal = 0;  // which
  std::string out;
  std::string err;
  std::uint64_t peak_bytes = 0;
};

class Program {
 public:
  // Runs in `folder`, which also takes .out and .err.
  Program(const std::filesystem::path& folder, const std::vector<std::string>& arguments, const Limits& limits = {});
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  void send(int signal) const;
  Ended wait();
  // False where the time is over and it still runs.
  bool ends_within(std::chrono::milliseconds time);

 private:
  void collect(int status, const rusage& usage);

  std::filesystem::path folder_;
  pid_t process_ = -1;
  bool ended_ = false;
  Ended result_;
};

inline Ended run_program(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                         const Limits& limits = {}) {
  return Program(folder, arguments, limits).wait();
}

// Files of a result folder but the manifest, which tells the time, by name.
std::map<std::string, std::string> results_in(const std::filesystem::path& folder);

}  // namespace hearsay
