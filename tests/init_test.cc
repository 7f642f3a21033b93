// SPDX-License-Identifier: Apache-2.0
//
// From a file to a report: data in the shape of feeds in use, made up, goes through `hearsay init` and what that wrote.
#include <functional>

#include "base/civil_time.h"
#include "cli_fixture.h"

namespace hearsay {
namespace {

using testing::ContainsRegex;
using testing::Not;

// Somebody somewhere at a time.
struct Fix {
  int user;
  int place;
  double lat;
  double lng;
  std::int64_t civil;  // microseconds

  std::string at(const char* form) const {
    std::tm time{};
    const std::time_t seconds = civil / kSecond;
    gmtime_r(&seconds, &time);
    char text[80];
    return {text, std::strftime(text, sizeof text, form, &time)};
  }
};

class InitTest : public CliTest {
 protected:
  // Twelve people, each every few hours for three weeks from a Monday on at a place of five about a point.
  static std::string rows(const std::string& start, double lat, double lng,
                          const std::function<std::string(const Fix&)>& row, int days = 21) {
    std::string text;
    for (int hour = 0; hour < 24 * days; ++hour) {
      for (int user = 0; user < 12; ++user) {
        if ((hour + 5 * user) % 7 != 0) continue;
        const int place = (user + hour % 24 / 8) % 5;
        text += row({user, place, lat + 0.01 * place, lng + 0.013 * ((place * 2) % 5),
                     *parse_civil(start) + (3600LL * hour + 60 * user + 61) * kSecond});
      }
    }
    return text;
  }

  // Runs init, then what it wrote; returns the study's text.
  std::string from_file_to_report(const std::string& data, const std::string& study) {
    const Ran init = hearsay("init '" + data + "' --yes");
    EXPECT_EQ(init.code, 0) << init.err << init.out;
    EXPECT_THAT(init.out, HasSubstr("wrote " + study)) << init.out;
    EXPECT_THAT(init.out, HasSubstr("hearsay study " + study));
    const Ran ran = hearsay("study " + study + " --quiet --out out --set study.priors='[\"FREQ_ROI\"]'");
    EXPECT_EQ(ran.code, 0) << ran.err << read_text(folder_ / study);
    EXPECT_TRUE(fs::exists(folder_ / "out/report.html"));
    fs::remove_all(folder_ / "out");
    return read_text(folder_ / study);
  }
};

TEST_F(InitTest, EventsWithCoordinates) {
  write("fixes.csv", "uid,lat,lng,datetime\n" + rows("2019-03-04 00:00:00", 51.5, -0.1, [](const Fix& fix) {
                       return fmt::format("u{},{},{},{}\n", fix.user, fix.lat, fix.lng, fix.at("%Y-%m-%d %H:%M:%S"));
                     }));
  const std::string study = from_file_to_report("fixes.csv", "fixes.toml");
  EXPECT_THAT(study, HasSubstr("\nschema = 1\n\n[data]\n"));
  EXPECT_THAT(study, HasSubstr("path = \"fixes.csv\"\n"));
  EXPECT_THAT(study, ContainsRegex("timezone = \"Europe/London\" +# a guess: the zone of the town nearest to 51\\.5"));
  EXPECT_THAT(study, HasSubstr("kind = \"grid\"\nsouth = 51.500\nnorth = 51.541\nwest = -0.100\neast = -0.047\n"));
  EXPECT_THAT(hearsay("describe fixes.toml --quiet").out, ContainsRegex("events outside the ROIs +0\n"));
  EXPECT_THAT(study, HasSubstr("start = 2019-03-04"));
  EXPECT_THAT(study, HasSubstr("length = \"3 weeks\"\nobserve = \"2 weeks\"\n"));
  EXPECT_THAT(study, HasSubstr("# [[release]]\n# preset = \"ine-spain\"\n"));
  EXPECT_THAT(hearsay("init fixes.csv --yes").err, HasSubstr("fixes.toml: is there already"));
}

TEST_F(InitTest, BikesOfTheOldSchema) {
  write("bikes.csv",
        "tripduration,starttime,stoptime,start station id,start station name,start station latitude,start station "
        "longitude,end station id,end station name,end station latitude,end station longitude,bikeid,usertype\n" +
            rows("2019-01-07 00:00:00", 40.7, -74, [](const Fix& fix) {
              return fmt::format("634,{0},{0},{1},Street {1},{2},{3},7,Other,40.7,-74.01,{4},Subscriber\n",
                                 fix.at("%m/%d/%y %I:%M %p"), fix.place, fix.lat, fix.lng, 100 + fix.user);
            }));
  const std::string study = from_file_to_report("bikes.csv", "bikes.toml");
  EXPECT_THAT(study, HasSubstr("format = \"trips\"\n"));
  EXPECT_THAT(study, ContainsRegex("time_format = \"%m/%d/%y %I:%M %p\" +# it reads the times of the data"));
  EXPECT_THAT(study, ContainsRegex("uid = \"bikeid\" +# there is no column of people: this follows vehicles"));
}

TEST_F(InitTest, RidesWithoutARiderAndTaxisHaveNobody) {
  write("rides.csv",
        "ride_id,rideable_type,started_at,ended_at,start_station_name,start_station_id,end_station_name,end_station_id,"
        "start_lat,start_lng,end_lat,end_lng,member_casual\n"
        "A1,electric,2022-01-01 03:09:00,2022-01-01 03:19:00,W 52,72,Frank,79,40.7,-73.9,40.8,-74.0,member\n");
  const Ran rides = hearsay("init rides.csv --yes");
  EXPECT_EQ(rides.code, 0) << rides.err;
  EXPECT_THAT(rides.out, HasSubstr("\"ride_id\" numbers trips, so each would be a person of its own"));
  EXPECT_THAT(rides.out, HasSubstr("rideable_type")) << "what was seen is shown";
  const std::string study = read_text(folder_ / "rides.toml");
  EXPECT_THAT(study, HasSubstr("# UNKNOWN 1 of 1: which column says who an event is of?\n"));
  EXPECT_THAT(study, ContainsRegex("\n# uid = \"ride_id\" +# [0-9]: .*it numbers trips, not people\n"));
  const Ran study_of_data = hearsay("study rides.csv");
  EXPECT_EQ(study_of_data.code, 2);
  EXPECT_THAT(study_of_data.err, HasSubstr("`hearsay init rides.csv` writes a study with the choices"));
  write("taxis.csv",
        "VendorID,tpep_pickup_datetime,tpep_dropoff_datetime,PULocationID,DOLocationID\n"
        "1,2019-01-01 00:46:40,2019-01-01 00:53:20,151,239\n");
  EXPECT_THAT(hearsay("study taxis.csv").err, HasSubstr("there is nobody to attack"));
}

TEST_F(InitTest, CheckInsWithoutNames) {
  write("tsmc.txt", rows("2012-04-02 00:00:00", 40.7, -74, [](const Fix& fix) {
          return fmt::format("{}\tvenue{}\t4bf5\tCaf\xE9\t{}\t{}\t-240\t{}\n", 470 + fix.user, fix.place, fix.lat,
                             fix.lng, fix.at("%a %b %d %H:%M:%S +0000 %Y"));
        }));
  EXPECT_THAT(from_file_to_report("tsmc.txt", "tsmc.toml"), HasSubstr("format = \"tsmc\""));
  write("gowalla.txt", rows("2010-03-01 00:00:00", 30.2, -97.7, [](const Fix& fix) {
          return fmt::format("{}\t{}\t{}\t{}\t{}\n", fix.user, fix.at("%Y-%m-%dT%H:%M:%SZ"), fix.lat, fix.lng,
                             22847 + fix.place);
        }));
  const std::string gowalla = from_file_to_report("gowalla.txt", "gowalla.toml");
  EXPECT_THAT(gowalla, HasSubstr("format = \"gowalla\""));
  EXPECT_THAT(gowalla, HasSubstr("timezone = \"America/Chicago\""));
}

TEST_F(InitTest, FoldersOfTracksAndTaxis) {
  const auto track = [](int user) {
    return "Geolife trajectory\nWGS 84\nAltitude is in Feet\nReserved 3\n0,2,255,My Track,0,0,2,8421376\n0\n" +
           rows("2008-10-20 00:00:00", 39.9, 116.3, [&](const Fix& fix) {
             return fix.user != user ? ""
                                     : fmt::format("{},{},0,492,39744.1,{},{}\n", fix.lat, fix.lng, fix.at("%Y-%m-%d"),
                                                   fix.at("%H:%M:%S"));
           });
  };
  for (const int user : {0, 1, 2}) write(fmt::format("Data/00{}/Trajectory/2008.plt", user), track(user));
  const std::string geolife = from_file_to_report("Data", "Data.toml");
  EXPECT_THAT(geolife, HasSubstr("format = \"geolife\""));
  EXPECT_THAT(geolife, HasSubstr("path = \"Data/**/*.plt\""));
  EXPECT_THAT(geolife, HasSubstr("timezone = \"Asia/Shanghai\""));
  for (const int user : {1, 2, 3}) {
    write(fmt::format("taxis/{}.txt", user), rows("2008-02-04 00:00:00", 39.9, 116.3, [&](const Fix& fix) {
            return fix.user != user ? ""
                                    : fmt::format("{},{},{},{}\n", user, fix.at("%Y-%m-%d %H:%M:%S"), fix.lng, fix.lat);
          }));
  }
  EXPECT_THAT(from_file_to_report("taxis", "taxis.toml"), HasSubstr("format = \"tdrive\""));
  for (const int cab : {1, 2}) {
    write(fmt::format("cabs/new_c{}.txt", cab), rows("2008-05-19 08:00:00", 37.73, -122.43, [&](const Fix& fix) {
            return fix.user != cab ? "" : fmt::format("{} {} 0 {}\n", fix.lat, fix.lng, fix.civil / kSecond);
          }));
  }
  EXPECT_THAT(from_file_to_report("cabs", "cabs.toml"), HasSubstr("timezone = \"America/Los_Angeles\""));
}

TEST_F(InitTest, TracksAndPaths) {
  for (const int user : {1, 2, 3}) {
    write(fmt::format("tracks/walker{}.gpx", user),
          "<?xml version=\"1.0\"?><gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>" +
              rows("2021-05-03 00:00:00", 47.37, 8.54,
                   [&](const Fix& fix) {
                     return fix.user != user ? ""
                                             : fmt::format("<trkpt lat=\"{}\" lon=\"{}\"><time>{}</time></trkpt>",
                                                           fix.lat, fix.lng, fix.at("%Y-%m-%dT%H:%M:%SZ"));
                   }) +
              "</trkseg></trk></gpx>");
  }
  const std::string tracks = from_file_to_report("tracks", "tracks.toml");
  EXPECT_THAT(tracks, HasSubstr("format = \"gpx\""));
  EXPECT_THAT(tracks, HasSubstr("timezone = \"Europe/Zurich\""));
  write("porto.csv", "\"TRIP_ID\",\"CALL_TYPE\",\"TAXI_ID\",\"TIMESTAMP\",\"POLYLINE\"\n" +
                         rows("2013-07-01 00:00:00", 41.15, -8.61, [](const Fix& fix) {
                           return fmt::format("\"{}\",\"C\",\"2000{}\",\"{}\",\"[[{},{}],[{},{}]]\"\n",
                                              fix.civil % 9999, fix.user, fix.civil / kSecond, fix.lng, fix.lat,
                                              fix.lng + 0.001, fix.lat);
                         }));
  const std::string porto = from_file_to_report("porto.csv", "porto.toml");
  EXPECT_THAT(porto, HasSubstr("format = \"porto\""));
  EXPECT_THAT(porto, HasSubstr("timezone = \"Europe/Lisbon\""));
}

TEST_F(InitTest, PackedAndLatin) {
  const auto row = [](const Fix& fix) {
    return fmt::format("Andr\xE9{};{};{}\n", fix.user, fix.place, fix.at("%Y-%m-%d %H:%M:%S"));
  };
  write("latin.csv", "user;station;time\n" + rows("2019-03-04 00:00:00", 0, 0, row));
  const std::string latin = from_file_to_report("latin.csv", "latin.toml");
  EXPECT_THAT(latin, ContainsRegex("encoding = \"latin-1\" +# it is not UTF-8"));
  ASSERT_EQ(
      std::system(
          fmt::format("cd '{}' && iconv -f latin1 -t utf8 latin.csv | xz > packed.csv.xz", folder_.string()).c_str()),
      0);
  from_file_to_report("packed.csv.xz", "packed.toml");
}

TEST_F(InitTest, FramesOfOtherToolsAndAntennas) {
  write("mobility.csv", "tid,uid,datetime,lat,lng\n" + rows("2020-03-02 00:00:00", 48.85, 2.35, [](const Fix& fix) {
                          return fmt::format("{},{},{},{},{}\n", fix.civil % 99, fix.user, fix.at("%Y-%m-%d %H:%M:%S"),
                                             fix.lat, fix.lng);
                        }));
  EXPECT_THAT(from_file_to_report("mobility.csv", "mobility.toml"), HasSubstr("Europe/Paris"));
  write("calls.csv", "caller_id,antenna_id,datetime\n" + rows("2020-03-02 00:00:00", 0, 0, [](const Fix& fix) {
                       return fmt::format("{},a{},{}\n", fix.user, fix.place, fix.at("%Y-%m-%d %H:%M"));
                     }));
  const std::string calls = from_file_to_report("calls.csv", "calls.toml");
  EXPECT_THAT(calls, HasSubstr("kind = \"ids\""));
  EXPECT_THAT(calls,
              HasSubstr("# timezone = \"Europe/London\"      # set this: nothing in the data says it; UTC is used"));
}

TEST_F(InitTest, ShortDataAreStudiedAtOnce) {
  const auto row = [](const Fix& fix) {
    return fmt::format("u{},{},{},{}\n", fix.user, fix.lat, fix.lng, fix.at("%Y-%m-%d %H:%M:%S"));
  };
  const auto runs = [&](const std::string& data) {
    write("short.csv", "uid,lat,lng,datetime\n" + data);
    const Ran init = hearsay("init short.csv --yes --force --quiet");
    EXPECT_EQ(init.code, 0) << init.err;
    const Ran ran = hearsay("study short.toml --quiet --set study.attacks=BAYES --set study.goals=localization");
    EXPECT_EQ(ran.code, 0) << ran.err << read_text(folder_ / "short.toml");
    return read_text(folder_ / "short.toml");
  };
  for (const int days : {1, 2, 8}) {
    const std::string study = runs(rows("2019-03-04 00:00:00", 51.5, -0.1, row, days));
    EXPECT_THAT(study, HasSubstr("priors = [\"FREQ_ROI\", ")) << days;
    EXPECT_THAT(study, Not(HasSubstr("LAST_WEEK"))) << days;
  }
  EXPECT_THAT(runs(rows("2019-03-04 00:00:00", 51.5, -0.1, row, 9)), Not(HasSubstr("priors")));
  const std::string moment = "51.5,-0.1,2019-03-04 10:00:00\n";
  EXPECT_THAT(runs("a," + moment + "b," + moment), HasSubstr("epoch = \"1 min\""));
}

TEST_F(InitTest, UnknownsAreAnsweredInTheStudyOrAsked) {
  write("rides.csv", "ref,ride_id,stn,when\n" + rows(
                                                    "2019-03-04 00:00:00", 0, 0,
                                                    [](const Fix& fix) {
                                                      return fmt::format("p{},{},s{},{}\n", fix.user,
                                                                         fix.civil / kSecond + fix.user, fix.place,
                                                                         fix.at("%Y-%m-%d %H:%M:%S"));
                                                    },
                                                    8));
  const Ran init = hearsay("init rides.csv --yes");
  EXPECT_EQ(init.code, 0) << init.err;
  EXPECT_THAT(init.out, HasSubstr("wrote rides.toml: answer the questions in it that are marked UNKNOWN"));
  EXPECT_EQ(hearsay("study rides.toml --quiet").code, 2);
  std::string study = read_text(folder_ / "rides.toml");
  for (const char* answer : {"roi = \"stn\"", "uid = \"ref\""}) {
    const std::size_t line = study.find(std::string("# ") + answer);
    ASSERT_NE(line, std::string::npos) << study;
    study.erase(line, 2);
  }
  write("rides.toml", study);
  const std::string quickly = " --quiet --set study.attacks=BAYES --set study.goals=localization";
  const Ran ran = hearsay("study rides.toml" + quickly);
  EXPECT_EQ(ran.code, 0) << ran.err;
  const Ran again =
      hearsay("init rides.csv --force --quiet --tz Asia/Tokyo --set data.columns.roi=stn --set data.columns.uid=ref");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(read_text(folder_ / "rides.toml"), Not(HasSubstr("UNKNOWN")));
  EXPECT_THAT(read_text(folder_ / "rides.toml"), ContainsRegex("timezone = ['\"]Asia/Tokyo['\"]\n"));
  EXPECT_EQ(hearsay("study rides.toml" + quickly).code, 0);
  const std::string written = read_text(folder_ / "rides.toml");
  EXPECT_THAT(hearsay("init rides.csv --force --tz Asia/Tokio").err, HasSubstr("did you mean \"Asia/Tokyo\"?"));
  EXPECT_THAT(hearsay("init rides.csv --force --set data.colums.uid=ref").err,
              HasSubstr("--set: data.colums: no such setting; did you mean \"data.columns\"?"));
  EXPECT_EQ(read_text(folder_ / "rides.toml"), written) << "what was refused has written nothing";
}

TEST_F(InitTest, AdviceTakesDataAlone) {
  write("e.csv", "uid,roi,datetime\n" + rows(
                                            "2019-03-04 00:00:00", 0, 0,
                                            [](const Fix& fix) {
                                              return fmt::format("u{},r{},{}\n", fix.user, fix.place,
                                                                 fix.at("%Y-%m-%dT%H:%M:%S"));
                                            },
                                            2));
  const Ran advice = hearsay("advise e.csv --mae 1000 --budget 1s --set study.attacks=BAYES");
  EXPECT_EQ(advice.code, 0) << advice.err;
  EXPECT_THAT(advice.out, HasSubstr("That is a guess; `hearsay init e.csv --set study.attacks=BAYES` writes it down"));
  EXPECT_THAT(advice.out, HasSubstr("hearsay release e.toml "));
  EXPECT_THAT(advice.out, HasSubstr("not written yet:\n  hearsay init e.csv --set study.attacks=BAYES\n"));
  const Ran json = hearsay("advise e.csv --mae 1000 --budget 1s --json --quiet --set study.attacks=BAYES");
  EXPECT_EQ(json.out.substr(0, 1), "{") << json.out << json.err;
}

TEST_F(InitTest, DataAloneIsDescribedAndStudied) {
  write("e.csv", "user,latitude,longitude,timestamp\n" + rows("2019-03-04 00:00:00", 51.5, -0.1, [](const Fix& fix) {
                   return fmt::format("u{},{},{},{}\n", fix.user, fix.lat, fix.lng, fix.at("%Y-%m-%dT%H:%M:%S"));
                 }));
  const Ran seen = hearsay("describe e.csv");
  EXPECT_EQ(seen.code, 0) << seen.err;
  for (const char* part : {"users +12\n", "events per user: median, largest +72, 72\n",
                           "events per user and day with any +3\\.[0-9]\n", "first event +2019-03-04 00:0",
                           "events by hour of the day\n", "  00-02 h +[0-9]+ #+\n", "hearsay init e\\.csv"}) {
    EXPECT_THAT(seen.out, ContainsRegex(part));
  }
  const Ran json = hearsay("describe e.csv --json");
  EXPECT_THAT(json.out, HasSubstr("\"users\": 12"));
  const Ran ran = hearsay("study e.csv --set study.priors='[\"FREQ_ROI\"]'");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out,
              HasSubstr("That is a guess; `hearsay init e.csv --set 'study.priors=[\"FREQ_ROI\"]'` writes it "));
  EXPECT_TRUE(fs::exists(folder_ / "results/e/report.html"));
  EXPECT_FALSE(fs::exists(folder_ / "e.toml"));
}

TEST_F(InitTest, WhatIsOddIsSaid) {
  std::string text = "uid,roi,datetime\n";
  for (int i = 0; i < 60; ++i)
    text += fmt::format("trip{},r{},2019-03-{:02}\n", i, i % 3, 1 + i % 20 + (i % 20 > 9 ? 5 : 0));
  write("odd.csv", text);
  const Ran odd = hearsay("describe odd.csv");
  EXPECT_THAT(odd.out, HasSubstr("odd: 100.0% of the users have one event: is the column of users one of trips?"));
  EXPECT_THAT(odd.out, HasSubstr("odd: 100.0% of the events are at midnight exactly: times may be dates only"));
  EXPECT_THAT(odd.out, HasSubstr("odd: 5 days in a row have no event, from 2019-03-11"));
}

TEST_F(InitTest, HostileFilesAreRefusedInASentence) {
  const auto refused = [&](const std::string& name) {
    const Ran ran = hearsay("init " + name + " --yes");
    EXPECT_EQ(ran.code, 2) << name << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_LT(ran.err.size(), 2000U);
    return ran.err;
  };
  write("long.csv", std::string(10 << 20, 'x') + "\n1\n");
  refused("long.csv");
  std::string names;
  for (int i = 0; i < 100'000; ++i) names += fmt::format("c{},", i);
  write("wide.csv", names + "\n");
  refused("wide.csv");
  write("zeros.csv", std::string(5000, '\0'));
  refused("zeros.csv");
  write("empty.csv", "");
  refused("empty.csv");
  fs::create_directories(folder_ / "nothing");
  EXPECT_THAT(refused("nothing"), HasSubstr("the folder is empty"));
  refused("missing.csv");
}

}  // namespace
}  // namespace hearsay
