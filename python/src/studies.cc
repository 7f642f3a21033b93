// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/parallel.h"
#include "data.h"
#include "interruptible.h"
#include "own_entries.h"
#include "registration.h"
#include "report/findings.h"
#include "report/manifest.h"
#include "report/run_study.h"

namespace nb = nanobind;

namespace hearsay::python {
namespace {

// A study as Python holds it: text, where it stands, and the classes it may name besides the built-in entries.
struct StudyText {
  std::string toml;
  std::string name;
  std::string folder;
  std::vector<std::string> overrides;
  nb::list own;

  experiment::Study parse(const std::shared_ptr<Job>& job) const {
    experiment::Registry registry;
    for (const nb::handle given : own) add_own(registry, given, job);
    return experiment::parse_study(toml, name, folder, overrides, std::move(registry));
  }
};

nb::dict dict_of(const report::Outcome& outcome) {
  nb::dict found;
  found["folder"] = outcome.folder;
  found["findings"] = report::findings(outcome.summary, outcome.releases, outcome.log_base);
  found["warnings"] = outcome.provenance.warnings;
  found["seconds"] = outcome.seconds;
  return found;
}

// `data`: read before, or empty where the study says where it is.
nb::dict run(const StudyText& text, const std::shared_ptr<Data>& data, const std::string& out,
             const std::string& study_name, std::size_t threads, const nb::object& progress) {
  const auto job = std::make_shared<Job>();
  const experiment::Study study = text.parse(job);
  report::Outcome outcome;
  run_interruptibly(*job, progress, [&](const Progress& told) {
    report::RunOptions options;
    options.load.threads = threads > 0 ? threads : default_threads();
    options.load.progress = told;
    options.load.stop = job->stop();
    options.out = out;
    options.study_name = study_name;
    outcome = data != nullptr ? report::run_study(study, data->loaded, options) : report::run_study(study, options);
  });
  return dict_of(outcome);
}

void check(const StudyText& text) {
  text.parse(std::make_shared<Job>());
}

}  // namespace

void register_studies(nb::module_& module) {
  nb::class_<StudyText>(module, "StudyText", "A study as text, with the classes it may name.")
      .def(
          "__init__",
          [](StudyText* self, std::string toml, std::string name, std::string folder,
             std::vector<std::string> overrides, nb::list own) {
            new (self)
                StudyText{std::move(toml), std::move(name), std::move(folder), std::move(overrides), std::move(own)};
            check(*self);
          },
          nb::arg("toml"), nb::arg("name"), nb::arg("folder"), nb::arg("overrides"), nb::arg("own"))
      .def_ro("toml", &StudyText::toml)
      .def("run", &run, nb::arg("data").none(), nb::arg("out"), nb::arg("study_name"), nb::arg("threads"),
           nb::arg("progress").none());
  module.attr("__version__") = report::version();
}

}  // namespace hearsay::python
