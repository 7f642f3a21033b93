// SPDX-License-Identifier: Apache-2.0
#include "results/people_tally.h"

namespace hearsay::results {
namespace {

constexpr Bins Columns<Bins>::*kColumns[] = {&Columns<Bins>::error, &Columns<Bins>::without, &Columns<Bins>::own,
                                             &Columns<Bins>::gain, &Columns<Bins>::loss};

Columns<Bins> bins_of(const Columns<SortedColumn>& sorted) {
  return {Bins(sorted.error.numbers()), Bins(sorted.without.numbers()), Bins(sorted.own.numbers()),
          Bins(sorted.gain.numbers()), Bins(sorted.loss.numbers())};
}

// Calls take(columns) with them in order.
template <typename Take>
auto in_order(const Columns<Bins>& bins, const Take& take) {
  const Columns<OrderedBins> ordered = {OrderedBins(bins.error), OrderedBins(bins.without), OrderedBins(bins.own),
                                        OrderedBins(bins.gain), OrderedBins(bins.loss)};
  return take(OrderedColumns{ordered.error, ordered.without, ordered.own, ordered.gain, ordered.loss});
}

}  // namespace

PeopleTally::PeopleTally(const goal::Combination& combination, const goal::Measurement& users, const DataFacts& facts,
                         const UsersAtHand& at_hand, Part part)
    : sums_(combination, users, facts, at_hand, part), bins_(bins_of(sorted_columns(combination, users, part))) {}

void PeopleTally::add(const PeopleTally& other) {
  sums_.add(other.sums_);
  for (const auto column : kColumns) (bins_.*column).add(other.bins_.*column);
}

void PeopleTally::write(BytesWriter& out) const {
  sums_.write(out);
  for (const auto column : kColumns) (bins_.*column).write(out);
}

void PeopleTally::read(BytesReader& in) {
  sums_.read(in);
  for (const auto column : kColumns) (bins_.*column).read(in);
}

PeopleFigures PeopleTally::figures(const goal::Combination& combination, const DataFacts& facts) const {
  return in_order(bins_, [&](const OrderedColumns& columns) { return sums_.figures(combination, facts, columns); });
}

}  // namespace hearsay::results
