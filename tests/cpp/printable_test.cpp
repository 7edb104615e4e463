#include "spicymkl/core/printable.hpp"

#include <gtest/gtest.h>

#include "core/utf8.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {
namespace {

TEST(Printable, LeavesOrdinaryTextAlone) {
  const std::string text = "Größe, 重さ, naïve 🧬: \"50 %\" \\n\n\ttab";
  EXPECT_EQ(printable(text), text);
}

TEST(Printable, EscapesWhatATerminalObeys) {
  EXPECT_EQ(printable("a\x1b[31mred\x07"), "a\\x1b[31mred\\x07");
  EXPECT_EQ(printable("back\rwards\x7f"), "back\\x0dwards\\x7f");
  EXPECT_EQ(printable("\xc2\x9b[2J"), "\\x9b[2J");  // U+009B, the one-character form of ESC [
  EXPECT_EQ(printable("exe.\xe2\x80\xae"
                      "txt"),
            "exe.\\u202etxt");  // right-to-left override
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Printable, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("caf\xe9!"), "caf\\xe9!");
  EXPECT_EQ(printable("\x9b[2J"), "\\x9b[2J");
  EXPECT_EQ(printable("cut \xe2\x82"), "cut \\xe2\\x82");
}

TEST(Printable, JsonKeepsItsValue) {
  EXPECT_EQ(printable_json("{\"a\\u001b\": \"\xc2\x9b\x7f \xe2\x80\xae é\"}"),
            "{\"a\\u001b\": \"\\u009b\\u007f \\u202e é\"}");
}

TEST(Printable, ErrorsArePrintable) { EXPECT_STREQ(InputError("'\x1b]0;x\x07'").what(), "'\\x1b]0;x\\x07'"); }

TEST(Utf8, KnowsItsBounds) {
  for (const char* good : {"", "a", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                           "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
    EXPECT_TRUE(is_utf8(good)) << printable(good);
  for (const char* bad :
       {"\x80", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2g", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xed\xa0\x80",
        "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "a\xe2\x82"})
    EXPECT_FALSE(is_utf8(bad)) << printable(bad);
}

TEST(Utf8, IsCutBetweenCharacters) {
  EXPECT_EQ(utf8_prefix("abc", 3), "abc");
  EXPECT_EQ(utf8_prefix("abcd", 3), "abc…");
  EXPECT_EQ(utf8_prefix("aéé", 2), "a…");
  EXPECT_EQ(utf8_prefix("aéé", 3), "aé…");
  EXPECT_EQ(utf8_prefix("\x80\x80\x80", 2), "…");
}

}  // namespace
}  // namespace spicymkl
