// SPDX-License-Identifier: Apache-2.0
//
// For tests: packed files.
#pragma once

#include <gtest/gtest.h>
#include <lzma.h>
#include <minizip/zip.h>

#include <string>
#include <utility>
#include <vector>

namespace hearsay::storage {

inline std::string pack_xz(const std::string& text) {
  std::string packed(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  EXPECT_EQ(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()),
                                    text.size(), reinterpret_cast<std::uint8_t*>(packed.data()), &size, packed.size()),
            LZMA_OK);
  return packed.substr(0, size);
}

using Members = std::vector<std::pair<std::string, std::string>>;  // name, text

inline void pack_zip(const std::string& path, const Members& members) {
  zipFile archive = zipOpen64(path.c_str(), APPEND_STATUS_CREATE);
  for (const auto& [member, text] : members) {
    EXPECT_EQ(zipOpenNewFileInZip(archive, member.c_str(), nullptr, nullptr, 0, nullptr, 0, nullptr, Z_DEFLATED, 9),
              ZIP_OK);
    EXPECT_EQ(zipWriteInFileInZip(archive, text.data(), static_cast<unsigned>(text.size())), ZIP_OK);
    EXPECT_EQ(zipCloseFileInZip(archive), ZIP_OK);
  }
  EXPECT_EQ(zipClose(archive, nullptr), ZIP_OK);
}

}  // namespace hearsay::storage
