// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/run_flags.h"
#include "report/page.h"

namespace hearsay::cli {

void add_report_command(CLI::App& app) {
  auto folder = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("report", "Make the page of a study's results anew");
  command->add_option("DIR", *folder, "A folder of results")->required();
  command->footer(fmt::format("Example:\n  hearsay report results/demo/results\n\n{}", kExitCodes));
  command->callback([folder] { fmt::print("{}\n", one_line(report::write_page(*folder))); });
}

}  // namespace hearsay::cli
