// SPDX-License-Identifier: Apache-2.0
#include "attack/greedy_summary.h"

#include <algorithm>
#include <cassert>

#include "base/radix_sort.h"
#include "base/table_position.h"

namespace hearsay::attack {
namespace {

constexpr Cut kAllCandidates = {0.0, 0};

// What candidates are ordered by.
using Key = Cut;

// The place below which there are `count` users that are not among `places`, ascending.
std::uint32_t place_after(std::span<const std::uint32_t> places, std::size_t count) {
  std::size_t low = 0;
  std::size_t high = places.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (places[middle] - middle < count) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return static_cast<std::uint32_t>(count + low);
}

// Two lists, each in the order they are taken in, into one.
void merge(const Candidates& a, std::size_t a_begin, std::size_t a_end, const Candidates& b, std::size_t b_begin,
           std::size_t b_end, Candidates& merged) {
  const bool alike = a.probabilities.empty() && b.probabilities.empty();
  std::size_t i = a_begin;
  std::size_t j = b_begin;
  while (i < a_end || j < b_end) {
    const bool from_a =
        j == b_end || (i < a_end && kComesBefore({a.probability(i), a.places[i]}, {b.probability(j), b.places[j]}));
    const Candidates& from = from_a ? a : b;
    std::size_t& at = from_a ? i : j;
    merged.places.push_back(from.places[at]);
    if (!alike) merged.probabilities.push_back(from.probability(at));
    ++at;
  }
}

void merge_ascending(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                     std::vector<std::uint32_t>& merged) {
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(merged));
}

}  // namespace

GreedySummary::GreedySummary(const belief::Beliefs& prior, const GreedyRule& rule, const dataset::Crowd& crowd)
    : rule_(rule), null_(static_cast<std::uint32_t>(crowd.null_roi())) {
  const std::span<const UserId> users = belief::users_of(prior);
  std::vector<double> chances(users.size());
  if (const auto* shared = std::get_if<belief::Shared>(&prior)) {
    assert(!shared->everyone);
    shared_ = true;
    open_.resize(crowd.rois);
    for (std::size_t roi = 0; roi < crowd.rois; ++roi) open_[roi] = shared->background.weights[roi] > 0;
    for (const UserId user : users) candidates_.places.push_back(place_of(user, rule_, crowd));
    if (rule_.by_reports) std::sort(candidates_.places.begin(), candidates_.places.end());
    std::fill(chances.begin(), chances.end(), shared->background.weights.back() / shared->background.total);
  } else {
    const auto* rows = std::get_if<belief::Rows>(&prior);
    const belief::Rows uniform =
        rows == nullptr ? belief::uniform_rows(std::get<belief::Assignment>(prior)) : belief::Rows();
    const belief::Rows& listed = rows == nullptr ? uniform : *rows;
    if (rows == nullptr) rule_.by_probability = false;  // an assignment has none: everybody in a place is alike
    list_rows(listed, crowd);
    for (std::size_t row = 0; row < users.size(); ++row) {
      if (listed.rois_of(row).back() != crowd.null_roi()) continue;
      const auto weights = listed.weights_of(row);
      chances[row] = rows == nullptr ? 1 : (weights.empty() ? 1.0 : weights.back()) / listed.total_of(row);
    }
  }
  rule_.by_probability = rule.by_probability;
  place_in_null(users, chances, crowd);
}

// The candidates of every ROI but null.
void GreedySummary::list_rows(const belief::Rows& rows, const dataset::Crowd& crowd) {
  // Entries by ROI: sorting them costs no more than counting, and nothing for the ROIs that have none.
  std::vector<std::uint64_t> entries;
  std::vector<std::uint64_t> scratch;
  std::vector<Key> by_user;
  for (std::size_t row = 0; row < rows.users.size(); ++row) {
    const auto rois = rows.rois_of(row);
    const auto weights = rows.weights_of(row);
    const double total = rule_.by_probability ? rows.total_of(row) : 1.0;
    const std::uint32_t place = place_of(rows.users[row], rule_, crowd);
    const std::size_t somewhere = rois.size() - (rois.back() == crowd.null_roi() ? 1 : 0);
    for (std::size_t i = 0; i < somewhere; ++i) {
      entries.push_back(static_cast<std::uint64_t>(rois[i]) << 32 | table_position(by_user.size()));
      by_user.push_back({rule_.by_probability ? (weights.empty() ? 1.0 : weights[i]) / total : 1.0, place});
    }
  }
  radix_sort(entries, scratch);
  std::vector<Key> list(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto roi = static_cast<RoiId>(entries[i] >> 32);
    if (rois_.empty() || rois_.back() != roi) {
      rois_.push_back(roi);
      begins_.push_back(i);
    }
    list[i] = by_user[entries[i] & 0xffffffffU];
  }
  begins_.push_back(entries.size());
  by_user = {};
  candidates_.places.reserve(list.size());
  const bool in_order = !rule_.by_probability && !rule_.by_reports;
  if (rule_.by_probability && rule_.beyond) {
    for (const Key& one : list) places_.push_back(one.place);
    for (std::size_t i = 0; rule_.by_reports && i < rois_.size(); ++i) {
      std::sort(places_.begin() + static_cast<std::ptrdiff_t>(begins_[i]),
                places_.begin() + static_cast<std::ptrdiff_t>(begins_[i + 1]));
    }
  }
  for (std::size_t i = 0; !in_order && i < rois_.size(); ++i) {
    std::sort(list.begin() + static_cast<std::ptrdiff_t>(begins_[i]),
              list.begin() + static_cast<std::ptrdiff_t>(begins_[i + 1]), kComesBefore);
  }
  for (const Key& one : list) candidates_.places.push_back(one.place);
  if (!rule_.by_probability) return;
  candidates_.probabilities.reserve(list.size());
  for (const Key& one : list) candidates_.probabilities.push_back(one.probability);
}

// Users not listed are in null for certain. By probability they come first, with whoever else is certain; otherwise
// they mix with everybody who may be there.
void GreedySummary::place_in_null(std::span<const UserId> users, std::span<const double> chances,
                                  const dataset::Crowd& crowd) {
  const double least = rule_.by_probability ? 1.0 : std::numeric_limits<double>::min();
  std::vector<Key> later;
  for (std::size_t row = 0; row < users.size(); ++row) {
    if (chances[row] < least) later.push_back({chances[row], place_of(users[row], rule_, crowd)});
  }
  for (const Key& one : later) later_places_.push_back(one.place);
  if (rule_.by_reports) std::sort(later_places_.begin(), later_places_.end());
  if (!rule_.beyond) return;
  std::sort(later.begin(), later.end(), kComesBefore);
  for (const Key& one : later) {
    later_.probabilities.push_back(one.probability);
    later_.places.push_back(one.place);
  }
}

void GreedySummary::add(std::unique_ptr<Summary> next) {
  const auto& other = static_cast<const GreedySummary&>(*next);
  GreedySummary both(rule_);
  both.null_ = null_;
  both.shared_ = shared_;
  both.open_ = open_;
  merge(later_, 0, later_.size(), other.later_, 0, other.later_.size(), both.later_);
  merge_ascending(later_places_, other.later_places_, both.later_places_);
  if (shared_) {
    merge(candidates_, 0, candidates_.size(), other.candidates_, 0, other.candidates_.size(), both.candidates_);
    *this = std::move(both);
    return;
  }
  std::set_union(rois_.begin(), rois_.end(), other.rois_.begin(), other.rois_.end(), std::back_inserter(both.rois_));
  std::size_t i = 0;
  std::size_t j = 0;
  for (const RoiId roi : both.rois_) {
    both.begins_.push_back(both.candidates_.size());
    const auto bounds = [roi](const GreedySummary& from, std::size_t& at) {
      const bool has = at < from.rois_.size() && from.rois_[at] == roi;
      const std::size_t begin = has ? from.begins_[at] : 0;
      const std::size_t end = has ? from.begins_[at + 1] : 0;
      at += has ? 1 : 0;
      return std::pair(begin, end);
    };
    const auto [a, a_end] = bounds(*this, i);
    const auto [b, b_end] = bounds(other, j);
    merge(candidates_, a, a_end, other.candidates_, b, b_end, both.candidates_);
    if (places_.empty() && other.places_.empty()) continue;
    merge_ascending(std::span(places_).subspan(a, a_end - a), std::span(other.places_).subspan(b, b_end - b),
                    both.places_);
  }
  both.begins_.push_back(both.candidates_.size());
  *this = std::move(both);
}

// Those at hand of the places given, and null's where it is among them.
void GreedySummary::write(PlaceRange places, BytesWriter& bytes) const {
  const auto first = std::lower_bound(rois_.begin(), rois_.end(), static_cast<RoiId>(places.begin));
  const auto last = std::lower_bound(first, rois_.end(), static_cast<RoiId>(places.end));
  const auto from = static_cast<std::size_t>(first - rois_.begin());
  const auto to = static_cast<std::size_t>(last - rois_.begin());
  const std::size_t begin = shared_ || begins_.empty() ? 0 : begins_[from];
  const std::size_t end = shared_ || begins_.empty() ? candidates_.size() : begins_[to];
  const auto some = [&](const auto& all) {
    return std::span(all).subspan(all.empty() ? 0 : begin, all.empty() ? 0 : end - begin);
  };
  bytes.put(null_);
  bytes.put(shared_);
  bytes.put(std::vector<std::uint8_t>(open_.begin(), open_.end()));
  bytes.put(std::span<const RoiId>(first, last));
  std::vector<std::size_t> begins;
  for (std::size_t i = from; i < std::min(to + 1, begins_.size()); ++i) begins.push_back(begins_[i] - begin);
  bytes.put(begins);
  bytes.put(some(candidates_.probabilities));
  bytes.put(some(candidates_.places));
  bytes.put(some(places_));
  const bool null = places.contains(null_);
  bytes.put(null ? later_.probabilities : std::vector<double>());
  bytes.put(null ? later_.places : std::vector<std::uint32_t>());
  bytes.put(null ? later_places_ : std::vector<std::uint32_t>());
}

GreedySummary::GreedySummary(const GreedyRule& rule, BytesReader& bytes) : rule_(rule) {
  bytes.get(null_);
  bytes.get(shared_);
  const auto open = bytes.get<std::vector<std::uint8_t>>();
  open_.assign(open.begin(), open.end());
  bytes.get(rois_);
  bytes.get(begins_);
  bytes.get(candidates_.probabilities);
  bytes.get(candidates_.places);
  bytes.get(places_);
  bytes.get(later_.probabilities);
  bytes.get(later_.places);
  bytes.get(later_places_);
}

GreedySummary::RoiCut GreedySummary::cut_of_roi(RoiId roi, std::size_t people, std::size_t& next) const {
  if (people == 0) return {kNobody};
  std::size_t begin = 0;
  std::size_t count = 0;
  while (next < rois_.size() && rois_[next] < roi) ++next;
  if (shared_) {
    count = open_[index_of(roi)] ? candidates_.size() : 0;
  } else if (next < rois_.size() && rois_[next] == roi) {
    begin = begins_[next];
    count = begins_[next + 1] - begin;
  }
  if (people <= count) return {candidates_.cut_after(begin + people)};
  if (!rule_.beyond) return {kAllCandidates};
  const auto& ascending = places_.empty() ? candidates_.places : places_;
  return {kAllCandidates, place_after(std::span(ascending).subspan(begin, count), people - count)};
}

Cut GreedySummary::cut_of_null(std::size_t people, std::size_t users) const {
  if (people == 0) return kNobody;
  const std::size_t first = users - later_places_.size();
  if (people <= first) return {1.0, place_after(later_places_, people) - 1};
  if (!rule_.beyond) return {1.0, std::numeric_limits<std::uint32_t>::max()};
  return later_.cut_after(people - first);
}

}  // namespace hearsay::attack
