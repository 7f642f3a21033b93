// SPDX-License-Identifier: Apache-2.0
#include "generate/network.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hearsay::generate {
namespace {

constexpr double kCentreLat = 51.51;
constexpr double kCentreLng = -0.12;
constexpr double kKilometresPerDegree = 111.2;
constexpr std::uint32_t kLines = 14;
constexpr double kInnerGap = 0.7;     // kilometres between stations at the centre
constexpr double kOuterGap = 1.5;     // at the ends of a line
constexpr double kMinor = 0.50;       // of the stations are hardly used by anybody
constexpr double kMinorSize = 0.012;  // of an ordinary one
constexpr double kAttraction = 0.95;  // spread of how busy the others are
constexpr double kCentreReach = 5.0;  // kilometres over which the centre's pull fades
constexpr double kHomeSpread = 0.9;
constexpr double kWorkReach = 9.0;  // people work this far from home, more or less
constexpr double kOutingReach = 6.0;
constexpr double kSameLine = 3.0;  // a direct train is worth this much
constexpr double kBusiest = 5.0;   // a station holds only so many

double gaussian(RandomBits& bits) {
  return Normal()(bits);
}

std::size_t draw(RandomBits& bits, const float* sums, std::size_t count) {
  const auto target = static_cast<float>(bits.unit()) * sums[count - 1];
  return std::min<std::size_t>(count - 1,
                               static_cast<std::size_t>(std::upper_bound(sums, sums + count, target) - sums));
}

}  // namespace

Network::Network(std::uint64_t seed) {
  SeededBits bits(mix(mix(0, seed), "network"));
  lay_lines(bits);
  name_stations(bits);
  const std::size_t n = stations_.size();
  work_sums_.resize(n * n);
  outing_sums_.resize(n * n);
  double homes = 0;
  for (std::size_t from = 0; from < n; ++from) {
    homes += stations_[from].homes;
    home_sums_.push_back(static_cast<float>(homes));
    double work = 0;
    double outing = 0;
    for (std::size_t to = 0; to < n; ++to) {
      const double distance = kilometres(from, to);
      const double line = stations_[from].line == stations_[to].line ? kSameLine : 1;
      if (to != from) {
        work += stations_[to].visits * line * std::exp(-distance / kWorkReach);
        outing += stations_[to].visits * line * std::exp(-distance / kOutingReach);
      }
      work_sums_[from * n + to] = static_cast<float>(work);
      outing_sums_[from * n + to] = static_cast<float>(outing);
    }
  }
}

// Every line passes the centre at some distance and runs both ways out, its stations further apart the further out.
void Network::lay_lines(RandomBits& bits) {
  for (std::uint32_t line = 0; line < kLines; ++line) {
    const std::size_t end = kStations * (line + 1) / kLines;
    const double angle = std::numbers::pi * (line + 0.5 * bits.unit()) / kLines;
    const double offset = 1.6 * gaussian(bits);
    double bend = 0;
    double along[2] = {0.3 * kInnerGap, -0.7 * kInnerGap};
    for (bool forward = true; stations_.size() < end; forward = !forward) {
      double& at = along[forward ? 0 : 1];
      bend += 0.12 * gaussian(bits);
      const double across = offset + bend + 0.1 * gaussian(bits);
      const double x = at * std::cos(angle) - across * std::sin(angle);
      const double y = at * std::sin(angle) + across * std::cos(angle);
      const double distance = std::hypot(x, y);
      const double share = std::min(1.0, distance / 20);
      at += (forward ? 1 : -1) * (kInnerGap + share * (kOuterGap - kInnerGap)) * (0.8 + 0.4 * bits.unit());
      Station station;
      station.line = line;
      station.lat = kCentreLat + y / kKilometresPerDegree;
      station.lng = kCentreLng + x / (kKilometresPerDegree * std::cos(kCentreLat * std::numbers::pi / 180));
      station.visits =
          std::min(kBusiest, std::exp(kAttraction * gaussian(bits)) * (0.12 + std::exp(-distance / kCentreReach)));
      station.homes = std::exp(kHomeSpread * gaussian(bits)) * (0.15 + distance * std::exp(-distance / 5) / 2);
      if (bits.unit() < kMinor) {
        station.visits = kMinorSize * std::exp(0.5 * gaussian(bits));
        station.homes = station.visits;
      }
      stations_.push_back(std::move(station));
      x_.push_back(x);
      y_.push_back(y);
    }
  }
}

void Network::name_stations(RandomBits& bits) {
  static constexpr const char* kFirst[] = {
      "Abbey",  "Alder",   "Ash",    "Barn",    "Beacon", "Birch", "Bishop", "Bramble", "Brook",  "Canal",
      "Castle", "Chapel",  "Cherry", "Clay",    "Cooper", "Crown", "Dock",   "Elm",     "Falcon", "Fern",
      "Fox",    "Garden",  "Glass",  "Harbour", "Hazel",  "Holly", "Ivy",    "Kings",   "Lamb",   "Linden",
      "Mill",   "Orchard", "Palace", "Quarry",  "Raven",  "River", "Rose",   "Saddler", "Swan",   "Willow"};
  static constexpr const char* kSecond[] = {"Bridge", "Common", "Corner", "Court", "Cross",  "Fields", "Gate", "Green",
                                            "Hill",   "Lane",   "Park",   "Road",  "Square", "Street", "Town", "Wood"};
  std::vector<std::string> names;
  for (const char* first : kFirst) {
    for (const char* second : kSecond) names.push_back(std::string(first).append(" ").append(second));
  }
  for (std::size_t i = 0; i < stations_.size(); ++i) {
    std::swap(names[i], names[i + bits.below(names.size() - i)]);
    stations_[i].name = names[i];
  }
}

std::size_t Network::draw_home(RandomBits& bits) const {
  return draw(bits, home_sums_.data(), home_sums_.size());
}

std::size_t Network::draw_work(RandomBits& bits, std::size_t home) const {
  return draw(bits, work_sums_.data() + home * stations_.size(), stations_.size());
}

std::size_t Network::draw_outing(RandomBits& bits, std::size_t from) const {
  return draw(bits, outing_sums_.data() + from * stations_.size(), stations_.size());
}

double Network::kilometres(std::size_t from, std::size_t to) const {
  return std::hypot(x_[from] - x_[to], y_[from] - y_[to]);
}

double Network::travel_seconds(std::size_t from, std::size_t to) const {
  const double change = stations_[from].line == stations_[to].line ? 0 : 240;
  return 330 + change + 118 * kilometres(from, to);
}

}  // namespace hearsay::generate
