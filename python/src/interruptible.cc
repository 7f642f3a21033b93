// SPDX-License-Identifier: Apache-2.0
#include "interruptible.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <string>
#include <thread>

#include "base/errors.h"
#include "base/stop_scope.h"

namespace nb = nanobind;

namespace hearsay::python {
namespace {

constexpr auto kLook = std::chrono::milliseconds(100);

struct Step {
  std::string stage;
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

// What the two threads tell each other.
struct Shared {
  std::mutex mutex;
  std::condition_variable changed;
  bool finished = false;
  std::optional<Step> step;
  std::exception_ptr error;
};

void look(Shared& shared, const nb::object& progress) {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  std::optional<Step> step;
  {
    const std::lock_guard lock(shared.mutex);
    step.swap(shared.step);
  }
  if (step && !progress.is_none()) progress(step->stage, step->done, step->total);
}

void work_and_tell(Shared& shared, const Job& job, const std::function<void(const Progress&)>& work) {
  const StopScope scope(job.stop());
  try {
    work([&](std::string_view stage, std::uint64_t done, std::uint64_t total) {
      const std::lock_guard lock(shared.mutex);
      shared.step = {std::string(stage), done, total};
    });
  } catch (...) {
    shared.error = std::current_exception();
  }
  const std::lock_guard lock(shared.mutex);
  shared.finished = true;
  shared.changed.notify_one();
}

}  // namespace

void Job::fail() {
  const std::lock_guard lock(mutex_);
  if (error_ == nullptr) error_ = std::current_exception();
  source_.request_stop();
}

void Job::rethrow() const {
  const std::lock_guard lock(mutex_);
  if (error_ != nullptr) std::rethrow_exception(error_);
}

void Job::interrupt_python() const {
  for (const unsigned long thread : threads_) PyThreadState_SetAsyncExc(thread, PyExc_KeyboardInterrupt);
}

PythonCode::PythonCode(Job& job) : job_(job), thread_(PyThread_get_thread_ident()) {
  if (job_.failed()) throw Cancelled();
  job_.threads_.push_back(thread_);
}

PythonCode::~PythonCode() {
  job_.threads_.erase(std::find(job_.threads_.begin(), job_.threads_.end(), thread_));
  // An interrupt that came too late to be noticed must not be raised in what this thread does next.
  PyThreadState_SetAsyncExc(thread_, nullptr);
}

void run_interruptibly(Job& job, const nb::object& progress, const std::function<void(const Progress&)>& work) {
  Shared shared;
  {
    const nb::gil_scoped_release free_interpreter;
    std::thread worker(work_and_tell, std::ref(shared), std::cref(job), std::cref(work));
    std::unique_lock lock(shared.mutex);
    bool interrupted = false;
    while (!shared.finished) {
      shared.changed.wait_for(lock, kLook);
      lock.unlock();
      {
        const nb::gil_scoped_acquire locked;
        try {
          look(shared, job.failed() ? nb::none() : progress);
        } catch (...) {
          interrupted = false;  // a second Ctrl-C interrupts once more what outlived the first
          job.fail();
        }
        if (job.failed() && !std::exchange(interrupted, true)) job.interrupt_python();
      }
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  job.rethrow();
  if (shared.error != nullptr) std::rethrow_exception(shared.error);
}

}  // namespace hearsay::python
