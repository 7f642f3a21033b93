// SPDX-License-Identifier: Apache-2.0
//
// The passes of a study over shares of the people: what an executor does with a share, how rows are merged, and the
// driver's side.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "arrow_columns.h"
#include "base/limits.h"
#include "cluster/cluster_study.h"
#include "cluster/merge.h"
#include "cluster/share.h"
#include "frames.h"
#include "interruptible.h"
#include "outcome.h"
#include "places.h"
#include "registration.h"
#include "study_text.h"

namespace nb = nanobind;

namespace hearsay::python {
namespace {

constexpr std::size_t kBatchBytes = 16U << 20;  // of values in one batch that comes out

std::string_view view_of(const nb::bytes& bytes) {
  return {bytes.c_str(), bytes.size()};
}

// What the driver told, read once by a process for all shares and keys it works on.
struct ToldOnce {
  cluster::Told told;
};

// Rows on their way out, a batch at a time.
class RowsOut {
 public:
  void set(std::vector<cluster::Row> rows) {
    rows_ = std::move(rows);
    next_ = 0;
  }
  void add(cluster::Row row) { rows_.push_back(std::move(row)); }
  // Their number, keys and values; the number is 0 at the end.
  nb::tuple next() {
    BytesBuilder keys;
    BytesBuilder values;
    std::size_t count = 0;
    for (; next_ < rows_.size() && values.size() < kBatchBytes; ++next_, ++count) {
      keys.add(rows_[next_].key);
      values.add(rows_[next_].value);
      rows_[next_].value = {};
    }
    if (next_ == rows_.size()) set({});
    return nb::make_tuple(count, keys.take(), values.take());
  }

 private:
  std::vector<cluster::Row> rows_;
  std::size_t next_ = 0;
};

// The people of one share, and what they come to at the stage told.
class ClusterShare {
 public:
  ClusterShare() = default;
  ClusterShare(const ClusterShare&) = delete;
  ClusterShare& operator=(const ClusterShare&) = delete;

  // Columns: user, visits. People in byte order of their ids.
  void add(const nb::object& table) {
    tables_.push_back(take_table(table, "people"));
    const storage::ArrowTable& rows = *tables_.back();
    for (std::size_t b = 0; b < rows.batches().size(); ++b) {
      const BytesColumn ids(rows, b, 0);
      const BytesColumn visits(rows, b, 1);
      for (std::size_t row = 0; row < ids.rows(); ++row) {
        rows_.ids.push_back(ids.at(row));
        rows_.visits.push_back(visits.at(row));
      }
    }
  }
  void run(const ToldOnce& told, std::uint32_t number, std::size_t threads) {
    const nb::gil_scoped_release free_interpreter;
    rows_.number = number;
    out_.set(cluster::run_stage(told.told, rows_, threads));
    rows_ = {};
    tables_.clear();
  }
  nb::tuple next() { return out_.next(); }

 private:
  std::vector<std::shared_ptr<const storage::ArrowTable>> tables_;
  cluster::ShareRows rows_;
  RowsOut out_;
};

// Merges rows that come sorted by key: those of one key are put together when the next begins.
class ClusterMerger {
 public:
  explicit ClusterMerger(std::shared_ptr<const ToldOnce> told) : told_(std::move(told)) {}
  ClusterMerger(const ClusterMerger&) = delete;
  ClusterMerger& operator=(const ClusterMerger&) = delete;

  // Columns: key, value.
  void add(const nb::object& table) {
    const auto rows = take_table(table, "rows");
    const nb::gil_scoped_release free_interpreter;
    for (std::size_t b = 0; b < rows->batches().size(); ++b) {
      const BytesColumn keys(*rows, b, 0);
      const BytesColumn values(*rows, b, 1);
      for (std::size_t row = 0; row < keys.rows(); ++row) {
        if (keys.at(row) != key_) close();
        key_ = keys.at(row);
        values_.emplace_back(values.at(row));
      }
    }
  }
  void finish() {
    const nb::gil_scoped_release free_interpreter;
    close();
  }
  nb::tuple next() { return out_.next(); }

 private:
  void close() {
    if (values_.empty()) return;
    const std::vector<std::string_view> views(values_.begin(), values_.end());
    for (cluster::Row& row : cluster::merge(told_->told, key_, views)) out_.add(std::move(row));
    values_.clear();
  }

  std::shared_ptr<const ToldOnce> told_;
  std::string key_;
  std::vector<std::string> values_;
  RowsOut out_;
};

engine::Provenance provenance_of(const nb::dict& facts,
                                 const std::vector<std::pair<std::string, std::uint64_t>>& inputs) {
  engine::Provenance provenance;
  for (const auto& [name, bytes] : inputs) provenance.inputs.push_back({name, bytes, ""});
  ingest::Tally& tally = provenance.tally;
  const auto number = [&](const char* name) { return nb::cast<std::uint64_t>(facts[name]); };
  tally.rows = number("rows");
  tally.events = number("events");
  tally.used = number("used");
  tally.outside_period = number("outside_period");
  tally.outside_rois = number("outside_rois");
  tally.at_midnight = number("at_midnight");
  tally.in_busiest_epoch = number("in_busiest_epoch");
  tally.busiest_epoch = static_cast<std::uint32_t>(number("busiest_epoch"));
  tally.bad_rows = nb::cast<std::map<std::string, std::uint64_t>>(facts["bad_rows"]);
  for (const auto& [reason, count] : tally.bad_rows) provenance.bad_rows += count;
  provenance.timezone = nb::cast<std::string>(facts["timezone"]);
  provenance.time_format = nb::cast<std::string>(facts["time_format"]);
  provenance.first_event = nb::cast<std::string>(facts["first_event"]);
  provenance.last_event = nb::cast<std::string>(facts["last_event"]);
  provenance.warnings = nb::cast<std::vector<std::string>>(facts["warnings"]);
  return provenance;
}

void make_study(cluster::ClusterStudy* self, const StudyText& text, const Places& places, const nb::dict& facts,
                const std::vector<std::pair<std::string, std::uint64_t>>& inputs, std::size_t shares,
                const std::string& out, const std::string& study_name, const std::string& ran_on,
                std::uint64_t range_candidates) {
  cluster::DriverSettings settings{.study = {text.toml, text.name, text.folder, text.overrides},
                                   .rois = places.rois,
                                   .columns = places.columns,
                                   .shares = shares,
                                   .threads = default_threads()};
  if (range_candidates > 0) settings.range_candidates = range_candidates;
  job::RunOptions options;
  options.load.threads = settings.threads;
  options.out = out;
  options.study_name = study_name;
  options.ran_on = ran_on;
  new (self) cluster::ClusterStudy(std::move(settings), provenance_of(facts, inputs), std::move(options));
}

// What the shares are to be told, and its title; nothing after the last pass.
nb::object next_pass(cluster::ClusterStudy& study) {
  const auto [title, bytes] = interruptibly([&](Job&) -> std::pair<const char*, std::string> {
    const cluster::Told* told = study.next();
    if (told == nullptr) return {nullptr, ""};
    return {cluster::title_of(told->stage), told->bytes()};
  });
  if (title == nullptr) return nb::none();
  return nb::make_tuple(title, nb::bytes(bytes.data(), bytes.size()));
}

nb::dict write(cluster::ClusterStudy& study) {
  return dict_of(interruptibly([&](Job&) { return study.write(); }));
}

}  // namespace

void register_cluster(nb::module_& module) {
  nb::class_<ToldOnce>(module, "ClusterTold", "What the driver told the shares.")
      .def("__init__", [](ToldOnce* self, const nb::bytes& bytes) {
        const std::string_view view = view_of(bytes);
        const nb::gil_scoped_release free_interpreter;
        new (self) ToldOnce{cluster::Told::from_bytes(view)};
      });
  nb::class_<ClusterShare>(module, "ClusterShare", "The people of one share.")
      .def(nb::init<>())
      .def("add", &ClusterShare::add, nb::arg("table"))
      .def("run", &ClusterShare::run, nb::arg("told"), nb::arg("number"), nb::arg("threads"))
      .def("next", &ClusterShare::next);
  nb::class_<ClusterMerger>(module, "ClusterMerger", "Rows of all shares, key by key.")
      .def(nb::init<std::shared_ptr<const ToldOnce>>(), nb::arg("told"))
      .def("add", &ClusterMerger::add, nb::arg("table"))
      .def("finish", &ClusterMerger::finish)
      .def("next", &ClusterMerger::next);
  nb::class_<cluster::ClusterStudy>(module, "ClusterStudy", "A study over shares, on the driver.")
      .def("__init__", &make_study, nb::arg("text"), nb::arg("places"), nb::arg("facts"), nb::arg("inputs"),
           nb::arg("shares"), nb::arg("out"), nb::arg("study_name"), nb::arg("ran_on"), nb::arg("range_candidates"))
      .def("next", &next_pass)
      .def(
          "take",
          [](cluster::ClusterStudy& self, const nb::bytes& key, const nb::bytes& value) {
            self.take(view_of(key), view_of(value));
          },
          nb::arg("key"), nb::arg("value"))
      .def("write", &write);
}

}  // namespace hearsay::python
