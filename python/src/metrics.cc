// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "adversary.h"
#include "arrays.h"
#include "base/errors.h"
#include "copies.h"
#include "entries.h"
#include "metric/metric.h"
#include "registration.h"

namespace nb = nanobind;

namespace hearsay::python {
namespace {

struct Errors {
  std::vector<double> users;
  std::vector<double> active;
  std::vector<double> epochs;
  std::vector<double> rois;
};

// Takes a number named so out of what was given.
double take_number(nb::dict& given, const char* name, double otherwise) {
  if (!given.contains(name)) return otherwise;
  const auto value = nb::cast<double>(given[name]);
  nb::del(given[name]);
  return value;
}

metric::Options options_from(const metric::MetricEntry& entry, nb::dict& given) {
  metric::Options options;
  for (const ParameterInfo& parameter : entry.info.parameters) {
    if (parameter.name == "log_base") options.log_base = take_number(given, "log_base", options.log_base);
  }
  if (!(options.log_base > 1)) throw ConfigError("log_base", fmt::format("{}", options.log_base), "must be above 1");
  return options;
}

// None where profiles are compared as they are.
std::unique_ptr<decision::Decision> decision_from(const metric::MetricEntry& metric, Kind kind, nb::dict& given) {
  if (!metric.decides && kind != Kind::kRates && !given.contains("decision")) return nullptr;
  std::vector<const decision::DecisionEntry*> entries;
  std::vector<std::string> known;
  for (const decision::DecisionEntry* entry : decision::all_decisions()) {
    if (!entry->reads(kind, metric.decides)) continue;
    entries.push_back(entry);
    known.push_back(entry->info.name);
  }
  std::string name = known.empty() ? "" : known.front();
  if (given.contains("decision")) {
    name = nb::cast<std::string>(given["decision"]);
    nb::del(given["decision"]);
  }
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end()) throw ConfigError("decision", name, "is not known" + suggestion(name, known));
  decision::DecisionEntry entry = *entries[static_cast<std::size_t>(found - known.begin())];
  if (given.contains("delta")) entry.info.given.set("delta", nb::cast<std::string>(nb::str(given["delta"])));
  if (given.contains("delta")) nb::del(given["delta"]);
  return entry.create();
}

// Beliefs epoch by epoch, from a prior, an inference, or anything that gives one array or Beliefs an epoch.
class EpochSource {
 public:
  EpochSource(nb::handle given, const Data& data) : crowd_(data.dataset().crowd()) {
    if (nb::isinstance<BeliefSeries>(given)) {
      series_ = nb::cast<const BeliefSeries*>(given);
      if (&series_->data()->dataset() != &data.dataset()) {
        throw InputError({"beliefs", 0, ""}, "are about another data set");
      }
    } else {
      rows_ = nb::iter(given);
    }
  }
  SharedBeliefs next(std::size_t epoch) {
    if (series_ != nullptr) {
      const nb::gil_scoped_release free_interpreter;
      return series_->at(epoch);
    }
    PyObject* item = PyIter_Next(rows_.ptr());
    if (item == nullptr && PyErr_Occurred() != nullptr) throw nb::python_error();
    if (item == nullptr) throw InputError({"beliefs", 0, ""}, fmt::format("end before epoch {}", epoch));
    const nb::object owned = nb::steal(item);
    return beliefs_from(owned, Kind::kDistribution, crowd_, "beliefs");
  }

 private:
  const dataset::Crowd& crowd_;
  const BeliefSeries* series_ = nullptr;
  nb::object rows_;
};

Errors measure(const metric::MetricEntry& entry, const Data& data, nb::handle beliefs, nb::dict given) {
  const dataset::Truth truth = data.dataset().truth();
  const metric::Setting setting{truth.crowd(), truth.epochs(), options_from(entry, given)};
  const belief::UserRange everybody{UserId{0}, static_cast<UserId>(truth.crowd().users)};
  metric::Buffers buffers;
  const std::unique_ptr<metric::Scorer> scorer = entry.make(setting, everybody, buffers);
  EpochSource source(beliefs, data);
  std::unique_ptr<decision::Decision> decision;
  std::unique_ptr<decision::Reading> reading;
  const auto add = [&](std::size_t epoch, const belief::Beliefs& found) {
    const auto id = static_cast<EpochId>(epoch);
    const metric::TrueEpoch actual{id, truth.at(id)};
    scorer->add({&actual, 1}, reading == nullptr ? decision::Prediction{found} : reading->predict(found));
  };
  std::vector<SharedBeliefs> seen;  // all epochs, for a decision that looks ahead
  for (std::size_t epoch = 0; epoch < truth.epochs(); ++epoch) {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    const SharedBeliefs found = source.next(epoch);
    if (epoch == 0) {
      decision = decision_from(entry, kind_of(found->view()), given);
      if (decision != nullptr) reading = decision->read(everybody, truth.crowd());
      if (nb::len(given) > 0) {
        const auto name = nb::cast<std::string>(nb::list(given.keys())[0]);
        throw ConfigError(entry.info.name + "." + name, "", "no such setting");
      }
    }
    const nb::gil_scoped_release free_interpreter;
    if (decision != nullptr && decision->looks_ahead()) {
      reading->look_at(found->view(), 1);
      seen.push_back(found);
    } else {
      add(epoch, found->view());
    }
  }
  for (std::size_t epoch = 0; epoch < seen.size(); ++epoch) {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    add(epoch, seen[epoch]->view());
  }
  metric::Scores scores;
  scores.users.resize(truth.crowd().users);
  scores.active.resize(truth.crowd().users);
  scorer->finish(scores.users, scores.active, scores);
  metric::MeanErrors means = entry.means(setting, scores);
  return {std::move(scores.users), std::move(scores.active), std::move(means.epochs), std::move(means.rois)};
}

Vector compare(const metric::MetricEntry& entry, const InputVector& error, const InputVector& baseline, bool plain) {
  if (error.size() != baseline.size()) {
    throw InputError({entry.info.name, 0, ""},
                     fmt::format("{} errors and {} baselines; expected as many", error.size(), baseline.size()));
  }
  std::vector<double> changes(error.size());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const metric::Change change = entry.compare(error(i), baseline(i));
    changes[i] = plain ? change.plain : change.clipped;
  }
  return owned_array(std::move(changes));
}

void add_error(nb::module_& metrics, const metric::MetricEntry& entry) {
  const std::string decisions = entry.decides ? fmt::format(", decision: str = '{}', delta: float = {}",
                                                            decision::all_decisions().front()->info.name, goal::kDelta)
                                              : ", decision: str | None = None";
  std::string text = signature(entry.info,
                               "dataset: hearsay._core.Dataset, beliefs: hearsay._core.BeliefSeries | "
                               "typing.Iterable[typing.Any]",
                               "hearsay._core.Errors");
  text.insert(text.rfind(") ->"), decisions);
  metrics.def(
      entry.info.name.c_str(),
      [&entry](const std::shared_ptr<Data>& dataset, nb::handle beliefs, const nb::kwargs& parameters) {
        return measure(entry, *dataset, beliefs, nb::cast<nb::dict>(parameters.attr("copy")()));
      },
      nb::arg("dataset"), nb::arg("beliefs"), nb::arg("parameters"), nb::sig(text.c_str()),
      documentation(entry.info).c_str());
}

void add_comparison(nb::module_& metrics, const metric::MetricEntry& entry) {
  metrics.def(
      entry.info.name.c_str(),
      [&entry](const InputVector& error, const InputVector& baseline, bool plain) {
        return compare(entry, error, baseline, plain);
      },
      nb::arg("error"), nb::arg("baseline"), nb::kw_only(), nb::arg("signed") = false,
      documentation(entry.info).c_str());
}

}  // namespace

void register_metrics(nb::module_& module) {
  nb::class_<Errors> errors(module, "Errors", "How far the adversary is from the truth.");
  copy_as_itself(errors);
  errors
      .def("__getstate__",
           [](const Errors& self) { return std::tuple(self.users, self.active, self.epochs, self.rois); })
      .def("__setstate__",
           [](Errors& self,
              const std::tuple<std::vector<double>, std::vector<double>, std::vector<double>, std::vector<double>>&
                  state) { new (&self) Errors(std::make_from_tuple<Errors>(state)); })
      .def_prop_ro(
          "users", [](const Errors& self) { return owned_array(self.users); }, nb::rv_policy::automatic, "By user.")
      .def_prop_ro(
          "active", [](const Errors& self) { return owned_array(self.active); }, nb::rv_policy::automatic,
          "By user, over the epochs in which the user was somewhere; not a number where there are none.")
      .def_prop_ro(
          "epochs", [](const Errors& self) { return owned_array(self.epochs); }, nb::rv_policy::automatic,
          "By epoch, mean over users.")
      .def_prop_ro(
          "rois", [](const Errors& self) { return owned_array(self.rois); }, nb::rv_policy::automatic,
          "By ROI, mean over the visits to it; empty for a metric that has no such thing.")
      .def_prop_ro("mean", [](const Errors& self) {
        return std::accumulate(self.users.begin(), self.users.end(), 0.0) / static_cast<double>(self.users.size());
      });
  nb::module_ metrics = module.def_submodule("metrics", "Errors and their comparisons, as `hearsay list` names them.");
  for (const metric::MetricEntry* entry : metric::all_metrics()) {
    entry->make != nullptr ? add_error(metrics, *entry) : add_comparison(metrics, *entry);
  }
}

}  // namespace hearsay::python
