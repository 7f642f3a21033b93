// SPDX-License-Identifier: Apache-2.0
#include "goal/membership_practice.h"

#include <algorithm>
#include <unordered_set>

#include "base/random.h"

namespace hearsay::goal {

std::span<const double> GroupPractice::seen() const {
  std::call_once(asked_, [&] {
    seen_.resize(room_.publisher.grid().cells());
    publish_group(room_.traces, room_.crowd.pool, false, mix(room_.key, "seen"), seen_);
  });
  return seen_;
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
  std::vector<double> before(traces.grid().cells());
  std::vector<std::span<const std::uint32_t>> visits;
  for (const std::uint32_t person : people) {
    visits.push_back(traces.of(person));
    for (const std::uint32_t cell : visits.back()) before[cell] += 1;
  }
  room_.publisher.publish(visits, before, key, counts);
}

}  // namespace hearsay::goal
