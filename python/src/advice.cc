// SPDX-License-Identifier: Apache-2.0
#include "advice/advice.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "advice/choice.h"
#include "base/limits.h"
#include "base/temporary_folder.h"
#include "data.h"
#include "interruptible.h"
#include "registration.h"
#include "report/page.h"
#include "study_text.h"

namespace nb = nanobind;

namespace hearsay::python {
namespace {

// The advice and its page, both as text, and what is odd about data that is read for it. `data`: read before, or empty
// where the study says where it is.
nb::tuple advise(const StudyText& text, const std::shared_ptr<Data>& data, const std::optional<double>& own_loss,
                 const std::optional<double>& membership, const std::optional<double>& mae, double seconds,
                 std::uint64_t seed, const std::string& study_name, std::size_t threads, const nb::object& progress) {
  const auto job = std::make_shared<Job>();
  const advice::Limits limits{own_loss, membership, mae};
  advice::check_limits(limits);
  advice::check_budget(seconds);
  const experiment::Study study = text.parse(job, data.get());
  std::string json;
  std::string page;
  std::vector<std::string> odd;
  run_interruptibly(*job, progress, [&](const Progress& told) {
    advice::Options options;
    options.budget_seconds = seconds;
    options.seed = seed;
    options.study_name = study_name;
    options.load.threads = threads > 0 ? threads : default_threads();
    options.load.progress = told;
    options.load.stop = job->stop();
    const auto on = [&](engine::Engine& engine) {
      const advice::Advice made = advice::advise(engine, study, limits, options);
      json = advice::advice_json(made).dump();
      page = report::page_html(advice::advice_document(made, study));
    };
    if (data != nullptr) {
      on(data->engine);
      return;
    }
    const TemporaryFolder temporary("", "hearsay-");
    StageClock clock;
    engine::Engine engine(engine::load(study, options.load, temporary.path(), clock));
    odd = engine.loaded().provenance.warnings;
    on(engine);
  });
  return nb::make_tuple(json, page, odd);
}

}  // namespace

void register_advice(nb::module_& module) {
  module.def("advise", &advise, nb::arg("study"), nb::arg("data").none(), nb::arg("own_loss").none(),
             nb::arg("membership").none(), nb::arg("mae").none(), nb::arg("seconds"), nb::arg("seed"),
             nb::arg("study_name"), nb::arg("threads"), nb::arg("progress").none());
}

}  // namespace hearsay::python
