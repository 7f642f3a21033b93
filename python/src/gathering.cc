// SPDX-License-Identifier: Apache-2.0
//
// Visits on their way from where events were placed to where all of a person's are.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>

#include "arrow_columns.h"
#include "base/bytes.h"
#include "frames.h"
#include "ingest/gatherer.h"
#include "registration.h"

namespace nb = nanobind;

namespace hearsay::python {
namespace {

constexpr std::size_t kBatchBytes = 16U << 20;  // of visits in one batch that comes out

std::vector<std::uint64_t> keys_of(std::string_view bytes) {
  std::vector<std::uint64_t> keys(bytes.size() / sizeof(std::uint64_t));
  if (!keys.empty()) std::memcpy(keys.data(), bytes.data(), keys.size() * sizeof(std::uint64_t));
  return keys;
}

// Numbers that places have in one part, turned into those they have among all.
class Renumberer {
 public:
  // `ids` in byte order.
  explicit Renumberer(std::vector<std::string> ids) : ids_(std::move(ids)) {}

  // Columns: user, visits, ids. A row of ids is of the rows after it.
  nb::tuple renumber(const nb::object& table) {
    const auto rows = take_table(table, "visits");
    BytesBuilder users;
    BytesBuilder visits;
    std::size_t count = 0;
    {
      const nb::gil_scoped_release free_interpreter;
      for (std::size_t b = 0; b < rows->batches().size(); ++b) {
        const BytesColumn uid(*rows, b, 0);
        const BytesColumn its(*rows, b, 1);
        const BytesColumn ids(*rows, b, 2);
        for (std::size_t row = 0; row < uid.rows(); ++row) {
          if (!ids.is_null(row)) take_ids(ids.at(row));
          if (uid.is_null(row)) continue;
          std::vector<std::uint64_t> keys = keys_of(its.at(row));
          for (std::uint64_t& key : keys) key = key >> 32 << 32 | numbers_.at(static_cast<std::uint32_t>(key));
          users.add(uid.at(row));
          visits.add(keys.data(), keys.size() * sizeof(std::uint64_t));
          ++count;
        }
      }
    }
    return nb::make_tuple(count, users.take(), visits.take());
  }

 private:
  void take_ids(std::string_view bytes) {
    numbers_.clear();
    for (const std::string& id : BytesReader(bytes).get<std::vector<std::string>>()) {
      const auto found = std::lower_bound(ids_.begin(), ids_.end(), id);
      if (found == ids_.end() || *found != id) throw std::out_of_range("a place that is not among all");
      numbers_.push_back(static_cast<std::uint32_t>(found - ids_.begin()));
    }
  }

  std::vector<std::string> ids_;
  std::vector<std::uint32_t> numbers_;
};

// All visits of some people.
class Gathering {
 public:
  Gathering() = default;
  Gathering(const Gathering&) = delete;
  Gathering& operator=(const Gathering&) = delete;

  // Columns: user, visits.
  void add(const nb::object& table) {
    const auto rows = take_table(table, "visits");
    const nb::gil_scoped_release free_interpreter;
    for (std::size_t b = 0; b < rows->batches().size(); ++b) {
      const BytesColumn uid(*rows, b, 0);
      const BytesColumn its(*rows, b, 1);
      for (std::size_t row = 0; row < uid.rows(); ++row) gatherer_.add(uid.at(row), keys_of(its.at(row)));
    }
  }

  void finish() {
    const nb::gil_scoped_release free_interpreter;
    gatherer_.finish();
  }

  // The next people by id: user, visits, reports and those of them in the first epochs. Their number is 0 at the end.
  nb::tuple next(std::uint32_t observe) {
    BytesBuilder users;
    BytesBuilder visits;
    std::vector<std::int32_t> reports;
    std::vector<std::int32_t> observed;
    {
      const nb::gil_scoped_release free_interpreter;
      for (; next_ < gatherer_.users() && users.size() + visits.size() < kBatchBytes; ++next_) {
        const std::span<const std::uint64_t> its = gatherer_.visits(next_);
        users.add(gatherer_.user(next_));
        visits.add(its.data(), its.size_bytes());
        reports.push_back(static_cast<std::int32_t>(its.size()));
        observed.push_back(static_cast<std::int32_t>(ingest::visits_before(its, observe)));
      }
    }
    const std::size_t people = reports.size();
    return nb::make_tuple(people, users.take(), visits.take(), owned_array(std::move(reports)),
                          owned_array(std::move(observed)));
  }

 private:
  ingest::Gatherer gatherer_;
  std::size_t next_ = 0;
};

}  // namespace

void register_gathering(nb::module_& module) {
  nb::class_<Renumberer>(module, "Renumberer", "Numbers places among all.")
      .def(nb::init<std::vector<std::string>>(), nb::arg("ids"))
      .def("renumber", &Renumberer::renumber, nb::arg("table"));
  nb::class_<Gathering>(module, "Gathering", "Puts the visits of people together.")
      .def(nb::init<>())
      .def("add", &Gathering::add, nb::arg("table"))
      .def("finish", &Gathering::finish)
      .def("next", &Gathering::next, nb::arg("observe"));
}

}  // namespace hearsay::python
