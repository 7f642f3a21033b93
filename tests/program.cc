// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace hearsay {
namespace {

void limit(int resource, std::uint64_t bytes) {
  const rlimit both{bytes, bytes};
  if (bytes > 0 && setrlimit(static_cast<__rlimit_resource>(resource), &both) != 0) _exit(125);
}

void redirect(const std::string& path, int descriptor) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || dup2(file, descriptor) < 0) _exit(125);
}

[[noreturn]] void become(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                         const Limits& limits) {
  std::vector<char*> list = {const_cast<char*>(HEARSAY_BINARY)};
  for (const std::string& argument : arguments) list.push_back(const_cast<char*>(argument.c_str()));
  list.push_back(nullptr);
  if (chdir(folder.c_str()) != 0) _exit(125);
  redirect((folder / ".out").string(), STDOUT_FILENO);
  redirect((folder / ".err").string(), STDERR_FILENO);
  if (!limits.temporary_folder.empty()) setenv("TMPDIR", limits.temporary_folder.c_str(), 1);
  setenv("XDG_STATE_HOME", folder.c_str(), 1);  // never the ledger of whoever runs the tests
  limit(RLIMIT_AS, limits.memory_bytes);
  limit(RLIMIT_FSIZE, limits.file_bytes);
  limit(RLIMIT_CORE, 0);
  for (const int capability : {CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH}) {
    if (limits.heed_modes && geteuid() == 0 && prctl(PR_CAPBSET_DROP, capability) != 0) _exit(125);
  }
  execv(HEARSAY_BINARY, list.data());
  _exit(126);
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::set<std::string> names_in(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

std::map<std::string, std::string> results_in(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const std::string& name : names_in(folder)) {
    if (name != "manifest.json") files[name] = read_file(folder / name);
  }
  return files;
}

Program::Program(const std::filesystem::path& folder, const std::vector<std::string>& arguments, const Limits& limits)
    : folder_(folder), process_(fork()) {
  if (process_ < 0) throw std::runtime_error("cannot start a process");
  if (process_ == 0) become(folder, arguments, limits);
}

Program::~Program() {
  if (ended_) return;
  send(SIGKILL);
  wait();
}

void Program::send(int signal) const {
  if (!ended_) kill(process_, signal);
}

void Program::collect(int status, const rusage& usage) {
  ended_ = true;
  result_.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  result_.out = read_file(folder_ / ".out");
  result_.err = read_file(folder_ / ".err");
  result_.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

Ended Program::wait() {
  int status = 0;
  rusage usage{};
  if (!ended_ && wait4(process_, &status, 0, &usage) == process_) collect(status, usage);
  return result_;
}

bool Program::ends_within(std::chrono::milliseconds time) {
  const auto due = std::chrono::steady_clock::now() + time;
  while (!ended_ && std::chrono::steady_clock::now() < due) {
    int status = 0;
    rusage usage{};
    if (wait4(process_, &status, WNOHANG, &usage) == process_) collect(status, usage);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return ended_;
}

}  // namespace hearsay
