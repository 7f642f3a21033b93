// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace hearsay::studio {

// Lines on their way from the thread that works to the one that writes. Of progress only the last is kept, so that a
// slow reader costs no memory.
class Outbox {
 public:
  // `wake`: called after each change, from any thread.
  explicit Outbox(std::function<void()> wake) : wake_(std::move(wake)) {}

  void progress(std::string line) {
    change([&] { progress_ = std::move(line); });
  }
  void put(std::string line) {
    change([&] { lines_.push_back(std::move(line)); });
  }
  // There is no more to come.
  void close() {
    change([&] { closed_ = true; });
  }

  // What there is now, progress first; none where there never will be any more.
  std::optional<std::vector<std::string>> take() {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> taken;
    if (progress_) taken.push_back(std::move(*progress_));
    progress_.reset();
    for (std::string& line : lines_) taken.push_back(std::move(line));
    lines_.clear();
    if (taken.empty() && closed_) return std::nullopt;
    return taken;
  }

 private:
  template <typename Change>
  void change(const Change& apply) {
    {
      const std::lock_guard lock(mutex_);
      apply();
    }
    wake_();
  }

  std::function<void()> wake_;
  std::mutex mutex_;
  std::optional<std::string> progress_;
  std::vector<std::string> lines_;
  bool closed_ = false;
};

}  // namespace hearsay::studio
