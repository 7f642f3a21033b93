// SPDX-License-Identifier: Apache-2.0
//
// The budget of a data set: how much epsilon its releases have spent together. Kept in the folder of the releases.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hearsay::report {

inline constexpr const char* kLedgerName = "ledger.json";

struct LedgerEntry {
  std::string data;  // fingerprint of the data set
  std::string file;
  std::string mechanism;
  std::string parameter;
  std::optional<double> epsilon;  // none: an unsafe release, whose cost nobody knows
  std::string unit;
};

// Holds the folder's ledger and a lock on it, so that two releases at once cannot both spend what is left.
class Ledger {
 public:
  // Opens the ledger of a folder, or starts one. Throws InputError where it is not a ledger.
  explicit Ledger(const std::string& folder);
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;
  ~Ledger();

  // Epsilon spent on this data set by basic composition: it holds for the smallest unit among its releases.
  double spent(const std::string& data) const;
  bool has_unsafe(const std::string& data) const;
  std::optional<double> budget(const std::string& data) const;

  // States the total for a data set. Throws ConfigError for more than was stated before, or less than was spent.
  void set_budget(const std::string& data, double total);
  // Throws ConfigError where the entry would take the total over the budget.
  void check(const LedgerEntry& entry) const;
  // Adds the entry and writes the ledger to disk, whole. Done before the counts appear, so that a crash never leaves a
  // release that is not in the books.
  void spend(const LedgerEntry& entry);

 private:
  struct Total {
    std::string data;
    double epsilon;
  };
  void write() const;

  std::string path_;
  int lock_ = -1;
  std::vector<Total> budgets_;
  std::vector<LedgerEntry> entries_;
};

}  // namespace hearsay::report
