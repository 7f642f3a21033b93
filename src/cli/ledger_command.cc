// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "base/errors.h"
#include "base/text.h"
#include "base/text_table.h"
#include "cli/commands.h"
#include "cli/run_flags.h"
#include "publication/ledger.h"

namespace hearsay::cli {
namespace {

struct LedgerFlags {
  std::string folder;
  std::string account;
};

void print_account(const publication::Account& account) {
  fmt::print("account {} has spent {}\n", one_line(account.name), one_line(account.standing()));
  TextTable table({{"epsilon", true}, {"unit"}, {"mechanism"}, {"parameter"}, {"file"}});
  for (const publication::LedgerEntry& entry : account.releases) {
    table.add({entry.epsilon ? fmt::format("{:.6g}", *entry.epsilon) : "without bound", one_line(entry.unit),
               one_line(entry.mechanism), one_line(entry.parameter), one_line(entry.file)});
  }
  fmt::print("{}", table.aligned(2));
}

void run(const LedgerFlags& flags) {
  const std::string folder = publication::ledger_folder(flags.folder);
  const std::vector<publication::Account> accounts = publication::read_accounts(folder);
  if (accounts.empty()) {
    throw ConfigError("--ledger", folder,
                      "nothing was published with this ledger; the first `hearsay release` begins it, and --ledger "
                      "names another folder");
  }
  bool found = false;
  std::vector<std::string> names;
  for (const publication::Account& account : accounts) {
    names.push_back(account.name);
    if (!flags.account.empty() && flags.account != account.name) continue;
    print_account(account);
    found = true;
  }
  if (!found) {
    throw ConfigError("ACCOUNT", flags.account, "is not in the ledger" + suggestion(flags.account, names));
  }
}

}  // namespace

void add_ledger_command(CLI::App& app) {
  auto flags = std::make_shared<LedgerFlags>();
  CLI::App* command = app.add_subcommand("ledger", "Show what was published and how much of each budget it spent");
  command->add_option("ACCOUNT", flags->account, "One account; all by default");
  command->add_option("--ledger", flags->folder, "Folder of the ledger; your state folder by default")
      ->type_name("DIR");
  command->footer(
      fmt::format("Examples:\n"
                  "  hearsay ledger\n"
                  "  hearsay ledger riders\n\n{}",
                  kExitCodes));
  command->callback([flags] { run(*flags); });
}

}  // namespace hearsay::cli
