// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <limits>

#include "about/about.h"
#include "base/limits.h"
#include "data.h"
#include "experiment/presets.h"
#include "interruptible.h"
#include "job/run_study.h"
#include "outcome.h"
#include "own_entries.h"
#include "publication/publication.h"
#include "registration.h"
#include "results/manifest.h"
#include "study_text.h"

namespace nb = nanobind;

namespace hearsay::python {

experiment::Study StudyText::parse(const std::shared_ptr<Job>& job, const Data* data) const {
  experiment::Registry registry;
  for (const nb::handle given : own) add_own(registry, given, job);
  experiment::Study study = experiment::parse_study(toml, name, folder, overrides, std::move(registry));
  if (data != nullptr) {
    study.data.source = data->loaded().spec.source;  // frames, which the text cannot name
    study.data.rois = data->loaded().spec.rois;
  }
  return study;
}

namespace {

// `data`: read before, or empty where the study says where it is.
nb::dict run(const StudyText& text, const std::shared_ptr<Data>& data, const std::string& out,
             const std::string& study_name, std::size_t threads, const nb::object& progress) {
  const auto job = std::make_shared<Job>();
  const experiment::Study study = text.parse(job, data.get());
  job::Outcome outcome;
  run_interruptibly(*job, progress, [&](const Progress& told) {
    job::RunOptions options;
    options.load.threads = threads > 0 ? threads : default_threads();
    options.load.progress = told;
    options.load.stop = job->stop();
    options.out = out;
    options.study_name = study_name;
    outcome = data != nullptr ? job::run_study(study, data->engine, options) : job::run_study(study, options);
  });
  return dict_of(outcome);
}

nb::dict dict_of(const publication::PublicationOutcome& outcome) {
  const publication::Account& account = outcome.account;
  nb::dict made;
  made["file"] = outcome.file;
  made["guarantee_file"] = outcome.guarantee_file;
  made["counts"] = outcome.rows;
  made["epsilon"] = outcome.reasons.empty() ? nb::cast(*outcome.guarantee.epsilon) : nb::none();
  made["delta"] = outcome.reasons.empty() ? outcome.guarantee.delta : 0.0;
  made["unit"] = outcome.reasons.empty() ? outcome.guarantee.unit : "none";
  made["note"] = outcome.guarantee.note;
  made["a_year"] = outcome.a_year ? outcome.a_year->sentence : "";
  made["unsafe"] = outcome.reasons;
  made["account"] = account.name;
  made["spent"] = account.unsafe_releases() > 0 ? std::numeric_limits<double>::infinity() : account.spent();
  made["budget"] = account.budget;
  made["standing"] = account.standing();
  made["ledger"] = outcome.ledger;
  made["expected_error"] = outcome.worth.error;
  made["typical_count"] = outcome.worth.typical_count();
  made["warnings"] = outcome.provenance.warnings;
  return made;
}

// `data`: read before, or empty where the study says where it is.
nb::dict publish(const StudyText& text, const std::shared_ptr<Data>& data,
                 const publication::PublicationRequest& request, std::size_t threads, const nb::object& progress) {
  const auto job = std::make_shared<Job>();
  const experiment::Study study = text.parse(job);
  publication::PublicationOutcome outcome;
  run_interruptibly(*job, progress, [&](const Progress& told) {
    engine::LoadOptions options;
    options.threads = threads > 0 ? threads : default_threads();
    options.progress = told;
    options.stop = job->stop();
    outcome = data != nullptr ? publication::publish(study, data->loaded(), request, options)
                              : publication::publish(study, request, options);
  });
  return dict_of(outcome);
}

// A text whose study can be run. Throws before there is an object of Python's, which would never be let go.
StudyText checked(StudyText text) {
  text.deprecated = text.parse(std::make_shared<Job>()).deprecated;
  return text;
}

// Classes of the user lead back to the study through the names of their module: the garbage collector must see that.
int traverse(PyObject* self, visitproc visit, void* arg) {  // the names that Py_VISIT wants
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) {
    Py_VISIT(nb::inst_ptr<StudyText>(self)->own.ptr());
  }
  return 0;
}

int clear(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<StudyText>(self)->own = nb::list();
  return 0;
}

PyType_Slot kSlots[] = {  // NOLINT(modernize-avoid-c-arrays): Python's own table
    {Py_tp_traverse, reinterpret_cast<void*>(&traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(&clear)},
    {0, nullptr}};

}  // namespace

void register_studies(nb::module_& module) {
  nb::class_<StudyText>(module, "StudyText", "A study as text, with the classes it may name.", nb::type_slots(kSlots))
      .def(
          "__init__",
          [](StudyText* self, std::string toml, std::string name, std::string folder,
             std::vector<std::string> overrides, nb::list own) {
            new (self) StudyText(
                checked({std::move(toml), std::move(name), std::move(folder), std::move(overrides), std::move(own)}));
          },
          nb::arg("toml"), nb::arg("name"), nb::arg("folder"), nb::arg("overrides"), nb::arg("own"))
      .def(
          "__getstate__",
          [](const StudyText& self) { return std::tuple(self.toml, self.name, self.folder, self.overrides, self.own); })
      .def("__setstate__",
           [](StudyText& self,
              std::tuple<std::string, std::string, std::string, std::vector<std::string>, nb::list> state) {
             std::apply([&](auto&... part) { new (&self) StudyText(checked({std::move(part)...})); }, state);
           })
      .def_ro("toml", &StudyText::toml)
      .def_ro("deprecated", &StudyText::deprecated)
      .def("run", &run, nb::arg("data").none(), nb::arg("out"), nb::arg("study_name"), nb::arg("threads"),
           nb::arg("progress").none())
      .def("publish", &publish, nb::arg("data").none(), nb::arg("request"), nb::arg("threads"),
           nb::arg("progress").none());
  nb::class_<publication::PublicationRequest>(module, "PublicationRequest", "What to publish, and what was agreed to.")
      .def(nb::init<>())
      .def_rw("mechanism", &publication::PublicationRequest::mechanism)
      .def_rw("parameters", &publication::PublicationRequest::parameters)
      .def_rw("steps", &publication::PublicationRequest::steps)
      .def_rw("preset", &publication::PublicationRequest::preset)
      .def_rw("out", &publication::PublicationRequest::out)
      .def_rw("account", &publication::PublicationRequest::account)
      .def_rw("ledger", &publication::PublicationRequest::ledger)
      .def_rw("budget", &publication::PublicationRequest::budget, nb::arg().none())
      .def_rw("new_data", &publication::PublicationRequest::new_data)
      .def_rw("mix_units", &publication::PublicationRequest::mix_units)
      .def_rw("unsafe", &publication::PublicationRequest::unsafe)
      .def_rw("accept_noise", &publication::PublicationRequest::accept_noise)
      .def_rw("allow_large_delta", &publication::PublicationRequest::allow_large_delta)
      .def_prop_rw(
          "post_process",
          [](const publication::PublicationRequest& self) { return release::name_of(self.post_process); },
          [](publication::PublicationRequest& self, const std::string& name) {
            self.post_process = release::post_process_named("post_process", name);
          });
  nb::list presets;
  for (const experiment::Preset& preset : experiment::all_presets()) presets.append(preset.info.name);
  module.attr("PRESETS") = presets;
  module.attr("__version__") = version();
  module.def(
      "build_info",
      [] {
        nb::dict facts;
        for (const auto& [name, value] : about::facts()) facts[name.c_str()] = value;
        return facts;
      },
      nb::sig("def build_info() -> dict[str, str]"),
      "What this package is: version, commit, compiler, libraries and schemas, as `hearsay --version` prints them.");
}

}  // namespace hearsay::python
