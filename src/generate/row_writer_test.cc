// SPDX-License-Identifier: Apache-2.0
#include "generate/row_writer.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/errors.h"
#include "base/temporary_folder.h"

namespace hearsay::generate {
namespace {

const std::vector<Column> kColumns = {{"uid", ColumnType::kLabel, "u", 3}, {"time", ColumnType::kUnixTime, "", 0}};

Block three_rows(std::size_t) {
  return {{1, 2, 3}, {10, 20, 30}};
}

class RowWriterTest : public testing::Test {
 protected:
  bool nothing_left() const {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(place_.path())) {
      files += entry.path().filename() == kFolderLockName ? 0 : 1;
    }
    return files == 0;
  }

  TemporaryFolder place_{"", "hearsay-test-"};
  std::string path_ = place_.path() + "/rows.csv";
};

// Thrown in a thread of its own, and passed on as it was.
TEST_F(RowWriterTest, ABlockThatFailsIsAnError) {
  const auto fail_late = [](std::size_t block) {
    if (block == 5) throw std::bad_alloc();
    return three_rows(block);
  };
  for (const std::size_t threads : {1U, 3U}) {
    EXPECT_THROW(write_rows(path_, kColumns, 8, fail_late, threads, {}), std::bad_alloc) << threads;
    EXPECT_TRUE(nothing_left());
  }
  EXPECT_EQ(write_rows(path_, kColumns, 8, three_rows, 3, {}), 24U);
}

// Thrown inside DuckDB's call, and passed on as it was.
TEST_F(RowWriterTest, WhoeverWatchesCanStopIt) {
  const Progress stop = [](std::string_view, std::uint64_t done, std::uint64_t) {
    if (done == 2) throw Cancelled();
  };
  EXPECT_THROW(write_rows(path_, kColumns, 8, three_rows, 2, stop), Cancelled);
  EXPECT_TRUE(nothing_left());
}

}  // namespace
}  // namespace hearsay::generate
