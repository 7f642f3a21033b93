// SPDX-License-Identifier: Apache-2.0
#include "experiment/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/errors.h"
#include "experiment/study.h"

namespace hearsay::experiment {
namespace {

constexpr const char* kSmallStudy =
    "[data]\npath = \"trips.csv\"\n[period]\nstart = 2010-03-01\nlength = \"4 weeks\"\nobserve = \"3 weeks\"\n";

attack::AttackEntry like_bayes(const std::string& name) {
  attack::AttackEntry entry = *attack::all_attacks()[2];
  entry.info.name = name;
  return entry;
}

TEST(RegistryTest, AStudyRunsWhatWasAdded) {
  Registry registry;
  registry.add(like_bayes("MINE"));
  const Study all = parse_study(kSmallStudy, "", "", {}, registry);
  EXPECT_EQ(all.adversary.attacks.size(), attack::all_attacks().size() + 1);
  EXPECT_EQ(all.adversary.attacks.back()->info.name, "MINE");
  const Study one = parse_study(kSmallStudy, "", "", {"study.attacks=MINE"}, std::move(registry));
  ASSERT_EQ(one.adversary.attacks.size(), 3U);
  EXPECT_NE(one.adversary.attacks[1]->create(), nullptr);
  EXPECT_EQ(parse_study(kSmallStudy, "", "", {}).adversary.attacks.size(), attack::all_attacks().size())
      << "no other study knows it";
}

TEST(RegistryTest, NamesMustBeFree) {
  Registry registry;
  EXPECT_THROW(registry.add(like_bayes("BAYES")), ConfigError);
  EXPECT_THROW(registry.add(like_bayes("")), ConfigError);
  registry.add(like_bayes("MINE"));
  EXPECT_THROW(registry.add(like_bayes("MINE")), ConfigError);
}

TEST(RegistryTest, WithoutAFileMessagesNameNone) {
  const std::string bad = std::string(kSmallStudy) + "[study]\nattacks = [\"BAYS\"]\n";
  try {
    parse_study(bad, "", "", {});
    FAIL() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "study.attacks = BAYS: is not known; did you mean \"BAYES\"?");
  }
}

}  // namespace
}  // namespace hearsay::experiment
