// SPDX-License-Identifier: Apache-2.0
//
// Events that are read in parts, elsewhere: each part is placed where it is, and what holds of all is concluded once.
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <fstream>

#include "arrow_columns.h"
#include "base/bytes.h"
#include "base/temporary_folder.h"
#include "engine/loading.h"
#include "frames.h"
#include "ingest/parts.h"
#include "ingest/places.h"
#include "places.h"
#include "registration.h"
#include "study_text.h"

namespace nb = nanobind;

namespace hearsay::python {
namespace {

constexpr std::uint64_t kMemoryBytes = 256U << 20;  // of DuckDB, which streams; twice what one thread of it needs

nb::bytes bytes_of(const std::string& text) {
  return nb::bytes(text.data(), text.size());
}

std::string_view view_of(const nb::bytes& bytes) {
  return {bytes.c_str(), bytes.size()};
}

// The file that lists the places; nothing where none does.
std::string* list_of(ingest::RoiRule& rule) {
  if (auto* zones = std::get_if<ingest::Zones>(&rule)) return &zones->list;
  auto* ids = std::get_if<ingest::RoiIds>(&rule);
  return ids != nullptr && !ids->list.empty() ? &ids->list : nullptr;
}

std::string bytes_of(const std::vector<ingest::TimeShape>& shapes) {
  BytesWriter writer;
  writer.put(static_cast<std::uint64_t>(shapes.size()));
  for (const ingest::TimeShape& shape : shapes) {
    for (const std::string* text : {&shape.path, &shape.shape, &shape.example, &shape.another}) writer.put(*text);
    for (const std::uint64_t count : {shape.values, shape.day_first, shape.month_first, shape.told_apart}) {
      writer.put(count);
    }
  }
  return writer.take();
}

std::vector<ingest::TimeShape> shapes_of(std::string_view bytes) {
  BytesReader reader(bytes);
  std::vector<ingest::TimeShape> shapes(reader.get<std::uint64_t>());
  for (ingest::TimeShape& shape : shapes) {
    for (std::string* text : {&shape.path, &shape.shape, &shape.example, &shape.another}) reader.get(*text);
    for (std::uint64_t* count : {&shape.values, &shape.day_first, &shape.month_first, &shape.told_apart}) {
      reader.get(*count);
    }
  }
  return shapes;
}

// One of these places the rows of a task; another, where the study is, concludes.
class Placer {
 public:
  // `patterns`: of times, found in the data. `list`: what the file of places holds, where that file is not at hand.
  Placer(const StudyText& text, std::vector<std::string> patterns, const std::optional<nb::bytes>& list)
      : study_(text.parse(std::make_shared<Job>())), patterns_(std::move(patterns)) {
    ingest::Source source = study_.data.source;
    if (!patterns_.empty()) source.time_patterns = patterns_;
    ingest::RoiRule rois = study_.data.rois;
    std::string* const path = list_of(rois);
    if (path != nullptr) list_ = *path;
    std::optional<TemporaryFolder> folder;
    if (path != nullptr && list) {
      folder.emplace("", "hearsay-");
      *path = folder->path() + "/" + std::filesystem::path(list_).filename().string();
      std::ofstream(*path, std::ios::binary).write(list->c_str(), static_cast<std::streamsize>(list->size()));
    }
    ingest::Options options;
    options.memory_bytes = kMemoryBytes;
    reader_.emplace(std::move(source), std::move(rois), study_.data.period, std::move(options));
  }
  Placer(const Placer&) = delete;
  Placer& operator=(const Placer&) = delete;

  nb::object place(const nb::object& table, const std::string& name, bool until_odd_time) {
    const auto rows = take_table(table, name);
    BytesBuilder users;
    BytesBuilder visits;
    ingest::Part part;
    {
      const nb::gil_scoped_release free_interpreter;
      part = reader_->read(rows, until_odd_time);
      facts_.add(part.facts);
      for (std::size_t u = 0; u < part.users.size(); ++u) {
        users.add(part.users[u]);
        visits.add(part.keys.data() + part.begin[u], (part.begin[u + 1] - part.begin[u]) * sizeof(std::uint64_t));
      }
    }
    if (part.facts.odd_time) return nb::none();
    nb::object places = nb::none();
    if (reader_->placement().places_seen()) {
      BytesWriter writer;
      writer.put(part.places);
      places = bytes_of(writer.take());
    }
    return nb::make_tuple(part.users.size(), users.take(), visits.take(), places);
  }
  // Rows that are bad in a way that the table does not show.
  void add_bad(const std::string& reason, std::uint64_t rows) {
    facts_.bad_rows[reason] += rows;
    facts_.rows += rows;
  }
  nb::bytes facts() const { return bytes_of(facts_.bytes()); }

  void survey(const nb::object& table, const std::string& name) {
    const auto rows = take_table(table, name);
    const nb::gil_scoped_release free_interpreter;
    shapes_ = ingest::added(shapes_, reader_->survey(rows));
  }
  void add_shapes(const nb::bytes& others) { shapes_ = ingest::added(shapes_, shapes_of(view_of(others))); }
  nb::bytes shapes() const { return bytes_of(bytes_of(shapes_)); }
  std::vector<std::string> find_patterns(const std::string& name, const std::vector<std::string>& columns) const {
    return reader_->find_patterns(shapes_, name, columns);
  }

  std::vector<std::string> needed_columns(const std::vector<std::string>& columns, const std::string& name) const {
    return reader_->needed_columns(columns, name);
  }

  bool names_places(const std::vector<std::string>& columns, const std::string& name) const {
    return reader_->names_places(columns, name);
  }

  // Its number from 0, column and problem.
  std::optional<std::tuple<std::uint64_t, std::string, std::string>> first_bad_row(const nb::object& table,
                                                                                   const std::string& name) const {
    const auto rows = take_table(table, name);
    const nb::gil_scoped_release free_interpreter;
    const auto bad = reader_->first_bad_row(rows);
    if (!bad) return std::nullopt;
    return std::tuple(bad->place.line - 1, bad->place.column, bad->problem);
  }

  // Columns id, name, lat, lng (NaN where there is no position) and rows.
  nb::tuple survey_places(const nb::object& table, const std::string& name) const {
    const auto rows = take_table(table, name);
    BytesBuilder ids;
    BytesBuilder names;
    std::vector<double> lats;
    std::vector<double> lngs;
    std::vector<std::int64_t> counts;
    {
      const nb::gil_scoped_release free_interpreter;
      for (const ingest::SeenPlace& place : reader_->survey_places(rows)) {
        ids.add(place.id);
        names.add(place.name);
        lats.push_back(place.lat.value_or(std::numeric_limits<double>::quiet_NaN()));
        lngs.push_back(place.lng.value_or(std::numeric_limits<double>::quiet_NaN()));
        counts.push_back(static_cast<std::int64_t>(place.rows));
      }
    }
    const std::size_t places = counts.size();
    return nb::make_tuple(places, ids.take(), names.take(), owned_array(std::move(lats)), owned_array(std::move(lngs)),
                          owned_array(std::move(counts)));
  }

  // Throws what reading on one machine throws of such facts; name_bad_row raises for the first bad row.
  nb::dict conclude(const nb::bytes& facts, const std::string& name, const nb::callable& name_bad_row) const {
    const ingest::Conclusion said =
        reader_->conclude(ingest::Facts::from_bytes(view_of(facts)), name, patterns_, [&] { name_bad_row(); });
    engine::check_left_to_infer(study_, said.last_event);
    const ingest::Tally& tally = said.tally;
    nb::dict found;
    found["rows"] = tally.rows;
    found["events"] = tally.events;
    found["used"] = tally.used;
    found["outside_period"] = tally.outside_period;
    found["outside_rois"] = tally.outside_rois;
    found["at_midnight"] = tally.at_midnight;
    found["in_busiest_epoch"] = tally.in_busiest_epoch;
    found["busiest_epoch"] = tally.busiest_epoch;
    found["bad_rows"] = tally.bad_rows;
    found["timezone"] = said.timezone;
    found["time_format"] = said.time_format;
    found["first_event"] = said.first_event;
    found["last_event"] = said.last_event;
    found["warnings"] = said.warnings;
    return found;
  }

  Places places() const { return {reader_->placement().rois(), reader_->placement().columns()}; }
  bool places_seen() const { return reader_->placement().places_seen(); }
  std::string clock() const {
    const ingest::Source& source = reader_->source();
    return source.utc || source.timezone.empty() ? "UTC" : source.timezone;
  }
  std::uint32_t observe() const { return study_.data.observe; }
  const std::string& list() const { return list_; }
  nb::dict files() const {
    const ingest::Source& source = reader_->source();
    nb::dict found;
    found["paths"] = source.paths;
    found["header"] = source.text.header;
    found["skip"] = source.text.skip;
    found["separator"] = source.text.separator == '\0' ? "" : std::string(1, source.text.separator);
    found["encoding"] = source.text.encoding;
    return found;
  }

 private:
  experiment::Study study_;
  std::vector<std::string> patterns_;
  std::string list_;
  std::optional<ingest::PartReader> reader_;
  ingest::Facts facts_;
  std::vector<ingest::TimeShape> shapes_;
};

nb::bytes add_facts(const std::vector<nb::bytes>& parts) {
  ingest::Facts all;
  for (const nb::bytes& part : parts) all.add(ingest::Facts::from_bytes(view_of(part)));
  return bytes_of(all.bytes());
}

std::vector<std::string> ids_of(const nb::bytes& places) {
  return BytesReader(view_of(places)).get<std::vector<std::string>>();
}

using NamedPlace = std::tuple<std::string, std::string, std::optional<double>, std::optional<double>>;

void register_places(nb::module_& module) {
  nb::class_<Places>(module, "Places", "The places of a study, in the order of their numbers.")
      .def(
          "__init__",
          [](Places* self, const std::vector<NamedPlace>& named) {
            new (self) Places;
            for (const auto& [id, name, lat, lng] : named) self->rois.push_back({id, name, lat, lng});
          },
          nb::arg("named"), "Of id, name, latitude and longitude each.")
      .def("__len__", [](const Places& self) { return self.rois.size(); })
      .def_ro("columns", &Places::columns, "Of the grid; 0 where the places are no grid.")
      .def_prop_ro("ids",
                   [](const Places& self) {
                     std::vector<std::string> ids;
                     for (const ingest::Roi& roi : self.rois) ids.push_back(roi.id);
                     return ids;
                   })
      .def_prop_ro("positions",
                   [](const Places& self) {
                     std::vector<NamedPlace> named;
                     for (const ingest::Roi& roi : self.rois) named.emplace_back(roi.id, roi.name, roi.lat, roi.lng);
                     return named;
                   })
      .def("__getstate__",
           [](const Places& self) { return nb::make_tuple(bytes_of(ingest::bytes_of(self.rois)), self.columns); })
      .def("__setstate__", [](Places& self, const std::tuple<nb::bytes, std::uint32_t>& state) {
        new (&self) Places{ingest::rois_of(view_of(std::get<0>(state))), std::get<1>(state)};
      });
}

}  // namespace

void register_placing(nb::module_& module) {
  register_places(module);
  nb::class_<Placer>(module, "Placer", "Places events that come in parts.")
      .def(nb::init<const StudyText&, std::vector<std::string>, const std::optional<nb::bytes>&>(), nb::arg("study"),
           nb::arg("patterns"), nb::arg("list").none())
      .def("place", &Placer::place, nb::arg("table"), nb::arg("name"), nb::arg("until_odd_time"))
      .def("add_bad", &Placer::add_bad, nb::arg("reason"), nb::arg("rows"))
      .def("facts", &Placer::facts)
      .def("needed_columns", &Placer::needed_columns, nb::arg("columns"), nb::arg("name"))
      .def("survey", &Placer::survey, nb::arg("table"), nb::arg("name"))
      .def("add_shapes", &Placer::add_shapes, nb::arg("others"))
      .def("shapes", &Placer::shapes)
      .def("find_patterns", &Placer::find_patterns, nb::arg("name"), nb::arg("columns"))
      .def("first_bad_row", &Placer::first_bad_row, nb::arg("table"), nb::arg("name"))
      .def("names_places", &Placer::names_places, nb::arg("columns"), nb::arg("name"))
      .def("survey_places", &Placer::survey_places, nb::arg("table"), nb::arg("name"))
      .def("conclude", &Placer::conclude, nb::arg("facts"), nb::arg("name"), nb::arg("name_bad_row"))
      .def_prop_ro("places", &Placer::places)
      .def_prop_ro("places_seen", &Placer::places_seen)
      .def_prop_ro("clock", &Placer::clock, "The time zone of times that say none.")
      .def_prop_ro("observe", &Placer::observe)
      .def_prop_ro("list", &Placer::list)
      .def_prop_ro("files", &Placer::files);
  module.def(
      "is_odd", [](const nb::bytes& facts) { return ingest::Facts::from_bytes(view_of(facts)).odd_time; },
      nb::arg("facts"));
  module.def("add_facts", &add_facts, nb::arg("parts"));
  module.def("ids_of", &ids_of, nb::arg("places"));
}

}  // namespace hearsay::python
