// SPDX-License-Identifier: Apache-2.0
#include "own_prior.h"

#include <fmt/format.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <map>
#include <stdexcept>

#include "arrays.h"
#include "base/errors.h"
#include "beliefs.h"
#include "own_entries.h"
#include "registration.h"

namespace nb = nanobind;

namespace hearsay::python {

const prior::Knowledge& OpenKnowledge::get() const {
  if (knowledge == nullptr) throw std::runtime_error("this can be read only while the prior is being built");
  return *knowledge;
}

namespace {

// One visit a place in both arrays.
std::pair<Indices, Indices> pairs_of(const dataset::EpochVisits& visits) {
  std::vector<std::uint32_t> users;
  for (std::size_t row = 0; row < visits.users.size(); ++row) {
    users.insert(users.end(), visits.rois_of(row).size(), static_cast<std::uint32_t>(visits.users[row]));
  }
  return {owned_array(std::move(users)), owned_array(numbers_of(visits.rois))};
}

std::pair<Indices, Indices> observed(const ObservationView& self, std::uint32_t epoch) {
  const dataset::Observation& observation = self.open->get().observation;
  if (epoch >= observation.calendar().observe) {
    throw nb::index_error(fmt::format("the observation period has {} epochs", observation.calendar().observe).c_str());
  }
  return pairs_of(observation.at(static_cast<EpochId>(epoch)));
}

std::pair<Indices, Indices> before(const PastView& self, std::uint32_t lag) {
  const prior::Knowledge& knowledge = self.open->get();
  const std::uint32_t longest = knowledge.observation.calendar().observe;
  if (lag < 1 || lag > longest) throw nb::index_error(fmt::format("lag must be from 1 to {}", longest).c_str());
  return pairs_of(knowledge.past.before(self.epoch, lag));
}

// Epochs for which believe returned the same object share a table.
class OwnPrior final : public belief::Series {
 public:
  // Call with the interpreter's lock held.
  OwnPrior(nb::handle given, const std::string& name, Kind kind, const prior::Knowledge& knowledge, const Job& job) {
    const auto open = std::make_shared<OpenKnowledge>(&knowledge);
    const dataset::Calendar& calendar = knowledge.observation.calendar();
    try {
      const nb::object object = instance_of(given);
      if (nb::hasattr(object, "build")) object.attr("build")(ObservationView{open});
      std::map<PyObject*, std::size_t> known;
      std::vector<nb::object> returned;  // kept, so that no two have the same address
      for (std::uint32_t epoch = 0; epoch < calendar.inference(); ++epoch) {
        if (job.failed()) throw Cancelled();
        const nb::object beliefs = object.attr("believe")(epoch, PastView{open, static_cast<EpochId>(epoch)});
        const auto [found, is_new] = known.try_emplace(beliefs.ptr(), tables_.size());
        table_of_.push_back(found->second);
        if (!is_new) continue;
        returned.push_back(beliefs);
        tables_.push_back(beliefs_from(beliefs, kind, knowledge.observation.crowd(), name + ".believe"));
        if (kind_of(tables_.back()->view()) != kind) {
          throw InputError({name + ".believe", 0, ""}, "gave Beliefs of another kind than `binary` or `rates` say");
        }
      }
    } catch (...) {
      open->knowledge = nullptr;
      throw;
    }
    open->knowledge = nullptr;
  }

  std::size_t tables() const override { return tables_.size(); }
  std::size_t table_of(EpochId epoch) const override { return table_of_[index_of(epoch)]; }
  belief::Beliefs table(std::size_t index) const override { return tables_[index]->view(); }

 private:
  std::vector<SharedBeliefs> tables_;
  std::vector<std::size_t> table_of_;
};

}  // namespace

prior::PriorEntry own_prior(nb::handle given, const std::shared_ptr<Job>& job) {
  prior::PriorEntry entry;
  entry.info = own_info(given, 1000);
  entry.binary = nb::cast<bool>(nb::getattr(given, "binary", nb::bool_(false)));
  entry.check = [](const dataset::Calendar&) {};
  entry.rates = entry.only_rates = nb::cast<bool>(nb::getattr(given, "rates", nb::bool_(false)));
  if (entry.binary && entry.rates) throw ConfigError(entry.info.name + ".rates", "True", "cannot be with `binary`");
  const Kind kind = entry.binary ? Kind::kAssignment : entry.rates ? Kind::kRates : Kind::kDistribution;
  entry.make = [held = Held(nb::borrow(given)), name = entry.info.name, kind, job](
                   const prior::Knowledge& knowledge, const Parameters&) -> std::unique_ptr<belief::Series> {
    return run_python(*job, [&] { return std::make_unique<OwnPrior>(held.get(), name, kind, knowledge, *job); });
  };
  return entry;
}

void register_own_prior(nb::module_& module) {
  const auto crowd = [](const ObservationView& self) { return self.open->get().observation.crowd(); };
  const auto calendar = [](const ObservationView& self) { return self.open->get().observation.calendar(); };
  nb::class_<ObservationView>(module, "Observation", "What a prior may be built from: the observation period.")
      .def_prop_ro("users", [crowd](const ObservationView& self) { return crowd(self).users; })
      .def_prop_ro(
          "rois", [crowd](const ObservationView& self) { return crowd(self).rois; }, "Null included, last.")
      .def_prop_ro("epochs", [calendar](const ObservationView& self) { return calendar(self).observe; })
      .def_prop_ro("epochs_per_day", [calendar](const ObservationView& self) { return calendar(self).per_day(); })
      .def("visits", &observed, nb::arg("epoch"), "Users and the ROIs they were in: two arrays of one length.");
  nb::class_<PastView>(module, "Past", "What lies before an epoch of the inference period.")
      .def("__call__", &before, nb::arg("lag"), "Users and the ROIs they were in `lag` epochs earlier.");
}

}  // namespace hearsay::python
