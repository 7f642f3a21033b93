// SPDX-License-Identifier: Apache-2.0
#include "publication/ledger.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/errors.h"
#include "base/regular_file.h"
#include "publication/ledger_file.h"
#include "publication/protected_unit.h"
#include "publication/publishing_step.h"
#include "results/parse_json.h"

namespace hearsay::publication {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLockName = "ledger.json.lock";
constexpr const char* kNextName = "ledger.json.next";
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
// Sums of decimal epsilons miss their decimal total by rounding; this much over is not over.
constexpr double kRounding = 1e-9;

[[noreturn]] void fail_to_write(const std::string& folder) {
  throw std::system_error(errno, std::generic_category(),
                          fmt::format("cannot write {}", (fs::path(folder) / kNextName).string()));
}

void write_whole(int file, const std::string& text, const std::string& folder) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t wrote = ::write(file, text.data() + done, text.size() - done);
    if (wrote < 0 && errno != EINTR) fail_to_write(folder);
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
}

// Absolute, without a slash at the end, which would follow a symbolic link.
std::string plain_path(const std::string& folder) {
  const fs::path path = fs::absolute(folder).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).string();
}

Descriptor open_folder(const std::string& folder) {
  return Descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

[[noreturn]] void refuse_folder(const std::string& folder) {
  const int problem = errno;
  struct stat status {};
  const bool link = ::lstat(folder.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
  throw ConfigError("--ledger", folder,
                    link ? "is a symbolic link; name the folder that it leads to"
                         : fmt::format("cannot be opened as a folder: {}; name a folder that you can read",
                                       std::generic_category().message(problem)));
}

// The ledger tells by its hashes whose data it is, so its folder is its owner's alone.
Descriptor make_folder(const std::string& folder) {
  std::error_code ignored;  // mkdir says what is wrong
  fs::create_directories(fs::path(folder).parent_path(), ignored);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    throw ConfigError("--ledger", folder,
                      fmt::format("the folder cannot be made: {}; name one that you can write to",
                                  std::generic_category().message(errno)));
  }
  Descriptor directory = open_folder(folder);
  if (!directory) refuse_folder(folder);
  if (::faccessat(directory.get(), ".", W_OK | X_OK, 0) != 0) {
    throw ConfigError("--ledger", folder,
                      fmt::format("the folder cannot be written to: {}; every release is booked there, so make it "
                                  "writable or name another",
                                  std::generic_category().message(errno)));
  }
  return directory;
}

Descriptor lock_in(const Descriptor& directory, const std::string& folder) {
  Descriptor lock(::openat(directory.get(), kLockName, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  struct stat status {};
  if (!lock || ::fstat(lock.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    throw ConfigError("--ledger", folder,
                      fmt::format("cannot be written to, or {} in it is no ordinary file", kLockName));
  }
  while (::flock(lock.get(), LOCK_EX) != 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "cannot lock the ledger in " + folder);
  }
  return lock;
}

bool is_same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

std::vector<Account> accounts_of(const Descriptor& directory, const std::string& folder) {
  const std::string path = (fs::path(folder) / kLedgerName).string();
  const Descriptor file(::openat(directory.get(), kLedgerName, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file && errno == ENOENT) return {};
  if (!file && errno == ELOOP) throw InputError({path, 0, ""}, "this is a symbolic link; put the ledger itself there");
  if (!file) {
    throw InputError({path, 0, ""},
                     fmt::format("the ledger cannot be read: {}", std::generic_category().message(errno)));
  }
  return accounts_in(read_regular_file(file, path, kMostBytes), path);
}

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

void state_budget(Account& account, double total) {
  const auto refuse = [&](const std::string& constraint) {
    throw ConfigError("--budget", fmt::format("{}", total), constraint);
  };
  if (!account.releases.empty() && total > account.budget) {
    refuse(fmt::format("account {} has a budget of {}, which can only be lowered", account.name, account.budget));
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
    const bool open = std::any_of(units.begin(), units.end(), leaves_size_open);
    throw ConfigError(
        "unit", entry.unit,
        fmt::format("the budget of account {} is for {}{}. --mix-units (mix_units=True) adds it up all the "
                    "same; the sum then holds for the smallest unit only",
                    account.name, fmt::join(units, ", "),
                    open ? ", and an earlier version did not note how long its epochs were or which ROIs it had" : ""));
  }
  if (entry.epsilon && account.spent() + *entry.epsilon > account.budget + kRounding) {
    throw ConfigError(
        "epsilon", fmt::format("{:.6g}", *entry.epsilon),
        fmt::format("is more than the budget has left: account {} has spent {}. Choose a smaller epsilon, or publish "
                    "nothing more about these people: a budget is never raised",
                    account.name, account.standing()));
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

Ledger::Ledger(const std::string& folder) : folder_(plain_path(folder)) {
  // Whoever had the lock before may have removed the file or the folder: then this is a lock on nothing.
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    directory_ = make_folder(folder_);
    lock_ = lock_in(directory_, folder_);
    if (holds_lock()) {
      accounts_ = accounts_of(directory_, folder_);
      return;
    }
  }
  throw ConfigError("--ledger", folder_, fmt::format("{} in it is replaced again and again", kLockName));
}

bool Ledger::holds_lock() const {
  struct stat held {};
  struct stat named {};
  const bool file = ::fstat(lock_.get(), &held) == 0 &&
                    ::fstatat(directory_.get(), kLockName, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
                    is_same_file(held, named);
  return file && ::fstat(directory_.get(), &held) == 0 && ::lstat(folder_.c_str(), &named) == 0 &&
         is_same_file(held, named);
}

const Account* Ledger::find(const std::string& name) const {
  const auto found =
      std::find_if(accounts_.begin(), accounts_.end(), [&](const Account& account) { return account.name == name; });
  return found == accounts_.end() ? nullptr : &*found;
}

void Ledger::check_budget(const std::string& account, const std::optional<double>& stated) const {
  if (stated || find(account) != nullptr) return;
  std::vector<std::string> names;
  for (const Account& known : accounts_) names.push_back(known.name);
  throw ConfigError("--budget", "",
                    fmt::format("account {} has none yet: state the total epsilon that everything published from this "
                                "data may spend together{}",
                                account, names.empty() ? ", such as --budget 1" : suggestion(account, names)));
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
  before_ = accounts_;
  std::erase_if(accounts_, [&](const Account& old) { return old.name == account.name; });
  accounts_.push_back(std::move(account));
  std::sort(accounts_.begin(), accounts_.end(), [](const Account& a, const Account& b) { return a.name < b.name; });
  write();
}

void Ledger::take_back() {
  accounts_ = before_;
  write();
}

void Ledger::write() const {
  const int folder = directory_.get();
  ::unlinkat(folder, kNextName, 0);  // of a crash
  const Descriptor file(::openat(folder, kNextName, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) fail_to_write(folder_);
  write_whole(file.get(), ledger_text(accounts_), folder_);
  if (::fsync(file.get()) != 0) fail_to_write(folder_);
  reached(PublishingStep::kLedgerWritten);
  if (!holds_lock()) {
    ::unlinkat(folder, kNextName, 0);
    throw ConfigError("--ledger", folder_,
                      fmt::format("{} in it was removed or replaced while this release had it locked, so another "
                                  "release may have spent from the same budget. Nothing was published; run it again",
                                  kLockName));
  }
  if (::renameat(folder, kNextName, folder, kLedgerName) != 0 || ::fsync(folder) != 0) fail_to_write(folder_);
}

std::vector<Account> read_accounts(const std::string& folder) {
  const std::string path = plain_path(folder);
  const Descriptor directory = open_folder(path);
  if (!directory && errno == ENOENT) return {};
  if (!directory) refuse_folder(path);
  return accounts_of(directory, path);
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
  const auto text = read_regular_file(path, kMostBytes);
  const results::Json ledger = results::parse_json(text.value_or("")).value_or(results::Json());
  return ledger.is_object() && ledger.contains("budgets") && ledger.contains("releases");
}

}  // namespace hearsay::publication
