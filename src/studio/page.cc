// SPDX-License-Identifier: Apache-2.0
#include "studio/page.h"

#include <stdexcept>
#include <string_view>

#include "report/page.h"

namespace hearsay::studio {
namespace {

constexpr std::string_view kPolicy = "http-equiv=\"Content-Security-Policy\" content=\"";
constexpr std::string_view kClosed = "connect-src 'none'";
constexpr std::string_view kOpen = "connect-src 'self'";

}  // namespace

Page::Page(bool framed) : html_(report::page_html({{"studio", 1}})) {
  const std::size_t begin = html_.find(kPolicy) + kPolicy.size();
  const std::size_t end = html_.find('"', begin);
  const std::size_t closed = html_.find(kClosed, begin);
  if (begin < kPolicy.size() || closed == std::string::npos || closed > end) {
    throw std::logic_error("the built page has no policy to open");
  }
  html_.replace(closed, kClosed.size(), kOpen);
  policy_ = html_.substr(begin, end - begin - kClosed.size() + kOpen.size());
  policy_ += framed ? "; frame-ancestors 'self' http://localhost:* http://127.0.0.1:*" : "; frame-ancestors 'none'";
}

}  // namespace hearsay::studio
