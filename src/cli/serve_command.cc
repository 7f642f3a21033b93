// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <malloc.h>

#include <memory>

#include "base/temporary_folder.h"
#include "cli/commands.h"
#include "cli/looked_data.h"
#include "cli/open_browser.h"
#include "cli/run_flags.h"
#include "studio/server.h"

namespace hearsay::cli {
namespace {

struct ServeFlags : RunFlags {
  std::string file;
  std::vector<std::string> overrides;
  studio::ServerOptions server;
  bool no_browser = false;
};

// The same buffers are needed again and again: giving them back in between costs more than the work of some answers.
void keep_memory() {
  constexpr int kMost = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kMost);
  mallopt(M_TRIM_THRESHOLD, kMost);
}

void run(const ServeFlags& flags) {
  const experiment::Study study = study_of(flags.file, flags.overrides, flags);
  ProgressDisplay display;
  engine::LoadOptions options = load_options(flags, display);
  const TemporaryFolder temporary("", "hearsay-");
  StageClock clock;
  engine::Engine engine(engine::load(study, options, temporary.path(), clock));
  display.clear();
  print_warnings(engine.loaded().provenance.warnings);
  options.progress = {};
  keep_memory();
  studio::Session session(engine, study, study_file(flags.file), options);
  studio::Server server(session, flags.server);
  if (!flags.quiet) {
    fmt::print(
        "The studio of {} is at\n\n  {}\n\nfor this machine alone, and for whoever has the link. It shows what the "
        "data give away: for the owner's eyes.\nClosing its last page ends it, and so does Ctrl-C.\n",
        flags.file, server.link());
  } else {
    fmt::print("{}\n", server.link());
  }
  std::fflush(stdout);
  if (!flags.no_browser) open_in_browser(server.link(), temporary.path());
  server.run({});
}

}  // namespace

void add_serve_command(CLI::App& app) {
  auto flags = std::make_shared<ServeFlags>();
  CLI::App* command = app.add_subcommand("serve", "Open the studio: the report, alive, in the browser");
  command->add_option("FILE", flags->file, "The study, a TOML file; or data, of which a study is guessed")->required();
  command->add_option("--port", flags->server.port, "Port on this machine; by default one that is free")
      ->check(CLI::Range(0, 65535))
      ->option_text("N");
  command->add_flag("--no-browser", flags->no_browser, "Print the link and open no browser");
  command->add_option("--set", flags->overrides, "Override a setting of the study; may be given several times")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_run_flags(*command, *flags);
  command->footer(
      fmt::format("It listens on 127.0.0.1 alone and answers whoever has the link, which holds a random token.\n\n"
                  "Examples:\n"
                  "  hearsay serve city.toml\n"
                  "  hearsay serve trips.csv\n"
                  "  hearsay serve city.toml --port 8417 --no-browser\n\n{}",
                  kExitCodes));
  command->callback([flags] { run(*flags); });
}

}  // namespace hearsay::cli
