// SPDX-License-Identifier: Apache-2.0
#include "ingest/feeds.h"

namespace hearsay::ingest {
namespace {

// Files of a trajectory each, six lines of heading: lat, lng, 0, altitude in feet, days since 1899, date, time in UTC.
// Data/000/Trajectory/20081023025304.plt is of user 000.
Feed geolife() {
  Source source;
  source.text.header = false;
  source.text.skip = 6;
  source.text.separator = ',';
  source.columns = {{"lat", "1"}, {"lng", "2"}, {"date", "6"}, {"time", "7"}};
  source.user = {UserRule::From::kFolder, 2};
  source.utc = true;
  return {"geolife", source};
}

// Check-ins of Gowalla and Brightkite: user, time in UTC, lat, lng, place.
Feed gowalla() {
  Source source;
  source.text.header = false;
  source.text.separator = '\t';
  source.columns = {{"uid", "1"}, {"datetime", "2"}, {"lat", "3"}, {"lng", "4"}, {"roi", "5"}};
  source.utc = true;
  return {"gowalla", source};
}

// Taxis of Beijing, a file each: taxi, time on the clock of Beijing, lng, lat.
Feed tdrive() {
  Source source;
  source.text.header = false;
  source.text.separator = ',';
  source.columns = {{"uid", "1"}, {"datetime", "2"}, {"lng", "3"}, {"lat", "4"}};
  return {"tdrive", source};
}

// Check-ins of Foursquare in New York and Tokyo (TSMC2014), without a line of names: user, venue, its category and the
// category's name, lat, lng, minutes that the clock there is ahead of UTC, time in UTC.
Feed tsmc() {
  Source source;
  source.text.header = false;
  source.text.separator = '\t';
  source.text.encoding = "latin-1";
  source.columns = {{"uid", "1"}, {"roi", "2"}, {"lat", "5"}, {"lng", "6"}, {"utc_offset", "7"}, {"datetime", "8"}};
  source.time_format = TimeFormat::kPatterns;
  source.time_patterns = {"%a %b %d %H:%M:%S %z %Y"};
  return {"tsmc", source};
}

// Taxis of Porto: a row a trip, with its points in one column.
Feed porto() {
  Source source;
  source.columns = {{"uid", "TAXI_ID"}, {"datetime", "TIMESTAMP"}, {"polyline", "POLYLINE"}};
  return {"porto", source};
}

// Tracks, a file for each user.
Feed gpx() {
  Source source;
  source.user = {UserRule::From::kFile, 1};
  return {"gpx", source};
}

}  // namespace

const std::vector<Feed>& known_feeds() {
  static const std::vector<Feed> kFeeds = {geolife(), gowalla(), tdrive(), tsmc(), porto(), gpx()};
  return kFeeds;
}

}  // namespace hearsay::ingest
