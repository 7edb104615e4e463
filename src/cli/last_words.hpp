// Ends that no exception handler sees. They, too, are a sentence and status 2, and leave no file half written: output
// files have no name before they are complete.
#pragma once

namespace spicymkl::cli {

/// From now on:
/// - an exception that has nowhere to go, such as lack of memory in a destructor, ends the program in a sentence;
/// - so does a library that calls exit() in the middle of the work, as libgomp does without memory or threads.
void say_last_words();

/// The program ends as it should: exit() is no surprise any more.
void no_last_words();

inline constexpr char kOutOfMemory[] =
    "not enough memory for this problem; give it fewer rows, kernels or threads, or free some memory";

/// A sentence for standard error, without taking memory for it.
void say_plainly(const char* sentence);

}  // namespace spicymkl::cli
