// SPDX-License-Identifier: Apache-2.0
#include "results/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/errors.h"
#include "base/temporary_folder.h"
#include "results/test_data.h"

namespace hearsay::results {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& file, const Schema& schema = {"a thing", 2, 4, "make it again"}) {
  try {
    check_schema(schema, Json::parse(file), "thing.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SchemaTest, AnyVersionBetweenOldestAndNewestIsRead) {
  for (const char* file : {R"({"schema":2})", R"({"schema":3,"hearsay":7})", R"({"schema":4,"more":[]})"}) {
    EXPECT_EQ(refusal(file), "") << file;
  }
}

TEST(SchemaTest, OlderAndNewerAreRefusedWithWhatToDo) {
  EXPECT_EQ(refusal(R"({"schema":1,"hearsay":"0.0.9"})"),
            std::string("thing.json: a thing of version 1, made by hearsay 0.0.9; this is hearsay ") + version() +
                ", which reads versions 2 to 4: make it again");
  EXPECT_EQ(refusal(R"({"schema":18446744073709551615})"),
            std::string("thing.json: a thing of version 18446744073709551615; this is hearsay ") + version() +
                ", which reads versions 2 to 4: upgrade hearsay");
  EXPECT_THAT(refusal(R"({"schema":9,"hearsay":"1\n\u001b[2J"})"), testing::Not(HasSubstr("\n")));
}

TEST(SchemaTest, WhatIsNoNumberIsNoVersion) {
  for (const char* file : {"null", "[4]", "{}", R"({"schema":"4"})", R"({"schema":-4})", R"({"schema":4.5})",
                           R"({"schema":{"schema":4}})", R"({"schema":1e99})"}) {
    EXPECT_EQ(refusal(file), "thing.json: not a thing: it has no number of its version") << file;
  }
}

TEST(SchemaTest, AFolderOfResultsIsOneWithAManifestThatIsRead) {
  const TemporaryFolder place("", "hearsay-test-");
  const auto refused = [&] {
    try {
      check_results(place.path());
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refused(), HasSubstr("not a folder of results: it has no manifest.json"));
  const std::string manifest = place.path() + "/" + kManifestName;
  write_file(manifest, "not JSON");
  EXPECT_THAT(refused(), HasSubstr("manifest.json: not results: "));
  write_file(manifest, R"({"hearsay":"0.9.0","schema":2})");
  EXPECT_THAT(refused(), HasSubstr("manifest.json: results of version 2, made by hearsay 0.9.0; this is hearsay "));
  write_file(manifest, R"({"hearsay":"0.1.0","schema":0})");
  EXPECT_THAT(refused(), HasSubstr("which reads version 1: run the study again"));
  write_file(manifest, R"({"hearsay":"0.1.0","schema":1})");
  EXPECT_EQ(refused(), "");
}

}  // namespace
}  // namespace hearsay::results
