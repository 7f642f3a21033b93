// SPDX-License-Identifier: Apache-2.0
#include "experiment/settings.h"

#include <gtest/gtest.h>

#include "base/errors.h"
#include "experiment/study.h"
#include "experiment/test_study.h"

namespace hearsay::experiment {
namespace {

// The message of the ConfigError that a study causes.
std::string refusal_of(const std::string& text) {
  try {
    parse_study(text, "town.toml", "folder", {});
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SettingsTest, AMisspeltSettingIsTheOneToMend) {
  const auto renamed = [](const std::string& old_text, const std::string& new_text) {
    std::string text = kTownStudy;
    return text.replace(text.find(old_text), old_text.size(), new_text);
  };
  EXPECT_EQ(refusal_of("[data]\npth = \"x.csv\"\n"),
            "town.toml:2: data.pth: no such setting; did you mean \"data.path\"?");
  EXPECT_EQ(refusal_of(renamed("length =", "lenght =")),
            "town.toml:8: period.lenght: no such setting; did you mean \"period.length\"?");
  EXPECT_EQ(refusal_of(renamed("observe =", "obsrve =")),
            "town.toml:9: period.obsrve: no such setting; did you mean \"period.observe\"?");
  EXPECT_EQ(refusal_of(renamed("timezone =", "time_zone =")),
            "town.toml:5: data.time_zone: no such setting; did you mean \"data.timezone\"?");
  EXPECT_EQ(refusal_of(renamed("[period]", "[perod]")), "town.toml:6: perod: no such table; did you mean \"period\"?");
  EXPECT_EQ(refusal_of(renamed("[study]", "[stduy]")), "town.toml:10: stduy: no such setting; did you mean \"study\"?");
  EXPECT_EQ(refusal_of(renamed("[period]\n", "[period]\ntimezone = \"UTC\"\n")),
            "town.toml:7: period.timezone: no such setting; did you mean \"data.timezone\"?");
  EXPECT_EQ(refusal_of(renamed("[period]\n", "[period]\nwibble = 1\n")),
            "town.toml:7: period.wibble: no such setting; known: period.epoch, period.length, period.observe, "
            "period.start");
  const std::string grid = "[rois]\nkind = \"grid\"\n";
  EXPECT_EQ(
      refusal_of(renamed("\"trips\"", "\"events\"") + grid + "north = 1\nwest = 0\neast = 1\nrows = 1\ncols = 1\n"),
      "town.toml: rois.south: is required")
      << "north is a setting, however near south it is";
}

}  // namespace
}  // namespace hearsay::experiment
