// SPDX-License-Identifier: Apache-2.0
#include "beliefs.h"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "arrays.h"
#include "base/errors.h"
#include "belief/chances.h"
#include "copies.h"
#include "registration.h"

namespace nb = nanobind;

namespace hearsay::python {

namespace {

// An assignment row by row, those included that it takes in without listing them.
void list_everybody(const belief::Assignment& assignment, const dataset::Crowd& crowd, belief::RowTable& table) {
  std::size_t row = 0;
  std::vector<RoiId> rois;
  for (std::size_t u = 0; u < crowd.users; ++u) {
    const auto user = static_cast<UserId>(u);
    rois.clear();
    for (std::size_t roi = 0; roi < assignment.limits.size(); ++roi) {
      if (assignment.place_of(user) < assignment.limits[roi]) rois.push_back(static_cast<RoiId>(roi));
    }
    if (row < assignment.users.size() && assignment.users[row] == user) {
      const auto own = assignment.rois_of(row++);
      rois.insert(rois.end(), own.begin(), own.end());
      std::sort(rois.begin(), rois.end());
    }
    for (const RoiId roi : rois) table.add(user, roi, 1);
  }
  table.close();
}

}  // namespace

OwnBeliefs::OwnBeliefs(const belief::Beliefs& beliefs, const dataset::Crowd& crowd) : crowd_(crowd) {
  const auto copy = [](auto& into, const auto& from) { into.assign(from.begin(), from.end()); };
  const auto copy_rows = [&](const belief::SparseRows& rows, std::span<const double> weights) {
    copy(table_.users, rows.users);
    copy(table_.begins, rows.begins);
    copy(table_.rois, rows.rois);
    copy(table_.weights, weights);
  };
  if (const auto* rows = std::get_if<belief::Rows>(&beliefs)) {
    copy_rows(*rows, rows->weights);
    copy(table_.totals, rows->totals);
    belief::Rows own = table_.rows();
    own.trials = rows->trials;
    view_ = own;
  } else if (const auto* shared = std::get_if<belief::Shared>(&beliefs)) {
    copy(table_.users, shared->users);
    copy(background_weights_, shared->background.weights);
    view_ = belief::Shared{table_.users, {background_weights_, shared->background.total}, shared->everyone};
  } else if (const auto* rates = std::get_if<belief::Rates>(&beliefs)) {
    copy_rows(*rates, rates->chances);
    copy(background_weights_, rates->elsewhere);
    view_ = table_.rates(background_weights_);
  } else {
    list_everybody(std::get<belief::Assignment>(beliefs), crowd, table_);
    table_.weights.clear();
    view_ = table_.assignment();
  }
}

OwnBeliefs::OwnBeliefs(belief::RowTable table, Kind kind, const dataset::Crowd& crowd)
    : crowd_(crowd), table_(std::move(table)) {
  if (kind == Kind::kAssignment) {
    table_.weights.clear();
    view_ = table_.assignment();
  } else if (kind == Kind::kRates) {
    background_weights_.assign(crowd.rois, 0);
    background_weights_.back() = 1;
    view_ = table_.rates(background_weights_);
  } else {
    view_ = table_.rows();
  }
}

double OwnBeliefs::trials() const {
  const auto* rows = std::get_if<belief::Rows>(&view_);
  return rows == nullptr ? 0 : rows->trials;
}

std::vector<double> OwnBeliefs::dense_rates() const {
  if (kind_of(view_) != Kind::kRates && trials() <= 0) return {};
  belief::Chances chances(view_);
  std::vector<double> cells(crowd_.users * crowd_.rois);
  const std::size_t null = index_of(crowd_.null_roi());
  for (std::size_t user = 0; user < crowd_.users; ++user) {
    const auto row = std::span(cells).subspan(user * crowd_.rois, crowd_.rois);
    std::copy(chances.elsewhere().begin(), chances.elsewhere().end(), row.begin());
    row[null] = chances.unlisted_null();
  }
  const belief::SparseRows& listed = chances.rows();
  for (std::size_t row = 0; row < listed.users.size(); ++row) {
    double* const own = cells.data() + index_of(listed.users[row]) * crowd_.rois;
    own[null] = 0;
    chances.enter(row);
    for (std::size_t i = listed.begins[row]; i < listed.begins[row + 1]; ++i) {
      own[index_of(listed.rois[i])] = chances[i];
    }
  }
  return cells;
}

belief::SparseRows OwnBeliefs::rows() const {
  if (const auto* rows = std::get_if<belief::Rows>(&view_)) return *rows;
  if (const auto* assignment = std::get_if<belief::Assignment>(&view_)) return *assignment;
  if (const auto* rates = std::get_if<belief::Rates>(&view_)) return *rates;
  belief::SparseRows users;
  users.users = table_.users;
  return users;
}

std::vector<double> OwnBeliefs::dense() const {
  std::vector<double> cells(crowd_.users * crowd_.rois);
  const auto row_of = [&](std::size_t user) { return std::span(cells).subspan(user * crowd_.rois, crowd_.rois); };
  const auto* shared = std::get_if<belief::Shared>(&view_);
  const auto copy_background = [&](std::size_t user) {
    std::copy(background_weights_.begin(), background_weights_.end(), row_of(user).begin());
  };
  for (std::size_t user = 0; shared != nullptr && shared->everyone && user < crowd_.users; ++user) {
    copy_background(user);
  }
  const belief::SparseRows listed = rows();
  for (std::size_t row = 0; row < listed.users.size(); ++row) {
    const std::size_t user = index_of(listed.users[row]);
    if (shared != nullptr) {
      copy_background(user);
      continue;
    }
    for (std::size_t i = listed.begins[row]; i < listed.begins[row + 1]; ++i) {
      row_of(user)[index_of(listed.rois[i])] = table_.weights.empty() ? 1 : table_.weights[i];
    }
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

SharedBeliefs from_matrix(const InputMatrix& matrix, Kind kind, const dataset::Crowd& crowd, const std::string& who) {
  if (matrix.shape(0) != crowd.users || matrix.shape(1) != crowd.rois) {
    throw InputError({who, 0, ""}, fmt::format("gave an array of {} x {}; expected {} users x {} ROIs, null last",
                                               matrix.shape(0), matrix.shape(1), crowd.users, crowd.rois));
  }
  belief::RowTable table;
  table.clear();
  for (std::size_t user = 0; user < crowd.users; ++user) {
    for (std::size_t roi = 0; roi < crowd.rois; ++roi) {
      const double weight = matrix(user, roi);
      const bool rates = kind == Kind::kRates;
      if (!(weight >= 0) || !std::isfinite(weight) || (rates && weight > 1)) {
        throw InputError({who, 0, ""}, fmt::format("gave {} for user {} and ROI {}; expected {}", weight, user, roi,
                                                   rates ? "chances from 0 to 1" : "weights of 0 or more"));
      }
      const bool last = rates && roi + 1 == crowd.rois;  // every row of rates ends with null
      if (weight > 0 || last) {
        table.add(static_cast<UserId>(user), static_cast<RoiId>(roi), kind == Kind::kAssignment ? 1 : weight);
      }
    }
  }
  table.close();
  return std::make_shared<OwnBeliefs>(std::move(table), kind, crowd);
}

// Copies rows given as arrays, and checks everything that reading them relies on.
void add_rows(belief::RowTable& table, const dataset::Crowd& crowd, const InputIndices& users,
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
  belief::RowTable table;
  table.clear();
  add_rows(table, crowd, users, begins, rois, weights);
  table.close();
  return std::make_shared<OwnBeliefs>(std::move(table), binary ? Kind::kAssignment : Kind::kDistribution, crowd);
}

// A read-only view that keeps the beliefs alive.
template <typename T, typename Element>
nb::object view_of(nb::handle self, std::span<const Element> values) {
  using Array = nb::ndarray<nb::numpy, const T, nb::ndim<1>, nb::c_contig>;
  static_assert(sizeof(T) == sizeof(Element));
  return Array(reinterpret_cast<const T*>(values.data()), {values.size()}, self).cast(nb::rv_policy::reference);
}

const OwnBeliefs& own(nb::handle self) {
  return nb::cast<const OwnBeliefs&>(self);
}

nb::object dense_array(const OwnBeliefs& self) {
  return owned_matrix(self.dense(), self.crowd().users, self.crowd().rois).cast();
}

}  // namespace

SharedBeliefs beliefs_from(nb::handle given, Kind kind, const dataset::Crowd& crowd, const std::string& who) {
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
  return from_matrix(matrix, kind, crowd, who);
}

void register_beliefs(nb::module_& module) {
  nb::class_<OwnBeliefs> beliefs(
      module, "Beliefs",
      "What an adversary believes about every user in one epoch. Sparse: a user listed in `users` has "
      "the entries begins[i]:begins[i+1] of `rois` and `weights` (all 1 where there are none), or "
      "the background where there are no rows; a user not listed is in null, or has the background "
      "where `everyone` is set. Weights are not normalised. numpy.asarray gives users x ROIs rows "
      "that sum to 1, null last.");
  copy_as_itself(beliefs);
  refuse_pickling(beliefs, "Beliefs cannot be pickled: pickle numpy.asarray(beliefs)");
  beliefs
      .def(nb::new_(&from_rows), nb::arg("shape"), nb::arg("users"), nb::arg("begins"), nb::arg("rois"),
           nb::arg("weights") = nb::none(), nb::arg("binary") = false,
           "Rows for some users: users ascending, ROIs ascending in a row, weights above 0. `binary`: the ROIs listed "
           "are predictions.")
      .def_prop_ro(
          "shape", [](const OwnBeliefs& self) { return std::pair(self.crowd().users, self.crowd().rois); },
          "Users and ROIs, null included.")
      .def_prop_ro(
          "users", [](nb::handle self) { return view_of<std::uint32_t>(self, own(self).rows().users); },
          "Users listed, ascending.")
      .def_prop_ro(
          "begins", [](nb::handle self) { return view_of<std::uint32_t>(self, own(self).rows().begins); },
          "Where each row begins, and the end of the last.")
      .def_prop_ro(
          "rois", [](nb::handle self) { return view_of<std::uint32_t>(self, own(self).rows().rois); },
          "ROIs of all rows.")
      .def_prop_ro(
          "weights",
          [](nb::handle self) {
            const belief::Beliefs& view = own(self).view();
            if (const auto* rates = std::get_if<belief::Rates>(&view)) return view_of<double>(self, rates->chances);
            const auto* rows = std::get_if<belief::Rows>(&view);
            return view_of<double>(self, rows == nullptr ? std::span<const double>() : rows->weights);
          },
          "Their weights; empty where all are 1. Of rates, the chances.")
      .def_prop_ro("trials", &OwnBeliefs::trials,
                   "Where above 0, weights count in how many of so many epochs a user was somewhere.")
      .def(
          "rates",
          [](const OwnBeliefs& self) -> nb::object {
            std::vector<double> cells = self.dense_rates();
            if (cells.empty()) return nb::none();
            return owned_matrix(std::move(cells), self.crowd().users, self.crowd().rois).cast();
          },
          "users x ROIs, null last: the chance of each place by itself; None where the beliefs offer none.")
      .def_prop_ro(
          "background",
          [](nb::handle self) -> nb::object {
            const auto* shared = std::get_if<belief::Shared>(&own(self).view());
            return shared == nullptr ? nb::none() : view_of<double>(self, shared->background.weights);
          },
          "The row over all ROIs that users have in common, or None.")
      .def_prop_ro(
          "everyone",
          [](const OwnBeliefs& self) {
            const auto* shared = std::get_if<belief::Shared>(&self.view());
            return shared != nullptr && shared->everyone;
          },
          "Users not listed have the background.")
      .def_prop_ro("binary", &OwnBeliefs::binary, "An assignment: every ROI above 0 is a prediction.")
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
