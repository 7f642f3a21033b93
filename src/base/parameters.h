// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hearsay {

// The settings of a prior, attack, decision or mechanism, in the order of its entry: what a study gives and what
// results print.
class Parameters {
 public:
  // `entry` is named in errors.
  explicit Parameters(std::string entry = "") : entry_(std::move(entry)) {}

  void set(const std::string& name, const std::string& value);
  bool has(const std::string& name) const;
  // Throws ConfigError where the parameter is absent.
  const std::string& text(const std::string& name) const;
  double number(const std::string& name) const;
  std::uint64_t whole(const std::string& name) const;
  // number(), above 0.
  double positive(const std::string& name) const;
  // number(), strictly between 0 and 1.
  double fraction(const std::string& name) const;

  [[noreturn]] void fail(const std::string& name, const std::string& constraint) const;
  const std::string& entry() const { return entry_; }
  // text(), which must be one of these; its place among them.
  std::size_t choice(const std::string& name, const std::vector<std::string>& names) const;
  bool empty() const { return values_.empty(); }
  // "sensitivity=event,epsilon=0.1", in the order given.
  std::string label() const;

 private:
  std::string entry_;
  std::vector<std::pair<std::string, std::string>> values_;
};

}  // namespace hearsay
