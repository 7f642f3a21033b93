// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/temporary_folder.h"

namespace hearsay::results {

// One file of a result folder, the manifest not among them.
struct ResultFile {
  std::string name;
  std::uint64_t bytes = 0;
  std::uint64_t rows = 0;
};

inline constexpr const char* kManifestName = "manifest.json";
inline constexpr std::uint64_t kMostManifestBytes = std::uint64_t{64} << 20;

// The folder's absolute path without links, if results may go there: it does not exist and can be made, is empty, or
// holds results and nothing else. Throws ConfigError for "--out" otherwise. Changes nothing.
std::string checked_result_path(const std::string& path);

// Removes what crashed runs left beside the results at `target`, a path as checked_result_path gives it. Results that
// such a run had moved aside and not yet replaced are put back.
void tidy_result_place(const std::string& target);

// Waits until the disk has the file or folder; throws std::system_error where it does not take it.
void sync_path(const std::string& path);

// Writes a text file; throws std::system_error where the disk does not take it.
void write_text_file(const std::string& path, const std::string& text);

// A folder of results that appears whole or not at all. Files are written to path_of(name), in a hidden folder beside
// the target; put_in_place waits for the disk to have them and moves them there in one step, in the place of earlier
// results. Without it nothing stays.
class ResultFolder {
 public:
  explicit ResultFolder(const std::string& path);
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;

  std::string path_of(const std::string& name) const;
  // The file as it is now in the folder.
  ResultFile describe(const std::string& name, std::uint64_t rows) const;
  void write_text(const std::string& name, const std::string& text) const { write_text_file(path_of(name), text); }
  void put_in_place();

 private:
  // Makes what is missing of the folders above the target, and takes it back unless told to keep it.
  class Parents {
   public:
    explicit Parents(const std::string& target);
    Parents(const Parents&) = delete;
    Parents& operator=(const Parents&) = delete;
    ~Parents();
    void keep() { made_.clear(); }

   private:
    std::vector<std::string> made_;  // innermost first
  };

  std::string target_;
  Parents parents_;
  std::optional<TemporaryFolder> temporary_;
  std::string staging_;
};

}  // namespace hearsay::results
