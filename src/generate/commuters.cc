// SPDX-License-Identifier: Apache-2.0
#include "generate/commuters.h"

#include <algorithm>
#include <filesystem>

#include "base/civil_time.h"
#include "base/errors.h"
#include "base/output_name.h"
#include "base/regular_file.h"
#include "base/temporary_folder.h"
#include "generate/row_writer.h"
#include "generate/traveller.h"
#include "storage/database.h"

namespace hearsay::generate {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCardsABlock = 1000;
constexpr int kStationDigits = 3;

void write_stations(const Network& network, const std::string& path) {
  storage::Database database({});
  database.execute("CREATE TABLE stations (roi VARCHAR, name VARCHAR, lat DOUBLE, lng DOUBLE)");
  storage::Appender rows(database, "stations");
  for (std::size_t i = 0; i < network.stations().size(); ++i) {
    const Station& station = network.stations()[i];
    std::string number = std::to_string(i + 1);
    number.insert(0, kStationDigits - number.size(), '0');
    rows.append("S" + number);
    rows.append(station.name);
    rows.append(station.lat);
    rows.append(station.lng);
    rows.end_row();
  }
  rows.finish();
  database.copy_to("SELECT roi, name, round(lat, 5) AS lat, round(lng, 5) AS lng FROM stations", path,
                   storage::FileFormat::kCsv);
}

// The file of the stations: the one that the caller named, which is replaced, or one beside the trips, which is not.
class StationsFile {
 public:
  StationsFile(const std::string& named, const std::string& trips)
      : path_(fs::absolute(named.empty() ? fs::path(trips).parent_path() / "stations.csv" : fs::path(named))),
        named_(!named.empty()) {
    if (path_.lexically_normal() == fs::absolute(trips).lexically_normal()) {
      throw ConfigError("--stations", path_.string(), "is the file of the trips; name another");
    }
    check_output_name("--stations", path_.string());
    if (fs::is_directory(path_)) throw ConfigError("--stations", path_.string(), "is a folder; name a file");
  }

  void check(const std::string& made) const {
    if (named_ || !fs::exists(fs::symlink_status(path_))) return;
    if (read_regular_file(path_.string(), kMostBytes) == read_regular_file(made, kMostBytes)) return;
    throw ConfigError("--stations", path_.string(),
                      "exists already and has other contents; name a file for the stations, or this one to replace it");
  }

  void put(const std::string& made) const {
    fs::create_directories(path_.parent_path());
    const TemporaryFolder staging(path_.parent_path().string(), ".hearsay-generate-");
    const fs::path near = fs::path(staging.path()) / "stations";
    fs::copy_file(made, near);
    fs::rename(near, path_);
  }

 private:
  static constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;

  fs::path path_;
  bool named_;
};

Block make_block(const CommuterOptions& options, const Network& network, std::size_t index) {
  const std::int64_t start = parse_civil(kCommutersStart).value();
  const std::uint64_t key = mix(mix(0, options.seed), options.whole_city ? "population" : "frequent");
  Block block(5);
  const std::size_t end = std::min(options.cards, (index + 1) * kCardsABlock);
  for (std::size_t card = index * kCardsABlock; card < end; ++card) {
    SeededBits bits(mix(key, card));
    const Card drawn = options.whole_city ? draw_any(bits) : draw_frequent(bits);
    Traveller traveller(network, drawn, bits, 7 * options.weeks);
    for (const Trip& trip : traveller.travel()) {
      block[0].push_back(static_cast<std::int64_t>(card + 1));
      block[1].push_back(start + trip.start * kSecond);
      block[2].push_back(trip.from + 1);
      block[3].push_back(start + trip.end * kSecond);
      block[4].push_back(trip.to + 1);
    }
  }
  return block;
}

}  // namespace

std::uint64_t generate_commuters(const CommuterOptions& options, const std::string& path) {
  if (options.cards == 0) throw ConfigError("--users", "0", "must be at least 1");
  if (options.weeks == 0 || options.weeks > 52)
    throw ConfigError("--weeks", std::to_string(options.weeks), "must be 1 to 52");
  const Network network(options.seed);
  const std::vector<Column> columns = {{"uid", ColumnType::kLabel, "card", 7},
                                       {"start_time", ColumnType::kTime, "", 0},
                                       {"start_roi", ColumnType::kLabel, "S", kStationDigits},
                                       {"end_time", ColumnType::kTime, "", 0},
                                       {"end_roi", ColumnType::kLabel, "S", kStationDigits}};
  const StationsFile stations(options.stations, path);
  const TemporaryFolder staging("", "hearsay-");
  const std::string made = staging.path() + "/stations.csv";
  write_stations(network, made);
  stations.check(made);
  const std::size_t blocks = (options.cards + kCardsABlock - 1) / kCardsABlock;
  const std::uint64_t trips = write_rows(
      path, columns, blocks, [&](std::size_t index) { return make_block(options, network, index); }, options.threads,
      options.progress);
  stations.put(made);
  return trips;
}

}  // namespace hearsay::generate
