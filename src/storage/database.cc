// SPDX-License-Identifier: Apache-2.0
#include "storage/database.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>

#include "base/errors.h"
#include "storage/sql_text.h"

namespace hearsay::storage {
namespace {

constexpr auto kPollInterval = std::chrono::milliseconds(200);

// A message may quote the data, and what the data says must decide nothing. Messages without a kind do not quote it.
[[noreturn]] void fail(const std::string& message) {
  const std::string_view kind = kind_of(message);
  const std::string_view text = std::string_view(message).substr(kind.size());
  const bool allocation = text.starts_with("std::bad_alloc") || text.starts_with("bad allocation") ||
                          (kind.empty() && text.find("(bad allocation)") != std::string_view::npos);
  if (kind == "Out of Memory Error: " || allocation) {
    throw ResourceError(
        "out of memory while reading or writing files: give more with --memory, use fewer --threads, or free room for "
        "temporary files");
  }
  for (const char* sign : {"No space left on device", "File too large", "Disk quota exceeded"}) {
    if (kind == "IO Error: " && text.find(sign) != std::string_view::npos) {
      throw ResourceError(fmt::format("the disk is full: {}", sign));
    }
  }
  throw DatabaseError(message);
}

// With less DuckDB's threads and the system's libraries may crash before anything fails that can be caught.
void check_address_limit() {
  constexpr std::uint64_t kLeast = 512;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur >= kLeast << 20) return;
  throw ResourceError(fmt::format("out of memory: this process may use {} MiB (ulimit -v), and needs {} at least",
                                  limit.rlim_cur >> 20, kLeast));
}

class Config {
 public:
  Config() {
    if (duckdb_create_config(&config_) == DuckDBError) throw DatabaseError("cannot create a DuckDB configuration");
  }
  Config(const Config&) = delete;
  Config& operator=(const Config&) = delete;
  ~Config() { duckdb_destroy_config(&config_); }
  void set(const char* name, const std::string& value) {
    if (duckdb_set_config(config_, name, value.c_str()) == DuckDBError) {
      throw DatabaseError(fmt::format("DuckDB does not take {} = {}", name, value));
    }
  }
  duckdb_config get() { return config_; }

 private:
  duckdb_config config_ = nullptr;
};

class Type {
 public:
  explicit Type(duckdb_type type) : type_(duckdb_create_logical_type(type)) {}
  Type(const Type&) = delete;
  Type& operator=(const Type&) = delete;
  ~Type() { duckdb_destroy_logical_type(&type_); }
  duckdb_logical_type get() { return type_; }

 private:
  duckdb_logical_type type_;
};

class Statement {
 public:
  Statement(duckdb_connection connection, const std::string& sql) {
    if (duckdb_prepare(connection, sql.c_str(), &statement_) == DuckDBError) {
      const std::string message = duckdb_prepare_error(statement_);
      duckdb_destroy_prepare(&statement_);
      fail(message);
    }
  }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { duckdb_destroy_prepare(&statement_); }

  void bind(idx_t index, const Value& given) {
    duckdb_value value = std::visit([](const auto& typed) { return make_value(typed); }, given);
    const duckdb_state state = duckdb_bind_value(statement_, index, value);
    duckdb_destroy_value(&value);
    if (state == DuckDBError) fail(duckdb_prepare_error(statement_));
  }
  duckdb_prepared_statement get() { return statement_; }

 private:
  static duckdb_value make_value(const std::string& text) {
    return duckdb_create_varchar_length(text.data(), text.size());
  }
  static duckdb_value make_value(std::int64_t number) { return duckdb_create_int64(number); }
  static duckdb_value make_value(double number) { return duckdb_create_double(number); }
  static duckdb_value make_value(const std::vector<std::string>& texts) {
    std::vector<duckdb_value> values;
    values.reserve(texts.size());
    for (const std::string& text : texts) values.push_back(make_value(text));
    Type type(DUCKDB_TYPE_VARCHAR);
    duckdb_value list = duckdb_create_list_value(type.get(), values.data(), values.size());
    for (duckdb_value& value : values) duckdb_destroy_value(&value);
    return list;
  }

  duckdb_prepared_statement statement_ = nullptr;
};

class Pending {
 public:
  Pending(duckdb_connection connection, duckdb_prepared_statement statement, bool streaming) : connection_(connection) {
    const duckdb_state state = streaming ? duckdb_pending_prepared_streaming(statement, &pending_)
                                         : duckdb_pending_prepared(statement, &pending_);
    if (state == DuckDBError) fail();
  }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  ~Pending() {
    if (!finished_) duckdb_interrupt(connection_);
    duckdb_destroy_pending(&pending_);
  }

  duckdb_result finish(const QueryProgress& progress) {
    if (progress) poll(progress);
    finished_ = true;
    duckdb_result result;
    if (duckdb_execute_pending(pending_, &result) == DuckDBError) {
      const char* text = duckdb_result_error(&result);
      const std::string message = text != nullptr ? text : duckdb_pending_error(pending_);
      duckdb_destroy_result(&result);
      storage::fail(message);
    }
    return result;
  }

 private:
  void poll(const QueryProgress& progress) {
    auto due = std::chrono::steady_clock::now() + kPollInterval;
    while (true) {
      const duckdb_pending_state state = duckdb_pending_execute_task(pending_);
      if (state == DUCKDB_PENDING_ERROR || duckdb_pending_execution_is_finished(state)) return;
      if (state == DUCKDB_PENDING_NO_TASKS_AVAILABLE) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (const auto now = std::chrono::steady_clock::now(); now >= due) {
        progress(duckdb_query_progress(connection_).percentage);
        due = now + kPollInterval;
      }
    }
  }

  void fail() {
    const char* text = duckdb_pending_error(pending_);
    const std::string message = text != nullptr ? text : "cannot start the query";
    duckdb_destroy_pending(&pending_);
    storage::fail(message);
  }

  duckdb_connection connection_;
  duckdb_pending_result pending_ = nullptr;
  bool finished_ = false;
};

// What comes before a query is done before its threads call us, and what they do before it ends. DuckDB sees to it, but
// is built without thread sanitizer, which would report hundreds of races that are none: this says it in a way that one
// can follow, for two additions a chunk.
class InOrder {
 public:
  InOrder() { calls.fetch_add(1, std::memory_order_acq_rel); }
  InOrder(const InOrder&) = delete;
  InOrder& operator=(const InOrder&) = delete;
  ~InOrder() { calls.fetch_add(1, std::memory_order_acq_rel); }

 private:
  static inline std::atomic<std::uint64_t> calls = 0;
};

}  // namespace

QueryRows::QueryRows(QueryRows&& other) noexcept
    : Chunk(other), result_(std::exchange(other.result_, duckdb_result{})) {
  other.chunk_ = nullptr;
  other.rows_ = 0;
}

QueryRows::~QueryRows() {
  drop_chunk();
  duckdb_destroy_result(&result_);
}

void QueryRows::drop_chunk() {
  if (chunk_ != nullptr) duckdb_destroy_data_chunk(&chunk_);
  rows_ = 0;
}

bool QueryRows::next() {
  drop_chunk();
  chunk_ = duckdb_fetch_chunk(result_);
  if (chunk_ == nullptr) {
    const char* text = duckdb_result_error(&result_);
    if (text != nullptr && *text != '\0') fail(text);
    return false;
  }
  rows_ = duckdb_data_chunk_get_size(chunk_);
  return rows_ > 0;
}

bool Chunk::is_null(std::size_t column, std::size_t row) const {
  std::uint64_t* validity = duckdb_vector_get_validity(duckdb_data_chunk_get_vector(chunk_, column));
  return validity != nullptr && !duckdb_validity_row_is_valid(validity, row);
}

std::string_view Chunk::text(std::size_t column, std::size_t row) const {
  if (is_null(column, row)) return {};
  return view_of(values<duckdb_string_t>(column)[row]);
}

// Called by DuckDB, through which no exception may pass.
void Database::take_chunk(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  const auto& consume = *static_cast<const ChunkConsumer*>(duckdb_scalar_function_get_extra_info(info));
  const InOrder in_order;
  const Chunk chunk(input);
  try {
    consume(chunk);
    std::memset(duckdb_vector_get_data(output), 0, chunk.rows());
  } catch (const std::exception& error) {
    duckdb_scalar_function_set_error(info, error.what());
  } catch (...) {
    duckdb_scalar_function_set_error(info, "unknown failure");
  }
}

Database::Database(const DatabaseOptions& options)
    : temporary_(options.temp_directory, "hearsay-"), stop_(options.stop) {
  check_address_limit();
  try {
    Config config;
    config.set("threads", std::to_string(std::max<std::size_t>(options.threads, 1)));
    if (options.memory_bytes > 0) config.set("memory_limit", fmt::format("{}B", options.memory_bytes));
    config.set("temp_directory", temporary_.path());
    config.set("autoinstall_known_extensions", "false");
    config.set("autoload_known_extensions", "false");
    char* error = nullptr;
    if (duckdb_open_ext(nullptr, &database_, config.get(), &error) == DuckDBError) {
      const std::string message = error != nullptr ? error : "cannot open DuckDB";
      duckdb_free(error);
      fail(message);
    }
    if (duckdb_connect(database_, &connection_) == DuckDBError) throw DatabaseError("cannot connect to DuckDB");
    execute("SET TimeZone = 'UTC'");
    execute("SET enable_progress_bar = true");
    execute("SET enable_progress_bar_print = false");
    interrupt_.emplace(stop_, [this] { duckdb_interrupt(connection_); });
  } catch (...) {
    close();
    throw;
  }
}

Database::~Database() {
  close();
}

void Database::close() {
  interrupt_.reset();
  if (connection_ != nullptr) duckdb_disconnect(&connection_);
  if (database_ != nullptr) duckdb_close(&database_);
}

QueryRows Database::run(const std::string& sql, const Values& values, const QueryProgress& progress, bool streaming) {
  if (stop_.stop_requested()) throw Cancelled();
  Statement statement(connection_, sql);
  for (std::size_t i = 0; i < values.size(); ++i) statement.bind(i + 1, values[i]);
  const InOrder in_order;  // until what is pending has ended, however it ends
  Pending pending(connection_, statement.get(), streaming);
  // An interrupt that comes before the statement is under way is lost, so it is also looked for meanwhile.
  QueryProgress watched = progress;
  if (stop_.stop_possible()) {
    watched = [&](double percent) {
      if (stop_.stop_requested()) throw Cancelled();
      if (progress) progress(percent);
    };
  }
  try {
    return QueryRows(pending.finish(watched));
  } catch (const DatabaseError&) {
    if (stop_.stop_requested()) throw Cancelled();
    throw;
  }
}

QueryRows Database::execute(const std::string& sql, const Values& values, const QueryProgress& progress) {
  return run(sql, values, progress, false);
}

QueryRows Database::stream(const std::string& sql, const Values& values, const QueryProgress& progress) {
  return run(sql, values, progress, true);
}

void Database::add_consumer(const std::string& name, const std::vector<duckdb_type>& columns, ChunkConsumer consumer) {
  consumers_.push_back(std::make_unique<ChunkConsumer>(std::move(consumer)));
  duckdb_scalar_function function = duckdb_create_scalar_function();
  duckdb_scalar_function_set_name(function, name.c_str());
  for (const duckdb_type column : columns) duckdb_scalar_function_add_parameter(function, Type(column).get());
  duckdb_scalar_function_set_return_type(function, Type(DUCKDB_TYPE_UTINYINT).get());
  duckdb_scalar_function_set_special_handling(function);  // rows with a null are handed over too
  duckdb_scalar_function_set_volatile(function);
  duckdb_scalar_function_set_extra_info(function, consumers_.back().get(), nullptr);
  duckdb_scalar_function_set_function(function, take_chunk);
  const duckdb_state state = duckdb_register_scalar_function(connection_, function);
  duckdb_destroy_scalar_function(&function);
  if (state == DuckDBError) throw DatabaseError("DuckDB does not take the function " + name);
}

void Database::copy_to(const std::string& query, const std::string& path, FileFormat format) {
  const char* options = format == FileFormat::kCsv ? "FORMAT csv, HEADER true" : "FORMAT parquet";
  execute(fmt::format("COPY ({}) TO $1 ({})", query, options), {path});
}

Appender::Appender(Database& database, const std::string& table) {
  if (duckdb_appender_create(database.connection(), nullptr, table.c_str(), &appender_) == DuckDBError) {
    const char* text = appender_ != nullptr ? duckdb_appender_error(appender_) : nullptr;
    const std::string message = text != nullptr ? text : "cannot append to " + table;
    duckdb_appender_destroy(&appender_);
    fail(message);
  }
}

Appender::~Appender() {
  duckdb_appender_destroy(&appender_);
}

void Appender::append(std::string_view value) {
  check(duckdb_append_varchar_length(appender_, value.data(), value.size()));
}

void Appender::finish() {
  check(duckdb_appender_close(appender_));
}

void Appender::check(duckdb_state state) {
  if (state == DuckDBSuccess) return;
  const char* text = duckdb_appender_error(appender_);
  fail(text != nullptr ? text : "cannot append");
}

}  // namespace hearsay::storage
