// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "base/limits.h"
#include "experiment/short_period.h"
#include "frames.h"
#include "interruptible.h"
#include "look/study_text.h"
#include "registration.h"

namespace nb = nanobind;

namespace hearsay::python {
namespace {

constexpr std::size_t kWidth = 100;

// What was seen as JSON and as text, and the study that was guessed as TOML and as JSON: both empty where it has a
// problem.
std::tuple<std::string, std::string, std::string, std::string> look_at(const std::vector<std::string>& paths,
                                                                       const nb::object& table,
                                                                       const std::string& folder, std::size_t threads) {
  std::shared_ptr<const storage::ArrowTable> rows;
  if (!table.is_none()) rows = take_table(table, "data frame");
  Job job;
  look::Sight sight;
  run_interruptibly(job, nb::none(), [&](const Progress&) {
    ingest::Options options;
    options.threads = threads > 0 ? threads : default_threads();
    options.stop = job.stop();
    sight = rows != nullptr ? look::look_at(rows, options) : look::look_at(paths, options);
  });
  if (sight.period) {
    sight.priors = experiment::priors_for_short({sight.period->epoch_seconds, sight.period->epochs, sight.observe});
  }
  const bool can = sight.problem.empty();
  return {look::sight_json(sight), look::sight_text(sight, kWidth), can ? look::study_text(sight, folder) : "",
          can ? look::settings_json(sight, folder) : ""};
}

}  // namespace

void register_look(nb::module_& module) {
  module.def(
      "look", &look_at, nb::arg("paths"), nb::arg("table").none(), nb::arg("folder"), nb::arg("threads"),
      nb::sig("def look(paths: list[str], table: object, folder: str, threads: int) -> tuple[str, str, str, str]"));
}

}  // namespace hearsay::python
