// SPDX-License-Identifier: Apache-2.0
#include "base/limits.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace hearsay {
namespace {

template <typename Number>
void lower(Number& limit, Number found) {
  if (found > 0 && (limit == 0 || found < limit)) limit = found;
}

// Version 2 has one file for a quota and its period ("max 100000" is none), version 1 two, where -1 is none.
void read_processors(const std::filesystem::path& group, double& processors) {
  double quota = 0;
  double period = 0;
  if (std::ifstream(group / "cpu.max") >> quota >> period && period > 0) lower(processors, quota / period);
  if (std::ifstream(group / "cpu.cfs_quota_us") >> quota && std::ifstream(group / "cpu.cfs_period_us") >> period &&
      quota > 0 && period > 0) {
    lower(processors, quota / period);
  }
}

void read_memory(const std::filesystem::path& group, std::uint64_t& bytes) {
  for (const char* name : {"memory.max", "memory.limit_in_bytes"}) {
    std::uint64_t limit = 0;
    if (std::ifstream(group / name) >> limit) lower(bytes, limit);
  }
}

GroupLimits own_limits() {
  std::ostringstream groups;
  groups << std::ifstream("/proc/self/cgroup").rdbuf();
  return read_group_limits(groups.str(), "/sys/fs/cgroup");
}

}  // namespace

GroupLimits read_group_limits(const std::string& groups, const std::string& root) {
  GroupLimits limits;
  const auto climb = [&](const std::filesystem::path& mount, std::filesystem::path group) {
    for (;; group = group.parent_path()) {
      read_processors(mount / group, limits.processors);
      read_memory(mount / group, limits.bytes);
      if (group.empty()) return;
    }
  };
  // Lines are NUMBER:CONTROLLERS:/PATH, without controllers for version 2. In a container the path is often that of
  // the host and not there; the mount itself then is the container's group.
  std::istringstream lines(groups);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos || second + 1 >= line.size()) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    climb(std::filesystem::path(root) / controllers, line.substr(second + 2));
  }
  for (const char* mount : {"", "cpu", "memory"}) climb(std::filesystem::path(root) / mount, {});
  return limits;
}

std::size_t default_threads() {
  const std::size_t there = std::max(1U, std::thread::hardware_concurrency());  // of those it may run on
  const double allowed = own_limits().processors;
  return allowed == 0 ? there : std::min(there, std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(allowed))));
}

std::uint64_t available_memory_bytes() {
  const auto there =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
  const std::uint64_t allowed = own_limits().bytes;
  return allowed == 0 ? there : std::min(there, allowed);
}

}  // namespace hearsay
