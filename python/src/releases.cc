// SPDX-License-Identifier: Apache-2.0
#include "releases.h"

#include <fmt/format.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <cmath>

#include "base/errors.h"
#include "base/limits.h"
#include "copies.h"
#include "interruptible.h"
#include "registration.h"
#include "release/aggregate.h"
#include "release/utility.h"

namespace nb = nanobind;

namespace hearsay::python {
namespace {

InputMatrix matrix_of(nb::handle given) {
  const nb::object array = nb::module_::import_("numpy").attr("ascontiguousarray")(given, nb::arg("dtype") = "float64");
  InputMatrix matrix;
  if (!nb::try_cast(array, matrix)) {
    throw InputError({"release", 0, ""}, "not an array of epochs x ROIs");
  }
  return matrix;
}

nb::dict utility(const OwnRelease& self, const Data& data) {
  const release::Utility found =
      release::measure_utility(raw_release(data).counts(), self.counts(), data.dataset().calendar().per_day());
  nb::dict numbers;
  for (const release::UtilityNumber& number : release::numbers_of(found)) {
    if (number.value) {
      numbers[number.name.c_str()] = *number.value;
    } else {
      numbers[number.name.c_str()] = nb::none();
    }
  }
  return numbers;
}

}  // namespace

Matrix OwnRelease::array() const {
  return array_of(counts_);
}

Matrix array_of(const release::CountMatrix& counts) {
  std::vector<double> values(counts.rois() * counts.epochs());
  for (std::size_t roi = 0; roi < counts.rois(); ++roi) {
    const auto series = counts.series(roi);
    for (std::size_t epoch = 0; epoch < series.size(); ++epoch) values[epoch * counts.rois() + roi] = series[epoch];
  }
  return owned_matrix(std::move(values), counts.epochs(), counts.rois());
}

release::CountMatrix counts_from(const InputMatrix& matrix) {
  release::CountMatrix counts(matrix.shape(1), matrix.shape(0));
  for (std::size_t roi = 0; roi < counts.rois(); ++roi) {
    const auto series = counts.series(roi);
    for (std::size_t epoch = 0; epoch < series.size(); ++epoch) {
      const double count = matrix(epoch, roi);
      if (!std::isfinite(count)) {
        throw InputError({"release", 0, ""}, fmt::format("{} in epoch {}, ROI {} is not a count", count, epoch, roi));
      }
      series[epoch] = count;
    }
  }
  return counts;
}

OwnRelease raw_release(const Data& data) {
  return interruptibly([&](Job&) {
    return OwnRelease(release::CountMatrix(release::aggregate(data.dataset().truth(), default_threads())));
  });
}

OwnRelease release_from(nb::handle given, const Data& data) {
  OwnRelease release = nb::isinstance<OwnRelease>(given) ? nb::cast<const OwnRelease&>(given)
                                                         : OwnRelease(counts_from(matrix_of(given)));
  const std::size_t epochs = data.dataset().truth().epochs();
  const std::size_t rois = data.dataset().crowd().rois;
  if (release.counts().epochs() != epochs || release.counts().rois() != rois) {
    throw InputError({"release", 0, ""}, fmt::format("{} epochs x {} ROIs; expected {} x {}, null last",
                                                     release.counts().epochs(), release.counts().rois(), epochs, rois));
  }
  return release;
}

void register_releases(nb::module_& module) {
  nb::class_<OwnRelease> release(module, "Release",
                                 "Published counts: epochs of the inference period x ROIs, null last.");
  copy_as_itself(release);
  release.def("__getstate__", [](const OwnRelease& self) { return self.array(); })
      .def("__setstate__",
           [](OwnRelease& self, nb::handle counts) { new (&self) OwnRelease(counts_from(matrix_of(counts))); })
      .def(
          "__init__",
          [](OwnRelease* self, nb::handle counts) { new (self) OwnRelease(counts_from(matrix_of(counts))); },
          nb::arg("counts"), nb::sig("def __init__(self, counts: numpy.typing.ArrayLike) -> None"))
      .def_prop_ro("shape",
                   [](const OwnRelease& self) { return std::pair(self.counts().epochs(), self.counts().rois()); })
      .def("utility", &utility, nb::arg("dataset"),
           nb::sig("def utility(self, dataset: Dataset) -> dict[str, float | None]"),
           "What the counts are still good for beside the raw ones: the numbers of utility.csv. None for what does not "
           "apply, and for published, mre_own_grid and mae_own_grid, which counts alone do not tell.")
      .def(
          "__array__",
          [](const OwnRelease& self, nb::object dtype, nb::object) -> nb::object {
            nb::object array = self.array().cast();
            return dtype.is_none() ? array : nb::object(array.attr("astype")(dtype));
          },
          nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none());
}

}  // namespace hearsay::python
