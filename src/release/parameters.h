// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hearsay::release {

// The settings of one mechanism, in the order of its entry: what a study gives and what results print.
class Parameters {
 public:
  // `mechanism` is named in errors.
  explicit Parameters(std::string mechanism) : mechanism_(std::move(mechanism)) {}

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
  const std::string& mechanism() const { return mechanism_; }
  // "sensitivity=event,epsilon=0.1", in the order given.
  std::string label() const;

 private:
  std::string mechanism_;
  std::vector<std::pair<std::string, std::string>> values_;
};

}  // namespace hearsay::release
