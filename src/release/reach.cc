// SPDX-License-Identifier: Apache-2.0
#include "release/reach.h"

#include <algorithm>
#include <cmath>

namespace hearsay::release {
namespace {

constexpr std::uint64_t kDay = 86400;
constexpr std::uint64_t kWeek = 7 * kDay;

// How many stretches of `part` seconds one of `whole` seconds meets, both counted from the same start; 0 seconds are
// all there is.
double met(std::uint64_t whole, std::uint64_t part) {
  if (part == 0 || (whole != 0 && part % whole == 0)) return 1;
  const auto most = static_cast<double>((whole + part - 1) / part);
  return whole % part == 0 ? most : most + 1;
}

}  // namespace

const std::vector<std::string>& unit_names() {
  static const std::vector<std::string> names = {"event", "user_place", "user_epoch", "user_day", "user_week", "user"};
  return names;
}

const char* name_of(Unit unit) {
  switch (unit) {
    case Unit::kEvent:
      return "one event";
    case Unit::kUserPlace:
      return "a user in one ROI";
    case Unit::kUserEpoch:
      return "a user in one epoch";
    case Unit::kUserDay:
      return "a user in one day";
    case Unit::kUserWeek:
      return "a user in one week";
    case Unit::kUser:
      break;
  }
  return "a user";
}

const std::vector<std::string>& window_names() {
  static const std::vector<std::string> names = {"epoch", "day", "week", "release"};
  return names;
}

void Reach::coarsen(std::size_t places, std::size_t epochs, std::uint32_t epoch_seconds) {
  now_ = {places, epochs, epoch_seconds};
}

void Reach::bound(Window window, std::uint64_t most) {
  bounds_.push_back({seconds_of(window), static_cast<double>(most), now_});
}

std::uint64_t Reach::seconds_of(Window window) const {
  switch (window) {
    case Window::kEpoch:
      return now_.epoch_seconds;
    case Window::kDay:
      return kDay;
    case Window::kWeek:
      return kWeek;
    case Window::kRelease:
      break;
  }
  return 0;
}

std::size_t Reach::window_of(Window window, std::size_t epoch) const {
  const std::uint64_t seconds = seconds_of(window);
  return seconds == 0 ? 0 : epoch * now_.epoch_seconds / seconds;
}

std::uint64_t Reach::seconds_of(Unit unit) const {
  switch (unit) {
    case Unit::kUserEpoch:
      return seconds_of(Window::kEpoch);
    case Unit::kUserDay:
      return seconds_of(Window::kDay);
    case Unit::kUserWeek:
      return seconds_of(Window::kWeek);
    case Unit::kEvent:
    case Unit::kUserPlace:
    case Unit::kUser:
      break;
  }
  return 0;
}

// The most counts with a person's visits of one unit, of all there are.
double Reach::Size::cells(Unit unit, std::uint64_t seconds) const {
  if (unit == Unit::kEvent) return 1;
  return epochs_in(seconds) * (unit == Unit::kUserPlace ? 1 : static_cast<double>(places));
}

double Reach::Size::epochs_in(std::uint64_t seconds) const {
  const auto all = static_cast<double>(epochs);
  return seconds == 0 ? all : std::min(all, met(seconds, epoch_seconds));
}

// Removing a unit takes visits of that unit out of what is kept. Each that goes makes room for another at a bound over
// a longer time than the unit's, and each that came in so, or went for it, may do the same at the next bound.
Reach::Moved Reach::moved(Unit unit) const {
  const std::uint64_t seconds = seconds_of(unit);
  Moved moved{(bounds_.empty() ? now_ : bounds_.front().size).cells(unit, seconds), 0};
  for (const Bound& bound : bounds_) {
    const double length = static_cast<double>(bound.size.epochs) * bound.size.epoch_seconds;
    double windows = 1;
    if (seconds != 0) {
      windows = met(seconds, bound.seconds);
    } else if (bound.seconds != 0) {
      windows = std::ceil(length / static_cast<double>(bound.seconds));
    }
    const double gone = std::min(moved.gone, bound.size.cells(unit, seconds));
    const bool within = unit == Unit::kUser || (seconds != 0 && bound.seconds != 0 && seconds % bound.seconds == 0);
    moved.gone = std::min(gone, windows * bound.most);
    moved.others = 2 * moved.others + (within ? 0 : moved.gone);
  }
  moved.gone = std::min(moved.gone, now_.cells(unit, seconds));
  return moved;
}

double Reach::cells(Unit unit) const {
  const Moved here = moved(unit);
  return std::min(here.gone + here.others, unit == Unit::kUser ? here.gone : 2 * moved(Unit::kUser).gone);
}

double Reach::null_cells(Unit unit) const {
  const Moved here = moved(unit);
  const double epochs = unit == Unit::kEvent ? 1 : now_.epochs_in(seconds_of(unit));
  return std::min(static_cast<double>(now_.epochs), std::min(epochs, here.gone) + here.others);
}

double Reach::places(Unit unit) const {
  const bool one = moved(unit).others == 0 && (unit == Unit::kEvent || unit == Unit::kUserPlace);
  return one ? 1 : std::min(cells(unit), static_cast<double>(now_.places));
}

// A place has one count an epoch, and what is in so many epochs is what null_cells() counts: those of the unit, and one
// for each of the others.
double Reach::cells_of_a_place(Unit unit) const {
  return std::min(cells(unit), null_cells(unit));
}

double Reach::roots(Unit unit) const {
  return std::sqrt(cells(unit) * places(unit));
}

}  // namespace hearsay::release
