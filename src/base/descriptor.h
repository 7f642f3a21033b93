// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <utility>

namespace hearsay {

// Owns an open file, as open(2) gives it: closed, and a lock on it let go, at the end of its life, also where a
// constructor throws after it was opened.
class Descriptor {
 public:
  Descriptor() = default;
  // Negative: none.
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  explicit operator bool() const { return number_ >= 0; }
  int get() const { return number_; }
  // The caller closes it from now on.
  int release() { return std::exchange(number_, -1); }

 private:
  int number_ = -1;
};

}  // namespace hearsay
