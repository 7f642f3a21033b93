// SPDX-License-Identifier: Apache-2.0
//
// What is written by hand for speed, each beside what it stands in for: docs/performance.md has the table.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <boost/sort/spreadsort/spreadsort.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/radix_sort.h"
#include "base/random.h"
#include "ingest/id_table.h"
#include "metric/uniform_distances.h"
#include "metric/walk.h"

// Compared with where they are there; nothing else uses them.
#ifdef HEARSAY_BENCH_ABSL
#include <absl/container/flat_hash_map.h>
#endif
#if __has_include(<boost/unordered/unordered_flat_map.hpp>)
#include <boost/unordered/unordered_flat_map.hpp>
#define HEARSAY_BENCH_FLAT_MAP
#endif

namespace hearsay {
namespace {

// Candidates as an attack lists them: place in the upper half, position in the lower.
std::vector<std::uint64_t> candidate_keys(std::size_t count) {
  SeededBits bits(1);
  std::vector<std::uint64_t> keys(count);
  for (std::size_t i = 0; i < count; ++i) keys[i] = bits.below(583) << 32 | i;
  return keys;
}

std::vector<double> errors(std::size_t count) {
  SeededBits bits(2);
  std::vector<double> values(count);
  for (double& value : values) value = bits.unit();
  return values;
}

template <typename Values, typename Sort>
void sort_copies(benchmark::State& state, const Values& values, const Sort& sort) {
  for (auto _ : state) {
    Values copy = values;
    sort(copy);
    benchmark::DoNotOptimize(copy.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(values.size()));
}

void keys_radix(benchmark::State& state) {
  std::vector<std::uint64_t> scratch;
  sort_copies(state, candidate_keys(static_cast<std::size_t>(state.range(0))),
              [&](std::vector<std::uint64_t>& keys) { radix_sort(keys, scratch); });
}
void keys_standard(benchmark::State& state) {
  sort_copies(state, candidate_keys(static_cast<std::size_t>(state.range(0))),
              [](std::vector<std::uint64_t>& keys) { std::sort(keys.begin(), keys.end()); });
}
void keys_boost(benchmark::State& state) {
  sort_copies(state, candidate_keys(static_cast<std::size_t>(state.range(0))),
              [](std::vector<std::uint64_t>& keys) { boost::sort::spreadsort::spreadsort(keys.begin(), keys.end()); });
}
void numbers_standard(benchmark::State& state) {
  sort_copies(state, errors(static_cast<std::size_t>(state.range(0))),
              [](std::vector<double>& v) { std::sort(v.begin(), v.end()); });
}
void numbers_boost(benchmark::State& state) {
  sort_copies(state, errors(static_cast<std::size_t>(state.range(0))), [](std::vector<double>& v) { sort_numbers(v); });
}

// Ids of that many users, each seen ten times, in the order of events.
std::vector<std::string> ids(std::size_t users) {
  SeededBits bits(3);
  std::vector<std::string> list(10 * users);
  for (std::string& id : list) id = "card-" + std::to_string(bits.below(users));
  return list;
}

constexpr std::size_t kBatch = 256;

void ids_table(benchmark::State& state) {
  const std::vector<std::string> list = ids(static_cast<std::size_t>(state.range(0)));
  std::vector<std::uint64_t> hashes(kBatch);
  for (auto _ : state) {
    ingest::IdTable table;
    for (std::size_t begin = 0; begin < list.size(); begin += kBatch) {
      const std::size_t count = std::min(kBatch, list.size() - begin);
      for (std::size_t i = 0; i < count; ++i) table.prefetch(hashes[i] = ingest::IdTable::hash(list[begin + i]));
      for (std::size_t i = 0; i < count; ++i) benchmark::DoNotOptimize(table.add(list[begin + i], hashes[i]));
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(list.size()));
}
template <typename Map>
void ids_map(benchmark::State& state) {
  const std::vector<std::string> list = ids(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    Map table;
    for (const std::string& id : list) {
      benchmark::DoNotOptimize(table.try_emplace(id, static_cast<std::uint32_t>(table.size())).first->second);
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(list.size()));
}
void ids_standard(benchmark::State& state) {
  ids_map<std::unordered_map<std::string, std::uint32_t>>(state);
}
#ifdef HEARSAY_BENCH_ABSL
void ids_absl(benchmark::State& state) {
  ids_map<absl::flat_hash_map<std::string, std::uint32_t>>(state);
}
void ids_absl_prefetched(benchmark::State& state) {
  const std::vector<std::string> list = ids(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    absl::flat_hash_map<std::string, std::uint32_t> table;
    for (std::size_t begin = 0; begin < list.size(); begin += kBatch) {
      const std::size_t count = std::min(kBatch, list.size() - begin);
      for (std::size_t i = 0; i < count; ++i) table.prefetch(list[begin + i]);
      for (std::size_t i = 0; i < count; ++i) {
        const auto number = static_cast<std::uint32_t>(table.size());
        benchmark::DoNotOptimize(table.try_emplace(list[begin + i], number).first->second);
      }
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(list.size()));
}
#endif
#ifdef HEARSAY_BENCH_FLAT_MAP
void ids_boost(benchmark::State& state) {
  ids_map<boost::unordered_flat_map<std::string, std::uint32_t>>(state);
}
#endif

// Sizes of predictions as they come: most of them small, and again and again.
std::vector<metric::Overlap> overlaps() {
  SeededBits bits(4);
  std::vector<metric::Overlap> list(100000);
  for (metric::Overlap& overlap : list) {
    overlap.predicted = 1 + bits.below(bits.below(20) == 0 ? 60 : 6);
    overlap.actual = 1 + bits.below(3);
    overlap.common = bits.below(1 + std::min(overlap.predicted, overlap.actual));
  }
  return list;
}

template <typename Distance>
void distances(benchmark::State& state, Distance distance) {
  const std::vector<metric::Overlap> list = overlaps();
  for (auto _ : state) {
    for (const metric::Overlap& overlap : list) benchmark::DoNotOptimize(distance(overlap));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(list.size()));
}
void distances_remembered(benchmark::State& state) {
  metric::UniformDistances known;
  distances(state, [&](const metric::Overlap& overlap) { return known(overlap); });
}
void distances_computed(benchmark::State& state) {
  distances(state, [](const metric::Overlap& overlap) {
    return metric::uniform_distance(overlap.actual, overlap.predicted, overlap.common);
  });
}

// Active users, one in state.range(0) of those listed.
struct Walk {
  std::vector<UserId> listed;
  std::vector<UserId> active;
  explicit Walk(std::int64_t apart) {
    SeededBits bits(5);
    for (std::uint32_t u = 0; u < 100000; ++u) {
      listed.push_back(UserId{u});
      if (bits.below(static_cast<std::uint64_t>(apart)) == 0) active.push_back(UserId{u});
    }
  }
};

void walk_galloping(benchmark::State& state) {
  const Walk walk(state.range(0));
  const std::vector<std::uint32_t> begins(walk.active.size() + 1);
  for (auto _ : state) {
    metric::walk_active({walk.active, begins, {}}, walk.listed,
                        [](UserId, std::size_t, std::size_t row) { benchmark::DoNotOptimize(row); });
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(walk.active.size()));
}
void walk_searching(benchmark::State& state) {
  const Walk walk(state.range(0));
  for (auto _ : state) {
    auto next = walk.listed.begin();
    for (const UserId user : walk.active) {
      next = std::lower_bound(next, walk.listed.end(), user);
      benchmark::DoNotOptimize(next);
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(walk.active.size()));
}
void walk_stepping(benchmark::State& state) {
  const Walk walk(state.range(0));
  for (auto _ : state) {
    auto next = walk.listed.begin();
    for (const UserId user : walk.active) {
      while (next != walk.listed.end() && *next < user) ++next;
      benchmark::DoNotOptimize(next);
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(walk.active.size()));
}

BENCHMARK(keys_radix)->Arg(1000)->Arg(20000)->Arg(1000000);
BENCHMARK(keys_standard)->Arg(1000)->Arg(20000)->Arg(1000000);
BENCHMARK(keys_boost)->Arg(1000)->Arg(20000)->Arg(1000000);
BENCHMARK(numbers_standard)->Arg(10000)->Arg(400000);
BENCHMARK(numbers_boost)->Arg(10000)->Arg(400000);
BENCHMARK(ids_table)->Arg(10000)->Arg(1000000);
BENCHMARK(ids_standard)->Arg(10000)->Arg(1000000);
#ifdef HEARSAY_BENCH_ABSL
BENCHMARK(ids_absl)->Arg(10000)->Arg(1000000);
BENCHMARK(ids_absl_prefetched)->Arg(10000)->Arg(1000000);
#endif
#ifdef HEARSAY_BENCH_FLAT_MAP
BENCHMARK(ids_boost)->Arg(10000)->Arg(1000000);
#endif
BENCHMARK(distances_remembered);
BENCHMARK(distances_computed);
BENCHMARK(walk_galloping)->Arg(2)->Arg(20)->Arg(200);
BENCHMARK(walk_searching)->Arg(2)->Arg(20)->Arg(200);
BENCHMARK(walk_stepping)->Arg(2)->Arg(20)->Arg(200);

}  // namespace
}  // namespace hearsay

BENCHMARK_MAIN();
