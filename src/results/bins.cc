// SPDX-License-Identifier: Apache-2.0
#include "results/bins.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace hearsay::results {
namespace {

constexpr double kStretchesAUnit = 0x1p20;
constexpr double kMost = 0x1p32;  // stretches of numbers beyond would be narrower than what tells two numbers apart

double stretch_of(double number) {
  if (!(std::fabs(number) < kMost)) throw std::range_error("a number is too large for its stretch");
  return std::floor(number * kStretchesAUnit);
}

Bin bin_of(const Run& run) {
  Bin bin{run.number, run.number, {}, run.count, run.count};
  bin.sum.add(run.number, run.count);
  return bin;
}

void add(Bin& to, const Bin& from) {
  if (from.least < to.least) {
    to.least = from.least;
    to.at_least = from.at_least;
  } else if (from.least == to.least) {
    to.at_least += from.at_least;
  }
  if (from.largest > to.largest) {
    to.largest = from.largest;
    to.at_largest = from.at_largest;
  } else if (from.largest == to.largest) {
    to.at_largest += from.at_largest;
  }
  to.sum.add(from.sum);
}

// The number at a place that is neither of the ends.
double on_line(const Bin& bin, std::size_t place) {
  const double share = static_cast<double>(place) / static_cast<double>(bin.sum.count() - 1);
  return std::lerp(bin.least, bin.largest, share);
}

// Of the numbers at [begin, end) of a bin.
FixedSum part_of(const Bin& bin, std::size_t begin, std::size_t end) {
  const std::size_t count = bin.sum.count();
  if (begin == 0 && end == count) return bin.sum;
  FixedSum sum;
  const std::size_t middle = bin.at_least;
  const std::size_t top = count - bin.at_largest;
  if (begin < middle) sum.add(bin.least, std::min(end, middle) - begin);
  if (end > top) sum.add(bin.largest, end - std::max(begin, top));
  const std::size_t first = std::max(begin, middle);
  const std::size_t last = std::min(end, top);
  if (first >= last) return sum;
  if (first == middle && last == top) {
    FixedSum ends;
    ends.add(bin.least, bin.at_least);
    ends.add(bin.largest, bin.at_largest);
    sum.add(bin.sum);
    sum.remove(ends);
  } else {
    sum.add((on_line(bin, first) + on_line(bin, last - 1)) / 2, last - first);
  }
  return sum;
}

}  // namespace

Bins::Bins(std::span<const double> sorted) {
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin + 1;
    while (end < sorted.size() && sorted[end] == sorted[begin]) ++end;
    runs_.push_back({sorted[begin], end - begin});
    begin = end;
  }
  for (const std::size_t end : {std::size_t{0}, sorted.size() - 1}) {
    if (!sorted.empty()) stretch_of(sorted[end]);  // which throws
  }
  collapse();
}

void Bins::add(const Bins& other) {
  many_ = many_ || other.many_;
  std::vector<Run> runs;
  runs.reserve(runs_.size() + other.runs_.size());
  for (auto a = runs_.cbegin(), b = other.runs_.begin(); a != runs_.cend() || b != other.runs_.end();) {
    const bool from_a = b == other.runs_.end() || (a != runs_.cend() && a->number < b->number);
    Run run = from_a ? *a++ : *b++;
    if (!from_a && a != runs_.cend() && a->number == run.number) run.count += (a++)->count;
    runs.push_back(run);
  }
  runs_ = std::move(runs);
  std::vector<Bin> crowded;
  crowded.reserve(crowded_.size() + other.crowded_.size());
  for (auto a = crowded_.cbegin(), b = other.crowded_.begin(); a != crowded_.cend() || b != other.crowded_.end();) {
    const bool from_a =
        b == other.crowded_.end() || (a != crowded_.cend() && stretch_of(a->least) < stretch_of(b->least));
    Bin bin = from_a ? *a++ : *b++;
    if (!from_a && a != crowded_.cend() && stretch_of(a->least) == stretch_of(bin.least)) results::add(bin, *a++);
    crowded.push_back(bin);
  }
  crowded_ = std::move(crowded);
  collapse();
}

// Stretches that have become crowded, and numbers in those that are.
void Bins::collapse() {
  many_ = many_ || runs_.size() > most_numbers();
  if (!many_) return;
  std::vector<Run> runs;
  std::vector<Bin> made;
  std::size_t crowded = 0;
  for (std::size_t begin = 0; begin < runs_.size();) {
    const double stretch = stretch_of(runs_[begin].number);
    std::size_t end = begin + 1;
    while (end < runs_.size() && stretch_of(runs_[end].number) == stretch) ++end;
    while (crowded < crowded_.size() && stretch_of(crowded_[crowded].least) < stretch)
      made.push_back(crowded_[crowded++]);
    const bool is_crowded = crowded < crowded_.size() && stretch_of(crowded_[crowded].least) == stretch;
    if (!is_crowded && end - begin <= kFew) {
      runs.insert(runs.end(), runs_.begin() + static_cast<std::ptrdiff_t>(begin),
                  runs_.begin() + static_cast<std::ptrdiff_t>(end));
    } else {
      made.push_back(is_crowded ? crowded_[crowded++] : bin_of(runs_[begin]));
      for (std::size_t i = is_crowded ? begin : begin + 1; i < end; ++i) results::add(made.back(), bin_of(runs_[i]));
    }
    begin = end;
  }
  made.insert(made.end(), crowded_.begin() + static_cast<std::ptrdiff_t>(crowded), crowded_.end());
  runs_ = std::move(runs);
  crowded_ = std::move(made);
}

void Bins::write(BytesWriter& out) const {
  out.put(many_);
  out.put(runs_);
  out.put(crowded_);
}

void Bins::read(BytesReader& in) {
  in.get(many_);
  in.get(runs_);
  in.get(crowded_);
}

OrderedBins::OrderedBins(const Bins& bins) : bins_(bins) {
  const std::vector<Run>& runs = bins.runs();
  const std::vector<Bin>& crowded = bins.crowded();
  segments_.reserve(runs.size() + crowded.size());
  for (std::uint32_t r = 0, c = 0; r < runs.size() || c < crowded.size();) {
    const bool is_run = c == crowded.size() || (r < runs.size() && runs[r].number < crowded[c].least);
    const std::uint64_t count = is_run ? runs[r].count : crowded[c].sum.count();
    segments_.push_back({size() + count, is_run ? r++ : c++, !is_run});
  }
}

std::pair<std::size_t, std::size_t> OrderedBins::find(std::size_t place) const {
  const auto found = std::upper_bound(segments_.begin(), segments_.end(), place,
                                      [](std::size_t at, const Segment& segment) { return at < segment.end; });
  const auto number = static_cast<std::size_t>(found - segments_.begin());
  return {number, place - (number == 0 ? 0 : segments_[number - 1].end)};
}

double OrderedBins::at(std::size_t place) const {
  const auto [number, within] = find(place);
  const Segment& segment = segments_[number];
  if (!segment.crowded) return bins_.runs()[segment.number].number;
  const Bin& bin = bins_.crowded()[segment.number];
  if (within < bin.at_least) return bin.least;
  return within >= bin.sum.count() - bin.at_largest ? bin.largest : on_line(bin, within);
}

FixedSum OrderedBins::sum(std::size_t begin, std::size_t end) const {
  FixedSum sum;
  if (begin == end) return sum;
  for (auto [number, within] = find(begin); begin < end; ++number, within = 0) {
    const Segment& segment = segments_[number];
    const std::size_t count = std::min<std::size_t>(end, segment.end) - begin;
    if (segment.crowded) {
      sum.add(part_of(bins_.crowded()[segment.number], within, within + count));
    } else {
      sum.add(bins_.runs()[segment.number].number, count);
    }
    begin += count;
  }
  return sum;
}

}  // namespace hearsay::results
