// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>

#include "base/progress.h"

namespace hearsay::python {

// One piece of long work: how to stop it, and the first error that Python code called by it raised.
class Job {
 public:
  std::stop_token stop() const { return source_.get_token(); }
  void request_stop() { source_.request_stop(); }
  // Keeps the exception being handled, if it is the first, and stops the work.
  void fail();
  bool failed() const { return source_.stop_requested(); }
  // Throws what fail() kept.
  void rethrow() const;

 private:
  std::stop_source source_;
  mutable std::mutex mutex_;
  std::exception_ptr error_;
};

// Does the work in a thread of its own with the interpreter free for others. Meanwhile, this thread looks for Ctrl-C a
// few times a second and hands on progress as progress(stage, done, total) where that is not None. An exception from
// either stops the work. Call with the interpreter's lock held.
void run_interruptibly(Job& job, const nanobind::object& progress, const std::function<void(const Progress&)>& work);

}  // namespace hearsay::python
