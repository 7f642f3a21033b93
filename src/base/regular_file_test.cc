// SPDX-License-Identifier: Apache-2.0
#include "base/regular_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "base/errors.h"
#include "base/temporary_folder.h"

namespace hearsay {
namespace {

TEST(RegularFileTest, RefusesPipesAndDevicesAndNothingElse) {
  const TemporaryFolder folder("", "hearsay-test-");
  const std::string pipe = folder.path() + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  try {
    require_regular_file(pipe);
    ADD_FAILURE() << "the pipe was not refused";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              pipe + ": is a pipe, which is not read; write what it gives to a file, and name that file");
  }
  EXPECT_THROW(require_regular_file("/dev/null"), InputError);
  const std::string file = folder.path() + "/file";
  std::ofstream(file) << "text";
  EXPECT_NO_THROW(require_regular_file(file));
  EXPECT_NO_THROW(require_regular_file(folder.path()));
  EXPECT_NO_THROW(require_regular_file(folder.path() + "/absent"));
}

}  // namespace
}  // namespace hearsay
