// SPDX-License-Identifier: Apache-2.0
#include "report/ledger.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "base/errors.h"

namespace hearsay::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;
// Sums of decimal epsilons miss their decimal total by rounding; this much over is not over.
constexpr double kRounding = 1e-9;

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void write_whole(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t wrote = ::write(file, text.data() + done, text.size() - done);
    if (wrote < 0 && errno != EINTR) fail("cannot write the ledger");
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
}

}  // namespace

Ledger::Ledger(const std::string& folder) : path_((std::filesystem::path(folder) / kLedgerName).string()) {
  lock_ = ::open((path_ + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_ < 0) throw ConfigError("--out", folder, "cannot be written to");
  if (::flock(lock_, LOCK_EX) != 0) fail("cannot lock the ledger");
  std::ifstream in(path_);
  if (!in) return;
  std::ostringstream text;
  text << in.rdbuf();
  try {
    const Json ledger = Json::parse(text.str());
    if (ledger.at("schema") != kSchema) throw InputError({path_, 0, ""}, "a ledger of another version");
    for (const auto& [data, total] : ledger.at("budgets").items()) budgets_.push_back({data, total.get<double>()});
    for (const Json& entry : ledger.at("releases")) {
      const Json& epsilon = entry.at("epsilon");
      entries_.push_back({entry.at("data"), entry.at("file"), entry.at("mechanism"), entry.at("parameter"),
                          epsilon.is_null() ? std::nullopt : std::optional(epsilon.get<double>()), entry.at("unit")});
    }
  } catch (const Json::exception&) {
    throw InputError({path_, 0, ""}, "not a ledger of releases; restore it, or publish into another folder");
  }
}

Ledger::~Ledger() {
  if (lock_ >= 0) ::close(lock_);
}

double Ledger::spent(const std::string& data) const {
  double total = 0;
  for (const LedgerEntry& entry : entries_) {
    if (entry.data == data) total += entry.epsilon.value_or(0);
  }
  return total;
}

bool Ledger::has_unsafe(const std::string& data) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const LedgerEntry& entry) { return entry.data == data && !entry.epsilon; });
}

std::optional<double> Ledger::budget(const std::string& data) const {
  for (const Total& total : budgets_) {
    if (total.data == data) return total.epsilon;
  }
  return std::nullopt;
}

void Ledger::set_budget(const std::string& data, double total) {
  const std::optional<double> stated = budget(data);
  if (stated && total > *stated) {
    throw ConfigError("--budget", fmt::format("{}", total),
                      fmt::format("the ledger states {} for this data, which can only be lowered", *stated));
  }
  if (total < spent(data) - kRounding) {
    throw ConfigError("--budget", fmt::format("{}", total),
                      fmt::format("{:.6g} is spent on this data already", spent(data)));
  }
  std::erase_if(budgets_, [&](const Total& old) { return old.data == data; });
  budgets_.push_back({data, total});
}

void Ledger::check(const LedgerEntry& entry) const {
  const std::optional<double> total = budget(entry.data);
  if (!total || !entry.epsilon) return;
  const double after = spent(entry.data) + *entry.epsilon;
  if (after > *total + kRounding) {
    throw ConfigError(
        "epsilon", fmt::format("{:.6g}", *entry.epsilon),
        fmt::format("the budget for this data is {:.6g}, of which {:.6g} is spent", *total, spent(entry.data)));
  }
}

void Ledger::spend(const LedgerEntry& entry) {
  check(entry);
  entries_.push_back(entry);
  write();
}

void Ledger::write() const {
  Json ledger;
  ledger["schema"] = kSchema;
  ledger["budgets"] = Json::object();
  for (const Total& total : budgets_) ledger["budgets"][total.data] = total.epsilon;
  ledger["releases"] = Json::array();
  for (const LedgerEntry& entry : entries_) {
    ledger["releases"].push_back({{"data", entry.data},
                                  {"file", entry.file},
                                  {"mechanism", entry.mechanism},
                                  {"parameter", entry.parameter},
                                  {"epsilon", entry.epsilon ? Json(*entry.epsilon) : Json()},
                                  {"unit", entry.unit}});
  }
  const std::string next = path_ + ".next";
  const int file = ::open(next.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) fail("cannot write the ledger");
  try {
    write_whole(file, ledger.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    if (::fsync(file) != 0) fail("cannot write the ledger");
  } catch (...) {
    ::close(file);
    ::unlink(next.c_str());
    throw;
  }
  ::close(file);
  std::filesystem::rename(next, path_);
}

}  // namespace hearsay::report
