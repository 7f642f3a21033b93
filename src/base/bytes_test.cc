// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.h"

#include <gtest/gtest.h>

namespace hearsay {
namespace {

TEST(BytesTest, EverythingComesBackInOrder) {
  BytesWriter writer;
  writer.put(std::uint32_t{7});
  writer.put(std::string("a place"));
  writer.put(std::vector<double>{0.5, -1});
  writer.put(std::vector<std::string>{"", "x"});
  writer.put(std::vector<std::vector<std::uint8_t>>{{}, {1, 2}});
  const std::string bytes = writer.take();
  BytesReader reader(bytes);
  EXPECT_EQ(reader.get<std::uint32_t>(), 7U);
  EXPECT_EQ(reader.get<std::string>(), "a place");
  EXPECT_EQ(reader.get<std::vector<double>>(), (std::vector<double>{0.5, -1}));
  EXPECT_EQ(reader.get<std::vector<std::string>>(), (std::vector<std::string>{"", "x"}));
  EXPECT_EQ(reader.get<std::vector<std::vector<std::uint8_t>>>(), (std::vector<std::vector<std::uint8_t>>{{}, {1, 2}}));
  EXPECT_TRUE(reader.at_end());
}

TEST(BytesTest, BytesThatEndTooSoonAreRefused) {
  BytesWriter writer;
  writer.put(std::vector<double>{1, 2, 3});
  const std::string bytes = writer.take();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    BytesReader reader(std::string_view(bytes).substr(0, size));
    EXPECT_THROW(reader.get<std::vector<double>>(), std::out_of_range) << size;
  }
}

}  // namespace
}  // namespace hearsay
