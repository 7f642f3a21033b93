// SPDX-License-Identifier: Apache-2.0
#include "generate/cabs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "base/errors.h"
#include "base/random.h"
#include "generate/row_writer.h"

namespace hearsay::generate {
namespace {

// Monday 2008-05-19 00:00 in San Francisco, which stays at UTC-7 until November. The clock counts seconds from here.
constexpr std::int64_t kStart = 1'211'180'400;
constexpr std::uint32_t kMostWeeks = 23;
constexpr double kHour = 3600;
constexpr double kDay = 24 * kHour;
constexpr int kHoliday = 7;               // Memorial Day, the Monday of the second week
constexpr std::size_t kCabsPerBlock = 4;  // a block of some 80,000 rows

// Kilometres east and north of the south-west corner of the studied box.
struct Point {
  double x;
  double y;
};

constexpr double kSouth = 37.727;
constexpr double kWest = -122.435;
constexpr double kKmPerLat = 111.2;
constexpr double kKmPerLng = 87.9;  // at this latitude

constexpr Point at(double lat, double lng) {
  return {(lng - kWest) * kKmPerLng, (lat - kSouth) * kKmPerLat};
}

double distance(Point a, Point b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

// The bay's shore from south to north, and the other limits of what counts as the city.
constexpr std::array kShore = {
    at(37.708, -122.392), at(37.729, -122.362), at(37.738, -122.372), at(37.748, -122.380), at(37.760, -122.3825),
    at(37.776, -122.386), at(37.789, -122.387), at(37.799, -122.396), at(37.809, -122.412),
};
constexpr Point kSouthWest = at(37.708, -122.510);

bool on_land(Point p) {
  if (p.x < kSouthWest.x || p.y < kShore.front().y || p.y >= kShore.back().y) return false;
  std::size_t i = 1;
  while (p.y >= kShore[i].y) ++i;
  const double part = (p.y - kShore[i - 1].y) / (kShore[i].y - kShore[i - 1].y);
  return p.x < kShore[i - 1].x + part * (kShore[i].x - kShore[i - 1].x);
}

enum Period { kMorning, kMidday, kEvening, kNight, kPeriods };

// Commuters ride on weekday mornings only.
Period period_of(double clock) {
  const double hour = std::fmod(clock, kDay) / kHour;
  const bool weekend = std::fmod(clock, 7 * kDay) >= 5 * kDay;
  if (hour < 5 || hour >= 21) return kNight;
  if (hour < 10 && !weekend) return kMorning;
  return hour < 16 ? kMidday : kEvening;
}

// Where fares start and end: people spread around a centre, in a share of all that the period says. A place beyond the
// city is reached by a freeway from a ramp.
struct Place {
  Point centre;
  double spread;  // km
  std::array<double, kPeriods> demand;
  std::optional<Point> ramp = std::nullopt;
};

constexpr Point kFreewayRamp = at(37.7690, -122.4060);
constexpr Point kBridgeRamp = at(37.7870, -122.3920);
constexpr std::array kPlaces = {
    Place{at(37.7925, -122.3990), 0.60, {22, 20, 18, 8}},                  // Financial District
    Place{at(37.7875, -122.4080), 0.50, {16, 19, 19, 15}},                 // Union Square and its hotels
    Place{at(37.7800, -122.4130), 0.50, {8, 10, 9, 9}},                    // Civic Center
    Place{at(37.7830, -122.3990), 0.50, {11, 12, 11, 11}},                 // South of Market, convention centre
    Place{at(37.7765, -122.3945), 0.25, {8, 4, 7, 3}},                     // railway station, ball park
    Place{at(37.7980, -122.4070), 0.45, {4, 6, 10, 14}},                   // North Beach
    Place{at(37.8060, -122.4150), 0.40, {4, 8, 8, 4}},                     // Fisherman's Wharf
    Place{at(37.7985, -122.4330), 0.70, {8, 5, 8, 9}},                     // Marina and Pacific Heights
    Place{at(37.7610, -122.4200), 0.80, {6, 6, 8, 13}},                    // Mission
    Place{at(37.7640, -122.4340), 0.60, {5, 5, 7, 10}},                    // Castro
    Place{at(37.7730, -122.4450), 0.80, {4, 3, 4, 5}},                     // Haight
    Place{at(37.7800, -122.4750), 1.50, {4, 3, 3, 3}},                     // Richmond
    Place{at(37.7500, -122.4800), 1.70, {3, 2, 3, 3}},                     // Sunset
    Place{at(37.7450, -122.4150), 1.20, {4, 3, 4, 5}},                     // the south
    Place{at(37.7550, -122.3950), 0.80, {3, 3, 3, 3}},                     // Potrero and Dogpatch
    Place{at(37.7350, -122.3880), 0.80, {0.3, 0.3, 0.3, 0.3}},             // Bayview
    Place{at(37.6160, -122.3900), 0.30, {8, 7, 7, 3}, kFreewayRamp},       // airport
    Place{at(37.8120, -122.2900), 1.50, {0.7, 0.7, 0.8, 1}, kBridgeRamp},  // over the Bay Bridge
};

// Where cabs are kept.
constexpr std::array kGarages = {at(37.7520, -122.3940), at(37.7400, -122.3990), at(37.7700, -122.4030),
                                 at(37.7430, -122.3850)};

constexpr double kStreetSpeed = 18.4;  // km/h between the lights and stops
constexpr double kNightSpeed = 1.2;    // times as fast on empty streets
constexpr double kFreewaySpeed = 80;   // km/h
constexpr double kPaceSpread = 0.15;   // how drivers of one cab differ from those of another, as a logarithm
constexpr double kTasteSpread = 1.0;   // likewise in the places that they look for fares
constexpr double kRadioSpread = 1.15;  // and in how much they follow radio calls out of the hot spots
constexpr std::array kSearch = {840., 1140., 840., 960.};  // mean seconds until the next fare, by period
constexpr double kSmallHoursSearch = 2400;                 // between 2 and 5 o'clock
constexpr double kStand = 0.9;                 // how often a cab waits at a stand instead of cruising: up to this
constexpr double kAirportQueue = 0.5 * kHour;  // mean wait for the fare back
constexpr double kStop = 75;                   // seconds to board or pay
constexpr double kFix = 57;                    // mean seconds between GPS fixes, which vary by a third
constexpr double kFixError = 0.012;            // km

constexpr std::array kShiftStarts = {5.0, 16.5};  // hours around which the day and the night shift start
constexpr double kShiftHours = 10.95;             // mean length of a cab's shifts ...
constexpr double kShiftSpread = 1.5;              // ... and how cabs differ in it
constexpr double kAbsence = 0.04;                 // how often a driver who should does not work
constexpr double kHolidayRest = 0.25;             // how often on the weekend of Memorial Day
constexpr double kNightOwners = 0.4;              // cabs whose main driver works by night
constexpr double kSharedCabs = 0.79;              // cabs with a second driver for the other shift

struct Shift {
  double start;
  double end;
};

// One cab and its drivers over the whole period.
class Cab {
 public:
  Cab(std::uint64_t seed, std::size_t number, std::uint32_t weeks)
      : bits_(mix(mix(seed, "cabs"), number)), number_(number), days_(7 * static_cast<int>(weeks)) {
    pace_ = std::exp(kPaceSpread * normal());
    stand_ = kStand * bits_.unit();
    garage_ = kGarages[bits_.below(kGarages.size())];
    const double radio = kRadioSpread * normal();
    for (std::size_t place = 0; place < kPlaces.size(); ++place) {
      const double taste = std::exp(kTasteSpread * normal()) * std::pow(kPlaces[place].spread, radio);
      for (std::size_t period = 0; period < kPeriods; ++period) {
        const double before = place == 0 ? 0 : demand_[period][place - 1];
        demand_[period][place] = before + taste * kPlaces[place].demand[period];
      }
    }
  }

  void drive(Block& rows) {
    rows_ = &rows;
    for (const Shift& shift : shifts()) work(shift);
  }

 private:
  // In order of time and apart. Every week has the same days off; on them somebody else may take the cab.
  std::vector<Shift> shifts() {
    const std::size_t main = bits_.unit() < kNightOwners ? 1 : 0;  // the main driver's shift: 0 by day, 1 by night
    const bool shared = bits_.unit() < kSharedCabs;
    const double relief = bits_.unit();
    const double hours = std::clamp(kShiftHours + kShiftSpread * normal(), 7.0, 12.5);
    std::array<std::array<bool, 7>, 2> works{};
    works[main].fill(true);
    for (int i = 0; i < 2; ++i) works[main][bits_.below(7)] = bits_.unit() < 0.5;
    const double share = shared ? 0.2 + 0.8 * bits_.unit() : 0;
    for (bool& day : works[1 - main]) day = bits_.unit() < share;
    std::vector<Shift> list;
    for (int day = -1; day < days_; ++day) {  // the night before reaches into the first day
      for (std::size_t half = 0; half < 2; ++half) {
        const bool relieved = (half == main || shared) && bits_.unit() < relief;
        const bool planned = works[half][static_cast<std::size_t>((day + 7) % 7)] || relieved;
        const bool absent = bits_.unit() < (day >= kHoliday - 2 && day <= kHoliday ? kHolidayRest : kAbsence);
        const bool unseen = list.empty() || list.back().end < kHour;  // every cab is seen
        if (planned && (unseen || !absent)) list.push_back(shift_on(day, kShiftStarts[half], hours));
      }
    }
    for (std::size_t i = 1; i < list.size(); ++i) list[i].start = std::max(list[i].start, list[i - 1].end);
    return list;
  }

  Shift shift_on(int day, double hour, double hours) {
    const double start = day * kDay + (hour + 0.5 * normal()) * kHour;
    return {start, start + (hours + 0.7 * normal()) * kHour};
  }

  // Fares from the garage until the shift is over.
  void work(const Shift& shift) {
    clock_ = next_fix_ = shift.start;
    end_ = std::min(shift.end, days_ * kDay);
    here_ = garage_;
    ramp_.reset();
    while (clock_ < end_) {
      find_fare();
      stay(clock_ + kStop);
      const Place& place = some_place();
      go(point_in(place), place.ramp);
      stay(clock_ + kStop);
    }
  }

  // Cruises or waits where fares are likely, until somebody hails the cab.
  void find_fare() {
    if (ramp_) return stay(clock_ - kAirportQueue * std::log(1 - bits_.unit()));
    const double hour = std::fmod(clock_, kDay) / kHour;
    const double mean = hour >= 2 && hour < 5 ? kSmallHoursSearch : kSearch[period_of(clock_)];
    const double found = std::min(end_, clock_ - mean * std::log(1 - bits_.unit()));
    while (clock_ < found) {
      const Point one = likely_point();
      const Point two = likely_point();
      street(distance(here_, one) < distance(here_, two) ? one : two, found);
      if (bits_.unit() < stand_) stay(found);
    }
  }

  const Place& some_place() {
    const auto& sums = demand_[period_of(clock_)];
    const auto found = std::upper_bound(sums.begin(), sums.end() - 1, bits_.unit() * sums.back());
    return kPlaces[static_cast<std::size_t>(found - sums.begin())];
  }

  // Where a driver would look for a fare.
  Point likely_point() {
    const Place* place = &some_place();
    while (place->ramp) place = &some_place();
    return point_in(*place);
  }

  Point point_in(const Place& place) {
    for (;;) {
      const Point p = {place.centre.x + place.spread * normal(), place.centre.y + place.spread * normal()};
      if (place.ramp || on_land(p)) return p;
    }
  }

  // By freeway where the way leaves or enters the city.
  void go(Point to, const std::optional<Point>& ramp) {
    if (ramp_) straight(*ramp_, kFreewaySpeed, end_);
    street(ramp ? *ramp : to, end_);
    if (ramp) straight(to, kFreewaySpeed, end_);
    ramp_ = ramp;
  }

  // Along two streets, with the corner on land where one of the two possible corners is.
  void street(Point to, double until) {
    const double speed = kStreetSpeed * pace_ * (period_of(clock_) == kNight ? kNightSpeed : 1);
    Point corner = {here_.x, to.y};
    const Point other = {to.x, here_.y};
    if (!on_land(corner) || (on_land(other) && bits_.unit() < 0.5)) corner = other;
    straight(corner, speed, until);
    straight(to, speed, until);
  }

  // Towards a point until there or until the time is over, with fixes on the way.
  void straight(Point to, double speed, double until) {
    const Point from = here_;
    const double start = clock_;
    const double seconds = distance(from, to) / speed * kHour;
    const double arrival = std::min(start + seconds, std::max(until, start));
    const auto point_at = [&](double time) {
      const double part = seconds > 0 ? (time - start) / seconds : 1;
      return Point{from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)};
    };
    for (; next_fix_ < arrival; next_fix_ += wait_for_fix()) record(point_at(next_fix_));
    here_ = point_at(arrival);
    clock_ = arrival;
  }

  void stay(double until) {
    until = std::min(until, end_);
    for (; next_fix_ < until; next_fix_ += wait_for_fix()) record(here_);
    clock_ = std::max(clock_, until);
  }

  double wait_for_fix() { return kFix * (2 + 2 * bits_.unit()) / 3; }

  void record(Point p) {
    if (next_fix_ < 0) return;  // of the night before the first day
    const double x = p.x + kFixError * (bits_.unit() + bits_.unit() - 1);
    const double y = p.y + kFixError * (bits_.unit() + bits_.unit() - 1);
    (*rows_)[0].push_back(static_cast<std::int64_t>(number_));
    (*rows_)[1].push_back(std::llround((kSouth + y / kKmPerLat) * 1e6));
    (*rows_)[2].push_back(std::llround((kWest + x / kKmPerLng) * 1e6));
    (*rows_)[3].push_back(kStart + static_cast<std::int64_t>(next_fix_));
  }

  // Box and Muller; that of <random> differs between libraries.
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - bits_.unit()));
    return radius * std::cos(2 * std::numbers::pi * bits_.unit());
  }

  SeededBits bits_;
  std::size_t number_;
  int days_;
  double pace_ = 1;
  double stand_ = 0;
  Point garage_{};
  std::array<std::array<double, kPlaces.size()>, kPeriods> demand_{};  // sums of demand times taste
  Block* rows_ = nullptr;
  double clock_ = 0;
  double next_fix_ = 0;
  double end_ = 0;
  Point here_{};
  std::optional<Point> ramp_;  // by which to leave a place beyond the city
};

}  // namespace

std::uint64_t generate_cabs(const CabOptions& options, const std::string& path) {
  if (options.cabs == 0) throw ConfigError("--cabs", "0", "must be at least 1");
  if (options.weeks == 0 || options.weeks > kMostWeeks) {
    throw ConfigError("--weeks", std::to_string(options.weeks), "must be from 1 to 23, while summer time lasts");
  }
  const int digits = static_cast<int>(std::to_string(options.cabs - 1).size());
  const std::vector<Column> columns = {{"uid", ColumnType::kLabel, "cab_", std::max(3, digits)},
                                       {"lat", ColumnType::kMicro, "", 0},
                                       {"lng", ColumnType::kMicro, "", 0},
                                       {"datetime", ColumnType::kUnixTime, "", 0}};
  const auto make_block = [&](std::size_t block) {
    Block rows(columns.size());
    const std::size_t last = std::min(options.cabs, (block + 1) * kCabsPerBlock);
    for (std::size_t cab = block * kCabsPerBlock; cab < last; ++cab) Cab(options.seed, cab, options.weeks).drive(rows);
    return rows;
  };
  const std::size_t blocks = (options.cabs + kCabsPerBlock - 1) / kCabsPerBlock;
  return write_rows(path, columns, blocks, make_block, std::max<std::size_t>(1, options.threads), options.progress);
}

}  // namespace hearsay::generate
