// SPDX-License-Identifier: Apache-2.0
//
// What this process may use of the machine: all there is, or what its control groups allow where that is less.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace hearsay {

// At least 1.
std::size_t default_threads();
std::uint64_t available_memory_bytes();

// What control groups allow. `groups` is the text of /proc/self/cgroup, `root` where the groups are mounted; a group is
// bound by those above it.
struct GroupLimits {
  double processors = 0;    // 0: no limit
  std::uint64_t bytes = 0;  // 0: no limit
};
GroupLimits read_group_limits(const std::string& groups, const std::string& root);

}  // namespace hearsay
