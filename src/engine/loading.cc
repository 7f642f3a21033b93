// SPDX-License-Identifier: Apache-2.0
#include "engine/loading.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/civil_time.h"
#include "base/errors.h"
#include "base/text_table.h"
#include "engine/data_warnings.h"
#include "engine/estimate.h"

namespace hearsay::engine {
namespace {

constexpr std::uint64_t kMemoryBytes = 512ULL << 20;
// Below this DuckDB fails: each of its threads holds buffers of a file that cannot go to disk.
constexpr std::uint64_t kThreadMemoryBytes = 128ULL << 20;

// Results must not tell where on which machine they were made.
std::string portable_name(const std::string& name) {
  const std::filesystem::path path = std::filesystem::path(name).lexically_normal();
  if (!path.is_absolute()) return path.string();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

[[noreturn]] void refuse(const Estimate& need, const LoadOptions& options, const std::string& what) {
  throw ConfigError(
      "--memory", readable_bytes(options.limit()),
      fmt::format("{} need about {} of memory (and {:.0f} s); give more, keep fewer users (data.users), or "
                  "make the grid or the epochs coarser",
                  what, readable_bytes(need.bytes), need.seconds));
}

}  // namespace

std::uint64_t default_buffer_bytes(std::size_t threads, std::uint64_t limit) {
  return std::min(limit / 2, std::max(kMemoryBytes, threads * kThreadMemoryBytes));
}

void check_study(const experiment::Study& study, const Loaded& loaded, const LoadOptions& options) {
  const experiment::DataSpec& wanted = study.data;
  const auto refuse_other = [](const char* key) {
    throw ConfigError(key, "", "is not that of the data loaded; load the data of this study");
  };
  if (wanted.source != loaded.spec.source) refuse_other("data");
  if (wanted.rois != loaded.spec.rois) refuse_other("rois");
  if (wanted.period != loaded.spec.period) refuse_other("period");
  if (wanted.observe != loaded.spec.observe) refuse_other("period.observe");
  if (wanted.user_limit != loaded.spec.user_limit) refuse_other("data.users");
  if (study.published && !study.defences.empty()) {
    throw ConfigError("published", study.published->chain.name(),
                      "stands in the place of the raw counts, with which defences would be compared");
  }
  const DataSize size = size_of(loaded.dataset);
  const Estimate need = estimate_run(study, size, options.threads);
  if (need.bytes <= options.limit()) return;
  refuse(need, options,
         fmt::format("{} users, {} ROIs and {} visits", with_commas(size.users), with_commas(size.rois),
                     with_commas(size.visits)));
}

void check_left_to_infer(const experiment::Study& study, const std::string& last_event) {
  // Both as civil times, which sort as text.
  if (last_event >= format_civil(study.start_of(study.data.observe))) return;
  throw ConfigError("period.observe", std::to_string(study.data.observe) + " epochs",
                    "the data ends at " + last_event + ", inside the observation period: nothing is left to infer");
}

Loaded load(const experiment::Study& study, const LoadOptions& options, const std::string& folder, StageClock& clock) {
  clock.start("ingest");
  ingest::Options reading;
  reading.memory_bytes = options.buffers();
  reading.threads = std::clamp<std::size_t>(reading.memory_bytes / kThreadMemoryBytes, 1, options.threads);
  reading.temp_directory = folder;
  reading.progress = options.progress;
  reading.stop = options.stop;
  reading.check_size = [&](std::uint64_t rows) {
    const std::uint64_t events = study.data.source.format == ingest::Format::kTrips ? 2 * rows : rows;
    const Estimate need = estimate_reading(study, events, options.threads);
    if (need.bytes > options.limit()) refuse(need, options, fmt::format("{} events", with_commas(events)));
  };
  ingest::Visits visits = ingest::read_visits(study.data.source, study.data.rois, study.data.period, reading);

  Provenance provenance;
  provenance.inputs = std::move(visits.inputs);
  for (storage::InputFile& input : provenance.inputs) input.name = portable_name(input.name);
  provenance.tally = visits.tally;
  for (const auto& [reason, count] : visits.tally.bad_rows) provenance.bad_rows += count;
  provenance.timezone = visits.timezone;
  provenance.time_format = visits.time_format;
  provenance.first_event = visits.first_event;
  provenance.last_event = visits.last_event;
  provenance.warnings = visits.warnings;
  provenance.found = visits.found;

  check_left_to_infer(study, visits.last_event);

  clock.start("dataset");
  dataset::Dataset dataset(std::move(visits), study.calendar(), study.data.user_limit, options.threads);
  clock.stop();
  for (std::string& warning : data_warnings(study, provenance, signs_of(study, dataset))) {
    provenance.warnings.push_back(std::move(warning));
  }
  return {study.data, std::move(provenance), std::move(dataset)};
}

}  // namespace hearsay::engine
