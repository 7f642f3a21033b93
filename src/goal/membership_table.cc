// SPDX-License-Identifier: Apache-2.0
#include "goal/membership_table.h"

#include <algorithm>

#include "base/random.h"

namespace hearsay::goal {

GroupTable::GroupTable(const Traces& traces, const GroupPublisher& publisher, std::span<const std::uint32_t> pool)
    : traces_(traces),
      publisher_(publisher),
      order_(pool.begin(), pool.end()),
      place_(traces.users(), kNobody),
      counts_(traces.grid().cells()),
      published_(publisher.grid().cells()) {
  if (publisher.raw()) return;
  one_more_.resize(published_.size());
  one_fewer_.resize(published_.size());
  own_.resize(published_.size());
}

void GroupTable::count(std::uint32_t person, double change) {
  for (const std::uint32_t cell : traces_.of(person)) counts_[cell] += change;
}

void GroupTable::draw(std::size_t group, bool with_target, std::uint64_t key) {
  for (std::size_t i = 0; i < counted_; ++i) count(order_[i], -1);
  for (std::size_t i = drawn_from_.size(); i-- > 0;) {
    place_[order_[i]] = kNobody;
    std::swap(order_[i], order_[drawn_from_[i]]);
  }
  drawn_from_.clear();
  with_target_ = with_target;
  key_ = key;
  counted_ = with_target ? group - 1 : group;
  SeededBits bits(key);
  // One more than are counted: who replaces a target that was drawn.
  for (std::size_t i = 0; i <= counted_; ++i) {
    drawn_from_.push_back(static_cast<std::uint32_t>(i + bits.below(order_.size() - i)));
    std::swap(order_[i], order_[drawn_from_.back()]);
    place_[order_[i]] = static_cast<std::uint32_t>(i);
  }
  for (std::size_t i = 0; i < counted_; ++i) count(order_[i], 1);
  if (publisher_.raw()) return;
  if (publisher_.by_cell()) publish_shifted();
}

void GroupTable::publish_shifted() {
  publisher_.publish({}, counts_, key_, published_);
  for (double& one : counts_) one += 1;
  publisher_.publish({}, counts_, key_, one_more_);
  if (!with_target_) {
    for (double& one : counts_) one -= 2;
    publisher_.publish({}, counts_, key_, one_fewer_);
    for (double& one : counts_) one += 1;
  } else {
    for (double& one : counts_) one -= 1;
  }
}

void GroupTable::list_people(const Swap& swap) {
  people_.clear();
  if (!publisher_.reads_visits()) return;
  for (std::size_t i = 0; i < counted_; ++i) {
    if (order_[i] != swap.out) people_.push_back(traces_.of(order_[i]));
  }
  if (swap.in != kNobody) people_.push_back(traces_.of(swap.in));
}

std::span<const double> GroupTable::published() {
  if (publisher_.raw()) return counts_;
  if (!publisher_.by_cell()) {
    list_people({});
    publisher_.publish(people_, counts_, key_, published_);
  }
  return published_;
}

GroupTable::Swap GroupTable::swap_for(std::uint32_t target) const {
  const bool drawn = place_[target] < counted_;
  const std::uint32_t next = order_[counted_];
  if (with_target_) return {drawn ? next : target, kNobody};
  return drawn ? Swap{next, target} : Swap{};
}

std::span<const membership::Changed> GroupTable::changed_for(std::uint32_t target) {
  const Swap swap = swap_for(target);
  changed_.clear();
  const std::span<const std::uint32_t> in = swap.in == kNobody ? std::span<const std::uint32_t>() : traces_.of(swap.in);
  const std::span<const std::uint32_t> out =
      swap.out == kNobody ? std::span<const std::uint32_t>() : traces_.of(swap.out);
  const auto more = [&](std::uint32_t cell) { return publisher_.raw() ? counts_[cell] + 1 : one_more_[cell]; };
  const auto fewer = [&](std::uint32_t cell) { return publisher_.raw() ? counts_[cell] - 1 : one_fewer_[cell]; };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < in.size() || j < out.size()) {
    if (j == out.size() || (i < in.size() && in[i] < out[j])) {
      changed_.push_back({in[i], more(in[i])});
      ++i;
    } else if (i == in.size() || out[j] < in[i]) {
      changed_.push_back({out[j], fewer(out[j])});
      ++j;
    } else {
      ++i;
      ++j;
    }
  }
  return changed_;
}

bool GroupTable::same_for(std::uint32_t target) const {
  const Swap swap = swap_for(target);
  return swap.in == kNobody && swap.out == kNobody;
}

std::span<const double> GroupTable::published_for(std::uint32_t target) {
  const Swap swap = swap_for(target);
  list_people(swap);
  if (swap.in != kNobody) count(swap.in, 1);
  if (swap.out != kNobody) count(swap.out, -1);
  publisher_.publish(people_, counts_, key_, own_);
  if (swap.in != kNobody) count(swap.in, -1);
  if (swap.out != kNobody) count(swap.out, 1);
  return own_;
}

}  // namespace hearsay::goal
