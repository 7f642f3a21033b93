// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

#include <sys/random.h>

#include <cassert>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <system_error>

namespace hearsay {
namespace {

// The finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
std::uint64_t scramble(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

}  // namespace

std::uint64_t RandomBits::below(std::uint64_t bound) {
  const std::uint64_t rejected = (0 - bound) % bound;  // 2^64 mod bound
  std::uint64_t word = next();
  while (word < rejected) word = next();
  return word % bound;
}

double RandomBits::unit() {
  return unit_of(next());
}

SecureBits::SecureBits() : words_(std::make_unique<std::uint64_t[]>(kWords)) {}

SecureBits::~SecureBits() {
  explicit_bzero(words_.get(), kWords * sizeof(std::uint64_t));
}

SecureBits::result_type SecureBits::next() {
  if (used_ == kWords) {
    auto* bytes = reinterpret_cast<unsigned char*>(words_.get());
    for (std::size_t filled = 0; filled < kWords * sizeof(std::uint64_t);) {
      const ssize_t got = getrandom(bytes + filled, kWords * sizeof(std::uint64_t) - filled, 0);
      if (got < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "getrandom");
      if (got > 0) filled += static_cast<std::size_t>(got);
    }
    used_ = 0;
  }
  return words_[used_++];
}

std::uint64_t mix(std::uint64_t key, std::uint64_t value) {
  return scramble(scramble(key) ^ value);
}

std::uint64_t mix(std::uint64_t key, std::string_view text) {
  key = mix(key, text.size());
  for (const char c : text) key = mix(key, static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  return key;
}

double laplace(RandomBits& bits, double scale) {
  const double u = bits.unit() - 0.5;
  return -scale * std::copysign(std::log1p(-2 * std::fabs(u)), u);
}

double Normal::operator()(RandomBits& bits) {
  if (kept_) {
    kept_ = false;
    return second_;
  }
  double x = 0;
  double y = 0;
  double square = 0;
  do {
    x = 2 * bits.unit() - 1;
    y = 2 * bits.unit() - 1;
    square = x * x + y * y;
  } while (square > 1 || square == 0);
  const double scale = std::sqrt(-2 * std::log(square) / square);
  kept_ = true;
  second_ = x * scale;
  return y * scale;
}

}  // namespace hearsay
