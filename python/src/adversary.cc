// SPDX-License-Identifier: Apache-2.0
#include "adversary.h"

#include <fmt/format.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "base/errors.h"
#include "base/limits.h"
#include "copies.h"
#include "entries.h"
#include "interruptible.h"
#include "registration.h"
#include "releases.h"

namespace nb = nanobind;

namespace hearsay::python {

PriorSeries::PriorSeries(std::shared_ptr<const Data> data, const prior::PriorEntry& entry)
    : BeliefSeries(std::move(data), entry.info.name), entry_(entry) {
  const dataset::Dataset& dataset = this->data()->dataset();
  entry.check(dataset.calendar());
  prior_ = entry.create({dataset.observation(), dataset.past(), default_threads()});
}

SharedBeliefs PriorSeries::at(std::size_t epoch) const {
  return std::make_shared<OwnBeliefs>(prior_->table(prior_->table_of(static_cast<EpochId>(epoch))), crowd());
}

Inference::Inference(std::shared_ptr<const PriorSeries> prior, std::shared_ptr<const release::Published> release,
                     attack::AttackEntry entry)
    : BeliefSeries(prior->data(), entry.info.name),
      entry_(entry),
      prior_(std::move(prior)),
      release_(std::move(release)),
      attack_(entry.create()) {
  if (entry.needs_rates && !prior_->rates()) {
    throw ConfigError("prior", prior_->name(), entry.info.name + " needs one that offers rates, such as FREQ_ROI");
  }
  const dataset::Crowd& everybody = this->prior_->crowd();
  const belief::Series& known = prior_->prior();
  const std::size_t threads = default_threads();
  const auto summaries = goal::summarise(*attack_, known, everybody, threads, {});
  plans_ = goal::make_plans(*attack_, summaries, known, *release_, everybody, threads);
  const belief::UserRange range{UserId{0}, static_cast<UserId>(everybody.users)};
  inference_ = attack_->infer({known, range, *release_, plans_, everybody, workspace_});
}

bool Inference::binary() const {
  return entry_.output == attack::Output::kAssignment ||
         (entry_.output == attack::Output::kAsPrior && prior_->binary());
}

SharedBeliefs Inference::at(std::size_t epoch) const {
  const std::lock_guard lock(mutex_);
  return std::make_shared<OwnBeliefs>(inference_->at(static_cast<EpochId>(epoch)), crowd());
}

namespace {

SharedBeliefs item(const BeliefSeries& self, std::int64_t epoch) {
  const auto count = static_cast<std::int64_t>(self.epochs());
  if (epoch < 0) epoch += count;
  if (epoch < 0 || epoch >= count) {
    throw nb::index_error(fmt::format("the inference period has {} epochs", count).c_str());
  }
  const nb::gil_scoped_release free_interpreter;
  return self.at(static_cast<std::size_t>(epoch));
}

std::shared_ptr<PriorSeries> make_prior(const std::shared_ptr<Data>& data, const prior::PriorEntry& entry) {
  return interruptibly([&](Job&) { return std::make_shared<PriorSeries>(data, entry); });
}

}  // namespace

void register_priors(nb::module_& module) {
  nb::class_<BeliefSeries> series(module, "BeliefSeries",
                                  "Beliefs for every epoch of the inference period: series[epoch].");
  copy_as_itself(series);
  refuse_pickling(series,
                  "a Prior or an Inference cannot be pickled: pickle numpy.asarray of the epochs that you need, or "
                  "make it in the process that needs it");
  series.def("__len__", &BeliefSeries::epochs)
      .def("__getitem__", &item, nb::arg("epoch"), nb::sig("def __getitem__(self, epoch: int, /) -> Beliefs"))
      .def_prop_ro("name", &BeliefSeries::name)
      .def_prop_ro("binary", &BeliefSeries::binary, "Assignments, not distributions.");
  nb::class_<PriorSeries, BeliefSeries>(module, "Prior", "What the adversary knew before she saw the release.");
  nb::module_ priors = module.def_submodule("priors", "What the adversary knows before, as `hearsay list` names it.");
  for (const prior::PriorEntry* entry : prior::all_priors()) {
    priors.def(
        entry->info.name.c_str(), [entry](const std::shared_ptr<Data>& dataset) { return make_prior(dataset, *entry); },
        nb::arg("dataset"),
        nb::sig(signature(entry->info, "dataset: hearsay._core.Dataset", "hearsay._core.Prior").c_str()),
        documentation(entry->info).c_str());
  }
}

void register_attacks(nb::module_& module) {
  nb::class_<Inference, BeliefSeries>(module, "Inference", "What the adversary believes once she saw the release.");
  nb::module_ attacks = module.def_submodule("attacks", "What the adversary does, as `hearsay list` names it.");
  for (const attack::AttackEntry* entry : attack::all_attacks()) {
    attacks.def(
        entry->info.name.c_str(),
        [entry](const std::shared_ptr<PriorSeries>& prior, nb::handle release, const nb::kwargs& parameters) {
          attack::AttackEntry chosen = *entry;
          chosen.info.given = parameters_from(entry->info, parameters);
          const auto counts = release_from(release, *prior->data()).release();
          return interruptibly([&](Job&) { return std::make_shared<Inference>(prior, counts, chosen); });
        },
        nb::arg("prior"), nb::arg("release"), nb::arg("parameters"),
        nb::sig(signature(entry->info,
                          "prior: hearsay._core.Prior, release: hearsay._core.Release | numpy.typing.ArrayLike",
                          "hearsay._core.Inference")
                    .c_str()),
        documentation(entry->info).c_str());
  }
}

}  // namespace hearsay::python
