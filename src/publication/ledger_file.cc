// SPDX-License-Identifier: Apache-2.0
#include "publication/ledger_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/errors.h"
#include "results/schema.h"

namespace hearsay::publication {
namespace {

using Json = nlohmann::ordered_json;

// Earlier versions did not name accounts, so only their owner knows what was spent on which data.
constexpr const char* kOldLedger = "name another folder, with a budget less what those releases spent";
constexpr int kDepth = 8;  // a ledger is nested less deeply than this

// The lines of a ledger on which accounts and releases begin, in the order of the file.
struct Lines {
  std::vector<std::uint64_t> accounts;
  std::vector<std::uint64_t> releases;
};

[[noreturn]] void refuse(const std::string& path, std::uint64_t line, const std::string& problem) {
  throw InputError({path, line, ""}, problem + "; restore the ledger from a copy");
}

// Reads JSON from a text and knows at which line it is.
class Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Cursor(const char* at, std::uint64_t* line) : at_(at), line_(line) {}
  const char& operator*() const { return *at_; }
  Cursor& operator++() {
    if (*at_++ == '\n') ++*line_;
    return *this;
  }
  Cursor operator++(int) {
    const Cursor before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Cursor& other) const { return at_ == other.at_; }
  bool operator!=(const Cursor& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  std::uint64_t* line_;
};

// Parses the text and notes the lines of its accounts and releases. The parser would silently take the last of two
// values with one key, and so forget an account.
Json parse(const std::string& text, const std::string& path, Lines& lines) {
  constexpr int kAccount = 2;  // the ledger is at 0, the object of all accounts at 1
  constexpr int kRelease = 4;
  std::uint64_t line = 1;
  std::vector<std::set<std::string>> keys;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth > kDepth) refuse(path, line, "this is not a ledger of releases");
    if (event == Json::parse_event_t::object_start) {
      keys.emplace_back();
      if (depth == kAccount) lines.accounts.push_back(line);
      if (depth == kRelease) lines.releases.push_back(line);
    } else if (event == Json::parse_event_t::object_end) {
      keys.pop_back();
    } else if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second) {
      refuse(path, line, fmt::format("\"{}\" is there twice", value.get<std::string>()));
    }
    return true;
  };
  try {
    return Json::parse(Cursor(text.data(), &line), Cursor(text.data() + text.size(), &line), watch);
  } catch (const Json::exception&) {
    refuse(path, line, "this is not a ledger of releases");
  }
}

bool is_amount(double number) {
  return std::isfinite(number) && number >= 0;
}

LedgerEntry entry_from(const Json& json, const std::string& path, std::uint64_t line) {
  const Json& epsilon = json.at("epsilon");
  LedgerEntry entry{json.at("file"),      json.at("mechanism"),
                    json.at("parameter"), epsilon.is_null() ? std::nullopt : std::optional(epsilon.get<double>()),
                    json.at("unit"),      json.value("delta", 0.0)};
  if (entry.epsilon && !is_amount(*entry.epsilon)) {
    refuse(path, line, fmt::format("a release has spent epsilon {}, but epsilon is never negative", *entry.epsilon));
  }
  if (!is_amount(entry.delta) || entry.delta > 1) {
    refuse(path, line, fmt::format("a release has delta {}, but delta is a chance from 0 to 1", entry.delta));
  }
  return entry;
}

Json entry_json(const LedgerEntry& entry) {
  return {{"file", entry.file},           {"mechanism", entry.mechanism},
          {"parameter", entry.parameter}, {"epsilon", entry.epsilon ? Json(*entry.epsilon) : Json()},
          {"unit", entry.unit},           {"delta", entry.delta}};
}

// `spent` and `units` are for people who look into the file. They are never read.
Json account_json(const Account& account) {
  Json releases = Json::array();
  for (const LedgerEntry& entry : account.releases) releases.push_back(entry_json(entry));
  return {{"budget", account.budget},
          {"spent", account.unsafe_releases() > 0 ? Json("without bound") : Json(account.spent())},
          {"units", account.units()},
          {"data", account.data},
          {"releases", releases}};
}

}  // namespace

std::vector<Account> accounts_in(const std::string& text, const std::string& path) {
  Lines lines;
  const Json ledger = parse(text, path, lines);
  results::check_schema({"a ledger", kLedgerSchema, kLedgerSchema, kOldLedger}, ledger, path);
  std::vector<Account> accounts;
  auto line = lines.accounts.begin();
  auto release_line = lines.releases.begin();
  std::uint64_t here = 1;
  try {
    for (const auto& [name, json] : ledger.at("accounts").items()) {
      if (line != lines.accounts.end()) here = *line++;
      Account account{name, json.at("budget").get<double>(), json.at("data"), {}};
      if (!is_amount(account.budget)) {
        refuse(path, here, fmt::format("account {} has a budget of {}", name, account.budget));
      }
      for (const Json& release : json.at("releases")) {
        if (release_line != lines.releases.end()) here = *release_line++;
        account.releases.push_back(entry_from(release, path, here));
      }
      if (account.releases.empty() || account.data.empty()) {
        refuse(path, here,
               fmt::format("account {} has no {}, but an account begins with its first release", name,
                           account.releases.empty() ? "releases" : "data"));
      }
      accounts.push_back(std::move(account));
    }
  } catch (const Json::exception&) {
    refuse(path, here, "this is not a ledger of releases");
  }
  return accounts;
}

std::string ledger_text(const std::vector<Account>& accounts) {
  Json ledger;
  ledger["schema"] = kLedgerSchema;
  ledger["accounts"] = Json::object();
  for (const Account& account : accounts) ledger["accounts"][account.name] = account_json(account);
  return ledger.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace hearsay::publication
