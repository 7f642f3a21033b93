// SPDX-License-Identifier: Apache-2.0
#include "ingest/time_pattern.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "storage/sql_text.h"

namespace hearsay::ingest {
namespace {

constexpr std::size_t kLongestPattern = 100;  // bytes
constexpr std::string_view kSpecifiers = "aAbBdfgHIjmMpSyYzZ%";
constexpr std::string_view kUnpadded = "dHIjmMSy";  // may have a hyphen after the %

// The letters of its specifiers, or what is wrong with one of them.
std::string read_specifiers(std::string_view pattern, std::string& letters) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (static_cast<unsigned char>(pattern[i]) < ' ') return "has a control character or a line break in it";
    if (pattern[i] != '%') continue;
    const bool unpadded = i + 1 < pattern.size() && pattern[i + 1] == '-';
    const std::size_t at = i + (unpadded ? 2 : 1);
    if (at >= pattern.size()) return "ends in a % with nothing after it";
    const std::string_view known = unpadded ? kUnpadded : kSpecifiers;
    if (known.find(pattern[at]) == std::string_view::npos) {
      return fmt::format(
          "has {}, which is not known; known are %Y %y %m %b %B %d %j %H %I %p %M %S %f %g %a %A %z %Z %%",
          storage::quoted_value(pattern.substr(i, at - i + 1)));
    }
    letters += pattern[at];
    i = at;
  }
  return "";
}

// Patterns as try_strptime takes them: one, or a list.
std::string pattern_list(const std::vector<std::string>& patterns) {
  std::vector<std::string> literals;
  literals.reserve(patterns.size());
  for (const std::string& pattern : patterns) literals.push_back(storage::sql_literal(pattern));
  return literals.size() == 1 ? literals.front() : fmt::format("[{}]", fmt::join(literals, ", "));
}

std::vector<std::string> only(const std::vector<std::string>& patterns, bool with_offset) {
  std::vector<std::string> some;
  std::copy_if(patterns.begin(), patterns.end(), std::back_inserter(some),
               [&](const std::string& pattern) { return has_offset(pattern) == with_offset; });
  return some;
}

std::vector<CommonPattern> make_common_patterns() {
  const std::vector<CommonPattern> dates = {{"%m/%d/%y", "%d/%m/%y"},
                                            {"%m/%d/%Y", "%d/%m/%Y"},
                                            {"%m-%d-%Y", "%d-%m-%Y"},
                                            {"%d.%m.%y"},
                                            {"%d.%m.%Y"},
                                            {"%Y/%m/%d"},
                                            {"%d-%b-%y"},
                                            {"%d-%b-%Y"},
                                            {"%d %b %Y"},
                                            {"%b %d %Y"},
                                            {"%b %d, %Y"}};
  const std::vector<std::string> times = {" %H:%M", " %H:%M:%S", " %H:%M:%S.%f", " %I:%M %p", " %I:%M:%S %p", ""};
  std::vector<CommonPattern> all;
  for (const CommonPattern& date : dates) {
    for (const std::string& time : times) {
      all.push_back({date.pattern + time, date.day_first.empty() ? "" : date.day_first + time});
    }
  }
  for (const char* other : {"%a %b %d %H:%M:%S %z %Y", "%a %b %d %H:%M:%S %Y", "%a, %d %b %Y %H:%M:%S %z",
                            "%Y%m%d%H%M%S", "%Y%m%dT%H%M%S", "%Y%m%d %H%M%S", "%Y%m%d %H:%M:%S"}) {
    all.push_back({other});
  }
  return all;
}

}  // namespace

std::string pattern_problem(const std::string& pattern) {
  if (pattern.size() > kLongestPattern) {
    return fmt::format("is longer than {} characters; expected a pattern such as %m/%d/%Y %H:%M", kLongestPattern);
  }
  std::string letters;
  if (std::string problem = read_specifiers(pattern, letters); !problem.empty()) return problem;
  const auto has = [&](std::string_view any) { return letters.find_first_of(any) != std::string::npos; };
  if (!has("yY") || !(has("j") || (has("d") && has("mbB")))) {
    return "does not say the whole date; expected a year (%Y, %y), a month (%m, %b, %B) and a day (%d)";
  }
  if (has("I") && !has("p")) return "has hours up to 12 (%I) and does not say AM or PM (%p)";
  return "";
}

bool has_offset(const std::string& pattern) {
  for (std::size_t i = 0; i + 1 < pattern.size(); ++i) {
    if (pattern[i] != '%') continue;
    if (pattern[i + 1] == 'z' || pattern[i + 1] == 'Z') return true;
    ++i;
  }
  return false;
}

const std::vector<CommonPattern>& common_patterns() {
  static const std::vector<CommonPattern> kPatterns = make_common_patterns();
  return kPatterns;
}

std::string pattern_value_sql(const std::string& column, const std::vector<std::string>& patterns) {
  std::vector<std::string> values;
  for (const bool offset : {false, true}) {
    const std::vector<std::string> some = only(patterns, offset);
    if (!some.empty()) values.push_back(fmt::format("epoch_us(try_strptime({}, {}))", column, pattern_list(some)));
  }
  return values.size() == 1 ? values.front() : fmt::format("COALESCE({})", fmt::join(values, ", "));
}

std::string pattern_absolute_sql(const std::string& column, const std::vector<std::string>& patterns) {
  const std::vector<std::string> civil = only(patterns, false);
  if (civil.empty()) return "true";
  if (civil.size() == patterns.size()) return "false";
  return fmt::format("try_strptime({}, {}) IS NULL", column, pattern_list(civil));
}

}  // namespace hearsay::ingest
