// SPDX-License-Identifier: Apache-2.0
#include "experiment/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "base/civil_time.h"
#include "base/errors.h"
#include "base/spelling.h"

namespace hearsay::experiment {
namespace {

toml::table parse(const std::string& text, const std::string& name) {
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    throw InputError({name, error.source().begin.line, std::to_string(error.source().begin.column)},
                     fmt::format("not TOML: {}", error.description()));
  }
}

// `key=value` as a document; a value that is not TOML by itself is taken as a string.
toml::table parse_override(const std::string& text, std::string& key) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) throw ConfigError("--set", text, "must be key=value");
  key = text.substr(0, equals);
  try {
    return toml::parse(text, std::string_view("--set"));
  } catch (const toml::parse_error&) {
    toml::table table;
    table.insert("value", text.substr(equals + 1));
    std::ostringstream quoted;
    quoted << toml::toml_formatter(table);
    try {
      return toml::parse(key + quoted.str().substr(std::string("value").size()), std::string_view("--set"));
    } catch (const toml::parse_error&) {
      throw ConfigError("--set", text, "must be key=value");
    }
  }
}

void merge(toml::table& into, const toml::table& from) {
  for (const auto& [key, value] : from) {
    toml::node* old = into.get(key.str());
    if (old != nullptr && old->is_table() && value.is_table()) {
      merge(*old->as_table(), *value.as_table());
    } else {
      into.insert_or_assign(key, value);
    }
  }
}

void collect_keys(const toml::table& table, const std::string& prefix, std::vector<std::string>& keys) {
  for (const auto& [key, value] : table) {
    const std::string full = prefix.empty() ? std::string(key.str()) : prefix + "." + std::string(key.str());
    keys.push_back(full);
    if (value.is_table()) collect_keys(*value.as_table(), full, keys);
  }
}

std::string table_of(const std::string& key) {
  const std::size_t point = key.rfind('.');
  return point == std::string::npos ? "" : key.substr(0, point);
}

std::string leaf_of(const std::string& key) {
  return key.substr(key.rfind('.') + 1);
}

std::size_t slips_allowed(const std::string& name) {
  return std::max<std::size_t>(1, (name.size() + 1) / 3);
}

bool is_near(const std::string& given, const std::string& known) {
  return nearest(given, {known}, slips_allowed(given)).has_value();
}

// A value as text without quotes; numbers in their shortest form.
std::string plain_text(const toml::node& node) {
  if (node.is_string()) return **node.as_string();
  if (node.is_floating_point()) return fmt::format("{}", **node.as_floating_point());
  std::ostringstream out;
  node.visit([&](const auto& value) { out << value; });
  return out.str();
}

std::optional<std::uint64_t> unit_seconds(const std::string& unit) {
  static const std::map<std::string, std::uint64_t> kUnits = {
      {"s", 1},       {"sec", 1},      {"second", 1}, {"seconds", 1},   {"m", 60},        {"min", 60},
      {"minute", 60}, {"minutes", 60}, {"h", 3600},   {"hour", 3600},   {"hours", 3600},  {"d", 86400},
      {"day", 86400}, {"days", 86400}, {"w", 604800}, {"week", 604800}, {"weeks", 604800}};
  const auto found = kUnits.find(unit);
  return found == kUnits.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

Settings::Settings(const std::string& text, std::string name, const std::vector<std::string>& overrides)
    : name_(std::move(name)), root_(parse(text, name_)) {
  for (const std::string& entry : overrides) {
    std::string key;
    merge(root_, parse_override(entry, key));
    overridden_.push_back(key);
  }
}

const toml::node* Settings::look_up(const std::string& key) const {
  return root_.at_path(key).node();
}

const toml::node* Settings::find(const std::string& key) {
  known_.push_back(key);
  return look_up(key);
}

bool Settings::has(const std::string& key) {
  return find(key) != nullptr;
}

void Settings::expect(const std::string& table, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) known_.push_back(fmt::format("{}.{}", table, key));
}

std::string Settings::where(const std::string& key) const {
  const bool overridden = std::any_of(overridden_.begin(), overridden_.end(), [&](const std::string& other) {
    return other == key || (look_up(key) != nullptr && look_up(key)->is_table() && other.starts_with(key + "."));
  });
  if (overridden) return "--set";
  const toml::node* node = look_up(key);
  if (name_.empty()) return {};
  return node == nullptr || node->source().begin.line == 0 ? name_
                                                           : fmt::format("{}:{}", name_, node->source().begin.line);
}

std::string Settings::shown(const std::string& key) const {
  const toml::node* node = look_up(key);
  if (node == nullptr || node->is_table()) return {};
  std::ostringstream out;
  node->visit([&](const auto& value) { out << value; });
  std::string text = out.str();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

void Settings::fail(const std::string& key, const std::string& constraint) const {
  throw ConfigError(key, shown(key), constraint, where(key));
}

void Settings::fail_missing(const std::string& key) const {
  for (const std::string& given : unknown_keys()) {
    const bool table = look_up(given)->is_table() && is_near(given, table_of(key));
    if (table || (table_of(given) == table_of(key) && is_near(leaf_of(given), leaf_of(key)))) {
      throw ConfigError(
          given, "",
          fmt::format("no such {}; did you mean \"{}\"?", table ? "table" : "setting", table ? table_of(key) : key),
          where(given));
    }
  }
  fail(key, "is required");
}

std::string Settings::text(const std::string& key, const std::optional<std::string>& otherwise) {
  const toml::node* node = find(key);
  if (node == nullptr) {
    if (otherwise) return *otherwise;
    fail_missing(key);
  }
  if (!node->is_string()) fail(key, "must be a string");
  return **node->as_string();
}

double Settings::number(const std::string& key, std::optional<double> otherwise) {
  const toml::node* node = find(key);
  if (node == nullptr) {
    if (otherwise) return *otherwise;
    fail_missing(key);
  }
  const std::optional<double> value = node->is_number() ? node->value<double>() : std::nullopt;
  if (!value || !std::isfinite(*value)) fail(key, "must be a number");
  return *value;
}

std::uint64_t Settings::whole(const std::string& key, std::optional<std::uint64_t> otherwise) {
  const toml::node* node = find(key);
  if (node == nullptr) {
    if (otherwise) return *otherwise;
    fail_missing(key);
  }
  const std::optional<std::int64_t> value = node->value_exact<std::int64_t>();
  if (!value || *value < 0) fail(key, "must be a whole number, 0 or more");
  return static_cast<std::uint64_t>(*value);
}

std::vector<std::string> Settings::texts(const std::string& key, const std::vector<std::string>& otherwise) {
  const toml::node* node = find(key);
  if (node == nullptr) return otherwise;
  if (node->is_string()) return {**node->as_string()};
  std::vector<std::string> list;
  if (const toml::array* array = node->as_array()) {
    for (const toml::node& item : *array) {
      if (!item.is_string()) fail(key, "must be a string or a list of strings");
      list.push_back(**item.as_string());
    }
  }
  if (list.empty()) fail(key, "must be a string or a list of at least one");
  return list;
}

std::vector<std::uint64_t> Settings::wholes(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  if (!node->is_array()) return {whole(key)};
  std::vector<std::uint64_t> list;
  for (const toml::node& item : *node->as_array()) {
    const std::optional<std::int64_t> value = item.value_exact<std::int64_t>();
    if (!value || *value < 0) fail(key, "must be whole numbers, 0 or more");
    list.push_back(static_cast<std::uint64_t>(*value));
  }
  if (list.empty()) fail(key, "must be a whole number or a list of at least one");
  return list;
}

bool Settings::yes(const std::string& key, bool otherwise) {
  const toml::node* node = find(key);
  if (node == nullptr) return otherwise;
  if (!node->is_boolean()) fail(key, "must be true or false");
  return **node->as_boolean();
}

std::map<std::string, std::string> Settings::text_table(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  if (!node->is_table()) fail(key, "must be a table, such as { uid = \"card\" }");
  std::map<std::string, std::string> entries;
  for (const auto& [name, value] : *node->as_table()) {
    const std::string full = key + "." + std::string(name.str());
    entries[std::string(name.str())] = value.is_integer() ? plain_text(value) : text(full);
    known_.push_back(full);
  }
  return entries;
}

std::vector<std::map<std::string, std::vector<std::string>>> Settings::tables(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  if (!node->is_array_of_tables()) fail(key, fmt::format("must be tables headed [[{}]]", key));
  std::vector<std::map<std::string, std::vector<std::string>>> list;
  for (const toml::node& item : *node->as_array()) {
    auto& entries = list.emplace_back();
    for (const auto& [name, value] : *item.as_table()) {
      std::vector<std::string>& values = entries[std::string(name.str())];
      if (const toml::array* array = value.as_array()) {
        for (const toml::node& element : *array) values.push_back(plain_text(element));
      } else {
        values.push_back(plain_text(value));
      }
    }
  }
  return list;
}

std::string Settings::civil_time(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) fail_missing(key);
  const std::optional<std::int64_t> civil = parse_civil(node->is_string() ? **node->as_string() : shown(key));
  if (civil) return format_civil(*civil);
  fail(key, "must be a civil date and time such as 2010-03-01 00:00");
}

std::uint64_t Settings::duration(const std::string& key, std::uint64_t unit, std::optional<std::uint64_t> otherwise) {
  const toml::node* node = find(key);
  if (node == nullptr && otherwise) return *otherwise;
  constexpr std::uint64_t kLongest = 100ULL * 366 * 86400;
  std::optional<std::uint64_t> seconds;
  if (node != nullptr && node->is_string()) {
    const std::string& text = **node->as_string();
    std::uint64_t amount = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), amount);
    const auto rest = static_cast<std::size_t>(end - text.data());
    const auto word = text.find_first_not_of(' ', rest);
    const auto named = unit_seconds(word == std::string::npos ? "" : text.substr(word));
    if (problem == std::errc() && named && amount <= kLongest / *named) seconds = amount * *named;
  } else if (node != nullptr) {
    const std::uint64_t amount = whole(key);
    if (amount <= kLongest / unit) seconds = amount * unit;
  }
  if (node == nullptr) fail_missing(key);
  if (!seconds || *seconds == 0) {
    fail(key, "must be a length of time such as \"1h\", \"15 min\" or \"3 weeks\", and at most 100 years");
  }
  return *seconds;
}

std::size_t Settings::choice(const std::string& key, const std::vector<std::string>& names,
                             const std::string& otherwise) {
  const std::string given = text(key, otherwise);
  const auto found = std::find(names.begin(), names.end(), given);
  if (found == names.end()) fail(key, "is not known" + suggestion(given, names));
  return static_cast<std::size_t>(found - names.begin());
}

// Keys of the document that nothing has asked for so far.
std::vector<std::string> Settings::unknown_keys() const {
  std::vector<std::string> keys;
  collect_keys(root_, "", keys);
  std::erase_if(keys, [&](const std::string& key) {
    return std::any_of(known_.begin(), known_.end(),
                       [&](const std::string& known) { return known == key || known.starts_with(key + "."); });
  });
  return keys;
}

// The nearest key of the same table; else a table, or the key of that name in another table; else all keys there are.
std::string Settings::suggestion_for(const std::string& key) const {
  std::vector<std::string> known = known_;
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  std::vector<std::string> siblings;
  std::vector<std::string> tables;
  std::vector<std::string> elsewhere;
  for (const std::string& other : known) {
    if (table_of(other) == table_of(key)) siblings.push_back(leaf_of(other));
    if (!table_of(other).empty()) tables.push_back(table_of(other));
    if (leaf_of(other) == leaf_of(key)) elsewhere.push_back(other);
  }
  const std::string table = table_of(key).empty() ? "" : table_of(key) + ".";
  std::string better = fmt::format("{}", fmt::join(elsewhere, "\" or \""));
  if (const auto near = nearest(leaf_of(key), siblings, slips_allowed(leaf_of(key)))) {
    better = table + siblings[*near];
  } else if (const auto named = nearest(key, tables, slips_allowed(key))) {
    better = tables[*named];
  }
  if (!better.empty()) return fmt::format("; did you mean \"{}\"?", better);
  for (std::string& sibling : siblings) sibling.insert(0, table);
  return fmt::format("; known: {}", listed(table.empty() || siblings.empty() ? known : siblings));
}

void Settings::check_all_used() const {
  const std::vector<std::string> unknown = unknown_keys();
  if (unknown.empty()) return;
  throw ConfigError(unknown.front(), "", "no such setting" + suggestion_for(unknown.front()), where(unknown.front()));
}

void Settings::deprecate(const std::string& key, const std::string& old, const std::string& better) {
  const std::string place = where(key);
  std::string sentence = fmt::format("{}{}{} is an old spelling, read until hearsay 1.0: {}", place,
                                     place.empty() ? "" : ": ", old, better);
  if (std::find(deprecated_.begin(), deprecated_.end(), sentence) == deprecated_.end()) {
    deprecated_.push_back(std::move(sentence));
  }
}

void Settings::set(const std::string& key, std::uint64_t value) {
  root_.insert_or_assign(key, static_cast<std::int64_t>(value));
}

std::vector<std::pair<std::string, std::string>> Settings::values() const {
  std::vector<std::string> keys;
  collect_keys(root_, "", keys);
  std::vector<std::pair<std::string, std::string>> values;
  for (const std::string& key : keys) {
    if (!look_up(key)->is_table()) values.emplace_back(key, shown(key));
  }
  return values;
}

std::string Settings::as_toml() const {
  std::ostringstream out;
  out << root_;
  return out.str();
}

}  // namespace hearsay::experiment
