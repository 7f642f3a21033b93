// SPDX-License-Identifier: Apache-2.0
#include "base/table_position.h"

#include <gtest/gtest.h>

#include <string>

#include "base/errors.h"

namespace hearsay {
namespace {

TEST(TablePositionTest, NothingWrapsAround) {
  EXPECT_EQ(table_position(0), 0U);
  EXPECT_EQ(table_position(4294967295), 4294967295U);
  EXPECT_THROW(table_position(4294967296), ConfigError);
  try {
    table_position(5000000000);
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("5000000000 entries"), std::string::npos) << error.what();
  }
}

TEST(TablePositionTest, TestsSetALimitForATime) {
  {
    const SmallTables limit(3);
    EXPECT_EQ(table_position(3), 3U);
    EXPECT_THROW(table_position(4), ConfigError);
  }
  EXPECT_EQ(table_position(4), 4U);
}

}  // namespace
}  // namespace hearsay
