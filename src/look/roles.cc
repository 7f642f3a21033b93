// SPDX-License-Identifier: Apache-2.0
#include "look/roles.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <map>
#include <optional>

#include "base/errors.h"
#include "base/text.h"
#include "ingest/columns.h"
#include "look/toml_text.h"
#include "look/values.h"
#include "storage/sql_text.h"

namespace hearsay::look {
namespace {

constexpr std::size_t kCounted = 100'000;  // rows in which different values are counted
constexpr std::size_t kMostChoices = 9;
constexpr std::size_t kMostCandidates = 200;  // columns

struct Counts {
  std::uint64_t values = 0;
  std::uint64_t different = 0;
};

bool has_part(std::string name, std::initializer_list<const char*> parts) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::any_of(parts.begin(), parts.end(),
                     [&](const char* part) { return name.find(part) != std::string::npos; });
}

bool names_somebody(const std::string& name) {
  return has_part(name, {"user",  "uid",     "person",  "people",  "passenger", "customer", "client", "member",
                         "rider", "driver",  "travel",  "subscr",  "account",   "device",   "phone",  "mobile",
                         "imei",  "imsi",    "msisdn",  "card",    "hash",      "email",    "login",  "owner",
                         "agent", "visitor", "patient", "student", "employee"});
}

bool names_a_place(const std::string& name) {
  return has_part(name, {"stat",    "stn",   "place", "loc",    "zone",  "stop", "cell", "site", "venue",
                         "antenna", "tower", "area",  "region", "distr", "city", "poi",  "spot", "hub",
                         "dock",    "gate",  "bts",   "origin", "dest",  "from", "to_"});
}

bool names_trips(const std::string& name) {
  static constexpr std::array<const char*, 6> kNames = {"ride_id",   "trip_id",    "tid",
                                                        "rental_id", "journey_id", "trip_no"};
  const std::string plain = storage::normalized_name(name);
  return std::any_of(kNames.begin(), kNames.end(), [&](const char* one) { return plain == one; });
}

class Roles {
 public:
  Roles(storage::Database& database, const storage::Layout& layout, const std::string& file, const Sample& sample,
        Sight& sight)
      : database_(database), layout_(layout), file_(file), sight_(sight), used_(layout.columns.size(), false) {
    for (const std::vector<std::string>& values : sample) {
      contents_.push_back(content_of(values));
      sizes_.push_back(values.size());
    }
  }

  void guess() {
    if (is_trips()) {
      sight_.feed = "trips";
      sight_.source.format = ingest::Format::kTrips;
      for (const char* name : {"start_time", "start_roi", "end_time", "end_roi"}) {
        if (!found(name)) missing_.emplace_back(name);
      }
    } else {
      find_place();
      find_time();
    }
    find_user();
    for (const std::string& name : missing_) add_unknown(name);
  }

 private:
  // How a study names the column.
  std::string label(std::size_t column) const {
    return sight_.source.text.header ? layout_.columns[column].name : std::to_string(column + 1);
  }

  void map(const std::string& name, std::size_t column, const std::string& why) {
    used_[column] = true;
    sight_.source.columns[name] = label(column);
    sight_.reasons.push_back({"data.columns." + name, why});
  }

  // The columns that have one of the names in use for ours.
  std::vector<std::size_t> named(const std::string& name) const {
    std::vector<std::size_t> columns;
    if (!sight_.source.text.header) return columns;
    for (const std::string& alias : ingest::column_aliases(name)) {
      for (std::size_t i = 0; i < layout_.columns.size(); ++i) {
        if (storage::normalized_name(layout_.columns[i].name) == storage::normalized_name(alias)) columns.push_back(i);
      }
    }
    return columns;
  }

  bool has(const std::string& name) const { return sight_.source.columns.contains(name) || !named(name).empty(); }

  bool is_trips() const {
    if (sight_.given.has("data.format")) return sight_.source.format == ingest::Format::kTrips;
    return has("start_time") && has("start_roi") && has("end_time") && has("end_roi");
  }

  // Takes the column that was named, or the first with a name in use; the others are told.
  bool found(const std::string& name) {
    if (const auto mapped = sight_.source.columns.find(name); mapped != sight_.source.columns.end()) {
      used_[ingest::named_column(layout_, file_, mapped->second, "data.columns." + name)] = true;
      return true;
    }
    const std::vector<std::size_t> columns = named(name);
    if (columns.empty()) return false;
    used_[columns.front()] = true;
    if (columns.size() == 1) return true;
    std::vector<std::string> others;
    for (std::size_t i = 1; i < columns.size(); ++i) others.push_back(label(columns[i]));
    map(name, columns.front(), fmt::format("{} would do, too", listed(others)));
    return true;
  }

  void find_place() {
    const bool by_id = sight_.given.rois && !ingest::by_coordinates(*sight_.given.rois);
    if (!by_id && has("lat") && has("lng")) {
      sight_.coordinates = found("lat") && found("lng");
      return;
    }
    if (!by_id && find_degrees()) return;
    if (!found("roi")) missing_.emplace_back("roi");
  }

  // Two columns of degrees can be nothing else, unless a place is named.
  bool find_degrees() {
    std::vector<std::size_t> degrees;
    for (std::size_t i = 0; i < contents_.size(); ++i) {
      if (contents_[i].degrees && contents_[i].largest <= 180) degrees.push_back(i);
    }
    if (has("roi") || degrees.size() != 2) return false;
    const bool turned = contents_[degrees[0]].largest > 90;
    map("lat", degrees[turned ? 1 : 0], "its values are degrees");
    map("lng", degrees[turned ? 0 : 1], "its values are degrees");
    sight_.coordinates = true;
    return true;
  }

  void find_time() {
    if (sight_.source.columns.contains("date")) {
      found("date");
      found("time");
      return;
    }
    if (sight_.source.text.header && ingest::has_date_and_time(layout_, sight_.source.columns)) {
      for (const char* name : {"date", "time"}) used_[named(name).front()] = true;
      return;
    }
    if (found("datetime")) return;
    std::vector<std::size_t> times;
    for (std::size_t i = 0; i < contents_.size(); ++i) {
      if (contents_[i].time) times.push_back(i);
    }
    if (times.empty()) {
      missing_.emplace_back("datetime");
      return;
    }
    map("datetime", times.front(), "the first column whose values look like times");
  }

  void find_user() {
    if (sight_.source.user.from != ingest::UserRule::From::kColumn || found("uid")) return;
    if (const std::string vehicle = ingest::vehicle_column(layout_); sight_.source.text.header && !vehicle.empty()) {
      sight_.source.columns["uid"] = vehicle;
      sight_.reasons.push_back({"data.columns.uid", "there is no column of people: this follows vehicles"});
    } else if (sight_.files.size() > 1 && sight_.source.table == nullptr) {
      sight_.source.user = {ingest::UserRule::From::kFile, 1};
      sight_.reasons.push_back({"data.user", "there is no column of people, and several files: a file each"});
    } else if (const auto repeats = first_that_repeats(); !sight_.source.text.header && repeats) {
      map("uid", *repeats, "the first other column whose values repeat");
    } else {
      missing_.emplace_back("uid");
    }
  }

  std::optional<std::size_t> first_that_repeats() const {
    for (std::size_t i = 0; i < contents_.size(); ++i) {
      const bool other = !used_[i] && !contents_[i].time && !contents_[i].degrees;
      if (other && 2 * contents_[i].different <= sizes_[i]) return i;
    }
    return std::nullopt;
  }

  // How many different values each candidate has in the first rows.
  std::vector<Counts> counts_of(const std::vector<std::size_t>& columns) {
    std::vector<std::string> counts;
    for (const std::size_t column : columns) {
      counts.push_back(fmt::format("count(c{0}), count(DISTINCT CAST(c{0} AS VARCHAR))", column));
    }
    storage::QueryRows rows =
        database_.execute(fmt::format("SELECT {} FROM (SELECT * FROM ({}) LIMIT {})", fmt::join(counts, ", "),
                                      storage::scan_sql(layout_, columns, 1), kCounted),
                          {storage::literal_paths({file_})});
    std::vector<Counts> found(columns.size());
    if (!rows.next()) return found;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      found[i] = {static_cast<std::uint64_t>(rows.integer(2 * i, 0)),
                  static_cast<std::uint64_t>(rows.integer(2 * i + 1, 0))};
    }
    return found;
  }

  void add_unknown(const std::string& name) {
    static const std::map<std::string, std::string> kQuestions = {
        {"uid", "which column says who an event is of?"},
        {"roi", "which column says where an event is?"},
        {"datetime", "which column says when an event is?"},
        {"start_time", "which column says when a trip starts?"},
        {"start_roi", "which column says where a trip starts?"},
        {"end_time", "which column says when a trip ends?"},
        {"end_roi", "which column says where a trip ends?"}};
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < layout_.columns.size() && columns.size() < kMostCandidates; ++i) {
      if (!used_[i]) columns.push_back(i);
    }
    Unknown unknown{"data.columns." + name, kQuestions.at(name), {}};
    std::size_t best = 0;
    if (!columns.empty()) {
      const std::vector<Counts> counts = counts_of(columns);
      std::vector<std::size_t> order(columns.size());
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
      std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return rank(name, columns[a], counts[a]) < rank(name, columns[b], counts[b]);
      });
      order.resize(std::min(order.size(), kMostChoices));
      best = columns[order.front()];
      for (const std::size_t i : order) {
        unknown.choices.push_back(
            {{{"data.columns." + name, toml_text(label(columns[i]))}}, evidence(name, columns[i], counts[i])});
      }
    }
    sight_.stand_ins[name] = label(best);
    sight_.unknowns.push_back(std::move(unknown));
  }

  // The smaller, the likelier. Users and places come again; a time or a pair of degrees is neither.
  int rank(const std::string& name, std::size_t column, const Counts& counts) const {
    if (name.ends_with("time")) return contents_[column].time ? 0 : 1;
    if (contents_[column].time || contents_[column].degrees) return 5;
    const std::string& called = layout_.columns[column].name;
    const bool repeats = counts.different >= 2 && 2 * counts.different <= counts.values;
    const bool user = name == "uid";
    if (user ? names_somebody(called) : names_a_place(called)) return repeats ? 0 : 2;
    if (user ? names_a_place(called) : names_somebody(called)) return 3;
    return repeats ? 1 : 4;
  }

  std::string evidence(const std::string& name, std::size_t column, const Counts& counts) const {
    const std::string text =
        fmt::format("{} different value{} in {}{} rows", counts.different, counts.different == 1 ? "" : "s",
                    counts.values == kCounted ? "the first " : "", counts.values);
    if (name != "uid") return text;
    if (names_trips(layout_.columns[column].name)) return text + "; it numbers trips, not people";
    if (counts.different == counts.values && counts.values > 1) return text + ": each row would be a person of its own";
    if (counts.different == 1) return text + ": everybody would be one person";
    return text;
  }

  storage::Database& database_;
  const storage::Layout& layout_;
  const std::string& file_;
  Sight& sight_;
  std::vector<bool> used_;
  std::vector<Content> contents_;
  std::vector<std::size_t> sizes_;
  std::vector<std::string> missing_;
};

}  // namespace

void guess_roles(storage::Database& database, const storage::Layout& layout, const std::string& file,
                 const Sample& sample, Sight& sight) {
  Roles(database, layout, file, sample, sight).guess();
}

}  // namespace hearsay::look
