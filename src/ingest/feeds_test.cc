// SPDX-License-Identifier: Apache-2.0
//
// Files in the shape of feeds in use, made up line by line.
#include "ingest/feeds.h"

#include <fmt/format.h>

#include "ingest/test_files.h"

namespace hearsay::ingest {
namespace {

using testing::HasSubstr;

class FeedsTest : public FilesTest {
 protected:
  static Source feed(const std::string& name, const std::string& file) {
    for (const Feed& known : known_feeds()) {
      if (known.name != name) continue;
      Source source = known.source;
      source.paths = {file};
      source.timezone = "Europe/London";
      return source;
    }
    throw std::invalid_argument(name);
  }
  static Period day(const std::string& start) { return {start + " 00:00:00", 3600, 24}; }
};

TEST_F(FeedsTest, CitiBikeOfBothSchemas) {
  const std::string old =
      "tripduration,starttime,stoptime,start station id,start station name,start station latitude,start station "
      "longitude,end station id,end station name,end station latitude,end station longitude,bikeid,usertype\n"
      "634,1/1/19 3:09 AM,1/1/19 3:19 AM,72,W 52 St,40.767,-73.994,79,Franklin St,40.719,-74.007,16950,Subscriber\n"
      "634,1/13/19 3:09 AM,1/13/19 3:19 AM,79,Franklin St,40.719,-74.007,72,W 52 St,40.767,-73.994,16950,Customer\n";
  Source source = trips(write("old.csv", old));
  EXPECT_THAT(error_of<InputError>(source, RoiIds{}),
              HasSubstr("data.columns.uid = \"bikeid\" would follow vehicles, not people"));
  source.columns = {{"uid", "bikeid"}};
  const Visits visits = read(source, RoiIds{}, day("2019-01-01"));
  EXPECT_EQ(triples(visits), (Triples{{"16950", "72", 3}, {"16950", "79", 3}}));
  EXPECT_EQ(visits.rois[1].name, "Franklin St");
  EXPECT_EQ(visits.rois[1].lat, 40.719);
  EXPECT_EQ(visits.rois[1].lng, -74.007);

  const std::string young =
      "ride_id,rideable_type,started_at,ended_at,start_station_name,start_station_id,end_station_name,end_station_id,"
      "start_lat,start_lng,end_lat,end_lng,member_casual\n"
      "A1,electric_bike,2022-01-01 03:09:00,2022-01-01 03:19:00,W 52 St,72,Franklin "
      "St,79,40.7,-73.9,40.8,-74.0,member\n";
  EXPECT_THAT(error_of<InputError>(trips(write("new.csv", young)), RoiIds{}),
              HasSubstr("\"ride_id\" numbers trips, so each would be a person of its own"));
}

TEST_F(FeedsTest, TaxisOfNewYorkHaveNobody) {
  const std::string text =
      "VendorID,tpep_pickup_datetime,tpep_dropoff_datetime,PULocationID,DOLocationID\n"
      "1,2019-01-01 00:46:40,2019-01-01 00:53:20,151,239\n";
  Source source = trips(write("t.csv", text));
  EXPECT_THAT(error_of<InputError>(source, RoiIds{}), HasSubstr("there is nobody to attack"));
  source.columns = {{"uid", "VendorID"}};
  const std::string zones =
      "\"LocationID\",\"Borough\",\"Zone\",\"service_zone\"\n151,Manhattan,Valley,Yellow\n239,M,West,Y\n";
  const Visits visits = read(source, RoiIds{write("zones.csv", zones)}, day("2019-01-01"));
  EXPECT_EQ(triples(visits), (Triples{{"1", "151", 0}, {"1", "239", 0}}));
  EXPECT_EQ(visits.rois[0].name, "Valley");
}

TEST_F(FeedsTest, GeolifeHasTheUserInTheFolder) {
  const std::string heading =
      "Geolife trajectory\nWGS 84\nAltitude is in Feet\nReserved 3\n0,2,255,My Track,0,0,2,8421376\n0\n";
  write("Data/000/Trajectory/20081023.plt", heading + "0.5,0.5,0,492,39744.1,2008-10-23,18:53:04\n");
  write("Data/001/Trajectory/20081023.plt", heading + "1.5,0.5,0,492,39744.1,2008-10-23,02:53:10\n");
  Source source = feed("geolife", path("Data/*/Trajectory/*.plt"));
  source.timezone = "Asia/Shanghai";
  const Visits visits = read(source, grid(), {"2008-10-23 00:00:00", 3600, 48});
  EXPECT_EQ(triples(visits), (Triples{{"001", "2", 10}, {"000", "0", 26}}));
}

TEST_F(FeedsTest, CheckInsAndTaxisWithoutHeader) {
  Source source = feed("gowalla", write("g.txt", "0\t2010-03-01T23:55:27Z\t0.5\t-0.5\t22847\n"));
  EXPECT_EQ(triples(read(source, RoiIds{})), (Triples{{"0", "22847", 23}}));
  source = feed("tdrive", write("1.txt", "1,2010-03-01 15:36:08,0.5,1.5\n1,2010-03-01 15:46:08,0.5,1.5\n"));
  EXPECT_EQ(triples(read(source)), (Triples{{"1", "2", 15}}));
  source =
      feed("tsmc", write("tsmc.txt", "470\t49bb\t4bf5\tCaf\xE9\t0.5\t0.5\t-240\tTue Apr 03 18:00:09 +0000 2012\n"));
  EXPECT_EQ(triples(read(source, RoiIds{}, day("2012-04-03"))), (Triples{{"470", "49bb", 14}}));
}

TEST_F(FeedsTest, PathsInOneColumn) {
  const std::string header = "\"TRIP_ID\",\"CALL_TYPE\",\"TAXI_ID\",\"TIMESTAMP\",\"MISSING_DATA\",\"POLYLINE\"\n";
  const std::string rows =
      "\"1\",\"C\",\"20000589\",\"1267412385\",\"False\",\"[[0.5,1.5],[0.6,1.6],[1.5,0.5]]\"\n"
      "\"2\",\"C\",\"20000590\",\"1267412400\",\"False\",\"[]\"\n";
  Source source = feed("porto", write("train.csv", header + rows));
  // 02:59:45, 03:00:00 and 03:00:15.
  EXPECT_EQ(triples(read(source)), (Triples{{"20000589", "2", 2}, {"20000589", "1", 3}, {"20000589", "2", 3}}));
  EXPECT_EQ(read(source).inputs.at(0).name, path("train.csv"));
  source.paths = {write("train.csv", header + rows + "\"3\",\"C\",\"7\",\"1267412385\",\"False\",\"[[0.5,91]]\"\n" +
                                         "\"3\",\"C\",\"7\",\"1267412385\",\"False\",\"[[0.5\"\n")};
  EXPECT_THAT(error_of<InputError>(source), HasSubstr("train.csv: column POLYLINE: 2 rows have no user"));
  source.bad_rows = BadRows::kSkip;
  EXPECT_EQ(read(source).tally.bad_rows, (std::map<std::string, std::uint64_t>{{"bad path", 2}}));
}

TEST_F(FeedsTest, Tracks) {
  const auto track = [](const std::string& points) {
    return "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>" +
           points + "</trkseg></trk></gpx>\n";
  };
  const std::string good = "<trkpt lat=\"0.5\" lon=\"1.5\"><ele>4</ele><time>2010-03-01T03:00:00Z</time></trkpt>";
  write("tracks/ann.gpx", track(good));
  write("tracks/bob.gpx", track("<trkpt lat=\"1.5\" lon=\"1.5\"><time>2010-03-01T04:00:00.5Z</time></trkpt>"));
  Source source = feed("gpx", path("tracks/*.gpx"));
  EXPECT_EQ(triples(read(source)), (Triples{{"ann", "1", 3}, {"bob", "3", 4}}));
  write("tracks/bob.gpx", track(good + "<trkpt lat=\"1.5\" lon=\"1.5\"></trkpt>"));
  EXPECT_THAT(error_of<InputError>(source), HasSubstr("bob.gpx: point 2 has no time; expected"));
  source.bad_rows = BadRows::kSkip;
  EXPECT_EQ(read(source).tally.bad_rows, (std::map<std::string, std::uint64_t>{{"bad point", 1}}));
  write("tracks/bob.gpx", "<gpx><trk>");
  EXPECT_THAT(error_of<InputError>(source), HasSubstr("bob.gpx: not GPX"));
  write("tracks/bob.gpx", "<gpx></gpx>");
  EXPECT_THAT(error_of<InputError>(source), HasSubstr("bob.gpx: no track with points"));
  EXPECT_THAT(error_of<ConfigError>(events(path("tracks/ann.gpx"))), HasSubstr("set data.format = \"gpx\""));
}

TEST_F(FeedsTest, FramesOfOtherTools) {
  EXPECT_EQ(triples(read(events(write("f.csv", "tid,uid,datetime,lat,lng\n1,u,2010-03-01 03:00:00,0.5,0.5\n")))),
            (Triples{{"u", "0", 3}}));
  EXPECT_EQ(triples(read(events(write("f.csv", "userId,venueId,utcTimestamp\nu,v,Mon Mar 01 03:00:09 +0000 2010\n")),
                         RoiIds{})),
            (Triples{{"u", "v", 3}}));
  EXPECT_EQ(
      triples(read(events(write("f.tsv", "user\tcheck-in time\tlocation id\nu\t2010-03-01T03:00:00Z\tv\n")), RoiIds{})),
      (Triples{{"u", "v", 3}}));
  EXPECT_EQ(triples(read(events(write("f.csv", "caller_id,antenna_id,datetime\nu,a7,2010-03-01 03:00\n")), RoiIds{})),
            (Triples{{"u", "a7", 3}}));
}

TEST_F(FeedsTest, PlacesOfATransitFeed) {
  const std::string stops =
      "stop_id,stop_code,stop_name,stop_lat,stop_lon,zone_id,location_type\n"
      "B,2,Bank,51.513,-0.088,1,0\nO,3,Oval,51.481,-0.112,2,0\n";
  const Source source = events(write("e.csv", "uid,stop_id,datetime\nu,O,2010-03-01 03:00:00\n"));
  Visits visits = read(source, RoiIds{write("stops.txt", stops)});
  ASSERT_EQ(visits.rois.size(), 2U);
  EXPECT_EQ(visits.rois[1].id, "O");
  EXPECT_EQ(visits.rois[1].name, "Oval");
  EXPECT_EQ(visits.rois[1].lat, 51.481);
  visits = read(source, RoiIds{write("mine.csv", "key;what;y;x\nO;Oval;51,481;-0,112\n"),
                               "",
                               {{"roi", "key"}, {"name", "what"}, {"lat", "y"}, {"lng", "x"}}});
  EXPECT_EQ(visits.rois[0].name, "Oval");
  EXPECT_EQ(visits.rois[0].lng, -0.112);
}

TEST_F(FeedsTest, SwappedCoordinatesAreSaid) {
  EXPECT_THAT(error_of<InputError>(events(write("e.csv", "uid,lat,lng,datetime\nu,-122.4,37.7,2010-03-01 03:00:00\n"))),
              HasSubstr("latitude and longitude seem to be swapped"));
  EXPECT_THAT(error_of<ConfigError>(events(write("e.csv", "uid,lat,lng,datetime\nu,-8.6,41.1,2010-03-01 03:00:00\n")),
                                    Grid{41, 42, -9, -8, 2, 2}),
              HasSubstr("latitude and longitude seem to be swapped"));
}

TEST_F(FeedsTest, FlowsArePairsOfPlaces) {
  const std::string text =
      "uid,start_time,start_roi,end_time,end_roi\n"
      "u,2010-03-01 03:50:00,a,2010-03-01 04:10:00,b\n"
      "u,2010-03-01 05:00:00,b,2010-03-01 05:10:00,a\n"
      "v,2010-03-01 05:20:00,b,2010-03-01 05:30:00,c\n";
  const Source source = trips(write("t.csv", text));
  for (const bool careful : {false, true}) {
    Options options;
    options.careful = careful;
    const Visits seen = read_visits(source, RoiIds{"", "", {}, true}, march(), options);
    EXPECT_EQ(triples(seen), (Triples{{"u", "a -> b", 3}, {"u", "b -> a", 5}, {"v", "b -> c", 5}}));
    EXPECT_EQ(seen.tally.rows, 3U);
    EXPECT_EQ(seen.tally.events, 3U);
    const Visits listed =
        read_visits(source, RoiIds{write("l.csv", "roi,name\na,A\nb,B\n"), "", {}, true}, march(), options);
    EXPECT_EQ(triples(listed), (Triples{{"u", "a -> b", 3}, {"u", "b -> a", 5}}));
    ASSERT_EQ(listed.rois.size(), 4U);
    EXPECT_EQ(listed.rois[1].name, "A -> B");
    EXPECT_EQ(listed.tally.outside_rois, 1U);
  }
  EXPECT_THAT(error_of<ConfigError>(events(path("t.csv")), RoiIds{"", "", {}, true}), HasSubstr("flows are of trips"));
}

}  // namespace
}  // namespace hearsay::ingest
