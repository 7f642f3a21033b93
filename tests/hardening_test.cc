// SPDX-License-Identifier: Apache-2.0
//
// The program as the compiler and the linker left it: position independent, read-only where it can be, with guards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <regex>

#include "program.h"

namespace hearsay {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::string output_of(const std::string& tool) {
  const std::string command = "LC_ALL=C " + tool + " '" + HEARSAY_BINARY + "'";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  std::string text;
  char block[4096];
  for (std::size_t got = 0; (got = fread(block, 1, sizeof block, pipe)) > 0;) text.append(block, got);
  return pclose(pipe) == 0 ? text : "";
}

std::string readelf(const std::string& flags) {
  return output_of("readelf -W " + flags);
}

TEST(HardeningTest, ThePlaceInMemoryIsRandom) {
  EXPECT_THAT(readelf("-h"), ContainsRegex("Type: +DYN"));
  EXPECT_THAT(readelf("-d"), ContainsRegex("FLAGS_1.*PIE"));
}

TEST(HardeningTest, LinksAreReadOnlyAndResolvedAtOnce) {
  EXPECT_THAT(readelf("-l"), HasSubstr("GNU_RELRO"));
  EXPECT_THAT(readelf("-d"), ContainsRegex("BIND_NOW|FLAGS.*NOW"));
}

TEST(HardeningTest, TheStackIsGuardedAndNotRun) {
  EXPECT_THAT(readelf("--dyn-syms"), HasSubstr("__stack_chk_fail"));
  EXPECT_THAT(readelf("-l"), ContainsRegex("GNU_STACK.* RW "));
  EXPECT_THAT(readelf("-l"), Not(ContainsRegex("GNU_STACK.* RWE ")));
}

TEST(HardeningTest, CopiesAreChecked) {
  if (kSanitized) GTEST_SKIP() << "sanitizers check them themselves";
  EXPECT_THAT(readelf("--dyn-syms"), ContainsRegex("__[a-z]+_chk@"));
}

TEST(HardeningTest, JumpsLandWhereTheyMay) {
#ifdef __x86_64__
  // The note that says so of the whole program is lost where the start files of the system are without.
  EXPECT_THAT(output_of("objdump -d --disassemble=main"), HasSubstr("endbr64"));
#else
  GTEST_SKIP() << "x86-64 only";
#endif
}

TEST(HardeningTest, OnlyFoldersThatComeWithTheProgramAreSearchedForLibraries) {
  const std::string dynamic = readelf("-d");
  std::smatch found;
  if (std::regex_search(dynamic, found, std::regex("R(UN)?PATH[^\\[]*\\[([^\\]]*)\\]"))) {
    EXPECT_EQ(found[2], "$ORIGIN:$ORIGIN/../lib/hearsay");
  }
}

}  // namespace
}  // namespace hearsay
