// SPDX-License-Identifier: Apache-2.0
//
// Timings by stage, of the San Francisco cabs where HEARSAY_CABS names their folder and of a synthetic crowd of
// commuters: one thread a stage, two for reading and whole studies. rows/s and visits/s are of what the stage goes
// over: the observation period for priors, the inference period for releases, attacks and metrics, both for the rest.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/radix_sort.h"
#include "bench/commuters.h"
#include "dataset/dataset.h"
#include "engine/loading.h"
#include "experiment/study.h"
#include "goal/inference.h"
#include "goal/ranges.h"
#include "goal/releases.h"
#include "release/aggregate.h"
#include "reproduction/reproduction.h"
#include "storage/database.h"

namespace hearsay {
namespace {

constexpr std::size_t kThreads = 2;  // of whole studies

std::string cab_folder() {
  const char* folder = std::getenv("HEARSAY_CABS");
  return folder == nullptr ? "" : folder;
}

ingest::Visits read(const experiment::Study& study, std::size_t threads, bool careful = false) {
  ingest::Options options{threads, engine::LoadOptions{threads, 0, {}}.buffers(), "", {}};
  options.careful = careful;
  return ingest::read_visits(study.data.source, study.data.rois, study.data.period, options);
}

// One prior with all that one attack derives from it.
struct Adversary {
  const prior::PriorEntry* prior_entry = nullptr;
  const attack::AttackEntry* attack_entry = nullptr;
  std::unique_ptr<belief::Series> prior;
  std::unique_ptr<attack::Attack> attack;
  goal::Plans plans;
};

struct World {
  World(ingest::Visits visits_read, experiment::Study study_run)
      : visits(std::move(visits_read)),
        study(std::move(study_run)),
        data(visits, study.calendar(), 0),
        raw(release::aggregate(data.truth(), 1)) {
    for (std::size_t e = 0; e < raw.fine().epochs(); ++e)
      inferred += data.truth().at(static_cast<EpochId>(e)).rois.size();
  }
  prior::Knowledge knowledge() const { return {data.observation(), data.past(), 1}; }

  // The last one is kept: a benchmark is entered several times.
  const Adversary& make_adversary(const prior::PriorEntry& prior, const attack::AttackEntry& attack) {
    if (last.prior_entry == &prior && last.attack_entry == &attack) return last;
    if (last.prior_entry != &prior) last.prior = prior.create(knowledge());
    last.prior_entry = &prior;
    last.attack_entry = &attack;
    last.attack = attack.create();
    const auto summaries = goal::summarise(*last.attack, *last.prior, data.crowd(), 1, {});
    last.plans = goal::make_plans(*last.attack, summaries, *last.prior, raw, data.crowd(), 1);
    return last;
  }

  ingest::Visits visits;
  experiment::Study study;
  dataset::Dataset data;
  release::Published raw;
  std::size_t inferred = 0;  // visits in the inference period
  Adversary last;
};

// Both worlds are made when first asked for.
World& cabs() {
  static World world = [] {
    experiment::Study study = reproduction::san_francisco_study(cab_folder());
    ingest::Visits visits = read(study, kThreads);
    return World(std::move(visits), std::move(study));
  }();
  return world;
}

constexpr std::uint32_t kUsers = 10000;

World& crowd() {
  static World world(bench::make_commuters(kUsers), bench::commuter_study());
  return world;
}

using Where = World& (*)();

template <typename Function>
benchmark::internal::Benchmark* add(const std::string& name, const Function& function) {
  return benchmark::RegisterBenchmark(name.c_str(), function)->Unit(benchmark::kMillisecond);
}

void count(benchmark::State& state, const char* what, std::size_t each) {
  state.counters[what] =
      benchmark::Counter(static_cast<double>(each * state.iterations()), benchmark::Counter::kIsRate);
}

// Runs `work` in the benchmark and returns the seconds of one run.
template <typename Work>
double seconds_of(benchmark::State& state, const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  for (auto _ : state) work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() /
         static_cast<double>(state.iterations());
}

// The three hottest loops, in bytes read and written, beside what a plain copy reaches. Larger than the cache, as they
// are in a city.
void add_loops() {
  add("loops/copy", [](benchmark::State& state) {
    std::vector<char> from(std::size_t{1} << 28, 'x');
    std::vector<char> to(from.size());
    for (auto _ : state) {
      std::memcpy(to.data(), from.data(), from.size());
      benchmark::DoNotOptimize(to.data());
      benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(2 * from.size() * state.iterations()));
  });
  add("loops/radix_sort", [](benchmark::State& state) {
    SeededBits bits(1);
    std::vector<std::uint64_t> keys(std::size_t{1} << 20);
    for (std::uint64_t& key : keys) key = bits.below(std::uint64_t{1} << 32);
    std::vector<std::uint64_t> sorted, scratch;
    for (auto _ : state) {
      sorted = keys;
      radix_sort(sorted, scratch);
    }
    // A copy in, three passes that each read twice and write once, and a copy back.
    state.SetBytesProcessed(static_cast<std::int64_t>((2 + 3 * 3 + 2) * 8UL * keys.size() * state.iterations()));
  });
  // A prior's rows reweighed and scored, 2,048 users at a time: 12 bytes an entry and 8 a row of the prior are read;
  // what is made of them stays in the cache.
  const auto bayes = [](benchmark::State& state, const std::string& goal) {
    World& world = crowd();
    const Adversary& adversary = world.make_adversary(*prior::all_priors().front(), *attack::all_attacks()[2]);
    const belief::UserRange range{UserId{0}, UserId{2048}};
    const auto beliefs = std::get<belief::Rows>(belief::of_range(adversary.prior->table(0), range));
    const std::size_t rows = beliefs.users.size();
    const std::size_t entries = beliefs.begins[rows] - beliefs.begins[0];
    const auto epoch = static_cast<EpochId>(100);
    attack::Workspace workspace;
    metric::Buffers buffers;
    const metric::Setting setting{world.data.crowd(), world.data.truth().epochs(), world.study.adversary.metric};
    std::unique_ptr<metric::Scorer> scorer;
    for (const metric::MetricEntry* metric : metric::all_metrics()) {
      if (metric->goal == goal && metric->make != nullptr) scorer = metric->make(setting, range, buffers);
    }
    const metric::TrueEpoch nobody{epoch, {}};
    const auto inference =
        adversary.attack->infer({*adversary.prior, range, world.raw, {}, world.data.crowd(), workspace});
    const belief::Beliefs inferred = inference->at(epoch);
    for (auto _ : state) {
      if (scorer) {
        scorer->add({&nobody, 1}, {inferred});
      } else {
        benchmark::DoNotOptimize(inference->at(epoch));
      }
    }
    // Scoring reads the total, the last entry and the position of a row and adds to the user's sum.
    const std::size_t bytes = scorer ? rows * (8 + 12 + 8 + 16) : (entries * 12 + rows * 8) * 2;
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes * state.iterations()));
  };
  add("loops/bayes_rows", [=](benchmark::State& state) { bayes(state, ""); });
  add("loops/profiling_rows", [=](benchmark::State& state) { bayes(state, "profiling"); });
  add("loops/localization_rows", [=](benchmark::State& state) { bayes(state, "localization"); });
}

void add_reading() {
  static double alone = 0;
  static std::size_t rows = 0;
  add("cabs/read/duckdb_count", [](benchmark::State& state) {
    alone = seconds_of(state, [] {
      storage::Database database({kThreads, engine::LoadOptions{}.buffers(), ""});
      storage::QueryRows result = database.execute(
          "SELECT count(*) FROM read_csv($1, delim = ' ', header = false, columns = {lat: 'VARCHAR', lng: 'VARCHAR', "
          "occupied: 'VARCHAR', unixtime: 'VARCHAR'})",
          {cab_folder() + "/new_*.txt"});
      result.next();
      rows = static_cast<std::size_t>(result.integer(0, 0));
    });
    count(state, "rows/s", rows);
  })->UseRealTime();
  add("cabs/read/hearsay", [](benchmark::State& state) {
    const experiment::Study study = reproduction::san_francisco_study(cab_folder());
    const double ours = seconds_of(state, [&] { rows = read(study, kThreads).tally.rows; });
    count(state, "rows/s", rows);
    if (alone > 0) state.counters["x_duckdb"] = ours / alone;
  })->UseRealTime();
  add("cabs/read/without_line_parser", [](benchmark::State& state) {
    const experiment::Study study = reproduction::san_francisco_study(cab_folder());
    for (auto _ : state) rows = read(study, kThreads, true).tally.rows;
    count(state, "rows/s", rows);
  })->UseRealTime();
}

void add_making(const std::string& name, Where where) {
  add(name + "/dataset", [where](benchmark::State& state) {
    for (auto _ : state) {
      state.PauseTiming();
      ingest::Visits visits = where().visits;
      state.ResumeTiming();
      benchmark::DoNotOptimize(dataset::Dataset(std::move(visits), where().study.calendar(), 0));
    }
    count(state, "visits/s", where().data.visits().size());
  });
  add(name + "/release", [where](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(release::aggregate(where().data.truth(), 1));
    count(state, "visits/s", where().inferred);
  });
  for (const prior::PriorEntry* prior : prior::all_priors()) {
    add(fmt::format("{}/prior/{}", name, prior->info.name), [where, prior](benchmark::State& state) {
      const prior::Knowledge knowledge = where().knowledge();
      for (auto _ : state) benchmark::DoNotOptimize(prior->create(knowledge));
      // A sliding prior is a view: nothing is made.
      if (!prior->binary) count(state, "visits/s", where().data.visits().size() - where().inferred);
    });
  }
}

void attack_all_epochs(benchmark::State& state, World& world, const Adversary& adversary) {
  attack::Workspace workspace;
  for (auto _ : state) {
    for (const belief::UserRange range : goal::ranges_of(world.data.crowd(), 1, {})) {
      const auto inference =
          adversary.attack->infer({*adversary.prior, range, world.raw, adversary.plans, world.data.crowd(), workspace});
      for (std::size_t e = 0; e < world.raw.fine().epochs(); ++e) {
        benchmark::DoNotOptimize(inference->at(static_cast<EpochId>(e)));
      }
    }
  }
  count(state, "visits/s", world.inferred);
}

void add_attacks(const std::string& name, Where where) {
  for (const prior::PriorEntry* prior : prior::all_priors()) {
    for (const attack::AttackEntry* attack : attack::all_attacks()) {
      add(fmt::format("{}/attack/{}/{}", name, prior->info.name, attack->info.name),
          [=](benchmark::State& state) { attack_all_epochs(state, where(), where().make_adversary(*prior, *attack)); });
    }
  }
}

// Scores the beliefs of a prior as they are.
void score_all_epochs(benchmark::State& state, World& world, const metric::MetricEntry& metric,
                      const decision::Decision* decision, const prior::PriorEntry& entry) {
  const attack::AttackEntry& same = *attack::all_attacks().front();
  const Adversary& adversary = world.make_adversary(entry, same);
  const dataset::Truth truth = world.data.truth();
  const metric::Setting setting{world.data.crowd(), truth.epochs(), world.study.adversary.metric};
  for (auto _ : state) {
    std::vector<goal::Contest> contests;
    goal::Contest& contest = contests.emplace_back();
    contest.attack = adversary.attack.get();
    contest.release = &world.raw;
    contest.same_in_table = !same.uses_release;
    contest.whole_crowd = same.whole_crowd;
    contest.readings.push_back({&metric, decision, {}, {}});
    goal::run_contests({*adversary.prior, truth, setting, 1, {}, {}, {}}, contests);
    benchmark::DoNotOptimize(contests.front().readings.front().scores.users.data());
  }
  count(state, "visits/s", world.inferred);
}

void add_metrics(const std::string& name, Where where) {
  for (const prior::PriorEntry* prior : prior::all_priors()) {
    if (prior->info.name != "FREQ_ROI" && prior->info.name != "LAST_WEEK") continue;
    for (const metric::MetricEntry* metric : metric::all_metrics()) {
      if (metric->make == nullptr) continue;  // compares two errors of a user: nothing to time
      const std::string kind = fmt::format("{}/metric/{}/{}", name, prior->info.name, metric->goal);
      if (!metric->decides) {
        add(kind, [=](benchmark::State& state) { score_all_epochs(state, where(), *metric, nullptr, *prior); });
        continue;
      }
      for (const decision::DecisionEntry* decision : decision::all_decisions()) {
        if (decision->of_assignments != prior->binary) continue;
        const std::shared_ptr<const decision::Decision> made = decision->create();
        add(kind + "/" + decision->info.name,
            [=](benchmark::State& state) { score_all_epochs(state, where(), *metric, made.get(), *prior); });
      }
    }
  }
}

void add_study(const std::string& name, Where where, bool defences) {
  add(name, [=](benchmark::State& state) {
    experiment::Study study = where().study;
    if (!defences) study.defences.clear();
    for (auto _ : state) {
      const goal::Ground ground = study.ground(where().data, {.threads = kThreads});
      goal::Releases(ground).measure([](const goal::ReleaseResult&) {});
      goal::infer(ground, [](const goal::Result&) {});
    }
    count(state, "visits/s", where().data.visits().size());
  })->UseRealTime();
}

void add_all(const std::string& name, Where where) {
  add_making(name, where);
  add_attacks(name, where);
  add_metrics(name, where);
  add_study(name + "/raw_grid/2_threads", where, false);
}

}  // namespace
}  // namespace hearsay

int main(int argc, char** argv) {
  std::string quick = "--benchmark_min_time=0.05";  // a later flag wins
  std::vector<char*> flags(argv, argv + argc);
  flags.insert(flags.begin() + 1, quick.data());
  argc = static_cast<int>(flags.size());
  benchmark::Initialize(&argc, flags.data());
  if (benchmark::ReportUnrecognizedArguments(argc, flags.data())) return 1;
  if (hearsay::cab_folder().empty()) {
    fmt::print(stderr, "HEARSAY_CABS does not name the folder of the cab files: their timings are left out.\n");
  } else {
    hearsay::add_reading();
    hearsay::add_all("cabs", hearsay::cabs);
    hearsay::add_study("cabs/defence_study/2_threads", hearsay::cabs, true);
  }
  hearsay::add_all("crowd", hearsay::crowd);
  hearsay::add_loops();
  benchmark::RunSpecifiedBenchmarks();
}
