// SPDX-License-Identifier: Apache-2.0
//
// The candidates of a search, as far as each is known: what rules one out, what is promising, what to measure next.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "advice/choice.h"

namespace hearsay::advice {

using Group = std::vector<Priced*>;

inline constexpr std::size_t kNotReached = std::numeric_limits<std::size_t>::max();  // a rung: still to be measured
inline constexpr std::size_t kSecondRung = 2;
inline constexpr std::size_t kSpread = 8;    // measured whatever is known of others, for the frontier
inline constexpr std::size_t kReopened = 4;  // of what was left out before, at a time

// How promising one is: it keeps to the limits as far as is known, it may, it does not.
enum class Hope { kKeeps, kMay, kOver };

class Field {
 public:
  // The limits outlive it.
  Field(const std::vector<Candidate>& candidates, const Limits& limits);
  Field(const Field&) = delete;
  Field& operator=(const Field&) = delete;

  std::vector<Priced>& all() { return all_; }

  // By MAE those that keep to its limit, or the nearest to it; and the one with most noise, which shows whether the
  // other limits can be met at all. All of them are still to be measured then.
  Group take_within_mae();
  // Those that could be better than the best found; the others are done with.
  Group better(const Group& sorted);

  // Of those measured in this rung or a later one, the most useful that keeps to the limits; none.
  const Priced* best_of(std::size_t rung) const;
  // Whether one with more noise, the same otherwise, is beyond a limit already: less noise hides no more.
  bool hopeless(const Priced& one) const;
  // Whether one with as little error keeps to the limits already.
  bool is_worse(const Priced& one) const;
  // Whether it was not measured, and could be nearer to the limits than all that was. For when nothing keeps to them.
  bool could_be_nearer(const Priced& one) const;

  // What was left out, because of the budget or for a candidate that then, measured better, did not keep to the limits,
  // and could be better than the best known now.
  Group left_out(const Group& within) const;
  // Where nothing keeps to the limits: what could be nearest to them, whatever its MAE.
  Group could_be_nearest();
  // A few to measure next: what probably keeps to the limits, by MAE, then what is probably least over; of the same
  // places and epochs not all at once.
  Group most_telling(const Group& group) const;
  // The most promising of those that were last measured in a rung. Where one is known that keeps to the limits, only
  // what probably is better; what is over only where it may be the nearest.
  Group promising(std::size_t most, std::size_t rung, Hope least);

  // How many a larger budget would measure, or measure better.
  std::size_t unfinished(const Group& within);

 private:
  // The same with more noise.
  std::vector<const Priced*> noisier(const Priced& one) const;
  Hope hope_of(const Priced& one) const;
  // The least that it can be beyond the limits, as itself and others of its family tell.
  double least_distance(const Priced& one) const;
  std::optional<Value> between(const Priced& one, std::optional<Value> Priced::*figure, double blind,
                               double most) const;

  const Limits& limits_;
  Limits privacy_;  // those but for MAE
  std::vector<Priced> all_;
  std::map<std::string, Group> families_;
};

}  // namespace hearsay::advice
