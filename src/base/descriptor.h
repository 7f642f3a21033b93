// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <utility>

namespace hearsay {

// An open file that is closed, and with it any lock on it let go, at the end of its owner's life: also where the
// owner's constructor throws.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int file) : file_(file) {}
  Descriptor(Descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~Descriptor() {
    if (file_ >= 0) close(file_);
  }

  bool is_open() const { return file_ >= 0; }
  int get() const { return file_; }

 private:
  int file_ = -1;
};

}  // namespace hearsay
