// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace hearsay {

// Where in an input something is wrong. Line and column are 0 and empty where they do not apply.
struct InputPlace {
  std::string file;
  std::uint64_t line = 0;
  std::string column;
};

// The data is not what was expected. what() is one line: `FILE:LINE: column COLUMN: PROBLEM`. Text from outside is cut
// and cleaned of control characters in it, here and below.
class InputError : public std::runtime_error {
 public:
  InputError(InputPlace place, const std::string& problem);
  const InputPlace& place() const { return place_; }

 private:
  InputPlace place_;
};

// A setting is not allowed. what() is one line: `PARAMETER = VALUE: CONSTRAINT`, without `= VALUE` where the value is
// empty, and with `WHERE: ` (file and line of the study) before it where that is known.
class ConfigError : public std::runtime_error {
 public:
  ConfigError(std::string parameter, std::string value, std::string constraint, const std::string& where = {});
  const std::string& parameter() const { return parameter_; }
  const std::string& value() const { return value_; }
  const std::string& constraint() const { return constraint_; }

 private:
  std::string parameter_;
  std::string value_;
  std::string constraint_;
};

// Whoever asked for the work asked for it to stop.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("stopped on request") {}
};

// The names with commas between, cut after 40 of them.
std::string listed(const std::vector<std::string>& names);

// `; did you mean "NEAREST"?` with the known name nearest to the given one, or `; known: A, B, C` where none is near.
std::string suggestion(std::string_view given, const std::vector<std::string>& known);

}  // namespace hearsay
