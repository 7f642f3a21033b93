// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "base/progress.h"

namespace hearsay::python {

// One piece of long work: how to stop it, and the first error that Python code called by it raised.
class Job {
 public:
  std::stop_token stop() const { return source_.get_token(); }
  // Keeps the exception being handled, if it is the first, and stops the work.
  void fail();
  bool failed() const { return source_.stop_requested(); }
  // Throws what fail() kept.
  void rethrow() const;
  // Raises KeyboardInterrupt in every thread that is inside a PythonCode. Call with the interpreter's lock held.
  void interrupt_python() const;

 private:
  friend class PythonCode;

  std::stop_source source_;
  mutable std::mutex mutex_;
  std::exception_ptr error_;
  std::vector<unsigned long> threads_;  // those inside a PythonCode, as Python numbers them; the lock guards it
};

// Holds the interpreter's lock while a thread of the work runs code of the user, and lets Ctrl-C end that code too.
class PythonCode {
 public:
  // Throws Cancelled where the job is to stop.
  explicit PythonCode(Job& job);
  ~PythonCode();
  PythonCode(const PythonCode&) = delete;
  PythonCode& operator=(const PythonCode&) = delete;

 private:
  nanobind::gil_scoped_acquire locked_;
  Job& job_;
  unsigned long thread_;
};

// Calls into code of the user. An exception from there ends the work of the job, and is thrown on: whatever asked for
// the result must not go on without it. What `code` gives must need no lock to be destroyed.
template <typename Code>
auto run_python(Job& job, const Code& code) {
  try {
    const PythonCode locked(job);
    return code();
  } catch (...) {
    job.fail();
    throw;
  }
}

// Does the work in a thread of its own with the interpreter free for others. Meanwhile, this thread looks for Ctrl-C a
// few times a second and hands on progress as progress(stage, done, total) where that is not None. An exception from
// either stops the work: every parallel_for of it ends (base/stop_scope.h), and so does code of the user. Call with the
// interpreter's lock held.
void run_interruptibly(Job& job, const nanobind::object& progress, const std::function<void(const Progress&)>& work);

// Does short or long work that tells no progress, and gives what it returns.
template <typename Work>
auto interruptibly(const Work& work) {
  Job job;
  std::optional<decltype(work(job))> found;
  run_interruptibly(job, nanobind::none(), [&](const Progress&) { found.emplace(work(job)); });
  return *std::move(found);
}

}  // namespace hearsay::python
