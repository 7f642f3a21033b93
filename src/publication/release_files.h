// SPDX-License-Identifier: Apache-2.0
//
// The files of a publication: from what data it comes, and how its counts get their name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/loading.h"

namespace hearsay::publication {

// SHA-256 of every data file, sorted; of a table in memory, which has no bytes, that of the visits read from it. A list
// of ROIs is not data about anybody and is left out.
std::vector<std::string> data_fingerprints(const engine::Loaded& loaded);

// Beginning of the names of the private folders in which files of a release are written.
inline constexpr const char* kStagingPrefix = ".hearsay-release-";

// The file of counts and beside it the one with its guarantee.
struct ReleaseFiles {
  std::filesystem::path counts;
  std::filesystem::path guarantee;

  // Absolute. Throws ConfigError where the name is not that of a CSV or Parquet file.
  explicit ReleaseFiles(const std::string& out);
  std::filesystem::path folder() const { return counts.parent_path(); }
  // Throws ConfigError where something, a symbolic link included, has one of the names.
  void check_free() const;
  // Removes what releases into this folder left that were killed before their counts were in place.
  void tidy() const;
  // Throws ConfigError where the folder cannot be made or written to. It is for others to see, so it is refused too
  // where it is the ledger's, or holds a ledger of an earlier version.
  void check_folder(const std::string& ledger) const;
  // Makes the folder. Throws ConfigError where it cannot be made or written to.
  void make_folder() const;
  // Gives the staged files, synced, their names: the guarantee first, then the counts. Replaces nothing; where it
  // throws, neither file is in place. Throws ConfigError where another process took a name.
  void put_in_place(const std::string& staged_counts, const std::string& staged_guarantee) const;
};

}  // namespace hearsay::publication
