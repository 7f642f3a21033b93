// SPDX-License-Identifier: Apache-2.0
#include "job/run_study.h"

#include <fmt/format.h>

#include <optional>

#include "base/errors.h"
#include "base/temporary_folder.h"
#include "engine/engine.h"
#include "job/report_on.h"
#include "job/study_writer.h"
#include "results/checkpoint.h"
#include "results/manifest.h"

namespace hearsay::job {
namespace {

// Everything the results depend on.
std::string results_key(const experiment::Study& study, const engine::Provenance& provenance) {
  std::string key = fmt::format("{}\n{}\n{}\n", version(), results::build_id(), study.as_run);
  for (const storage::InputFile& input : provenance.inputs) key += fmt::format("{} {}\n", input.sha256, input.name);
  return key;
}

// Hands what is found to `taker`: releases, figures of people, and everything else.
template <typename Taker>
engine::Sink sink_of(Taker& taker, const experiment::Study& study, const results::Known& known) {
  engine::Sink sink;
  sink.release = [&](const goal::ReleaseResult& release) { taker.take(release); };
  sink.measurement = [&](const goal::GoalEntry& goal, const goal::Measurement& measurement) {
    if (goal.of_errors && measurement.unit == goal::Unit::kUser) {
      const goal::Combination combination = goal::combination_of(measurement.key, study.adversary);
      taker.take(results::figures_of(combination, measurement, known.data, known.users));
    } else {
      taker.take(goal, measurement);
    }
  };
  return sink;
}

// For a report in memory.
struct Reporter {
  results::Collected found;
  report::DocumentBuilder document;

  void take(const goal::ReleaseResult& release) { found.take(release); }
  void take(const results::PeopleFigures& people) {
    found.take(people);
    document.take(people);
  }
  void take(const goal::GoalEntry& goal, const goal::Measurement& measurement) {
    found.take(goal, measurement);
    if (goal.of_errors) document.take(measurement);
  }
};

Outcome attack_and_write(const experiment::Study& study, engine::Engine& engine, const RunOptions& options,
                         const MakeExtras& make_extras, const std::string& target, const std::string& temporary,
                         StageClock& clock) {
  const engine::LoadOptions& load_options = options.load;
  const engine::Loaded& loaded = engine.loaded();
  clock.start("attack");
  const results::Known known = results::facts_of(loaded.dataset, study);
  StudyWriter writer(study, known.data, {1, load_options.buffers(), temporary, load_options.stop});
  engine::Sink sink = sink_of(writer, study, known);
  std::optional<results::Checkpoint> parts;
  if (options.resume) {
    parts.emplace(target, results_key(study, loaded.provenance));
    sink.part = [&](const std::string& part, const auto& work, const goal::Emit& emit) {
      if (!parts->replay(part, emit)) parts->record(part, work, emit);
    };
  }
  engine.run(study, load_options, sink);

  clock.start("report");
  StudyWriter::AddFiles add_files;
  if (make_extras) {
    add_files = [&](const results::ResultTables& tables, const results::ResultFolder& folder) {
      return make_extras(loaded.dataset, tables, folder);
    };
  }
  Outcome outcome = writer.write(target, options, loaded.provenance, clock, add_files);
  if (parts) {
    parts->discard();
  } else {
    results::remove_parts(target);
  }
  return outcome;
}

// Files of results name the raw counts, and would so name what stands in their place.
void check_can_write(const experiment::Study& study) {
  if (!study.published) return;
  throw ConfigError("published", study.published->chain.name(), "is reported on, not written: make it a defence");
}

// What an interrupted query leaves behind may fail in any way.
template <typename Work>
auto or_cancelled(const std::stop_token& stop, const Work& work) {
  try {
    return work();
  } catch (...) {
    if (stop.stop_requested()) throw Cancelled();
    throw;
  }
}

}  // namespace

Outcome run_study(const experiment::Study& study, const RunOptions& options, const MakeExtras& make_extras) {
  check_can_write(study);
  const std::string target = results::checked_result_path(options.out);
  results::tidy_result_place(target);
  const TemporaryFolder temporary("", "hearsay-");
  StageClock clock;
  return or_cancelled(options.load.stop, [&] {
    engine::Engine engine(engine::load(study, options.load, temporary.path(), clock), false);
    return attack_and_write(study, engine, options, make_extras, target, temporary.path(), clock);
  });
}

Outcome run_study(const experiment::Study& study, const RunOptions& options) {
  return run_study(study, options, MakeExtras{});
}

Outcome run_study(const experiment::Study& study, engine::Engine& engine, const RunOptions& options) {
  check_can_write(study);
  const std::string target = results::checked_result_path(options.out);
  results::tidy_result_place(target);
  const TemporaryFolder temporary("", "hearsay-");
  StageClock clock;
  return or_cancelled(options.load.stop,
                      [&] { return attack_and_write(study, engine, options, {}, target, temporary.path(), clock); });
}

Report report_on(const experiment::Study& study, engine::Engine& engine, const results::Known& known,
                 const engine::LoadOptions& options, const std::string& study_name) {
  return or_cancelled(options.stop, [&] {
    Reporter reporter{{}, {study, known.data}};
    engine.run(study, options, sink_of(reporter, study, known));
    return Report{reporter.document.json(engine.loaded().provenance, study_name, reporter.found, {}),
                  reporter.found.releases()};
  });
}

}  // namespace hearsay::job
