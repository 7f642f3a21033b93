// SPDX-License-Identifier: Apache-2.0
#include "goal/membership_practice.h"

#include <algorithm>
#include <unordered_set>

#include "base/random.h"

namespace hearsay::goal {

GroupPractice::GroupPractice(const PracticeRoom& room, std::uint32_t target)
    : room_(room), target_(target), seen_(room.traces.grid().cells()) {
  publish_group(room.traces, room.crowd.pool, false, mix(room.key, "seen"), seen_);
}

void GroupPractice::release(std::size_t number, std::span<double> counts) const {
  const std::vector<double> before(counts.begin(), counts.end());
  room_.publisher.publish({}, before, mix(mix(room_.key, "own"), number), counts);
}

void GroupPractice::group(std::size_t number, bool with_target, std::span<double> counts) const {
  const std::uint64_t key = mix(mix(room_.key, number), with_target ? 1 : 0);
  if (!room_.crowd.people.empty()) {
    publish_group(room_.traces, room_.crowd.people, with_target, key, counts);
  } else {
    publish_group(*room_.past, room_.crowd.pool, with_target, key, counts);
  }
}

void GroupPractice::publish_group(const Traces& traces, std::span<const std::uint32_t> pool, bool with_target,
                                  std::uint64_t key, std::span<double> counts) const {
  SeededBits bits(key);
  std::vector<std::uint32_t> people;
  std::unordered_set<std::uint64_t> drawn;
  const std::size_t others = room_.publisher.group() - (with_target ? 1 : 0);
  while (people.size() < others) {
    const std::uint64_t place = bits.below(pool.size());
    if (pool[place] != target_ && drawn.insert(place).second) people.push_back(pool[place]);
  }
  if (with_target) people.push_back(target_);
  std::vector<double> before(counts.size());
  for (const std::uint32_t person : people) {
    for (const std::uint32_t cell : traces.of(person)) before[cell] += 1;
  }
  room_.publisher.publish(people, before, key, counts);
}

}  // namespace hearsay::goal
