// SPDX-License-Identifier: Apache-2.0
#include "base/limits.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"

namespace hearsay {
namespace {

class LimitsTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = std::filesystem::path(root_.path()) / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  GroupLimits read(const std::string& groups) const { return read_group_limits(groups, root_.path()); }

  TemporaryFolder root_{"", "hearsay-test-"};
};

TEST_F(LimitsTest, TheTightestGroupOnTheWayUpCounts) {
  write("cpu.max", "max 100000\n");
  write("town/cpu.max", "150000 100000\n");
  write("town/memory.max", "1000\n");
  write("town/house/cpu.max", "800000 100000\n");
  write("town/house/memory.max", "max\n");
  write("elsewhere/memory.max", "1\n");
  EXPECT_EQ(read("0::/town/house\n").processors, 1.5);
  EXPECT_EQ(read("0::/town/house\n").bytes, 1000U);
  EXPECT_EQ(read("0::/\n").processors, 0);
  EXPECT_EQ(read("0::/\n").bytes, 0U);
}

TEST_F(LimitsTest, AContainerSeesItsOwnGroupAtTheRoot) {
  write("cpu.max", "200000 100000\n");
  write("memory.max", "4096\n");
  EXPECT_EQ(read("0::/docker/of/the/host\n").processors, 2);
  EXPECT_EQ(read("0::/docker/of/the/host\n").bytes, 4096U);
  EXPECT_EQ(read("").bytes, 4096U);
}

TEST_F(LimitsTest, VersionOneHasControllersApart) {
  write("cpu/box/cpu.cfs_quota_us", "50000\n");
  write("cpu/box/cpu.cfs_period_us", "100000\n");
  write("memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("memory/box/memory.limit_in_bytes", "7000\n");
  const GroupLimits limits = read("3:memory:/box\n2:cpu:/box\n");
  EXPECT_EQ(limits.processors, 0.5);
  EXPECT_EQ(limits.bytes, 7000U);
  write("cpu/box/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(read("2:cpu:/box\n").processors, 0);
}

TEST(Limits, ThereIsSomethingToUse) {
  EXPECT_GE(default_threads(), 1U);
  EXPECT_GT(available_memory_bytes(), 1ULL << 26);
}

}  // namespace
}  // namespace hearsay
