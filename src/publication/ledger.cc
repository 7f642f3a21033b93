// SPDX-License-Identifier: Apache-2.0
#include "publication/ledger.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/errors.h"
#include "results/schema.h"

namespace hearsay::publication {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// No hearsay that named accounts wrote one: what was spent must be stated by whoever knows it.
constexpr const char* kOldLedger = "name another folder, with a budget less what those releases spent";
constexpr const char* kLockName = "ledger.json.lock";
constexpr const char* kNextName = "ledger.json.next";
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

std::string read_whole(int file) {
  std::string text;
  char block[4096];
  for (;;) {
    const ssize_t got = ::read(file, block, sizeof block);
    if (got == 0) return text;
    if (got < 0 && errno != EINTR) fail("cannot read the ledger");
    if (got > 0) text.append(block, static_cast<std::size_t>(got));
  }
}

// Absolute, without a slash at the end, which would follow a symbolic link.
std::string plain_path(const std::string& folder) {
  const fs::path path = fs::absolute(folder).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).string();
}

// The ledger tells by its hashes whose data it is, so its folder is its owner's alone.
Descriptor open_folder(const std::string& folder) {
  const fs::path path(folder);
  std::error_code problem;
  fs::create_directories(path.parent_path(), problem);
  const bool made = ::mkdir(folder.c_str(), 0700) == 0;
  if (!made && errno != EEXIST) throw ConfigError("--ledger", folder, "cannot be made");
  Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!directory) {
    throw ConfigError("--ledger", folder, "must be a folder that can be read, not a symbolic link or a file");
  }
  return directory;
}

Json entry_json(const LedgerEntry& entry) {
  return {{"file", entry.file},           {"mechanism", entry.mechanism},
          {"parameter", entry.parameter}, {"epsilon", entry.epsilon ? Json(*entry.epsilon) : Json()},
          {"unit", entry.unit},           {"delta", entry.delta}};
}

LedgerEntry entry_from(const Json& json) {
  const Json& epsilon = json.at("epsilon");
  return {json.at("file"),      json.at("mechanism"),
          json.at("parameter"), epsilon.is_null() ? std::nullopt : std::optional(epsilon.get<double>()),
          json.at("unit"),      json.value("delta", 0.0)};
}

// `spent` is for people who look into the file; it is never read.
Json account_json(const Account& account) {
  Json releases = Json::array();
  for (const LedgerEntry& entry : account.releases) releases.push_back(entry_json(entry));
  return {{"budget", account.budget},
          {"spent", account.unsafe_releases() > 0 ? Json("without bound") : Json(account.spent())},
          {"units", account.units()},
          {"data", account.data},
          {"releases", releases}};
}

Account account_from(const std::string& name, const Json& json) {
  Account account{name, json.at("budget").get<double>(), json.at("data"), {}};
  for (const Json& entry : json.at("releases")) account.releases.push_back(entry_from(entry));
  return account;
}

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

void state_budget(Account& account, double total) {
  const auto refuse = [&](const std::string& constraint) {
    throw ConfigError("--budget", fmt::format("{}", total), constraint);
  };
  if (!account.releases.empty() && total > account.budget) {
    refuse(fmt::format("account {} has {}, which can only be lowered", account.name, account.budget));
  }
  if (total < account.spent() - kRounding) {
    refuse(fmt::format("account {} has spent {:.6g} already", account.name, account.spent()));
  }
  account.budget = total;
}

void add_data(Account& account, const Posting& posting) {
  const bool first = account.data.empty();
  for (const std::string& data : posting.data) {
    if (contains(account.data, data)) continue;
    if (!first && !posting.new_data) {
      throw ConfigError("data.account", account.name,
                        "nothing was published from this data under this name. If it is the same data, changed or "
                        "grown, it spends from the same budget: say so with --new-data (new_data=True). If it is about "
                        "other people, give it an account of its own");
    }
    account.data.push_back(data);
  }
}

void add_release(Account& account, const Posting& posting) {
  const LedgerEntry& entry = posting.entry;
  const std::vector<std::string> units = account.units();
  if (entry.epsilon && !units.empty() && !contains(units, entry.unit) && !posting.mix_units) {
    throw ConfigError("unit", entry.unit,
                      fmt::format("the budget of account {} is for {}. --mix-units (mix_units=True) adds it up all the "
                                  "same; the sum then holds for the smallest unit only",
                                  account.name, fmt::join(units, ", ")));
  }
  if (entry.epsilon && account.spent() + *entry.epsilon > account.budget + kRounding) {
    throw ConfigError(
        "epsilon", fmt::format("{:.6g}", *entry.epsilon),
        fmt::format("is more than the budget has left: account {} has spent {}", account.name, account.standing()));
  }
  account.releases.push_back(entry);
}

}  // namespace

double Account::spent() const {
  double total = 0;
  for (const LedgerEntry& entry : releases) total += entry.epsilon.value_or(0);
  return total;
}

double Account::delta() const {
  double total = 0;
  for (const LedgerEntry& entry : releases) total += entry.delta;
  return total;
}

std::size_t Account::unsafe_releases() const {
  return static_cast<std::size_t>(
      std::count_if(releases.begin(), releases.end(), [](const LedgerEntry& entry) { return !entry.epsilon; }));
}

std::vector<std::string> Account::units() const {
  std::vector<std::string> units;
  for (const LedgerEntry& entry : releases) {
    if (entry.epsilon && !contains(units, entry.unit)) units.push_back(entry.unit);
  }
  return units;
}

std::string Account::standing() const {
  const std::vector<std::string> units = this->units();
  std::string text = fmt::format("{:.6g} of {:.6g}", spent(), budget);
  if (!units.empty()) text += fmt::format(" for {}", fmt::join(units, ", "));
  if (delta() > 0) text += fmt::format(", but for a chance of {:.3g}", delta());
  if (units.size() > 1) text += "; units are mixed: the sum holds for the smallest only";
  const std::size_t unsafe = unsafe_releases();
  if (unsafe == 0) return text;
  return fmt::format("without bound: {} release{} without a guarantee. The others: {}", unsafe, unsafe > 1 ? "s" : "",
                     text);
}

Ledger::Ledger(const std::string& folder) : folder_(plain_path(folder)), directory_(open_folder(folder_)) {
  lock_ = Descriptor(::openat(directory_.get(), kLockName, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!lock_) {
    throw ConfigError("--ledger", folder,
                      fmt::format("cannot be written to, or {} in it is no ordinary file", kLockName));
  }
  while (::flock(lock_.get(), LOCK_EX) != 0) {
    if (errno != EINTR) fail("cannot lock the ledger");
  }
  read();
}

void Ledger::read() {
  const std::string path = (fs::path(folder_) / kLedgerName).string();
  const Descriptor file(::openat(directory_.get(), kLedgerName, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file && errno == ENOENT) return;
  if (!file) throw InputError({path, 0, ""}, "a symbolic link, or a ledger that cannot be read");
  try {
    const Json ledger = Json::parse(read_whole(file.get()));
    results::check_schema({"a ledger", kLedgerSchema, kLedgerSchema, kOldLedger}, ledger, path);
    for (const auto& [name, account] : ledger.at("accounts").items()) accounts_.push_back(account_from(name, account));
  } catch (const Json::exception&) {
    throw InputError({path, 0, ""}, "not a ledger of releases; restore it from a copy");
  }
}

const Account* Ledger::find(const std::string& name) const {
  const auto found =
      std::find_if(accounts_.begin(), accounts_.end(), [&](const Account& account) { return account.name == name; });
  return found == accounts_.end() ? nullptr : &*found;
}

void Ledger::check_budget(const std::string& account, const std::optional<double>& stated) const {
  if (stated || find(account) != nullptr) return;
  throw ConfigError("--budget", "",
                    fmt::format("account {} has none yet: state the total epsilon that everything published from this "
                                "data may spend together",
                                account));
}

Account Ledger::with(const Posting& posting) const {
  check_budget(posting.account, posting.budget);
  for (const Account& other : accounts_) {
    for (const std::string& data : posting.data) {
      if (other.name == posting.account || !contains(other.data, data)) continue;
      throw ConfigError("data.account", posting.account,
                        fmt::format("this data was published under account {}: use that name, since a second account "
                                    "would be a second budget for the same people",
                                    other.name));
    }
  }
  const Account* known = find(posting.account);
  Account account = known == nullptr ? Account{posting.account, 0, {}, {}} : *known;
  if (posting.budget) state_budget(account, *posting.budget);
  add_data(account, posting);
  add_release(account, posting);
  return account;
}

void Ledger::spend(const Posting& posting) {
  Account account = with(posting);
  std::erase_if(accounts_, [&](const Account& old) { return old.name == account.name; });
  accounts_.push_back(std::move(account));
  std::sort(accounts_.begin(), accounts_.end(), [](const Account& a, const Account& b) { return a.name < b.name; });
  write();
}

void Ledger::write() const {
  Json ledger;
  ledger["schema"] = kLedgerSchema;
  ledger["accounts"] = Json::object();
  for (const Account& account : accounts_) ledger["accounts"][account.name] = account_json(account);
  const int folder = directory_.get();
  ::unlinkat(folder, kNextName, 0);  // of a crash
  const Descriptor file(::openat(folder, kNextName, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) fail("cannot write the ledger");
  write_whole(file.get(), ledger.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  if (::fsync(file.get()) != 0 || ::renameat(folder, kNextName, folder, kLedgerName) != 0 || ::fsync(folder) != 0) {
    fail("cannot write the ledger");
  }
}

std::string ledger_folder(const std::string& named) {
  if (!named.empty()) return named;
  // The base directory specification: a path that is not absolute counts as none.
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && fs::path(state).is_absolute()) return (fs::path(state) / "hearsay").string();
  const char* home = std::getenv("HOME");
  if (home != nullptr && fs::path(home).is_absolute()) return (fs::path(home) / ".local/state/hearsay").string();
  throw ConfigError("--ledger", "", "neither XDG_STATE_HOME nor HOME is set; name the folder of your ledger");
}

bool is_old_ledger(const std::string& path) {
  std::ifstream in(path);
  const Json ledger = Json::parse(in, nullptr, false);
  return ledger.is_object() && ledger.contains("budgets") && ledger.contains("releases");
}

}  // namespace hearsay::publication
