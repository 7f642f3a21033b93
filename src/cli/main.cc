// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "about/about.h"
#include "base/errors.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/run_flags.h"
#include "storage/database.h"
#include "storage/sql_text.h"

namespace {

constexpr const char* kNoOutput = "cannot write to the standard output";
constexpr int kUnexpected = 1;
constexpr int kBadInput = 2;

constexpr const char* kNoMemory =
    "out of memory: this machine or a limit on it does not have what the study needs; keep fewer people (data.users), "
    "use longer epochs or fewer --threads";

constexpr const char* kNoThread =
    "no further thread can be started: too little memory, or a limit on processes; use fewer --threads";

int fail(int code, std::string_view message) {
  fmt::print(stderr, "hearsay: {}\n", hearsay::one_line(message));
  return code;
}

// An error of the operating system that has another remedy than a better name or a permission.
struct Remedy {
  std::errc error;
  std::string_view sentence;
};
constexpr std::array kRemedies = {
    Remedy{std::errc::no_space_on_device, "free some space, or choose a place on another disk"},
    Remedy{std::errc::file_too_large, "a limit on the size of files is too low (see ulimit -f)"},
    Remedy{std::errc::too_many_files_open, "a limit on open files is too low (see ulimit -n)"},
    Remedy{std::errc::too_many_files_open_in_system, "the machine has too many open files"},
    Remedy{std::errc::io_error, "the disk or the network drive reports a fault"},
};

// Errors that mean that a file or folder named by the user cannot be used.
constexpr std::array kWrongPlaces = {std::errc::permission_denied,
                                     std::errc::operation_not_permitted,
                                     std::errc::read_only_file_system,
                                     std::errc::no_such_file_or_directory,
                                     std::errc::not_a_directory,
                                     std::errc::is_a_directory,
                                     std::errc::file_exists,
                                     std::errc::filename_too_long,
                                     std::errc::too_many_symbolic_link_levels,
                                     std::errc::cross_device_link};

// Says what the operating system refused, for which file, and what to do about it.
int fail(const std::system_error& error) {
  namespace fs = std::filesystem;
  std::error_code no_folder;
  if (fs::current_path(no_folder).empty()) {
    return fail(kBadInput, "the current folder does not exist any more; change to one that does");
  }
  std::string what = error.what();
  if (const auto* file = dynamic_cast<const fs::filesystem_error*>(&error)) {
    what = fmt::format("cannot use {}: {}", file->path1().string(), error.code().message());
  }
  const auto is = [&](std::errc number) { return error.code() == number; };
  const auto remedy =
      std::find_if(kRemedies.begin(), kRemedies.end(), [&](const Remedy& any) { return is(any.error); });
  if (remedy != kRemedies.end()) return fail(kUnexpected, fmt::format("{}; {}", what, remedy->sentence));
  if (std::any_of(kWrongPlaces.begin(), kWrongPlaces.end(), is)) {
    return fail(kBadInput, what + "; name another file or folder, or change who may use this one");
  }
  return fail(kUnexpected, fmt::format("unexpected failure: {}", what));
}

void add_commands(CLI::App& app) {
  app.require_subcommand(1);
  app.set_version_flag(
      "--version", [] { return hearsay::about::facts_text(); }, "What this program is, and exit");
  hearsay::cli::add_demo_command(app);
  hearsay::cli::add_init_command(app);
  hearsay::cli::add_study_command(app);
  hearsay::cli::add_describe_command(app);
  hearsay::cli::add_list_command(app);
  hearsay::cli::add_explain_command(app);
  hearsay::cli::add_reproduce_command(app);
  hearsay::cli::add_report_command(app);
  hearsay::cli::add_advise_command(app);
  hearsay::cli::add_release_command(app);
  hearsay::cli::add_ledger_command(app);
  hearsay::cli::add_serve_command(app);
  hearsay::cli::add_generate_command(app);
  hearsay::cli::add_completion_command(app);
  hearsay::cli::add_manual_command(app);
  app.footer(
      fmt::format("Examples:\n"
                  "  hearsay demo\n"
                  "  hearsay init trips.csv && hearsay study trips.toml\n"
                  "  hearsay study examples/small/study.toml\n"
                  "  hearsay describe examples/small/study.toml\n"
                  "  hearsay serve examples/small/study.toml\n"
                  "  hearsay explain MAX_USER\n"
                  "  hearsay reproduce sfc --data cabspottingdata\n"
                  "  hearsay advise city.toml --own-loss 0.02 --membership 0.6 --mae 2\n"
                  "  hearsay release city.toml --mechanism SCM --parameter sensitivity=event --parameter epsilon=1 \\\n"
                  "    --account riders --budget 2 --out published/counts.parquet\n\n"
                  "`hearsay COMMAND --help` says more about each.\n{}",
                  hearsay::cli::kExitCodes));
}

// CLI11 calls a misspelt command a missing one.
std::string usage_problem(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  if (!chosen.empty()) return fmt::format("{} (try hearsay {} --help)", error.what(), chosen.front()->get_name());
  const std::vector<std::string> rest = app.remaining();
  if (rest.empty() || rest.front().starts_with("-")) return fmt::format("{} (try hearsay --help)", error.what());
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return fmt::format("no such command: {}{} (try hearsay --help)", rest.front(),
                     hearsay::suggestion(rest.front(), names));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("How much do location aggregates tell about each person in them?", "hearsay");
  try {
    hearsay::cli::end_cleanly_on_signals();
    add_commands(app);
    app.parse(argc, argv);
    std::fflush(stdout);
    return std::ferror(stdout) == 0 ? 0 : fail(kUnexpected, kNoOutput);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error, std::cout, std::cerr);
    return fail(kBadInput, usage_problem(app, error));
  } catch (const hearsay::cli::Exit& exit) {
    std::fflush(stdout);
    return std::ferror(stdout) == 0 ? exit.code : fail(kUnexpected, kNoOutput);
  } catch (const hearsay::ConfigError& error) {
    return fail(kBadInput, error.what());
  } catch (const hearsay::InputError& error) {
    return fail(kBadInput, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kUnexpected, kNoMemory);
  } catch (const hearsay::storage::ResourceError& error) {
    return fail(kUnexpected, error.what());
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) != 0) return fail(kUnexpected, kNoOutput);
    if (error.code() == std::errc::resource_unavailable_try_again) return fail(kUnexpected, kNoThread);
    return fail(error);
  } catch (const std::exception& error) {
    return fail(kUnexpected, fmt::format("unexpected failure: {}", hearsay::storage::first_line(error.what())));
  }
}
