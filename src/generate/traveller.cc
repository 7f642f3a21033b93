// SPDX-License-Identifier: Apache-2.0
#include "generate/traveller.h"

#include <algorithm>
#include <cmath>

namespace hearsay::generate {
namespace {

constexpr double kWeeks = 4;              // the span that Card::trips is about
constexpr double kTripsAnOuting = 2.2;    // out and back, sometimes on to another place
constexpr double kSick = 0.03;            // days
constexpr double kHolidayChance = 0.008;  // chance of a week away
constexpr double kTwoLegs = 0.36;         // of frequent commuters change between services and touch twice
constexpr double kPunctual = 0.13;        // hours around the usual time
constexpr double kFirstTrain = 5.2;       // hours
constexpr double kLastTrain = 24.4;
constexpr double kLunchOuting = 0.12;
constexpr double kLastWeekBusier = 1.12;  // the end of March is busier than its start

constexpr std::int64_t kSecondsPerHour = 3600;
constexpr std::int64_t kSecondsPerDay = 24 * kSecondsPerHour;

double exponential(RandomBits& bits, double mean) {
  return -mean * std::log1p(-bits.unit());
}

Life draw_life(RandomBits& bits) {
  const double u = bits.unit();
  return u < 0.60   ? Life::kOffice
         : u < 0.73 ? Life::kShift
         : u < 0.83 ? Life::kStudent
         : u < 0.91 ? Life::kPartTime
                    : Life::kRoamer;
}

}  // namespace

Card draw_frequent(RandomBits& bits) {
  return {draw_life(bits), 89 + exponential(bits, 11.0)};
}

Card draw_any(RandomBits& bits) {
  const double u = bits.unit();
  if (u < 0.0028) return draw_frequent(bits);
  if (u < 0.5) return {Life::kVisitor, 1 + exponential(bits, 3.2)};
  return {draw_life(bits), std::min(58.0, 1 + exponential(bits, 13.5) + exponential(bits, 13.5))};
}

Traveller::Traveller(const Network& network, const Card& card, RandomBits& bits, std::uint32_t days)
    : network_(network), card_(card), bits_(bits), days_(days) {
  settle();
}

void Traveller::settle() {
  home_ = static_cast<std::uint32_t>(network_.draw_home(bits_));
  work_ = static_cast<std::uint32_t>(network_.draw_work(bits_, home_));
  change_ = static_cast<std::uint32_t>(network_.draw_outing(bits_, home_));
  first_day_ = 0;
  last_day_ = days_;
  switch (card_.life) {
    case Life::kOffice:
      leave_home_ = 8.0 + 0.65 * normal();
      leave_work_ = 17.6 + 0.8 * normal();
      break;
    case Life::kShift:
      leave_home_ = chance(0.5) ? 5.8 + 0.5 * normal() : 13.5 + 1.5 * normal();
      leave_work_ = leave_home_ + 8.6;
      break;
    case Life::kStudent:
      leave_home_ = 8.6 + 0.7 * normal();
      leave_work_ = 15.6 + 1.2 * normal();
      break;
    case Life::kPartTime:
      leave_home_ = 8.8 + 0.9 * normal();
      leave_work_ = leave_home_ + 5.5;
      work_days_ = 3;
      break;
    case Life::kRoamer:
      work_days_ = 0;
      break;
    case Life::kVisitor: {
      work_days_ = 0;
      const auto stay = static_cast<std::uint32_t>(1 + bits_.below(5));
      first_day_ = static_cast<std::uint32_t>(bits_.below(days_));
      last_day_ = std::min(days_, first_day_ + stay);
      break;
    }
  }
  // Commuting comes first: whoever travels little goes to work on fewer days.
  work_days_ = std::min(work_days_, 0.8 * card_.trips / (2 * kWeeks));
  const double a_day = work_days_ / 7 * (1 - kSick);
  two_legs_ = card_.trips > 60 && chance(kTwoLegs);
  const double commuting = a_day * (two_legs_ ? 4 : 2) * 7 * kWeeks;
  const double days = card_.life == Life::kVisitor ? last_day_ - first_day_ : 7 * kWeeks;
  outings_ = std::max(0.0, card_.trips - commuting) / kTripsAnOuting / days;
  const double open = 1.05 + 0.55 * normal();
  curiosity_ = std::clamp(open, 0.03, 1.0);
  here_ = home_;
}

const std::vector<Trip>& Traveller::travel() {
  std::uint32_t away_until = 0;
  for (std::uint32_t day = first_day_; day < last_day_; ++day) {
    if (card_.life != Life::kVisitor && day % 7 == 0 && chance(kHolidayChance)) away_until = day + 7;
    if (day >= away_until) live(day);
  }
  return trips_;
}

void Traveller::live(std::uint32_t day) {
  day_ = day;
  free_ = std::max(free_, static_cast<std::int64_t>(day) * kSecondsPerDay);
  here_ = home_;
  const bool weekend = day % 7 >= 5;
  const bool shift = card_.life == Life::kShift;
  // A shift falls on any day of the week; other work on weekdays.
  const double working = shift ? work_days_ / 7 : weekend ? 0.03 * work_days_ / 5 : work_days_ / 5;
  const bool last_week = day + 7 >= days_;
  double outings = outings_ * (weekend ? 1.25 : 0.9) * (last_week ? kLastWeekBusier : 1);
  if (chance(kSick)) {
    if (chance(0.15)) go_out(9, 17);
    return;
  }
  if (chance(working)) {
    work_day(shift && day / 7 % 2 == 1 ? 0.6 : 0);  // shifts rotate by the week
  }
  for (; outings > 0; outings -= 1) {
    if (!chance(std::min(1.0, outings))) continue;
    const double hour = static_cast<double>(free_ - static_cast<std::int64_t>(day) * kSecondsPerDay) / kSecondsPerHour;
    if (weekend || hour < 9) {
      go_out(std::max(9.3, hour), 21);
    } else {
      go_out(hour, 22.5);
    }
  }
}

void Traveller::work_day(double shift) {
  commute(leave_home_ + shift + kPunctual * normal(), work_);
  if (chance(kLunchOuting * std::min(1.0, outings_))) {
    ride(between(11.8, 13.2), choose_place());
    ride(between(13.2, 14.4), work_);
  }
  const double leave = leave_work_ + shift + 2.2 * kPunctual * normal();
  // Out after work on the way home, or straight home.
  if (chance(0.3 * std::min(1.0, outings_))) {
    ride(leave, choose_place());
    ride(leave + between(1.2, 3.2), home_);
  } else {
    commute(leave, home_);
  }
}

void Traveller::commute(double hour, std::uint32_t to) {
  if (two_legs_) {
    ride(hour, change_);
    const double now = static_cast<double>(free_ - static_cast<std::int64_t>(day_) * kSecondsPerDay) / kSecondsPerHour;
    ride(now + between(0.03, 0.12), to);
  } else {
    ride(hour, to);
  }
}

void Traveller::go_out(double earliest, double latest) {
  if (earliest >= latest) return;
  const double hour = between(earliest, latest);
  ride(hour, choose_place());
  if (chance(kTripsAnOuting - 2)) ride(hour + between(0.8, 2.0), choose_place());
  ride(hour + between(1.3, 4.5), home_);
}

// Exploration and preferential return (Song, Koren, Wang, Barabasi 2010): a new place less and less often, else one of
// the old ones in proportion to past visits.
std::uint32_t Traveller::choose_place() {
  const double explored = std::pow(1.0 + static_cast<double>(places_.size()), -0.12);
  if (!places_.empty() && !chance(curiosity_ * explored)) {
    std::uint64_t total = 0;
    for (const Place& place : places_) total += place.visits;
    std::uint64_t target = bits_.below(total);
    for (Place& place : places_) {
      if (target < place.visits) {
        ++place.visits;
        return place.station;
      }
      target -= place.visits;
    }
  }
  const auto station = static_cast<std::uint32_t>(network_.draw_outing(bits_, here_));
  for (Place& place : places_) {
    if (place.station != station) continue;
    ++place.visits;
    return station;
  }
  places_.push_back({station, 1});
  return station;
}

void Traveller::ride(double hour, std::uint32_t to) {
  if (to == here_) return;
  const std::int64_t midnight = static_cast<std::int64_t>(day_) * kSecondsPerDay;
  Trip trip;
  trip.start = std::max(free_, midnight + static_cast<std::int64_t>(std::max(kFirstTrain, hour) * kSecondsPerHour));
  const double usual = network_.travel_seconds(here_, to);
  trip.end = trip.start + static_cast<std::int64_t>(usual * (0.9 + 0.1 * exponential(bits_, 1.0)) + 60 * bits_.unit());
  if (trip.end > midnight + static_cast<std::int64_t>(kLastTrain * kSecondsPerHour)) return;
  trip.from = here_;
  trip.to = to;
  trips_.push_back(trip);
  here_ = to;
  free_ = trip.end + 60;
}

}  // namespace hearsay::generate
