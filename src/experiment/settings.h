// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hearsay::experiment {

// Reads settings by dotted key out of a TOML document and remembers which it was asked for, so that check_all_used can
// name the one nobody knows. Every error is a ConfigError with the file and line.
class Settings {
 public:
  // `overrides` are `key=value` and win over the text. Throws InputError where the text is not TOML.
  Settings(const std::string& text, std::string name, const std::vector<std::string>& overrides);

  bool has(const std::string& key);
  // Says which keys a table has, before the first of them is read. An error about a missing key then takes none of the
  // others for its misspelling.
  void expect(const std::string& table, const std::vector<std::string>& keys);
  std::string text(const std::string& key, const std::optional<std::string>& otherwise = std::nullopt);
  double number(const std::string& key, std::optional<double> otherwise = std::nullopt);
  std::uint64_t whole(const std::string& key, std::optional<std::uint64_t> otherwise = std::nullopt);
  // One string or an array of them.
  std::vector<std::string> texts(const std::string& key, const std::vector<std::string>& otherwise);
  // A whole number or an array of them; empty where there is none.
  std::vector<std::uint64_t> wholes(const std::string& key);
  bool yes(const std::string& key, bool otherwise);
  // A table of strings; whole numbers are taken for such.
  std::map<std::string, std::string> text_table(const std::string& key);
  // An array of tables, each from its keys to lists of values as text (a single value is a list of one).
  std::vector<std::map<std::string, std::vector<std::string>>> tables(const std::string& key);
  // Civil time as "YYYY-MM-DD HH:MM:SS", from a TOML date, date-time or string.
  std::string civil_time(const std::string& key);
  // A length of time in seconds such as "1h", "15 min", "3 weeks"; a bare number counts `unit` seconds.
  std::uint64_t duration(const std::string& key, std::uint64_t unit,
                         std::optional<std::uint64_t> otherwise = std::nullopt);
  // The value as written, for messages.
  std::string shown(const std::string& key) const;

  [[noreturn]] void fail(const std::string& key, const std::string& constraint) const;
  // Throws about the misspelling of `key` in its table, where there is one, else about `key` itself.
  [[noreturn]] void fail_missing(const std::string& key) const;
  // Index of the text at `key` in `names`.
  std::size_t choice(const std::string& key, const std::vector<std::string>& names, const std::string& otherwise);
  // Throws for the first key in the document that was never asked for.
  void check_all_used() const;

  // Says that `old`, at `key`, is still read and what to write in its place; once, however often it is there.
  void deprecate(const std::string& key, const std::string& old, const std::string& better);
  const std::vector<std::string>& deprecated() const { return deprecated_; }

  // What the document says from now on.
  void set(const std::string& key, std::uint64_t value);
  // Every value of the document: its dotted key, and itself as TOML.
  std::vector<std::pair<std::string, std::string>> values() const;
  std::string as_toml() const;
  std::string where(const std::string& key) const;  // "FILE:LINE", or "--set" for an override

 private:
  const toml::node* find(const std::string& key);
  const toml::node* look_up(const std::string& key) const;
  std::vector<std::string> unknown_keys() const;
  std::string suggestion_for(const std::string& key) const;

  std::string name_;
  toml::table root_;
  std::vector<std::string> overridden_;
  std::vector<std::string> known_;
  std::vector<std::string> deprecated_;
};

}  // namespace hearsay::experiment
