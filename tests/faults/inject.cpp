// A library for LD_PRELOAD that lets chosen calls of a program fail, from the start of its main() on:
//   FAULT_CALL   memory, thread, or a system call: open write read fsync rename close ftruncate mmap linkat
//   FAULT_AT     which one of them fails, counted from 1; 0: none
//   FAULT_ON     1: all behind it fail as well
//   FAULT_ERRNO  the error; -1: a write of one byte less than half, a read of one byte (no error: it must be continued)
//   FAULT_COUNT  a file that receives, when the program ends, how many calls there were; of memory also, line by line,
//                the first call of every place in the program that takes some (a hash of the innermost frames)
// Calls that the C library makes inside itself (stdio, the stacks of threads) are not seen.
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

std::atomic<bool> counting = false;
std::atomic<long> seen = 0;
const char* watched = "";
const char* count_file = nullptr;
long fault_at = 0;
bool fault_on = false;
int fault_errno = 0;

constexpr int kFrames = 10;  // innermost ones, this library's among them
constexpr std::size_t kPlaces = 1u << 20;
std::uint64_t* places = nullptr;  // hashes of the frames of calls, an open hash table
long* first_calls = nullptr;
std::size_t n_places = 0;
thread_local bool inside = false;  // backtrace may take memory itself

std::atomic_flag noting = ATOMIC_FLAG_INIT;

void note_place(long call) {
  if (places == nullptr || inside) return;
  inside = true;
  while (noting.test_and_set()) continue;
  void* frames[kFrames];
  const int depth = backtrace(frames, kFrames);
  std::uint64_t hash = 1469598103934665603u;
  for (int k = 2; k < depth; ++k) hash = (hash ^ reinterpret_cast<std::uint64_t>(frames[k])) * 1099511628211u;
  std::size_t slot = hash % kPlaces;
  while (places[slot] != 0 && places[slot] != hash) slot = (slot + 1) % kPlaces;
  if (places[slot] == 0 && n_places < kPlaces / 2) {
    places[slot] = hash;
    first_calls[n_places++] = call;
  }
  noting.clear();
  inside = false;
}

bool fails(const char* call) {
  if (!counting || std::strcmp(watched, call) != 0) return false;
  const long number = ++seen;
  if (std::strcmp(call, "memory") == 0) note_place(number);
  return number == fault_at || (fault_on && fault_at > 0 && number > fault_at);
}

/// As fails, with errno set; a call that is only cut short does not fail here.
bool refuses(const char* call) {
  if (!fails(call)) return false;
  errno = fault_errno;
  return true;
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

int (*real_main)(int, char**, char**) = nullptr;

int watched_main(int argc, char** argv, char** environment) {
  const auto text = [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  watched = text("FAULT_CALL");
  fault_at = std::atol(text("FAULT_AT"));
  fault_on = std::atol(text("FAULT_ON")) != 0;
  fault_errno = std::atoi(text("FAULT_ERRNO"));
  if (*text("FAULT_COUNT") != 0) count_file = text("FAULT_COUNT");
  if (count_file != nullptr && std::strcmp(watched, "memory") == 0) {
    void* warm_up[2];
    backtrace(warm_up, 2);
    first_calls = static_cast<long*>(__libc_calloc(kPlaces, sizeof(long)));
    places = static_cast<std::uint64_t*>(__libc_calloc(kPlaces, sizeof(std::uint64_t)));
  }
  counting = true;
  return real_main(argc, argv, environment);
}

struct AtExit {
  ~AtExit() {
    counting = false;
    if (count_file == nullptr) return;
    std::FILE* file = std::fopen(count_file, "w");
    if (file == nullptr) return;
    std::fprintf(file, "%ld\n", seen.load());
    for (std::size_t k = 0; k < n_places; ++k) std::fprintf(file, "%ld\n", first_calls[k]);
    std::fclose(file);
  }
} at_exit;

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
  real_main = main;
  return next<decltype(__libc_start_main)>("__libc_start_main")(watched_main, argc, argv, init, fini, rtld_fini,
                                                                stack_end);
}

void* malloc(std::size_t size) {
  if (!fails("memory")) return __libc_malloc(size);
  errno = ENOMEM;
  return nullptr;
}

void* calloc(std::size_t count, std::size_t size) {
  if (!fails("memory")) return __libc_calloc(count, size);
  errno = ENOMEM;
  return nullptr;
}

void* realloc(void* old, std::size_t size) {
  if (!fails("memory")) return __libc_realloc(old, size);
  errno = ENOMEM;
  return nullptr;
}

void* memalign(std::size_t alignment, std::size_t size) {
  if (!fails("memory")) return __libc_memalign(alignment, size);
  errno = ENOMEM;
  return nullptr;
}

void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }

int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  if (fails("memory")) return ENOMEM;
  *result = __libc_memalign(alignment, size);
  return *result == nullptr ? ENOMEM : 0;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
  if (fails("thread")) return EAGAIN;
  return next<decltype(pthread_create)>("pthread_create")(thread, attributes, start, argument);
}

int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  if (refuses("open")) return -1;
  return next<int(const char*, int, mode_t)>("open")(path, flags, mode);
}

ssize_t write(int file, const void* bytes, std::size_t size) {
  if (file > 2 && refuses("write")) {
    if (fault_errno >= 0) return -1;
    size = size > 3 ? size / 2 - 1 : size;
  }
  return next<decltype(write)>("write")(file, bytes, size);
}

ssize_t read(int file, void* bytes, std::size_t size) {
  if (refuses("read")) {
    if (fault_errno >= 0) return -1;
    size = size > 1 ? 1 : size;
  }
  return next<decltype(read)>("read")(file, bytes, size);
}

int fsync(int file) { return refuses("fsync") ? -1 : next<decltype(fsync)>("fsync")(file); }

int rename(const char* from, const char* to) {
  return refuses("rename") ? -1 : next<decltype(rename)>("rename")(from, to);
}

int close(int file) {
  const int done = next<decltype(close)>("close")(file);  // a descriptor is closed even where that fails
  return refuses("close") ? -1 : done;
}

int ftruncate(int file, off_t size) noexcept {
  return refuses("ftruncate") ? -1 : next<int(int, off_t)>("ftruncate")(file, size);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  if (refuses("linkat")) return -1;
  return next<int(int, const char*, int, const char*, int)>("linkat")(from_folder, from, to_folder, to, flags);
}

/// Of files alone: where a library takes memory this way, it waits for it.
void* mmap(void* address, std::size_t size, int protection, int flags, int file, off_t offset) noexcept {
  if (file >= 0 && refuses("mmap")) return MAP_FAILED;
  return next<void*(void*, std::size_t, int, int, int, off_t)>("mmap")(address, size, protection, flags, file, offset);
}

}  // extern "C"
