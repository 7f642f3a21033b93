// SPDX-License-Identifier: Apache-2.0
#include "base/descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>

namespace hearsay {
namespace {

bool is_open(int number) {
  return fcntl(number, F_GETFD) >= 0;
}

TEST(DescriptorTest, ClosesWhatItOwnsOnce) {
  EXPECT_FALSE(Descriptor());
  EXPECT_FALSE(Descriptor(open("/no/such/file", O_RDONLY)));
  Descriptor kept;
  int number = -1;
  {
    Descriptor file(open("/dev/null", O_RDONLY));
    ASSERT_TRUE(file);
    number = file.get();
    kept = std::move(file);
  }
  EXPECT_TRUE(is_open(number));
  EXPECT_EQ(kept.get(), number);
  kept = Descriptor();
  EXPECT_FALSE(is_open(number));
}

TEST(DescriptorTest, WhatIsReleasedStaysOpen) {
  Descriptor file(open("/dev/null", O_RDONLY));
  const int number = file.release();
  EXPECT_FALSE(file);
  EXPECT_TRUE(is_open(number));
  close(number);
}

TEST(DescriptorTest, IsClosedWhereAConstructorThrows) {
  struct Holder {
    explicit Holder(int& number) : file(open("/dev/null", O_RDONLY)) {
      number = file.get();
      throw 1;
    }
    Descriptor file;
  };
  int number = -1;
  EXPECT_THROW(Holder{number}, int);
  ASSERT_GE(number, 0);
  EXPECT_FALSE(is_open(number));
}

}  // namespace
}  // namespace hearsay
