// SPDX-License-Identifier: Apache-2.0
#include "ingest/test_files.h"

namespace hearsay::ingest {
namespace {

using testing::StartsWith;

class ZonesTest : public FilesTest {
 protected:
  RoiIds zones(const std::string& text, const std::string& column) { return {write("l.csv", text), column}; }
  Source data() { return events(write("e.csv", "uid,roi,datetime\nu,a,2010-03-01\n")); }
};

TEST_F(ZonesTest, AreAColumnOfTheList) {
  const std::string list = "roi,District,name\na,North,x\nb,\"South, far\",y\nc,North,z\n";
  const Visits visits = read(data(), zones(list, "district"));
  ASSERT_EQ(visits.rois.size(), 3U);
  EXPECT_EQ(visits.rois[0].zone, "North");
  EXPECT_EQ(visits.rois[1].zone, "South, far");
  EXPECT_EQ(visits.rois[2].zone, "North");
  EXPECT_EQ(visits.columns, 0U);
  EXPECT_EQ(read(data(), zones(list, "")).rois[0].zone, "");
}

TEST_F(ZonesTest, EveryPlaceHasOne) {
  EXPECT_EQ(error_of<InputError>(data(), zones("roi,zone\na,1\nb,\n", "zone")),
            path("l.csv") + ":3: no value in column zone; expected the zone of \"b\"");
  EXPECT_THAT(error_of<InputError>(data(), zones("roi,zone\na,1\n", "zones")),
              StartsWith(path("l.csv") + ": column zones: not found, though rois.zone names it; the columns are roi, "
                                         "zone; did you mean \"zone\"?"));
}

}  // namespace
}  // namespace hearsay::ingest
