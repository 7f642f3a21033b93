// SPDX-License-Identifier: Apache-2.0
#include "base/output_name.h"

#include <gmock/gmock.h>

#include "base/errors.h"

namespace hearsay {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(OutputNameTest, NamesThatNothingCanBeWrittenUnderAreRefused) {
  EXPECT_NO_THROW(check_output_name("--out", "r\xC3\xA9sultats/" + std::string(200, 'x')));
  EXPECT_NO_THROW(check_output_name("--out", std::string(300, 'x') + "/out")) << "the file system refuses the folder";
  EXPECT_THAT([] { check_output_name("--out", "r\xFF"); },
              ThrowsMessage<ConfigError>("--out = r?: is not UTF-8; choose a name that is"));
  EXPECT_THAT([] { check_output_name("--out", "a/" + std::string(201, 'x')); },
              ThrowsMessage<ConfigError>(HasSubstr("has a name of more than 200 bytes")));
}

}  // namespace
}  // namespace hearsay
