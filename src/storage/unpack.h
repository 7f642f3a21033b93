// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hearsay::storage {

// What an archive may unpack to: a hundred times its size (small ones to 100 MiB), never more than 64 GiB or 10,000
// files. More is a slip or a bomb, and refused.
inline constexpr std::uint64_t kMostUnpacked = std::uint64_t{64} << 30;
inline constexpr std::uint64_t kSmallUnpacked = 100U << 20;
inline constexpr std::uint64_t kMostRatio = 100;
inline constexpr std::size_t kMostMembers = 10'000;

// Whether its first bytes say that a file is a zip archive or compressed by xz, whatever it is called.
bool is_packed(const std::string& file);

struct UnpackedFile {
  std::string path;
  std::string member;  // its name in the archive; empty for xz
};

// Unpacks such a file into `folder`, which exists: of xz the file, called without .xz; of zip the files in it but for
// hidden ones, read-me and licence files, in their folders. Throws InputError where it is broken, encrypted or too
// large.
std::vector<UnpackedFile> unpack(const std::string& file, const std::string& folder);

}  // namespace hearsay::storage
