#include "last_words.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <new>

namespace spicymkl::cli {

namespace {

// What the handlers of std::terminate and exit() may touch: they have no arguments.
std::atomic<bool> at_work = false;

[[noreturn]] void end_after_terminate() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    say_plainly(kOutOfMemory);
    ::_exit(2);
  } catch (const std::exception& error) {
    say_plainly(error.what());
  } catch (...) {
  }
  std::abort();  // an error of the program itself, worth a core file
}

void end_after_exit() {
  if (!at_work) return;
  say_plainly(
      "a library ended the program: there was not enough memory, or no thread could be started; nothing was written");
  ::_exit(2);
}

}  // namespace

void say_last_words() {
  at_work = true;
  std::set_terminate(end_after_terminate);
  std::atexit(end_after_exit);
}

void no_last_words() { at_work = false; }

void say_plainly(const char* sentence) {
  // All at once: another thread may end the program at any moment, and half a sentence would be the last.
  char name[] = "spicymkl: ", end[] = "\n";
  const iovec parts[] = {
      {name, std::strlen(name)}, {const_cast<char*>(sentence), std::strlen(sentence)}, {end, std::strlen(end)}};
  if (::writev(STDERR_FILENO, parts, std::size(parts)) < 0) return;  // nobody to tell
}

}  // namespace spicymkl::cli
