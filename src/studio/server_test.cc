// SPDX-License-Identifier: Apache-2.0
//
// The studio's server as strangers meet it: on a real socket, with requests that a browser would not send.
#include "studio/server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/errors.h"
#include "results/parse_json.h"
#include "results/test_data.h"

namespace hearsay::studio {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Long enough that a busy machine comes to what is to happen within.
constexpr std::chrono::milliseconds kMoment{2000};

// A connection that sends what it likes.
class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(io_) { socket_.connect({asio::ip::address_v4::loopback(), port}); }
  // False where the other side has hung up.
  bool send(const std::string& text) {
    error_code error;
    asio::write(socket_, asio::buffer(text), error);
    return !error;
  }
  // Until the other side closes.
  std::string read_all() {
    std::string text;
    error_code error;
    asio::read(socket_, asio::dynamic_buffer(text), error);
    return text;
  }
  // Up to and with `end`.
  std::string read_until(const std::string& end) {
    error_code error;
    const std::size_t size = asio::read_until(socket_, asio::dynamic_buffer(read_), end, error);
    std::string text = read_.substr(0, size);
    read_.erase(0, size);
    return text;
  }
  void close() { socket_.close(); }

 private:
  asio::io_context io_;
  tcp::socket socket_;
  std::string read_;
};

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0;
  std::uint64_t resident = 0;
  file >> all >> resident;
  return resident * 4096;
}

// How many files and sockets this process may have, as many as it is allowed up to 4,096.
rlim_t descriptors() {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = std::max(files.rlim_cur, std::min<rlim_t>(files.rlim_max, 4096));
  setrlimit(RLIMIT_NOFILE, &files);
  getrlimit(RLIMIT_NOFILE, &files);
  return files.rlim_cur;
}

class StudioServerTest : public testing::Test {
 protected:
  void start(ServerOptions options = {}) {
    const experiment::Study study = results::tiny_study(place_.path());
    StageClock clock;
    engine_.emplace(engine::load(study, {}, place_.path(), clock));
    session_.emplace(*engine_, study, file_, engine::LoadOptions());
    server_.emplace(*session_, options);
    const std::string link = server_->link();
    const std::size_t hash = link.find("/#");
    host_ = link.substr(7, hash - 7);
    token_ = link.substr(hash + 2);
    port_ = static_cast<std::uint16_t>(std::stoul(host_.substr(host_.find(':') + 1)));
    thread_ = std::jthread([this](const std::stop_token& stop) { server_->run(stop); });
  }

  Client connect() const { return Client(port_); }

  std::string request(const std::string& line, const std::vector<std::string>& headers,
                      const std::string& body = "") const {
    std::string text = line + " HTTP/1.1\r\n";
    for (const std::string& header : headers) text += header + "\r\n";
    if (!body.empty()) text += fmt::format("Content-Length: {}\r\n", body.size());
    return text + "\r\n" + body;
  }
  std::string host() const { return "Host: " + host_; }
  std::string key() const { return "Authorization: Bearer " + token_; }
  std::string ask(const std::string& line, const std::vector<std::string>& headers,
                  const std::string& body = "") const {
    Client client = connect();
    std::vector<std::string> all = headers;
    all.emplace_back("Connection: close");
    client.send(request(line, all, body));
    return client.read_all();
  }
  std::string run(const std::string& body) const {
    return ask("POST /api/run", {host(), key(), "Content-Type: application/json"}, body);
  }
  // As a page does until it is closed.
  void stay(Client& page) const {
    page.send(request("GET /api/alive", {host(), key()}));
    EXPECT_THAT(page.read_until("}\n"), HasSubstr("alive"));
  }
  // Whether somebody with the link is still served.
  void expect_serving() const { EXPECT_THAT(ask("GET /api/studio", {host(), key()}), HasSubstr("\"title\":\"tiny\"")); }

  TemporaryFolder place_{"", "hearsay-test-"};
  std::string file_ = "tiny.toml";
  std::optional<engine::Engine> engine_;
  std::optional<Session> session_;
  std::optional<Server> server_;
  std::string host_;
  std::string token_;
  std::uint16_t port_ = 0;
  std::jthread thread_;
};

TEST_F(StudioServerTest, AnswersWhoeverHasTheLink) {
  start();
  EXPECT_EQ(token_.size(), 64U);
  const std::string page = ask("GET /", {host()});
  EXPECT_THAT(page, StartsWith("HTTP/1.1 200 OK"));
  EXPECT_THAT(page, HasSubstr("{\"studio\":1}"));
  EXPECT_THAT(page, HasSubstr("frame-ancestors 'none'"));
  EXPECT_THAT(page, HasSubstr("connect-src 'self'"));
  EXPECT_THAT(page, Not(HasSubstr("connect-src 'none'")));
  EXPECT_THAT(page, Not(HasSubstr(token_)));
  expect_serving();
  const std::string answer = run(R"j({"priors": ["FREQ_ROI"], "publish": {"steps": ["ROUND(base=2)"]}})j");
  EXPECT_THAT(answer, HasSubstr("\"event\":\"report\""));
  EXPECT_THAT(answer, HasSubstr("hearsay release tiny.toml --step 'ROUND(base=2)'"));
  EXPECT_THAT(answer, HasSubstr("Counts are rounded by what they truly are."));
}

TEST_F(StudioServerTest, RefusesStrangers) {
  start();
  const std::string run_line = "POST /api/run";
  const std::string type = "Content-Type: application/json";
  const auto expect = [](const std::string& answer, const char* status) {
    EXPECT_THAT(answer, StartsWith(fmt::format("HTTP/1.1 {} ", status)));
    EXPECT_THAT(answer, Not(HasSubstr("tiny")));
    EXPECT_THAT(answer, Not(HasSubstr("Access-Control")));
  };
  expect(ask("GET /api/studio", {host()}), "401");
  expect(ask("GET /api/studio", {host(), key() + "0"}), "401");
  expect(ask("GET /api/studio", {host(), "Authorization: Bearer "}), "401");
  expect(ask("GET /api/studio", {host(), "Authorization: " + token_}), "401");
  std::string wrong = token_;
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  expect(ask("GET /api/studio", {host(), "Authorization: Bearer " + wrong}), "401");
  // A name of somebody else's that points to this machine, and pages of other sites.
  expect(ask("GET /", {fmt::format("Host: evil.example:{}", port_)}), "403");
  expect(ask("GET /api/studio", {"Host: 127.0.0.1", key()}), "403");
  expect(ask("GET /api/studio", {key()}), "403");
  expect(ask("GET /api/studio", {host(), host(), key()}), "403");
  expect(ask("GET /api/studio", {host(), key(), "Origin: http://evil.example"}), "403");
  expect(ask("GET /api/studio", {host(), key(), "Origin: null"}), "403");
  expect(ask("GET /api/studio", {host(), key(), "Sec-Fetch-Site: cross-site"}), "403");
  expect(ask(run_line, {host(), key(), "Origin: http://evil.example", type}, "{}"), "403");
  expect(ask(run_line, {host(), key(), "Content-Type: text/plain"}, "{}"), "415");
  expect(ask("OPTIONS /api/run", {host(), key()}), "405");
  expect(ask("GET /api/run", {host(), key()}), "405");
  expect(ask("DELETE /", {host()}), "405");
  for (const char* path : {"/../../etc/passwd", "/..%2f..%2fetc/passwd", "/etc/passwd", "//", "/index.html",
                           "/api/studio/", "/api/studio?x", "/.git/config", "http://127.0.0.1/", "*"}) {
    expect(ask(std::string("GET ") + path, {host(), key()}), "404");
  }
  expect_serving();
}

TEST_F(StudioServerTest, RefusesWhatIsNotHttp) {
  start();
  const std::string run_line = "POST /api/run HTTP/1.1\r\n";
  for (const std::string& text :
       {std::string("\r\n\r\n"), std::string("GET\r\n\r\n"), std::string(100, '\0') + "\r\n\r\n",
        std::string("GET / HTTP/9.9\r\n\r\n"), std::string("GET / HTTP/1.1\r\nHost 127\r\n\r\n"),
        run_line + "Content-Length: -1\r\n\r\n", run_line + "Content-Length: 99999999999999999999\r\n\r\n"}) {
    Client client = connect();
    client.send(text);
    EXPECT_THAT(client.read_all(), StartsWith("HTTP/1.1 400 ")) << text;
  }
  // A header without end is listened to up to its limit.
  Client client = connect();
  client.send("GET / HTTP/1.1\r\n" + host() + "\r\n");
  for (int i = 0; i < 20; ++i) client.send("X-Many: " + std::string(1000, 'x') + "\r\n");
  EXPECT_THAT(client.read_all(), StartsWith("HTTP/1.1 431 "));
  expect_serving();
}

TEST_F(StudioServerTest, RefusesLargeBodies) {
  start();
  const std::string type = "Content-Type: application/json";
  const std::uint64_t before = resident_bytes();
  const std::string piece(1 << 20, ' ');
  for (const bool chunked : {false, true}) {
    Client client = connect();
    client.send(request("POST /api/run",
                        {host(), key(), type, chunked ? "Transfer-Encoding: chunked" : "Content-Length: 104857600"}));
    std::size_t sent = 0;
    while (sent < 100 && (!chunked || client.send("100000\r\n")) && client.send(piece) &&
           (!chunked || client.send("\r\n"))) {
      ++sent;
    }
    EXPECT_LT(sent, 48U);  // MiB: what is drained, and what the system holds on the way
  }
  EXPECT_THAT(run(std::string(70 << 10, ' ')), StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(run(std::string(65 << 10, ' ')), StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(run(std::string(64 << 10, ' ')), StartsWith("HTTP/1.1 200 "));
  EXPECT_LT(resident_bytes(), before + (16 << 20));
  expect_serving();
}

TEST_F(StudioServerTest, RefusesWhatIsNotSettings) {
  start();
  for (const std::string& body :
       {std::string("{"), std::string("nothing"), std::string("[]"), std::string("1e999"), std::string("\xff\xfe"),
        std::string(R"j({"priors": {"a": 1}})j"), std::string(R"j({"unknown": 1})j"), std::string(30000, '['),
        std::string(R"j({"publish": {"steps": [")j") + std::string(60000, 'A') + "\"]}}"}) {
    const std::string answer = run(body);
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 "));
    EXPECT_THAT(answer, HasSubstr("\"event\":\"error\"")) << body.substr(0, 40);
    EXPECT_LT(answer.size(), 4096U);
  }
  expect_serving();
}

TEST_F(StudioServerTest, OutlastsAThousandConnections) {
  constexpr rlim_t kSpare = 300;  // for the server, which is of this process
  const rlim_t allowed = descriptors();
  if (allowed < 2 * kSpare) GTEST_SKIP() << "too few files are allowed";
  start({.patience = std::chrono::seconds(30)});
  Client page = connect();  // of somebody with the link, before them
  stay(page);
  const std::uint64_t before = resident_bytes();
  asio::io_context io;
  std::vector<tcp::socket> strangers;
  for (rlim_t i = 0; i < std::min<rlim_t>(1000, allowed - kSpare); ++i) {
    strangers.emplace_back(io).connect({asio::ip::address_v4::loopback(), port_});
    asio::write(strangers.back(), asio::buffer(std::string("GET /")));
    if (i % 300 == 0) expect_serving();
  }
  for (int i = 0; i < 200; ++i) {
    strangers[static_cast<std::size_t>(i)].close();
    Client(port_).send("POST /api/run");
  }
  expect_serving();
  EXPECT_THAT(page.read_until("}\n"), HasSubstr("alive"));
  EXPECT_THAT(page.read_until("}\n"), HasSubstr("alive"));
  EXPECT_LT(resident_bytes(), before + (64 << 20));
}

TEST_F(StudioServerTest, HangsUpOnWhoeverTakesTooLong) {
  start({.patience = kMoment});
  Client client = connect();
  client.send("GET / HTTP/1.1\r\n");
  EXPECT_EQ(client.read_all(), "");
  expect_serving();
}

TEST_F(StudioServerTest, EndsWhenTheLastPageIsClosed) {
  start({.grace = kMoment});
  expect_serving();
  Client first = connect();
  stay(first);
  Client second = connect();
  stay(second);
  first.close();
  std::this_thread::sleep_for(kMoment * 3 / 2);
  expect_serving();
  // Loaded anew: gone for a moment.
  second.close();
  Client third = connect();
  stay(third);
  std::this_thread::sleep_for(kMoment * 3 / 2);
  expect_serving();
  third.close();
  thread_.join();
}

// The time without a page is counted from the last that was there.
TEST_F(StudioServerTest, WaitsForPagesAnew) {
  start({.grace = kMoment});
  Client first = connect();
  stay(first);
  first.close();
  std::this_thread::sleep_for(kMoment / 2);
  Client second = connect();
  stay(second);
  const auto gone = std::chrono::steady_clock::now();
  second.close();
  thread_.join();
  EXPECT_GE(std::chrono::steady_clock::now() - gone, kMoment);
}

// A page that is loaded asks before it stays.
TEST_F(StudioServerTest, DoesNotEndWhileItIsAsked) {
  start({.grace = kMoment});
  Client page = connect();
  stay(page);
  page.close();
  const auto gone = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - gone < kMoment * 3 / 2) {
    expect_serving();
    std::this_thread::sleep_for(kMoment / 20);
  }
  thread_.join();
}

TEST_F(StudioServerTest, KeepsItsSocketsFromChildren) {
  start();
  Client page = connect();
  stay(page);
  int own = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const int descriptor = std::stoi(entry.path().filename().string());
    sockaddr_in here{};
    socklen_t size = sizeof here;
    if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&here), &size) != 0 || ntohs(here.sin_port) != port_)
      continue;
    ++own;
    EXPECT_NE(fcntl(descriptor, F_GETFD) & FD_CLOEXEC, 0);
  }
  EXPECT_EQ(own, 2);  // where it listens, and the page's
}

TEST_F(StudioServerTest, RefusesAPortInASentence) {
  start();
  try {
    Server second(*session_, {.port = port_});
    ADD_FAILURE();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr(fmt::format("--port = {}: is in use by another program", port_)));
  }
}

TEST_F(StudioServerTest, SpeaksOfFilesWhoseNamesAreNoText) {
  file_ = "t\xff.toml";
  start();
  expect_serving();
  EXPECT_THAT(ask("GET /api/studio", {host(), key()}), HasSubstr("t\xef\xbf\xbd.toml"));
  EXPECT_THAT(run(R"j({"publish": {"steps": ["ROUND(base=2)"]}})j"), HasSubstr("\"event\":\"report\""));
}

TEST_F(StudioServerTest, EndsOnRequest) {
  start();
  Client page = connect();
  stay(page);
  thread_.request_stop();
  thread_.join();
  EXPECT_EQ(page.read_until("never"), "");
  EXPECT_THROW(connect(), boost::system::system_error);
}

}  // namespace
}  // namespace hearsay::studio
