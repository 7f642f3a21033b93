// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "base/descriptor.h"

namespace hearsay {

// A private folder (mode 0700), removed with all it holds at the end of its life or by remove_temporary_folders. A lock
// in it tells others that its owner lives. What a crashed process left is removed by the next that makes one in the
// same place with the same prefix.
class TemporaryFolder {
 public:
  // In `parent` (empty: the system's place for such), named `prefix` and six random characters. Throws ConfigError for
  // TMPDIR where the system's place cannot be used, std::system_error where `parent` cannot.
  TemporaryFolder(const std::string& parent, const std::string& prefix);
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  Descriptor lock_;
};

// Name of the lock in every such folder; a folder without it is somebody else's.
inline constexpr const char* kFolderLockName = ".hearsay-lock";

// Removes the folders of this name and user whose owners are dead, after showing each to `rescue` (may be empty).
void remove_stale_folders(const std::string& parent, const std::string& prefix,
                          const std::function<void(const std::string& path)>& rescue = {});

// Removes all of this process, for a program about to end without unwinding, such as on a signal. Work under way in
// them fails. From then on no new one is made: the caller must end the process.
void remove_temporary_folders();

// Runs `work`, which moves something into or out of such a folder, so that remove_temporary_folders comes before or
// after it.
void without_removal(const std::function<void()>& work);

}  // namespace hearsay
