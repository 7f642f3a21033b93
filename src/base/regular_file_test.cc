// SPDX-License-Identifier: Apache-2.0
#include "base/regular_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/errors.h"
#include "base/temporary_folder.h"

namespace hearsay {
namespace {

using testing::HasSubstr;

class RegularFileTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string refusal(const std::string& name, std::uint64_t most = 100) const {
    try {
      read_regular_file(path(name), most);
    } catch (const InputError& error) {
      return error.what();
    }
    return "read";
  }

  TemporaryFolder folder_{"", "hearsay-test-"};
};

TEST_F(RegularFileTest, ReadsAllBytes) {
  const std::string text = std::string(200'000, 'x') + std::string("\0\n", 2);
  std::ofstream(path("file"), std::ios::binary) << text;
  EXPECT_EQ(read_regular_file(path("file"), text.size()), text);
  EXPECT_THAT(refusal("file", text.size() - 1), HasSubstr("more than 200001 bytes"));
  std::ofstream(path("empty"));
  EXPECT_EQ(read_regular_file(path("empty"), 0), "");
}

TEST_F(RegularFileTest, AMissingFileIsNotAnError) {
  EXPECT_EQ(read_regular_file(path("none"), 100), std::nullopt);
  std::filesystem::create_symlink(path("none"), path("dangling"));
  EXPECT_EQ(read_regular_file(path("dangling"), 100), std::nullopt);
}

// Reading a named pipe that nobody writes into would never end.
TEST_F(RegularFileTest, WhatIsNoOrdinaryFileIsRefused) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(refusal("pipe"), path("pipe") + ": this is a named pipe; name an ordinary file");
  EXPECT_THAT(refusal("."), HasSubstr("this is a folder"));
  std::filesystem::create_symlink("/dev/zero", path("device"));
  EXPECT_THAT(refusal("device"), HasSubstr("this is a device"));
  std::ofstream(path("file"));
  EXPECT_THAT(refusal("file/below"), HasSubstr("cannot be read: Not a directory"));
}

// A library that opens a file by its name would wait for a writer, too.
TEST_F(RegularFileTest, PipesAndDevicesAreRefusedBeforeALibraryOpensThem) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_THROW(require_regular_file(path("pipe")), InputError);
  EXPECT_THROW(require_regular_file("/dev/null"), InputError);
  std::ofstream(path("file")) << "text";
  EXPECT_NO_THROW(require_regular_file(path("file")));
  EXPECT_NO_THROW(require_regular_file(path(".")));
  EXPECT_NO_THROW(require_regular_file(path("absent")));
}

}  // namespace
}  // namespace hearsay
