// SPDX-License-Identifier: Apache-2.0
#include "own_entries.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "base/errors.h"

namespace nb = nanobind;

namespace hearsay::python {

Held::Held(nb::object object)
    : object_(new nb::object(std::move(object)), [](nb::object* held) {
        const nb::gil_scoped_acquire locked;
        delete held;
      }) {}

nb::object instance_of(nb::handle given) {
  return PyType_Check(given.ptr()) != 0 ? nb::object(given()) : nb::borrow(given);
}

EntryInfo own_info(nb::handle given, int position) {
  const nb::handle type = PyType_Check(given.ptr()) != 0 ? given : nb::handle(given.type());
  EntryInfo info;
  info.position = position;
  info.name = nb::cast<std::string>(nb::getattr(given, "name", type.attr("__name__")));
  const nb::object doc = nb::module_::import_("inspect").attr("getdoc")(type);
  const std::string text = doc.is_none() ? "" : nb::cast<std::string>(doc);
  info.summary = text.substr(0, text.find('\n'));
  if (info.summary.empty()) info.summary = info.name + ", written in Python.";
  info.explanation = text.empty() ? info.summary : text;
  info.citation = nb::cast<std::string>(nb::getattr(given, "citation", nb::str("")));
  return info;
}

void add_own(experiment::Registry& registry, nb::handle given, const std::shared_ptr<Job>& job) {
  if (nb::hasattr(given, "infer")) {
    registry.add(own_attack(given, job));
  } else if (nb::hasattr(given, "believe")) {
    registry.add(own_prior(given, job));
  } else if (nb::hasattr(given, "perturb") || nb::hasattr(given, "keep")) {
    registry.add(own_mechanism(given, job));
  } else {
    throw ConfigError("own", nb::repr(given).c_str(),
                      "expected a class with infer (an attack), believe (a prior), perturb or keep (a mechanism)");
  }
}

}  // namespace hearsay::python
