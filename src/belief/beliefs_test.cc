// SPDX-License-Identifier: Apache-2.0
#include "belief/beliefs.h"

#include <gtest/gtest.h>

#include "base/errors.h"
#include "base/table_position.h"

namespace hearsay::belief {
namespace {

RowTable rows_of(std::size_t users, std::size_t first) {
  RowTable table;
  for (std::size_t user = first; user < first + users; ++user) {
    table.add(static_cast<UserId>(user), RoiId{0}, 1);
    table.add(static_cast<UserId>(user), RoiId{1}, 2);
  }
  return table;
}

TEST(RowTableTest, AppendedRowsBeginWhereTheyAre) {
  RowTable table = rows_of(2, 0);
  table.append(rows_of(1, 2));
  table.close();
  EXPECT_EQ(table.begins, (std::vector<std::uint32_t>{0, 2, 4, 6}));
}

TEST(RowTableTest, MoreEntriesThanPositionsAreRefused) {
  const SmallTables limit(5);
  RowTable table = rows_of(3, 0);  // its last row begins at 4
  EXPECT_THROW(table.add(UserId{3}, RoiId{0}, 1), ConfigError);
  EXPECT_THROW(table.close(), ConfigError);
  RowTable first = rows_of(2, 0);
  EXPECT_THROW(first.append(rows_of(1, 2)), ConfigError);
  EXPECT_NO_THROW(first.close());
}

}  // namespace
}  // namespace hearsay::belief
