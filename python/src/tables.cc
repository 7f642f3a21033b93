// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <regex>
#include <set>

#include "base/errors.h"
#include "registration.h"
#include "results/schema.h"
#include "storage/arrow_abi.h"
#include "storage/database.h"
#include "storage/sql_text.h"
#include "storage/table_file.h"

namespace nb = nanobind;

namespace hearsay::python {
namespace {

// CSV has no types, and a file from elsewhere may have any; the names in docs/results.md have these, which cell()
// reads. `seen`: what DuckDB takes the column for, which serves for the fields of a goal's own.
std::string type_of(const std::string& column, std::string_view seen) {
  static const std::set<std::string> kWhole = {"repeat", "users",         "epoch",        "visits",
                                               "count",  "control_users", "active_users", "group"};
  static const std::set<std::string> kText = {"dataset",
                                              "goal",
                                              "prior",
                                              "attack",
                                              "decision",
                                              "release",
                                              "parameter",
                                              "baseline",
                                              "time",
                                              "uid",
                                              "roi",
                                              "name",
                                              "unit",
                                              "target",
                                              "crowd",
                                              "hides",
                                              "kind",
                                              "worse_than",
                                              "worse_than_mae",
                                              "before_attack",
                                              "with_attack",
                                              "before_decision",
                                              "with_decision",
                                              "without_attack",
                                              "without_decision",
                                              "paper_attack",
                                              "paper_decision"};
  static const std::regex kNumber(
      "error|loss|gain|loss_signed|gain_signed|improved|mre(_per_roi|_own_grid)?|mae(_own_grid|_0|_1_9|_10_99|_100)?|"
      "top10_overlap|suppressed|rank_correlation|daily_profile|place_totals|epoch_totals|forecast_mae(_raw)?|published|"
      "epsilon|delta|rho|"
      "epsilon_with_null|lat|lng|repeats|before|without|with|active|own|active_without|loss_without|own_loss|counted|"
      "own_clipped|crowd_part|own_part|paper|.*_(mean|sd|low|high|half_width|p[0-9][0-9])");
  if (kWhole.contains(column)) return "UBIGINT";
  if (kText.contains(column)) return "VARCHAR";
  if (std::regex_match(column, kNumber)) return "DOUBLE";
  const bool text = seen == "VARCHAR" || seen == "BOOLEAN" || seen.starts_with("DATE") || seen.starts_with("TIME");
  return text ? "VARCHAR" : "DOUBLE";
}

// A result file as it is read. It stays open until the last reader lets it go.
class ResultReader {
 public:
  explicit ResultReader(const std::string& path)
      : database_(storage::DatabaseOptions{}),
        result_(database_.stream(query(path), {storage::literal_paths({path})})) {}

  storage::Database& database() { return database_; }
  storage::QueryRows& result() { return result_; }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<std::string>& types() const { return types_; }

 private:
  std::string query(const std::string& path) {
    const bool csv = path.ends_with(".csv");
    const char* source = csv ? "read_csv($1, header = true, all_varchar = true)" : "read_parquet($1)";
    std::vector<std::string> columns;
    storage::QueryRows described =
        database_.execute(fmt::format("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {})",
                                      csv ? "read_csv($1, header = true)" : source),
                          {storage::literal_paths({path})});
    while (described.next()) {
      for (std::size_t row = 0; row < described.rows(); ++row) {
        names_.emplace_back(described.text(0, row));
        types_.push_back(type_of(names_.back(), described.text(1, row)));
        columns.push_back(fmt::format("CAST({0} AS {1}) AS {0}", storage::sql_name(names_.back()), types_.back()));
      }
    }
    return fmt::format("SELECT {} FROM {}", fmt::join(columns, ", "), source);
  }

  storage::Database database_;
  std::vector<std::string> names_;
  std::vector<std::string> types_;
  storage::QueryRows result_;
};

// The file as an Arrow stream.
struct StreamState {
  std::unique_ptr<ResultReader> reader;
  std::string error;
};

StreamState& state_of(ArrowArrayStream* stream) {
  return *static_cast<StreamState*>(stream->private_data);
}

int finish(StreamState& state, duckdb_error_data problem) {
  const bool failed = duckdb_error_data_has_error(problem);
  if (failed) state.error = duckdb_error_data_message(problem);
  duckdb_destroy_error_data(&problem);
  return failed ? EIO : 0;
}

// Runs what the reader of the stream calls: no exception may pass through the C interface.
template <typename Work>
int guarded(StreamState& state, const Work& work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  } catch (const std::exception& error) {
    state.error = error.what();
    return EIO;
  }
}

int write_schema(StreamState& state, ArrowSchema* out) {
  duckdb_result* result = state.reader->result().get();
  std::vector<duckdb_logical_type> types;
  std::vector<const char*> names;
  for (idx_t i = 0; i < duckdb_column_count(result); ++i) {
    types.push_back(duckdb_column_logical_type(result, i));
    names.push_back(duckdb_column_name(result, i));
  }
  duckdb_arrow_options options = duckdb_result_get_arrow_options(result);
  const int code =
      finish(state, duckdb_to_arrow_schema(options, types.data(), names.data(), static_cast<idx_t>(types.size()), out));
  duckdb_destroy_arrow_options(&options);
  for (duckdb_logical_type& type : types) duckdb_destroy_logical_type(&type);
  return code;
}

int write_next(StreamState& state, ArrowArray* out) {
  *out = {};
  if (!state.reader->result().next()) return 0;
  duckdb_arrow_options options = duckdb_result_get_arrow_options(state.reader->result().get());
  const int code = finish(state, duckdb_data_chunk_to_arrow(options, state.reader->result().chunk(), out));
  duckdb_destroy_arrow_options(&options);
  return code;
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  StreamState& state = state_of(stream);
  return guarded(state, [&] { return write_schema(state, out); });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  StreamState& state = state_of(stream);
  return guarded(state, [&] { return write_next(state, out); });
}

const char* last_error(ArrowArrayStream* stream) {
  return state_of(stream).error.c_str();
}

void release(ArrowArrayStream* stream) {
  delete static_cast<StreamState*>(stream->private_data);
  stream->release = nullptr;
}

nb::object arrow_stream(const std::string& path) {
  auto state = std::make_unique<StreamState>();
  {
    const nb::gil_scoped_release free_interpreter;
    state->reader = std::make_unique<ResultReader>(path);
  }
  auto* stream = new ArrowArrayStream{get_schema, get_next, last_error, release, state.release()};
  PyObject* capsule = PyCapsule_New(stream, "arrow_array_stream", [](PyObject* owned) {
    auto* open = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(owned, "arrow_array_stream"));
    if (open->release != nullptr) open->release(open);
    delete open;
  });
  if (capsule == nullptr) throw nb::python_error();
  return nb::steal(capsule);
}

nb::object cell(const storage::QueryRows& result, const std::string& type, std::size_t column, std::size_t row) {
  if (result.is_null(column, row)) return nb::none();
  if (type == "VARCHAR") {
    const std::string_view text = result.text(column, row);
    return nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
  }
  if (type == "UBIGINT") return nb::int_(result.values<std::uint64_t>(column)[row]);
  return nb::float_(result.number(column, row));
}

nb::dict columns(const std::string& path) {
  ResultReader reader(path);
  std::vector<nb::list> lists(reader.names().size());
  while (reader.result().next()) {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    for (std::size_t column = 0; column < lists.size(); ++column) {
      for (std::size_t row = 0; row < reader.result().rows(); ++row) {
        lists[column].append(cell(reader.result(), reader.types()[column], column, row));
      }
    }
  }
  nb::dict table;
  for (std::size_t column = 0; column < lists.size(); ++column) table[reader.names()[column].c_str()] = lists[column];
  return table;
}

}  // namespace

void register_tables(nb::module_& module) {
  module.def("check_results", &results::check_results, nb::arg("folder"));
  module.def("arrow_stream", &arrow_stream, nb::arg("path"), "A result file as an Arrow stream in a capsule.");
  module.def("columns", &columns, nb::arg("path"), nb::sig("def columns(path: str) -> dict[str, list[typing.Any]]"),
             "A result file as lists by column.");
}

}  // namespace hearsay::python
