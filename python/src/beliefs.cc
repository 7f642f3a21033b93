// SPDX-License-Identifier: Apache-2.0
#include "beliefs.h"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>

#include <cmath>
#include <numeric>

#include "arrays.h"
#include "base/errors.h"
#include "registration.h"

namespace nb = nanobind;

namespace hearsay::python {

OwnBeliefs::OwnBeliefs(const prior::Beliefs& beliefs, const dataset::Crowd& crowd) : crowd_(crowd), view_(beliefs) {
  table_.users.assign(beliefs.users.begin(), beliefs.users.end());
  table_.begins.assign(beliefs.begins.begin(), beliefs.begins.end());
  table_.rois.assign(beliefs.rois.begin(), beliefs.rois.end());
  table_.weights.assign(beliefs.weights.begin(), beliefs.weights.end());
  table_.totals.assign(beliefs.totals.begin(), beliefs.totals.end());
  if (beliefs.background != nullptr) {
    background_weights_.assign(beliefs.background->weights.begin(), beliefs.background->weights.end());
    background_ = {background_weights_, beliefs.background->total};
  }
  limits_.assign(beliefs.limits.begin(), beliefs.limits.end());
  sorted_limits_.assign(beliefs.sorted_limits.begin(), beliefs.sorted_limits.end());
  point();
}

OwnBeliefs::OwnBeliefs(prior::BeliefTable table, bool binary, const dataset::Crowd& crowd)
    : crowd_(crowd), table_(std::move(table)) {
  view_.binary = binary;
  point();
}

void OwnBeliefs::point() {
  view_.users = table_.users;
  view_.begins = table_.begins;
  view_.rois = table_.rois;
  view_.weights = table_.weights;
  view_.totals = table_.totals;
  view_.background = background_ ? &*background_ : nullptr;
  view_.limits = limits_;
  view_.sorted_limits = sorted_limits_;
}

std::vector<double> OwnBeliefs::dense() const {
  std::vector<double> cells(crowd_.users * crowd_.rois);
  const auto row_of = [&](std::size_t user) { return std::span(cells).subspan(user * crowd_.rois, crowd_.rois); };
  const auto copy_background = [&](std::size_t user) {
    std::copy(background_weights_.begin(), background_weights_.end(), row_of(user).begin());
  };
  if (view_.everyone) {
    for (std::size_t user = 0; user < crowd_.users; ++user) copy_background(user);
  }
  for (std::size_t row = 0; row < view_.users.size(); ++row) {
    const std::size_t user = index_of(view_.users[row]);
    if (view_.begins.empty()) {
      copy_background(user);
      continue;
    }
    const auto rois = view_.rois_of(row);
    const auto weights = view_.weights_of(row);
    for (std::size_t i = 0; i < rois.size(); ++i) row_of(user)[index_of(rois[i])] = weights.empty() ? 1 : weights[i];
  }
  for (std::size_t roi = 0; roi < view_.limits.size(); ++roi) {
    for (std::size_t user = 0; user < view_.limits[roi]; ++user) row_of(user)[roi] = 1;
  }
  for (std::size_t user = 0; user < crowd_.users; ++user) {
    const auto row = row_of(user);
    const double total = std::accumulate(row.begin(), row.end(), 0.0);
    if (total == 0) row[index_of(crowd_.null_roi())] = 1;
    for (double& cell : row) cell /= total == 0 ? 1 : total;
  }
  return cells;
}

namespace {

SharedBeliefs from_matrix(const InputMatrix& matrix, bool binary, const dataset::Crowd& crowd, const std::string& who) {
  if (matrix.shape(0) != crowd.users || matrix.shape(1) != crowd.rois) {
    throw InputError({who, 0, ""}, fmt::format("gave an array of {} x {}; expected {} users x {} ROIs, null last",
                                               matrix.shape(0), matrix.shape(1), crowd.users, crowd.rois));
  }
  prior::BeliefTable table;
  table.clear();
  for (std::size_t user = 0; user < crowd.users; ++user) {
    for (std::size_t roi = 0; roi < crowd.rois; ++roi) {
      const double weight = matrix(user, roi);
      if (!(weight >= 0) || !std::isfinite(weight)) {
        throw InputError({who, 0, ""}, fmt::format("gave {} for user {} and ROI {}; expected weights of 0 or more",
                                                   weight, user, roi));
      }
      if (weight > 0) table.add(static_cast<UserId>(user), static_cast<RoiId>(roi), binary ? 1 : weight);
    }
  }
  table.close();
  return std::make_shared<OwnBeliefs>(std::move(table), binary, crowd);
}

// Copies rows given as arrays, and checks everything that reading them relies on.
void add_rows(prior::BeliefTable& table, const dataset::Crowd& crowd, const InputIndices& users,
              const InputIndices& begins, const InputIndices& rois, const std::optional<InputVector>& weights) {
  const auto fail = [](const std::string& problem) { throw InputError({"Beliefs", 0, ""}, problem); };
  if (begins.size() != users.size() + 1 || begins(0) != 0 || begins(users.size()) != rois.size()) {
    fail("begins must start at 0, have one number more than users and end at the number of rois");
  }
  if (weights && weights->size() != rois.size()) fail("weights must be as many as rois");
  for (std::size_t row = 0; row < users.size(); ++row) {
    if (users(row) >= crowd.users || (row > 0 && users(row) <= users(row - 1))) {
      fail("users must ascend, each below the number of users");
    }
    if (begins(row) >= begins(row + 1) || begins(row + 1) > rois.size()) fail("begins must ascend: no row is empty");
    for (std::size_t i = begins(row); i < begins(row + 1); ++i) {
      if (rois(i) >= crowd.rois || (i > begins(row) && rois(i) <= rois(i - 1))) {
        fail("rois must ascend in a row, each below the number of ROIs");
      }
      const double weight = weights ? (*weights)(i) : 1;
      if (!(weight > 0) || !std::isfinite(weight)) fail("weights must be above 0");
      table.add(static_cast<UserId>(users(row)), static_cast<RoiId>(rois(i)), weight);
    }
  }
}

std::shared_ptr<OwnBeliefs> from_rows(std::pair<std::size_t, std::size_t> shape, const InputIndices& users,
                                      const InputIndices& begins, const InputIndices& rois,
                                      std::optional<InputVector> weights, bool binary) {
  const dataset::Crowd crowd{shape.first, shape.second};
  prior::BeliefTable table;
  table.clear();
  add_rows(table, crowd, users, begins, rois, weights);
  table.close();
  return std::make_shared<OwnBeliefs>(std::move(table), binary, crowd);
}

// A read-only view that keeps the beliefs alive.
template <typename T, typename Element>
nb::object view_of(nb::handle self, std::span<const Element> values) {
  using Array = nb::ndarray<nb::numpy, const T, nb::ndim<1>, nb::c_contig>;
  static_assert(sizeof(T) == sizeof(Element));
  return Array(reinterpret_cast<const T*>(values.data()), {values.size()}, self).cast(nb::rv_policy::reference);
}

const prior::Beliefs& viewed(nb::handle self) {
  return nb::cast<const OwnBeliefs&>(self).view();
}

nb::object dense_array(const OwnBeliefs& self) {
  return owned_matrix(self.dense(), self.crowd().users, self.crowd().rois).cast();
}

}  // namespace

SharedBeliefs beliefs_from(nb::handle given, bool binary, const dataset::Crowd& crowd, const std::string& who) {
  SharedBeliefs ready;
  if (nb::isinstance<OwnBeliefs>(given)) {
    ready = nb::cast<std::shared_ptr<OwnBeliefs>>(given);
    if (ready->crowd().users != crowd.users || ready->crowd().rois != crowd.rois) {
      throw InputError({who, 0, ""}, fmt::format("gave Beliefs of {} users x {} ROIs; expected {} x {}",
                                                 ready->crowd().users, ready->crowd().rois, crowd.users, crowd.rois));
    }
    return ready;
  }
  nb::object array;
  try {
    array = nb::module_::import_("numpy").attr("ascontiguousarray")(given, nb::arg("dtype") = "float64");
  } catch (nb::python_error&) {
    throw InputError({who, 0, ""}, fmt::format("gave a {}; expected an array of users x ROIs, or Beliefs",
                                               nb::type_name(given.type()).c_str()));
  }
  InputMatrix matrix;
  if (!nb::try_cast(array, matrix)) {
    throw InputError({who, 0, ""}, "gave an array that is not users x ROIs");
  }
  return from_matrix(matrix, binary, crowd, who);
}

void register_beliefs(nb::module_& module) {
  nb::class_<OwnBeliefs>(
      module, "Beliefs",
      "What an adversary believes about every user in one epoch. Sparse: a user listed in `users` has "
      "the entries begins[i]:begins[i+1] of `rois` and `weights` (all 1 where there are none), or "
      "the background where there are no rows; a user not listed is in null, or has the background "
      "where `everyone` is set. Weights are not normalised. numpy.asarray gives users x ROIs rows "
      "that sum to 1, null last.")
      .def(nb::new_(&from_rows), nb::arg("shape"), nb::arg("users"), nb::arg("begins"), nb::arg("rois"),
           nb::arg("weights") = nb::none(), nb::arg("binary") = false,
           "Rows for some users: users ascending, ROIs ascending in a row, weights above 0. `binary`: the ROIs listed "
           "are predictions.")
      .def_prop_ro(
          "shape", [](const OwnBeliefs& self) { return std::pair(self.crowd().users, self.crowd().rois); },
          "Users and ROIs, null included.")
      .def_prop_ro(
          "users", [](nb::handle self) { return view_of<std::uint32_t>(self, viewed(self).users); },
          "Users listed, ascending.")
      .def_prop_ro(
          "begins", [](nb::handle self) { return view_of<std::uint32_t>(self, viewed(self).begins); },
          "Where each row begins, and the end of the last.")
      .def_prop_ro(
          "rois", [](nb::handle self) { return view_of<std::uint32_t>(self, viewed(self).rois); }, "ROIs of all rows.")
      .def_prop_ro(
          "weights", [](nb::handle self) { return view_of<double>(self, viewed(self).weights); },
          "Their weights; empty where all are 1.")
      .def_prop_ro(
          "background",
          [](nb::handle self) -> nb::object {
            const prior::Background* background = viewed(self).background;
            return background == nullptr ? nb::none() : view_of<double>(self, background->weights);
          },
          "The row over all ROIs that users have in common, or None.")
      .def_prop_ro(
          "everyone", [](const OwnBeliefs& self) { return self.view().everyone; },
          "Users not listed have the background.")
      .def_prop_ro(
          "binary", [](const OwnBeliefs& self) { return self.view().binary; },
          "An assignment: every ROI above 0 is a prediction.")
      .def("dense", &dense_array, "users x ROIs, null last; every row sums to 1.")
      .def(
          "__array__",
          [](const OwnBeliefs& self, nb::object dtype, nb::object) {
            const nb::object array = dense_array(self);
            return dtype.is_none() ? array : array.attr("astype")(dtype);
          },
          nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none());
}

}  // namespace hearsay::python
