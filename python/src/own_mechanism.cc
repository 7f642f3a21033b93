// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "base/errors.h"
#include "own_entries.h"
#include "releases.h"

namespace nb = nanobind;

namespace hearsay::python {
namespace {

class OwnMechanism final : public release::Step {
 public:
  OwnMechanism(Held object, std::string name, std::shared_ptr<Job> job)
      : object_(std::move(object)), name_(std::move(name)), job_(std::move(job)) {}

  release::Guarantee guarantee(const release::Draft&) const override {
    return run_python(*job_, [&] { return stated_guarantee(); });
  }

  release::Draft apply(const release::Draft& draft, const release::NoiseSource& source) const override {
    if (source.secure()) {
      throw ConfigError(name_ + ".perturb", "",
                        "is for evaluation, as its noise is seeded; publish with the noise of built-in steps");
    }
    const auto bits = source.stream(release::kWholeRelease);
    return draft.with_counts(run_python(*job_, [&] { return perturbed(draft.counts(), (*bits)()); }));
  }

 private:
  release::Guarantee stated_guarantee() const {
    release::Guarantee promise;
    promise.note = "No guarantee is claimed.";
    if (!nb::hasattr(object_.get(), "guarantee")) return promise;
    const nb::object given = object_.get().attr("guarantee")();
    if (given.is_none()) return promise;
    promise.epsilon = nb::cast<std::optional<double>>(given.attr("get")("epsilon"));
    promise.epsilon_with_null = nb::cast<std::optional<double>>(given.attr("get")("epsilon_with_null"));
    promise.unit = nb::cast<std::string>(given.attr("get")("unit", "none"));
    promise.delta = nb::cast<double>(given.attr("get")("delta", 0.0));
    promise.rho = nb::cast<std::optional<double>>(given.attr("get")("rho"));
    promise.note = nb::cast<std::string>(given.attr("get")("note", ""));
    return promise;
  }

  release::CountMatrix perturbed(const release::CountMatrix& counts, std::uint64_t seed) const {
    const nb::module_ numpy = nb::module_::import_("numpy");
    const nb::object random = numpy.attr("random").attr("default_rng")(seed);
    const nb::object given = object_.get().attr("perturb")(array_of(counts), random);
    const nb::object array = numpy.attr("ascontiguousarray")(given, nb::arg("dtype") = "float64");
    InputMatrix matrix;
    const std::size_t epochs = counts.epochs();
    const std::size_t rois = counts.rois();
    if (!nb::try_cast(array, matrix) || matrix.shape(0) != epochs || matrix.shape(1) != rois) {
      throw InputError(
          {name_ + ".perturb", 0, ""},
          fmt::format("gave an array of another shape; expected {} epochs x {} ROIs, as it got", epochs, rois));
    }
    return counts_from(matrix);
  }

  Held object_;
  std::string name_;
  std::shared_ptr<Job> job_;
};

// The arguments of the class, with their defaults as text.
std::vector<ParameterInfo> parameters_of(nb::handle type) {
  std::vector<ParameterInfo> parameters;
  const nb::module_ inspect = nb::module_::import_("inspect");
  const nb::object empty = inspect.attr("Parameter").attr("empty");
  for (const nb::handle item : nb::list(inspect.attr("signature")(type).attr("parameters").attr("values")())) {
    ParameterInfo& parameter = parameters.emplace_back();
    parameter.name = nb::cast<std::string>(item.attr("name"));
    const nb::object value = item.attr("default");
    if (!value.is(empty)) parameter.default_value = nb::str(value).c_str();
  }
  return parameters;
}

// A parameter's text as the value a Python programmer means: 5, 0.5, True, or the text.
nb::object value_of(const std::string& text) {
  try {
    return nb::module_::import_("ast").attr("literal_eval")(text == "true" ? "True" : text == "false" ? "False" : text);
  } catch (nb::python_error&) {
    return nb::str(text.c_str());
  }
}

}  // namespace

release::StepEntry own_mechanism(nb::handle given, const std::shared_ptr<Job>& job) {
  if (PyType_Check(given.ptr()) == 0) {
    throw ConfigError("own", nb::repr(given).c_str(), "give the class; its arguments are the release's parameters");
  }
  if (nb::hasattr(given, "keep") && nb::hasattr(given, "perturb")) {
    throw ConfigError("own", nb::repr(given).c_str(), "give two classes: keep is about visits, perturb about counts");
  }
  release::StepEntry entry;
  entry.info = own_info(given, 1000);
  entry.info.parameters = parameters_of(given);
  entry.make = [held = Held(nb::borrow(given)), name = entry.info.name, known = entry.info.parameters,
                job](const Parameters& parameters) -> std::unique_ptr<release::Step> {
    return run_python(*job, [&]() -> std::unique_ptr<release::Step> {
      nb::dict arguments;
      for (const ParameterInfo& parameter : known) {
        if (parameters.has(parameter.name)) {
          arguments[parameter.name.c_str()] = value_of(parameters.text(parameter.name));
        } else if (parameter.default_value.empty()) {
          parameters.text(parameter.name);  // throws: is required
        }
      }
      const Held object(nb::object(held.get()(**arguments)));
      if (nb::hasattr(object.get(), "keep")) return own_visits_step(object, name, job);
      return std::make_unique<OwnMechanism>(object, name, job);
    });
  };
  return entry;
}

}  // namespace hearsay::python
