// SPDX-License-Identifier: Apache-2.0
#include "cli/run_flags.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/errors.h"
#include "base/limits.h"
#include "base/text.h"

namespace hearsay::cli {
namespace {

constexpr std::size_t kMostThreads = 1024;
constexpr std::uint64_t kLeastMemoryBytes = 256ULL << 20;

}  // namespace

void add_run_flags(CLI::App& command, RunFlags& flags) {
  command.add_option("--threads", flags.threads, "Threads to use; results are the same for any number")
      ->check(CLI::Range(std::size_t{1}, kMostThreads))
      ->option_text("N (default: as many as there are)");
  command
      .add_option("--memory", flags.memory_bytes,
                  "Most memory to use, such as 4GiB; what cannot fit is refused before it is begun")
      ->transform(CLI::AsSizeValue(true))
      ->option_text("SIZE (default: what the machine has)");
  command.add_flag("--quiet", flags.quiet, "Print warnings and errors only");
}

engine::LoadOptions load_options(const RunFlags& flags, ProgressDisplay& display) {
  if (flags.memory_bytes > 0 && flags.memory_bytes < kLeastMemoryBytes) {
    throw ConfigError("--memory", std::to_string(flags.memory_bytes), "must be at least 256MiB");
  }
  engine::LoadOptions options;
  options.threads = flags.threads > 0 ? flags.threads : default_threads();
  options.memory_bytes = flags.memory_bytes;
  if (!flags.quiet) {
    options.progress = [&display](std::string_view stage, std::uint64_t done, std::uint64_t total) {
      display.show(stage, done, total);
    };
  }
  return options;
}

experiment::Study open_study(const std::string& file, const std::vector<std::string>& overrides) {
  experiment::Study study = experiment::load_study(file, overrides);
  print_warnings(study.deprecated);
  return study;
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    fmt::print(stderr, "hearsay: warning: {}\n", one_line(warning));
  }
}

}  // namespace hearsay::cli
