// SPDX-License-Identifier: Apache-2.0
#include "results/bins.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace hearsay::results {
namespace {

constexpr double kBinsAUnit = 0x1p20;
constexpr double kMost = 0x1p32;  // bins of numbers beyond would be narrower than what tells two numbers apart

double bin_of(double number) {
  if (!(std::fabs(number) < kMost)) throw std::range_error("a number is too large for a bin");
  return std::floor(number * kBinsAUnit);
}

struct Run {
  double number = 0;
  std::uint64_t count = 0;
};

// Of equal numbers.
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
  if (bin.least == bin.largest) {
    sum.add(bin.least, end - begin);
    return sum;
  }
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
    const double number = sorted[begin];
    std::size_t end = begin + 1;
    while (end < sorted.size() && sorted[end] == number) ++end;
    const Bin run = bin_of(Run{number, end - begin});
    const double here = bin_of(number);
    if (!bins_.empty() && bin_of(bins_.back().least) == here) {
      results::add(bins_.back(), run);
    } else {
      bins_.push_back(run);
    }
    begin = end;
  }
}

void Bins::add(const Bins& other) {
  std::vector<Bin> all;
  all.reserve(bins_.size() + other.bins_.size());
  auto mine = bins_.begin();
  for (const Bin& bin : other.bins_) {
    const double number = bin_of(bin.least);
    while (mine != bins_.end() && bin_of(mine->least) < number) all.push_back(*mine++);
    all.push_back(bin);
    if (mine != bins_.end() && bin_of(mine->least) == number) results::add(all.back(), *mine++);
  }
  all.insert(all.end(), mine, bins_.end());
  bins_ = std::move(all);
}

void Bins::write(BytesWriter& out) const {
  std::vector<Run> runs;
  std::vector<Bin> others;
  for (const Bin& bin : bins_) {
    if (bin.least == bin.largest) {
      runs.push_back({bin.least, bin.sum.count()});
    } else {
      others.push_back(bin);
    }
  }
  out.put(runs);
  out.put(others);
}

void Bins::read(BytesReader& in) {
  bins_.clear();
  for (const Run& run : in.get<std::vector<Run>>()) bins_.push_back(bin_of(run));
  Bins others;
  in.get(others.bins_);
  add(others);
}

OrderedBins::OrderedBins(const Bins& bins) : bins_(bins.all()) {
  ends_.reserve(bins_.size());
  for (const Bin& bin : bins_) ends_.push_back(size() + bin.sum.count());
}

std::size_t OrderedBins::bin_at(std::size_t place) const {
  return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), place) - ends_.begin());
}

double OrderedBins::at(std::size_t place) const {
  const std::size_t b = bin_at(place);
  const Bin& bin = bins_[b];
  const std::size_t within = place - (b == 0 ? 0 : ends_[b - 1]);
  if (within < bin.at_least) return bin.least;
  return within >= bin.sum.count() - bin.at_largest ? bin.largest : on_line(bin, within);
}

FixedSum OrderedBins::sum(std::size_t begin, std::size_t end) const {
  FixedSum sum;
  for (std::size_t b = bin_at(begin), at = begin; at < end; ++b) {
    const std::size_t first = b == 0 ? 0 : ends_[b - 1];
    sum.add(part_of(bins_[b], at - first, std::min(end, ends_[b]) - first));
    at = ends_[b];
  }
  return sum;
}

}  // namespace hearsay::results
