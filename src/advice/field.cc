// SPDX-License-Identifier: Apache-2.0
#include "advice/field.h"

#include <algorithm>

namespace hearsay::advice {

Field::Field(const std::vector<Candidate>& candidates, const Limits& limits) : limits_(limits), privacy_(limits) {
  privacy_.mae.reset();
  for (const Candidate& candidate : candidates) all_.emplace_back().candidate = candidate;
  for (Priced& one : all_) {
    if (one.candidate.preset.empty()) families_[one.candidate.family()].push_back(&one);
  }
}

Group Field::take_within_mae() {
  Group sorted;
  for (Priced& one : all_) {
    if (!one.publishes_nothing) sorted.push_back(&one);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->mae->mean < b->mae->mean; });
  Group within;
  for (Priced* one : sorted) {
    if (!limits_.mae || one->mae->mean <= *limits_.mae || within.size() < kSpread) within.push_back(one);
  }
  if (!sorted.empty() && within.back() != sorted.back()) within.push_back(sorted.back());
  for (Priced* one : within) one->rung = kNotReached;
  return within;
}

Group Field::better(const Group& sorted) {
  Group some;
  for (Priced* one : sorted) {
    if (is_worse(*one)) {
      one->rung = 0;
    } else {
      some.push_back(one);
    }
  }
  return some;
}

const Priced* Field::best_of(std::size_t rung) const {
  const Priced* best = nullptr;
  for (const Priced& one : all_) {
    if (one.rung == kNotReached || one.rung < rung || !one.own_loss || !keeps_to(one, limits_)) continue;
    if (best == nullptr || one.mae->mean < best->mae->mean) best = &one;
  }
  return best;
}

std::vector<const Priced*> Field::noisier(const Priced& one) const {
  std::vector<const Priced*> others;
  const auto family = families_.find(one.candidate.family());
  if (family == families_.end()) return others;
  std::copy_if(family->second.begin(), family->second.end(), std::back_inserter(others),
               [&](const Priced* other) { return other->candidate.epsilon() < one.candidate.epsilon(); });
  return others;
}

bool Field::hopeless(const Priced& one) const {
  const std::vector<const Priced*> others = noisier(one);
  return std::any_of(others.begin(), others.end(), [&](const Priced* other) { return clearly_over(*other, privacy_); });
}

bool Field::is_worse(const Priced& one) const {
  const Priced* best = best_of(0);
  return best != nullptr && best->mae->mean <= one.mae->mean;
}

double Field::least_distance(const Priced& one) const {
  double distance = distance_from(one, limits_);
  for (const Priced* other : noisier(one)) distance = std::max(distance, distance_from(*other, privacy_));
  return distance;
}

bool Field::could_be_nearer(const Priced& one) const {
  if (one.publishes_nothing || one.unplayable || is_measured(one, limits_)) return false;
  const double least = least_distance(one);
  return std::none_of(all_.begin(), all_.end(), [&](const Priced& other) {
    return is_measured(other, limits_) && !other.publishes_nothing && distance_from(other, limits_) <= least;
  });
}

Group Field::left_out(const Group& within) const {
  Group others;
  std::copy_if(within.begin(), within.end(), std::back_inserter(others), [&](const Priced* one) {
    return !is_worse(*one) && !is_measured(*one, limits_) && !one->unplayable && !clearly_over(*one, limits_) &&
           !hopeless(*one);
  });
  return others;
}

Group Field::could_be_nearest() {
  Group others;
  if (best_of(0) != nullptr) return others;
  for (Priced& one : all_) {
    if (could_be_nearer(one)) others.push_back(&one);
  }
  std::stable_sort(others.begin(), others.end(), [](auto* a, auto* b) { return a->mae->mean < b->mae->mean; });
  return others;
}

// What a candidate probably gives away, as others of the same places and epochs tell: what is between the nearest with
// a smaller and with a larger error. `most`: where nothing would be given away any more.
std::optional<Value> Field::between(const Priced& one, std::optional<Value> Priced::*figure, double blind,
                                    double most) const {
  const Priced* below = nullptr;
  const Priced* above = nullptr;
  const double mae = one.mae->mean;
  const std::string geometry = one.candidate.chain.drawless_visits();
  for (const Priced& other : all_) {
    if (!(other.*figure) || other.candidate.chain.drawless_visits() != geometry) continue;
    if (other.mae->mean <= mae && (below == nullptr || other.mae->mean > below->mae->mean)) below = &other;
    if (other.mae->mean >= mae && (above == nullptr || other.mae->mean < above->mae->mean)) above = &other;
  }
  if (below == nullptr) return above == nullptr ? std::nullopt : above->*figure;
  const double from = below->mae->mean;
  const double to = above == nullptr ? std::max(most, mae) : above->mae->mean;
  const double end = above == nullptr ? blind : (above->*figure)->mean;
  const double share = to > from ? (mae - from) / (to - from) : 0;
  const double mean = (below->*figure)->mean + share * (end - (below->*figure)->mean);
  return Value{mean, mean, mean};
}

Group Field::most_telling(const Group& group) const {
  struct Guess {
    Priced* one;
    bool over;
    double order;
  };
  const Priced* best = best_of(0);
  const double most = best != nullptr ? best->mae->mean : group.back()->mae->mean;
  std::vector<Guess> guesses;
  for (Priced* one : group) {
    Priced guess;
    guess.mae = one->mae;
    guess.own_loss = between(*one, &Priced::own_loss, 0, most);
    guess.membership = between(*one, &Priced::membership, kBlindGuess, most);
    const bool over = !probably_keeps_to(guess, limits_);
    guesses.push_back({one, over, over ? distance_from(guess, limits_) : one->mae->mean});
  }
  std::stable_sort(guesses.begin(), guesses.end(), [](const Guess& a, const Guess& b) {
    return std::pair(a.over, a.order) < std::pair(b.over, b.order);
  });
  Group few;
  std::map<std::string, std::size_t> of_geometry;
  for (const Guess& guess : guesses) {
    if (few.size() == kReopened) break;
    if (++of_geometry[guess.one->candidate.chain.drawless_visits()] <= kReopened / 2) few.push_back(guess.one);
  }
  return few;
}

Hope Field::hope_of(const Priced& one) const {
  return clearly_over(one, limits_) ? Hope::kOver : probably_keeps_to(one, limits_) ? Hope::kKeeps : Hope::kMay;
}

Group Field::promising(std::size_t most, std::size_t rung, Hope least) {
  const Priced* best = best_of(kLastRung);
  double nearest = std::numeric_limits<double>::infinity();  // of those measured best
  for (const Priced& one : all_) {
    if (one.rung == kLastRung && is_measured(one, limits_)) nearest = std::min(nearest, distance_from(one, limits_));
  }
  Group group;
  for (Priced& one : all_) {
    if (one.rung != rung || !is_measured(one, limits_) || one.publishes_nothing) continue;
    const Hope hope = hope_of(one);
    if (hope > least) continue;
    if (best != nullptr && (hope != Hope::kKeeps || one.mae->mean >= best->mae->mean)) continue;
    if (hope == Hope::kOver && distance_from(one, limits_) >= nearest) continue;
    group.push_back(&one);
  }
  std::stable_sort(group.begin(), group.end(), [&](const Priced* a, const Priced* b) {
    const Hope hope = hope_of(*a);
    if (hope != hope_of(*b)) return hope < hope_of(*b);
    if (hope == Hope::kKeeps) return a->mae->mean < b->mae->mean;
    return distance_from(*a, limits_) < distance_from(*b, limits_);
  });
  if (group.size() > most) group.resize(most);
  return group;
}

std::size_t Field::unfinished(const Group& within) {
  Group some = left_out(within);
  for (Priced* one : could_be_nearest()) some.push_back(one);
  const std::optional<std::size_t> shown = most_useful(all_, limits_);
  for (Priced& one : all_) {
    const bool little =
        one.rung > 0 && one.rung < kLastRung && is_measured(one, limits_) && hope_of(one) == Hope::kKeeps;
    if (!little || (shown && one.mae->mean >= all_[*shown].mae->mean)) continue;
    some.push_back(&one);
  }
  std::sort(some.begin(), some.end());
  return static_cast<std::size_t>(std::unique(some.begin(), some.end()) - some.begin());
}

}  // namespace hearsay::advice
