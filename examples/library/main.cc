// SPDX-License-Identifier: Apache-2.0
//
// Runs a study and prints the mean error of every adversary on the raw counts: example STUDY FOLDER.
#include <hearsay/hearsay.h>

#include <cstdio>

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: example STUDY FOLDER\n");
    return 2;
  }
  try {
    hearsay::RunOptions options;
    options.out = arguments[2];
    const hearsay::Outcome outcome = hearsay::run_study(hearsay::load_study(arguments[1], {}), options);
    for (const auto& row : outcome.summary) {
      std::printf("%s %s %s %.4f\n", row.combination.goal.c_str(), row.combination.prior.c_str(),
                  row.combination.attack.c_str(), row.error.mean);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
