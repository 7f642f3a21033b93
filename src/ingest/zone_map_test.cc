// SPDX-License-Identifier: Apache-2.0
#include "ingest/zone_map.h"

#include <fmt/format.h>

#include <random>

#include "ingest/test_files.h"

namespace hearsay::ingest {
namespace {

using testing::HasSubstr;

class ZoneMapTest : public FilesTest {
 protected:
  static std::string feature(const std::string& id, const std::string& type, const std::string& coordinates) {
    return fmt::format(
        R"({{"type":"Feature","properties":{{"LocationID":"{}","zone":"zone {}"}},"geometry":{{"type":"{}","coordinates":{}}}}})",
        id, id, type, coordinates);
  }
  std::string collection(const std::vector<std::string>& features) const {
    std::string text;
    for (const std::string& one : features) text += (text.empty() ? "" : ",") + one;
    return write("zones.geojson", R"({"type":"FeatureCollection","features":[)" + text + "]}");
  }
  // Degrees to the zone's id.
  static std::string at(const ZoneMap& map, double lat, double lng) {
    const auto zone = map.find(std::llround(lat * 1e7), std::llround(lng * 1e7));
    return zone ? map.rois()[*zone].id : "";
  }
  std::string problem(const std::string& text) const {
    return error_of<InputError>(events(write("e.csv", "uid,lat,lng,datetime\nu,1,1,2010-03-01\n")),
                                Zones{write("z.geojson", text)});
  }
};

TEST_F(ZoneMapTest, NeighboursShareNoPoint) {
  const ZoneMap map({collection({feature("west", "Polygon", "[[[0,0],[1,0],[1,2],[0,2],[0,0]]]"),
                                 feature("east", "Polygon", "[[[1,0],[2,0],[2,2],[1,2],[1,0]]]")})});
  EXPECT_EQ(at(map, 1, 0.5), "west");
  EXPECT_EQ(at(map, 1, 1.5), "east");
  // On a border: south and west belong to a zone, north and east do not.
  EXPECT_EQ(at(map, 1, 1), "east");
  EXPECT_EQ(at(map, 0, 0), "west");
  EXPECT_EQ(at(map, 2, 0.5), "");
  EXPECT_EQ(at(map, 1, 2), "");
  EXPECT_EQ(map.rois()[0].name, "zone west");
  EXPECT_EQ(map.rois()[0].lat, 1.0);
  EXPECT_EQ(map.rois()[0].lng, 0.5);
}

TEST_F(ZoneMapTest, HolesAndSeveralParts) {
  const ZoneMap map({collection(
      {feature("ring", "Polygon", "[[[0,0],[4,0],[4,4],[0,4],[0,0]],[[1,1],[3,1],[3,3],[1,3],[1,1]]]"),
       feature("parts", "MultiPolygon", "[[[[1,1],[2,1],[2,2],[1,2],[1,1]]],[[[5,5],[6,5],[6,6],[5,6],[5,5]]]]")})});
  EXPECT_EQ(at(map, 0.5, 0.5), "ring");
  EXPECT_EQ(at(map, 1.5, 1.5), "parts");
  EXPECT_EQ(at(map, 2.5, 2.5), "");
  EXPECT_EQ(at(map, 5.5, 5.5), "parts");
}

// Zones that all lie over each other were in all cells of the index: 2.9 MB of them took 6.8 GB.
TEST_F(ZoneMapTest, OverlappingZonesTakeLittleMemory) {
  std::vector<std::string> features = {feature("small", "Polygon", "[[[1,1],[2,1],[2,2],[1,2],[1,1]]]")};
  for (int i = 0; i < 1000; ++i) {
    features.push_back(feature(fmt::format("z{}", i), "Polygon", "[[[0,0],[9,0],[9,9],[0,9],[0,0]]]"));
  }
  features.push_back(feature("outside", "Polygon", "[[[9,9],[10,9],[10,10],[9,10],[9,9]]]"));
  const ZoneMap map({collection(features)});
  EXPECT_LE(map.index_entries(), ZoneMap::kMostIndexEntries);
  EXPECT_EQ(at(map, 1.5, 1.5), "small");
  EXPECT_EQ(at(map, 3, 3), "z0");
  EXPECT_EQ(at(map, 9.5, 9.5), "outside");
  EXPECT_EQ(at(map, 9.5, 3), "");
}

// A square cut into triangles about a point: every place of it, also on the cuts, is in exactly one.
TEST_F(ZoneMapTest, TrianglesCoverASquareOnce) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> place(1, 9);
  for (int round = 0; round < 20; ++round) {
    const int x = place(random);
    const int y = place(random);
    std::vector<std::string> triangles;
    const std::vector<std::pair<int, int>> corners = {{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0}};
    for (std::size_t i = 0; i < 4; ++i) {
      triangles.push_back(feature(std::to_string(i), "Polygon",
                                  fmt::format("[[[{0},{1}],[{2},{3}],[{4},{5}],[{0},{1}]]]", x, y, corners[i].first,
                                              corners[i].second, corners[i + 1].first, corners[i + 1].second)));
    }
    for (int lat = 0; lat < 10; ++lat) {
      for (int lng = 0; lng < 10; ++lng) {
        int zones = 0;
        for (const std::string& triangle : triangles) {
          zones += at(ZoneMap({collection({triangle})}), lat, lng).empty() ? 0 : 1;
        }
        EXPECT_EQ(zones, 1) << lat << " " << lng << " about " << y << " " << x;
      }
      if (round > 2) break;  // the first rounds look at all of it
    }
  }
}

TEST_F(ZoneMapTest, ReadsEventsIntoZones) {
  const std::string list = collection({feature("a", "Polygon", "[[[0,0],[1,0],[1,2],[0,2],[0,0]]]"),
                                       feature("b", "Polygon", "[[[1,0],[2,0],[2,2],[1,2],[1,0]]]")});
  const Visits visits = read(events(write("e.csv",
                                          "uid,lat,lng,datetime\nu,0.5,0.5,2010-03-01 03:00:00\n"
                                          "u,0.5,1.5,2010-03-01 04:00:00\nu,5,5,2010-03-01 04:00:00\n")),
                             Zones{list});
  EXPECT_EQ(triples(visits), (Triples{{"u", "a", 3}, {"u", "b", 4}}));
  EXPECT_EQ(visits.tally.outside_rois, 1U);
  EXPECT_EQ(visits.inputs.size(), 2U);
  EXPECT_THAT(
      error_of<ConfigError>(events(write("e.csv", "uid,lat,lng,datetime\nu,5,6,2010-03-01 03:00:00\n")), Zones{list}),
      HasSubstr("no event in any zone; in the study period the data goes from 5 to 5 N, 6 to 6 E"));
}

TEST_F(ZoneMapTest, RefusesWhatIsNoMap) {
  EXPECT_THAT(problem("{"), HasSubstr("not JSON"));
  EXPECT_THAT(problem("[]"), HasSubstr("not a GeoJSON FeatureCollection"));
  EXPECT_THAT(problem(R"({"features":[]})"), HasSubstr("no zones"));
  EXPECT_THAT(problem(R"({"features":[{}]})"), HasSubstr("feature 1: has no geometry"));
  EXPECT_THAT(problem(R"({"features":[{"id":1,"geometry":{"type":"Point","coordinates":[0,0]}}]})"),
              HasSubstr("is a \"Point\"; expected a Polygon"));
  EXPECT_THAT(problem(R"({"features":[{"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}]})"),
              HasSubstr("has no id"));
  EXPECT_THAT(problem(R"({"features":[{"id":1,"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[0,0]]]}}]})"),
              HasSubstr("fewer than 4 points"));
  EXPECT_THAT(
      problem(
          R"({"features":[{"id":1,"geometry":{"type":"Polygon","coordinates":[[[585000,4511000],[1,0],[1,1],[0,0]]]}}]})"),
      HasSubstr("expected longitude and latitude in degrees"));
  EXPECT_THAT(problem(std::string(100000, '[')), HasSubstr("not"));
}

}  // namespace
}  // namespace hearsay::ingest
