// SPDX-License-Identifier: Apache-2.0
//
// Completion and manual pages, as the shells and a formatter of manual pages take them.
#include <vector>

#include "cli_fixture.h"

namespace hearsay {
namespace {

using testing::ElementsAre;
using testing::Not;

class CompletionTest : public CliTest {
 protected:
  // What a program prints in the folder of the test, line by line; fails where it does, or is not there.
  std::vector<std::string> lines(const std::string& command) const {
    const fs::path out = folder_ / ".said";
    const std::string whole =
        fmt::format("cd '{}' && ({}) >'{}' 2>&1 </dev/null", folder_.string(), command, out.string());
    EXPECT_EQ(std::system(whole.c_str()), 0) << command << "\n" << read_text(out);
    std::istringstream text(read_text(out));
    std::vector<std::string> found;
    for (std::string line; std::getline(text, line);) found.push_back(line);
    return found;
  }

  void write_script(const std::string& shell, const std::string& name) const {
    const Ran ran = hearsay("completion " + shell);
    ASSERT_EQ(ran.code, 0) << ran.err;
    write(name, ran.out);
  }

  // What bash offers for the last of some words.
  std::vector<std::string> bash(const std::string& words) const {
    write("ask.bash",
          fmt::format("source hearsay.bash\nCOMP_WORDS=(hearsay {})\nCOMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n"
                      "_hearsay\n[[ ${{#COMPREPLY[@]}} == 0 ]] || printf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
                      words));
    return lines("bash ask.bash");
  }

  std::vector<std::string> fish(const std::string& line) const {
    write("ask.fish",
          fmt::format("source hearsay.fish\ncomplete -C 'hearsay {}' | string replace -r '\\t.*' ''\ntrue\n", line));
    return lines("HOME=. fish --no-config ask.fish");
  }
};

TEST_F(CompletionTest, OfBash) {
  write_script("bash", "hearsay.bash");
  write("city one.toml", "");
  fs::create_directories(folder_ / "folder");
  EXPECT_THAT(bash("st"), ElementsAre("study"));
  EXPECT_THAT(bash("generate ''"), ElementsAre("commuters", "cabs"));
  EXPECT_THAT(bash("generate cabs --c"), ElementsAre("--cabs"));
  EXPECT_THAT(bash("explain MAX"), ElementsAre("MAX_ROI", "MAX_USER"));
  EXPECT_THAT(bash("study ci"), ElementsAre("city one.toml"));
  EXPECT_THAT(bash("study x --out f"), ElementsAre("folder"));
  EXPECT_THAT(bash("study x --out ci"), ElementsAre());           // no folder
  EXPECT_THAT(bash("study x --out = f"), ElementsAre("folder"));  // --out=f, as bash splits it
  EXPECT_THAT(bash("study x --out ="), ElementsAre("folder"));
  EXPECT_THAT(bash("study x --out = ci"), ElementsAre());
  EXPECT_THAT(bash("release x --post-process no"), ElementsAre("none", "nonnegative"));
  EXPECT_THAT(bash("release x --preset ine"), ElementsAre("ine-spain"));
  EXPECT_THAT(bash("study explain MAX"), ElementsAre());  // a file called explain
  EXPECT_THAT(bash("completion ''"), ElementsAre("bash", "zsh", "fish"));
}

TEST_F(CompletionTest, OfFish) {
  write_script("fish", "hearsay.fish");
  write("city.toml", "");
  EXPECT_THAT(fish("st"), ElementsAre("study"));
  EXPECT_THAT(fish("generate "), ElementsAre("cabs", "commuters"));
  EXPECT_THAT(fish("generate cabs --c"), ElementsAre("--cabs"));
  EXPECT_THAT(fish("explain MAX_"), ElementsAre("MAX_ROI", "MAX_USER"));
  EXPECT_THAT(fish("study city"), ElementsAre("city.toml"));
  EXPECT_THAT(fish("release x --preset ine"), ElementsAre("ine-spain"));
}

TEST_F(CompletionTest, OfZsh) {
  write_script("zsh", "_hearsay");
  EXPECT_THAT(lines("zsh -n _hearsay"), ElementsAre());
  EXPECT_THAT(
      lines(
          "zsh -f -c 'fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; print $_comps[hearsay]; autoload +X "
          "_hearsay; whence -w _hearsay'"),
      ElementsAre("_hearsay", "_hearsay: function"));
}

TEST_F(CompletionTest, OfNoOtherShell) {
  expect_refusal("completion tcsh", "tcsh not in {bash,zsh,fish}");
}

TEST_F(CompletionTest, EveryCommandHasAManualPage) {
  fs::create_directories(folder_ / "pages");
  ASSERT_EQ(hearsay("manual pages").code, 0);
  EXPECT_THAT(read_text(folder_ / "pages/hearsay-generate-cabs.1"),
              HasSubstr("hearsay\\-generate\\-cabs \\- GPS fixes"));
  EXPECT_THAT(lines("mandoc -T html -W error pages/*.1 | grep -c 'id=.EXAMPLES'"), ElementsAre("17"));
  for (const std::string& line : lines("mandoc -T lint -W warning pages/*.1 || true")) {
    EXPECT_THAT(line, HasSubstr("missing date")) << line;  // the same bytes whenever they are made
  }
  EXPECT_THAT(hearsay("--help").out, Not(HasSubstr("manual")));
  expect_refusal("manual nowhere", "nowhere");
}

}  // namespace
}  // namespace hearsay
