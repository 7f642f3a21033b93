// SPDX-License-Identifier: Apache-2.0
//
// How far a person can move what is published: what noise has to hide.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hearsay::release {

// By how much two data sets differ that nobody is to tell apart.
enum class Unit { kEvent, kUserPlace, kUserEpoch, kUserDay, kUserWeek, kUser };

// All of them, as parameters name them: "event", "user_place", "user_epoch", "user_day", "user_week", "user".
const std::vector<std::string>& unit_names();
// As results print it: "one event", "a user in one ROI", "a user in one epoch", "a user in one day", ..., "a user".
const char* name_of(Unit unit);

// A stretch of time in which at most so many visits of a person are kept. Days and weeks are counted from the start of
// what is published.
enum class Window { kEpoch, kDay, kWeek, kRelease };
// "epoch", "day", "week", "release".
const std::vector<std::string>& window_names();

// How many counts a person's data can change, each by 1. Known from places, epochs and the bounds on what is kept of a
// person; never read off the data.
class Reach {
 public:
  Reach(std::size_t places, std::size_t epochs, std::uint32_t epoch_seconds) : now_{places, epochs, epoch_seconds} {}

  // The same on coarser places and epochs, where a person is counted once a place and epoch.
  void coarsen(std::size_t places, std::size_t epochs, std::uint32_t epoch_seconds);
  // The same where at most so many visits are kept, whichever of them is decided visit by visit.
  void bound(Window window, std::uint64_t most);

  std::uint32_t epoch_seconds() const { return now_.epoch_seconds; }
  // In seconds; 0 is all there is.
  std::uint64_t seconds_of(Window window) const;
  // The window of an epoch.
  std::size_t window_of(Window window, std::size_t epoch) const;

  // Counts that change, null aside, and counts of null that do. A visit that goes may bring in another where visits
  // are bounded over a longer time than the unit's.
  double cells(Unit unit) const;
  double null_cells(Unit unit) const;
  // Places where counts change, null aside, and the most counts that change at one of them.
  double places(Unit unit) const;
  double cells_of_a_place(Unit unit) const;
  // The largest sum over places of the root of the number of counts that change there.
  double roots(Unit unit) const;

 private:
  struct Size {
    std::size_t places;
    std::size_t epochs;
    std::uint32_t epoch_seconds;
    double cells(Unit unit, std::uint64_t seconds) const;
    double epochs_in(std::uint64_t seconds) const;
  };
  struct Bound {
    std::uint64_t seconds;  // 0: all there is
    double most;
    Size size;  // of what was bounded
  };
  // Counts that a unit's visits are gone from, and others that change with them.
  struct Moved {
    double gone;
    double others;
  };
  Moved moved(Unit unit) const;
  std::uint64_t seconds_of(Unit unit) const;

  Size now_;
  std::vector<Bound> bounds_;
};

}  // namespace hearsay::release
