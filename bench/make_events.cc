// SPDX-License-Identifier: Apache-2.0
//
// Makes a file of events for timing: make_events ROWS USERS FILE, CSV or Parquet as its ending says. Four weeks of
// March 2010 in a unit square; everybody has four places and is near one of them.
#include <fmt/format.h>

#include <string>

#include "storage/database.h"

int main(int count, char** arguments) {
  if (count != 4) {
    fmt::print(stderr, "usage: make_events ROWS USERS FILE\n");
    return 2;
  }
  hearsay::storage::Database database({2, 0, ""});
  database.execute("SELECT setseed(0.5)");
  database.execute(
      fmt::format(
          "COPY (SELECT 'u' || u AS uid, (hash(u * 4 + k) % 1000000) / 1e6 AS lat, "
          "(hash(u * 4 + k + 7) % 1000000) / 1e6 AS lng, TIMESTAMP '2010-03-01' + INTERVAL (s) SECOND AS datetime "
          "FROM (SELECT (random() * {})::INTEGER AS u, (random() * 3)::INTEGER AS k, "
          "(random() * 2419199)::INTEGER AS s FROM range({}))) TO $1",
          arguments[2], arguments[1]),
      {std::string(arguments[3])});
  return 0;
}
