// SPDX-License-Identifier: Apache-2.0
#include "data.h"

#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <map>

#include "arrays.h"
#include "base/errors.h"
#include "base/limits.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "copies.h"
#include "frames.h"
#include "ingest/columns.h"
#include "ingest/ingest.h"
#include "ingest/row_checks.h"
#include "interruptible.h"
#include "job/description.h"
#include "registration.h"
#include "release/aggregate.h"
#include "releases.h"
#include "studio.h"

namespace nb = nanobind;

namespace hearsay::python {
namespace {

// Names of the columns of a table that reading it needs, in the order of the table.
std::vector<std::string> needed_of(const experiment::Study& study, const std::vector<std::string>& names) {
  storage::Table table{{storage::FileKind::kArrow, ',', false, false, {}}, {"data frame"}};
  for (const std::string& name : names) table.layout.columns.push_back({name});
  std::vector<std::string> needed;
  for (const std::size_t index :
       ingest::columns_read(ingest::resolve_fields(study.data.source, study.data.rois, table))) {
    if (std::find(needed.begin(), needed.end(), names[index]) == needed.end()) needed.push_back(names[index]);
  }
  return needed;
}

// The time zone that the columns of times have; empty where they have none, or UTC, which says no more than that they
// are absolute. Throws ConfigError where they do not say one zone with a name.
std::string zone_of_columns(const experiment::Study& study, const storage::ArrowTable& table) {
  std::map<std::string, std::string> zones;  // by column
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < table.schema().n_children; ++i) {
    const ArrowSchema& column = *table.schema().children[i];
    const std::string_view format = column.format;
    names.emplace_back(column.name);
    // A time stamp is "ts", its unit, ":" and the zone, if there is one.
    if (format.starts_with("ts") && format.size() > 4) zones[column.name] = format.substr(4);
  }
  std::string zone;
  for (const std::string& name : needed_of(study, names)) {
    if (!zones.contains(name) || zones[name] == "UTC" || zones[name] == "+00:00" || zones[name] == zone) continue;
    const bool offset = zones[name].find_first_not_of("+-:0123456789") == std::string::npos;
    if (offset || !zone.empty()) {
      throw ConfigError(
          "data.timezone", "",
          fmt::format("is not set, and column {} has {} {}; name the time zone to study the data in, such as "
                      "tz=\"Europe/London\"",
                      name, offset ? "the offset" : "another zone than the column before it,", zones[name]));
    }
    zone = zones[name];
  }
  return zone;
}

// A sentence on the first bad row of a study that leaves bad rows out. It takes another pass over the data.
std::string first_bad_row(experiment::Study study, const ingest::Options& options) {
  study.data.source.bad_rows = ingest::BadRows::kStop;
  try {
    ingest::read_visits(study.data.source, study.data.rois, study.data.period, options);
  } catch (const InputError& error) {
    return std::string("the first row left out is ") + error.what();
  }
  return "";
}

// `stations`: a table to take the ROIs from, or None for what the settings say.
std::shared_ptr<Data> read(const std::string& toml, const std::string& name, const std::string& folder,
                           const std::vector<std::string>& overrides, const nb::object& table,
                           const nb::object& stations, std::size_t threads, const nb::object& progress) {
  experiment::Study study = experiment::parse_study(toml, name, folder, overrides);
  if (!table.is_none()) {
    study.data.source.paths.clear();
    study.data.source.table = take_table(table, "data frame");
    if (study.data.source.timezone.empty()) {
      study.data.source.timezone = zone_of_columns(study, *study.data.source.table);
    }
  }
  std::shared_ptr<const storage::ArrowTable> places;
  if (!stations.is_none()) places = take_table(stations, "stations");
  Job job;
  std::shared_ptr<Data> data;
  run_interruptibly(job, progress, [&](const Progress& told) {
    const TemporaryFolder temporary("", "hearsay-");
    if (places != nullptr) study.data.rois = ingest::RoiIds{write_table(*places, temporary.path() + "/stations.csv")};
    engine::LoadOptions options;
    options.threads = threads > 0 ? threads : default_threads();
    options.progress = told;
    options.stop = job.stop();
    StageClock clock;
    engine::Loaded loaded = engine::load(study, options, temporary.path(), clock);
    if (loaded.provenance.bad_rows > 0) {
      ingest::Options again;
      again.threads = options.threads;
      again.temp_directory = temporary.path();
      again.stop = job.stop();
      std::string sentence = first_bad_row(study, again);
      if (!sentence.empty()) loaded.provenance.warnings.push_back(std::move(sentence));
    }
    // Visits do not point into the table: whoever made it may have it back.
    study.data.source.table.reset();
    loaded.spec.source.table.reset();
    data = std::make_shared<Data>(std::move(study), std::move(loaded));
  });
  return data;
}

// The columns of a table with these names that reading it needs, so that only they need be handed over.
std::vector<std::string> needed_columns(const std::string& toml, const std::vector<std::string>& names) {
  return needed_of(experiment::parse_study(toml, "", "", {}), names);
}

std::vector<std::string> roi_ids(const Data& data) {
  std::vector<std::string> ids;
  for (const ingest::Roi& roi : data.dataset().rois()) ids.push_back(roi.id);
  return ids;
}

// Epoch of the study, user and ROI of each visit.
nb::tuple visits(const Data& data) {
  std::vector<std::uint32_t> epochs;
  std::vector<std::uint32_t> users;
  std::vector<std::uint32_t> rois;
  const dataset::VisitStore& store = data.dataset().visits();
  for (std::uint32_t e = 0; e < store.epochs(); ++e) {
    const dataset::EpochVisits at = store.at(static_cast<EpochId>(e));
    for (std::size_t row = 0; row < at.users.size(); ++row) {
      for (const RoiId roi : at.rois_of(row)) {
        epochs.push_back(e);
        users.push_back(static_cast<std::uint32_t>(at.users[row]));
        rois.push_back(static_cast<std::uint32_t>(roi));
      }
    }
  }
  return nb::make_tuple(owned_array(std::move(epochs)), owned_array(std::move(users)), owned_array(std::move(rois)));
}

nb::object describe(const Data& data) {
  const job::Description description =
      interruptibly([&](Job&) { return job::describe_loaded(data.settings, data.loaded(), default_threads()); });
  return nb::module_::import_("hearsay._description")
      .attr("Description")(job::describe_as_json(description), job::describe_as_text(description));
}

std::string repr(const Data& data) {
  const dataset::Calendar& calendar = data.dataset().calendar();
  return fmt::format("<Dataset {}: {} users, {} ROIs, {} visits, from {} {} epochs of {} s observed and {} inferred>",
                     quoted_value(data.settings.data.name), data.dataset().crowd().users, data.dataset().rois().size(),
                     data.dataset().visits().size(), data.settings.data.period.start, calendar.observe,
                     calendar.epoch_seconds, calendar.inference());
}

}  // namespace

void register_data(nb::module_& module) {
  nb::class_<Data> dataset(module, "Dataset", "People, places and times, read and ready to be attacked.",
                           nb::dynamic_attr());
  copy_as_itself(dataset);
  refuse_pickling(dataset, "a Dataset cannot be pickled: read the data in the process that needs it");
  dataset
      .def_prop_ro(
          "users", [](const Data& self) { return self.dataset().crowd().users; }, "Number of users.")
      .def_prop_ro(
          "rois", [](const Data& self) { return self.dataset().rois().size(); }, "Number of ROIs, null not counted.")
      .def_prop_ro(
          "epochs", [](const Data& self) { return self.dataset().calendar().inference(); },
          "Number of epochs of the inference period.")
      .def_prop_ro(
          "observe", [](const Data& self) { return self.dataset().calendar().observe; },
          "Number of epochs the adversary observes first.")
      .def_prop_ro(
          "user_ids", [](const Data& self) { return self.dataset().user_ids(); },
          "Ids by number: most reports in the observation period first.")
      .def_prop_ro("roi_ids", &roi_ids, "Ids by number; null, which has none, comes last.")
      .def("_visits", &visits)
      .def_prop_ro("_timezone", [](const Data& self) { return self.loaded().spec.source.timezone; })
      .def_prop_ro(
          "_positions",
          [](const Data& self) {
            std::vector<std::tuple<std::string, std::string, std::optional<double>, std::optional<double>>> all;
            for (const ingest::Roi& roi : self.dataset().rois()) all.emplace_back(roi.id, roi.name, roi.lat, roi.lng);
            return all;
          })
      .def("__repr__", &repr)
      .def_prop_ro("warnings", [](const Data& self) { return self.loaded().provenance.warnings; })
      .def_prop_ro("name", [](const Data& self) { return self.settings.data.name; })
      .def(
          "aggregates", [](const Data& self) { return raw_release(self).array(); },
          "How many people were where, when: epochs of the inference period x ROIs, null last.")
      .def("release", &raw_release, "The same as a release that attacks take.")
      .def("studio", &open_studio, nb::arg("threads") = 0, nb::arg("port") = 0,
           "Opens a studio on this data: the report, alive, in a browser or a notebook's frame, on this machine alone. "
           "It shows what the data give away: for the owner's eyes.")
      .def("describe", &describe, nb::sig("def describe(self) -> hearsay._description.Description"),
           "The statistics of the data, and what became of its rows.");
  module.def("read", &read, nb::arg("toml"), nb::arg("name"), nb::arg("folder"), nb::arg("overrides"),
             nb::arg("table").none(), nb::arg("stations").none(), nb::arg("threads"), nb::arg("progress").none());
  module.def("needed_columns", &needed_columns, nb::arg("toml"), nb::arg("names"));
}

}  // namespace hearsay::python
