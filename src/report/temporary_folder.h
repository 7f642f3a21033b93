// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace hearsay::report {

// A private folder, removed with all it holds at the end of its life, or by remove_temporary_folders.
class TemporaryFolder {
 public:
  // In `parent` (empty: the system's place for such), named `prefix` and six random characters.
  TemporaryFolder(const std::string& parent, const std::string& prefix);
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Removes all of them, for a program about to end without unwinding, such as on a signal. Work under way in them fails.
// From then on no new one is made: the caller must end the process.
void remove_temporary_folders();

// Runs `work`, which moves something into or out of such a folder, so that remove_temporary_folders comes before or
// after it.
void without_removal(const std::function<void()>& work);

}  // namespace hearsay::report
