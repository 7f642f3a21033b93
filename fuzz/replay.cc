// SPDX-License-Identifier: Apache-2.0
//
// Drives a target without libFuzzer: every file of the corpus as it is, then mutations of them until the time is over.
// Usage: fuzz_NAME [--seconds N] FOLDER
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "support.h"

namespace {

using Random = std::mt19937_64;

std::vector<std::string> read_corpus(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> corpus;
  for (const auto& path : paths) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    corpus.push_back(text.str());
  }
  return corpus;
}

// One small change: a bit, a byte, a piece left out, repeated or taken from another input, the end cut off.
void mutate(std::string& input, const std::vector<std::string>& corpus, Random& random) {
  if (input.empty()) {
    input.push_back(static_cast<char>(random()));
    return;
  }
  static const std::string kTelling = std::string("\0,\"\n;=-9eE.{}[]' \xFF\t", 20);
  const std::size_t place = random() % input.size();
  const std::size_t length = std::min<std::size_t>(1 + random() % 16, input.size() - place);
  switch (random() % 7) {
    case 0:
      input[place] = static_cast<char>(input[place] ^ (1 << random() % 8));
      break;
    case 1:
      input[place] = kTelling[random() % kTelling.size()];
      break;
    case 2:
      input.erase(place, length);
      break;
    case 3:
      input.insert(place, input.substr(place, length));
      break;
    case 4:
      input.resize(place);
      break;
    case 5: {
      const std::string& other = corpus[random() % corpus.size()];
      if (!other.empty()) input.insert(place, other.substr(random() % other.size(), length));
      break;
    }
    default:
      input.insert(place, length, kTelling[random() % kTelling.size()]);
  }
}

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool timed = arguments.size() == 3 && arguments[0] == "--seconds";
  if (!timed && arguments.size() != 1) {
    std::cerr << "usage: " << argv[0] << " [--seconds N] FOLDER\n";
    return 2;
  }
  const std::vector<std::string> corpus = read_corpus(arguments.back());
  if (corpus.empty()) {
    std::cerr << "no corpus in " << arguments.back() << '\n';
    return 2;
  }
  for (const std::string& input : corpus) run(input);
  const auto due = std::chrono::steady_clock::now() + std::chrono::seconds(timed ? std::atoi(arguments[1].c_str()) : 0);
  const std::string last = (std::filesystem::current_path() / "finding.input").string();
  Random random(std::random_device{}());
  std::size_t runs = corpus.size();
  for (; std::chrono::steady_clock::now() < due; ++runs) {
    std::string input = corpus[random() % corpus.size()];
    for (std::size_t changes = 1 + random() % 8; changes > 0; --changes) mutate(input, corpus, random);
    // Kept while it runs, so that a crash leaves what made it.
    hearsay::fuzz::write_file(last + "." + std::filesystem::path(argv[0]).filename().string(), input);
    run(input);
  }
  std::filesystem::remove(last + "." + std::filesystem::path(argv[0]).filename().string());
  std::cout << runs << " inputs, no finding\n";
  return 0;
}
