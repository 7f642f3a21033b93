// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "generate/network.h"

namespace hearsay::generate {

struct Trip {
  std::int64_t start = 0;  // seconds since the first day's midnight
  std::uint32_t from = 0;
  std::int64_t end = 0;
  std::uint32_t to = 0;
};

// What kind of life a card sees, and how much of it.
enum class Life { kOffice, kShift, kStudent, kPartTime, kRoamer, kVisitor };

struct Card {
  Life life = Life::kOffice;
  double trips = 0;  // expected in four weeks
};

// Frequent travellers such as the paper kept: the most active of a city.
Card draw_frequent(RandomBits& bits);
// Any card of the city: many visitors and occasional travellers, some commuters, few frequent travellers.
Card draw_any(RandomBits& bits);

// All trips of one card, in order of time and never two at once.
class Traveller {
 public:
  Traveller(const Network& network, const Card& card, RandomBits& bits, std::uint32_t days);
  const std::vector<Trip>& travel();

 private:
  struct Place {
    std::uint32_t station;
    std::uint32_t visits;
  };

  void settle();
  void live(std::uint32_t day);
  void work_day(double shift);
  void go_out(double earliest, double latest);
  void commute(double hour, std::uint32_t to);
  // Touches in at `hour` of the day or when the last trip allows, and out at `to`.
  void ride(double hour, std::uint32_t to);
  std::uint32_t choose_place();

  double normal() { return normal_(bits_); }
  bool chance(double p) { return bits_.unit() < p; }
  double between(double low, double high) { return low + (high - low) * bits_.unit(); }

  const Network& network_;
  Card card_;
  RandomBits& bits_;
  std::uint32_t days_;
  Normal normal_;

  std::uint32_t home_ = 0;
  std::uint32_t work_ = 0;
  std::uint32_t change_ = 0;  // where a commute of two legs changes
  bool two_legs_ = false;
  double leave_home_ = 8;  // hours
  double leave_work_ = 17.5;
  double work_days_ = 5;         // of a week
  double outings_ = 0;           // a day
  double curiosity_ = 0.5;       // chance of a place never been to
  std::uint32_t first_day_ = 0;  // of a visitor's stay
  std::uint32_t last_day_ = 0;
  std::vector<Place> places_;  // been to, home and work not among them

  std::vector<Trip> trips_;
  std::uint32_t day_ = 0;
  std::uint32_t here_ = 0;
  std::int64_t free_ = 0;  // not before this
};

}  // namespace hearsay::generate
