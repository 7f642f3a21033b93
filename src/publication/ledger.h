// SPDX-License-Identifier: Apache-2.0
//
// The budgets of an owner's data sets: how much epsilon the releases of each have spent together. Kept in one place,
// apart from what is published.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"

namespace hearsay::publication {

inline constexpr const char* kLedgerName = "ledger.json";
inline constexpr int kLedgerSchema = 2;

struct LedgerEntry {
  std::string file;
  std::string mechanism;
  std::string parameter;
  std::optional<double> epsilon;  // none: an unsafe release, whose cost nobody knows
  std::string unit;               // as protected_unit() says it; equal texts are the same unit
  double delta = 0;               // the chance that epsilon does not hold for
};

// A data set that its owner named, and everything published about it.
struct Account {
  std::string name;
  double budget = 0;
  std::vector<std::string> data;  // SHA-256 of every data file that was published from
  std::vector<LedgerEntry> releases;

  // By basic composition over the releases with a guarantee: holds for the smallest of units().
  double spent() const;
  double delta() const;
  // Without a guarantee; where there is one of them, what is spent has no bound.
  std::size_t unsafe_releases() const;
  // Of the releases with a guarantee, in order, each once; the first is that of the budget.
  std::vector<std::string> units() const;
  // `0.6 of 1 for one event`, and whatever keeps that from being the whole truth.
  std::string standing() const;
};

// A release about to be made, and what its owner agreed to.
struct Posting {
  std::string account;
  std::vector<std::string> data;
  std::optional<double> budget;  // stated with it
  bool new_data = false;         // data that the account has not seen belongs to it
  bool mix_units = false;        // another unit than the budget's is added up all the same
  LedgerEntry entry;
};

// Holds a ledger and a lock on it, so that two releases at once cannot both spend what is left.
class Ledger {
 public:
  // Opens the ledger in a folder, or starts one (0700, files 0600), and waits for the lock. Follows no symbolic link.
  // Throws ConfigError where the folder cannot be used or written to, InputError where what is in it is not a ledger.
  explicit Ledger(const std::string& folder);

  const std::vector<Account>& accounts() const { return accounts_; }
  const Account* find(const std::string& name) const;
  const std::string& folder() const { return folder_; }

  // Throws ConfigError where the account has no budget and none is stated.
  void check_budget(const std::string& account, const std::optional<double>& stated) const;
  // The account as it would be afterwards. Throws ConfigError where it may not be: no budget, one that is raised,
  // exceeded or below what is spent, data that is unknown or another account's, another unit.
  Account with(const Posting& posting) const;
  // Adds the release and writes the ledger to disk, whole. Call it before any byte of the counts is written, so that a
  // process that is killed never leaves counts that are not in the books. Throws ConfigError, having booked nothing,
  // where the lock was removed or replaced after it was taken.
  void spend(const Posting& posting);
  // Writes the ledger as it was before the last spend(). Only for a release whose counts are known to be gone again.
  void take_back();

 private:
  bool holds_lock() const;
  void write() const;

  std::string folder_;
  Descriptor directory_;
  Descriptor lock_;
  std::vector<Account> accounts_;
  std::vector<Account> before_;  // the accounts before the last spend()
};

// Returns the accounts in a folder without a lock, and changes nothing there: a ledger is replaced whole, so what is
// read is always one state of it. Returns none where there is no ledger. Throws as Ledger does.
std::vector<Account> read_accounts(const std::string& folder);

// The folder named, or without one the user's: $XDG_STATE_HOME/hearsay, or ~/.local/state/hearsay.
std::string ledger_folder(const std::string& named);

// True for a ledger as earlier versions kept it, in the folder of the releases.
bool is_old_ledger(const std::string& path);

}  // namespace hearsay::publication
