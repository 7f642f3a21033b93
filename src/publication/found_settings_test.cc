// SPDX-License-Identifier: Apache-2.0
//
// One person's row must not decide how the rows of others are read: a guarantee would not hold.
#include <gmock/gmock.h>

#include "publication/test_publication.h"

namespace hearsay::publication {
namespace {

using testing::HasSubstr;

class FoundSettingsTest : public PublicationTest {
 protected:
  // Publishes the tiny study on other rows, which keep its users, places and days.
  std::string refusal_on(const std::string& rows, const std::vector<std::string>& more = {}) const {
    results::write_file(place_.path() + "/other.csv", rows);
    std::vector<std::string> overrides = {"data.path=other.csv"};
    overrides.insert(overrides.end(), more.begin(), more.end());
    return refusal(study(overrides), scm("1", "other.csv"));
  }
};

TEST_F(FoundSettingsTest, BadRowsMustBeMended) {
  const std::string message = refusal(study({"data.bad_rows=skip"}), scm("1", "counts.csv"));
  EXPECT_THAT(message, HasSubstr("has no sound guarantee here: data.bad_rows = \"skip\" leaves out rows by looking at "
                                 "the data: mend them and write bad_rows = \"stop\" into [data]."));
  EXPECT_EQ(refusal(study(), scm("1", "counts.csv")), "published");
}

TEST_F(FoundSettingsTest, FormatsMustBeWrittenDown) {
  const std::string why = "How the rows are read was found from the rows, where one row can decide for all: write ";
  std::string times = "uid,roi,datetime\n";
  std::string broken = times;
  std::string bare;
  for (int day = 1; day <= 28; ++day) {
    const std::string number = (day < 10 ? "0" : "") + std::to_string(day);
    times += "a,x,01/" + number + "/2024 00:30\n";
    bare += "a;x;2024-01-" + number + " 00:30:00\n";
    broken += (day == 1 ? "\"a\nb\"" : "a") + (",x,2024-01-" + number + " 00:30:00\n");
  }
  EXPECT_THAT(refusal_on(times), HasSubstr(why + "time_format = \"%m/%d/%Y %H:%M\" into [data]."));
  EXPECT_THAT(refusal_on(broken), HasSubstr(why + "line_breaks = false into [data]."));
  const std::vector<std::string> numbers = {"data.header=false", "data.columns={uid=\"1\",roi=\"2\",datetime=\"3\"}"};
  EXPECT_THAT(refusal_on(bare, numbers), HasSubstr(why + "separator = \";\" into [data]."));
  EXPECT_EQ(refusal_on(times, {"data.time_format=\"%m/%d/%Y %H:%M\""}), "published");
}

}  // namespace
}  // namespace hearsay::publication
