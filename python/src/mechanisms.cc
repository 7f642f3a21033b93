// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "base/errors.h"
#include "copies.h"
#include "entries.h"
#include "experiment/presets.h"
#include "goal/ground.h"
#include "interruptible.h"
#include "own_entries.h"
#include "registration.h"
#include "release/chain.h"
#include "release/post_process.h"
#include "releases.h"

namespace nb = nanobind;

namespace hearsay::python {
namespace {

// A chain of built-in steps, or the text of one that may name classes of the user. Those are made anew whenever it is
// used: what a chain holds of them the garbage collector does not see.
struct Chosen {
  release::Chain built_in;
  std::string text;  // of the built-in step, as a study names it
  std::vector<std::string> steps;
  nb::list own;

  // Errors that its own classes raise go to `job`.
  release::Chain chain(const std::shared_ptr<Job>& job = std::make_shared<Job>()) const {
    if (steps.empty()) return built_in;
    experiment::Registry registry;
    for (const nb::handle given : own) add_own(registry, given, job);
    return experiment::chain_of("steps", steps, registry.steps);
  }
};

Chosen choose(const release::StepEntry& entry, const nb::kwargs& given) {
  Chosen chosen;
  const Parameters parameters = parameters_from(entry.info, given);
  chosen.built_in.add(entry, parameters);
  chosen.text = entry.info.name + (parameters.empty() ? "" : "(" + parameters.label() + ")");
  return chosen;
}

// `own`: classes that the steps may name besides the built-in entries.
Chosen choose_steps(std::vector<std::string> steps, nb::list own) {
  if (steps.empty()) throw ConfigError("steps", "[]", "must name a step");
  Chosen chosen{{}, "", std::move(steps), std::move(own)};
  chosen.chain();
  return chosen;
}

int traverse(PyObject* self, visitproc visit, void* arg) {  // the names that Py_VISIT wants
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) {
    Py_VISIT(nb::inst_ptr<Chosen>(self)->own.ptr());
  }
  return 0;
}

int clear(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<Chosen>(self)->own = nb::list();
  return 0;
}

PyType_Slot kSlots[] = {  // NOLINT(modernize-avoid-c-arrays): Python's own table
    {Py_tp_traverse, reinterpret_cast<void*>(&traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(&clear)},
    {0, nullptr}};

// A name, or True or False as in a study file.
release::PostProcess post_process_given(nb::handle given) {
  const bool truth = nb::isinstance<nb::bool_>(given);
  return release::post_process_named("post_process", !truth                  ? nb::str(given).c_str()
                                                     : nb::cast<bool>(given) ? "true"
                                                                             : "false");
}

OwnRelease perturb(const Chosen& self, const std::shared_ptr<Data>& data, std::uint64_t seed, std::size_t repeat,
                   std::optional<std::size_t> population, nb::handle post_process) {
  const release::PostProcess how = post_process_given(post_process);
  const auto job = std::make_shared<Job>();
  const release::Chain chain = self.chain(job);
  std::optional<OwnRelease> made;
  run_interruptibly(*job, nb::none(), [&](const Progress&) {
    const dataset::Crowd& crowd = data->dataset().crowd();
    chain.check({data->dataset().calendar().inference(), crowd.columns, !crowd.zones.empty()});
    const release::Draft draft(data->dataset().truth(), population, 1);
    goal::Defence defence;
    defence.chain = chain;
    defence.post_process = how;
    release::CountMatrix counts = chain.run(draft, *defence.noise(seed, repeat)).counts();
    release::post_process(counts, how, draft.users());
    made.emplace(std::move(counts));
  });
  return *std::move(made);
}

nb::dict guarantee(const Chosen& self, const std::shared_ptr<Data>& data, std::optional<std::size_t> population) {
  const auto job = std::make_shared<Job>();
  const release::Chain chain = self.chain(job);
  release::Guarantee found;
  run_interruptibly(*job, nb::none(), [&](const Progress&) {
    const release::Draft draft(data->dataset().truth(), population, 1);
    // What it promises depends on no draw: how far a person reaches is known from the parameters.
    const auto noise = release::evaluation_noise(1, chain.name(), chain.parameter(), 1);
    found = chain.guarantee(chain.prepare(draft, *noise));
  });
  nb::dict promise;
  promise["epsilon"] = nb::cast(found.epsilon);
  promise["unit"] = found.unit;
  promise["epsilon_with_null"] = nb::cast(found.epsilon_with_null);
  promise["delta"] = found.delta;
  promise["rho"] = nb::cast(found.rho);
  promise["note"] = found.note;
  return promise;
}

}  // namespace

void register_mechanisms(nb::module_& module) {
  nb::class_<Chosen> mechanism(module, "Mechanism", "A defence with its parameters.", nb::type_slots(kSlots));
  copy_as_itself(mechanism);
  mechanism
      .def("__reduce__",
           [](nb::handle self) {
             const nb::object make = nb::module_::import_("hearsay._chain").attr("chain_of");
             return nb::make_tuple(make, nb::make_tuple(self.attr("_steps"), self.attr("_own")));
           })
      .def_prop_ro("name", [](const Chosen& self) { return self.chain().name(); })
      .def_prop_ro(
          "parameter", [](const Chosen& self) { return self.chain().parameter(); }, "As results print it.")
      .def_prop_ro(
          "_steps",
          [](const Chosen& self) { return self.steps.empty() ? std::vector<std::string>{self.text} : self.steps; })
      .def_prop_ro("_own", [](const Chosen& self) { return self.own; })
      .def("perturb", &perturb, nb::arg("dataset"), nb::kw_only(), nb::arg("seed") = 1, nb::arg("repeat") = 1,
           nb::arg("population") = nb::none(),
           nb::arg("post_process") = release::name_of(release::kDefaultPostProcess).c_str(),
           nb::sig("def perturb(self, dataset: Dataset, *, seed: int = 1, repeat: int = 1, population: int | None = "
                   "None, post_process: bool | str = 'nonnegative') -> Release"),
           "The raw counts with noise for evaluation: seeded, the same for the same seed and repeat, and as studies "
           "draw it. "
           "`population`: people in all, seen or not. `post_process`: none, round, nonnegative, projected or paper, as "
           "in a study. Never publish it: whoever has the seed takes the noise off again. hearsay.publish is for that.")
      .def("guarantee", &guarantee, nb::arg("dataset"), nb::kw_only(), nb::arg("population") = nb::none(),
           nb::sig("def guarantee(self, dataset: Dataset, *, population: int | None = None) -> dict[str, typing.Any]"),
           "What counts published with it promise: epsilon (None: nothing), the unit that is hidden, what that rests "
           "on, and epsilon_with_null, which holds where the noisy null row is given away too, as studies do.");
  module.def("choose_steps", &choose_steps, nb::arg("steps"), nb::arg("own"));
  nb::module_ mechanisms = module.def_submodule("mechanisms", "Defences, as `hearsay list` names them.");
  for (const release::StepEntry* entry : release::all_steps()) {
    mechanisms.def(
        entry->info.name.c_str(), [entry](const nb::kwargs& parameters) { return choose(*entry, parameters); },
        nb::sig(signature(entry->info, "", "hearsay._core.Mechanism").c_str()), documentation(entry->info).c_str());
  }
}

}  // namespace hearsay::python
