#include "study_task.hpp"

#include <fmt/format.h>

#include <charconv>

#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

bool parse_whole(std::string_view text, Index& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string StudyTask::name() const {
  switch (kind) {
    case Kind::score:
      return fmt::format("score-{:04}-{}", index + 1, part + 1);
    case Kind::pair:
      return fmt::format("pair-{:04}", index + 1);
    case Kind::null:
      break;
  }
  return fmt::format("null-{:04}", index);
}

std::vector<StudyTask> list_tasks(const StudyOptions& options) {
  std::vector<StudyTask> tasks;
  for (Index repeat = 0; repeat < options.repeats; ++repeat)
    for (Index part = 0; part < options.outer; ++part) tasks.push_back({StudyTask::Kind::score, repeat, part});
  for (Index pair = 0; pair < options.stability; ++pair) tasks.push_back({StudyTask::Kind::pair, pair, 0});
  if (options.permutations > 0)
    for (Index shuffle = 0; shuffle <= options.permutations; ++shuffle)
      tasks.push_back({StudyTask::Kind::null, shuffle, 0});
  return tasks;
}

Shard parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  Shard shard;
  const bool read = slash != text.npos && parse_whole(std::string_view(text).substr(0, slash), shard.number) &&
                    parse_whole(std::string_view(text).substr(slash + 1), shard.count);
  if (!read) throw InputError(fmt::format("shard is '{}', but it must be two whole numbers such as 2/5", text));
  if (shard.count < 1 || shard.number < 1 || shard.number > shard.count)
    throw InputError(
        fmt::format("shard is '{}', but shards are numbered from 1 to how many there are, as in 2/5", text));
  return shard;
}

std::vector<StudyTask> tasks_of(const std::vector<StudyTask>& tasks, const Shard& shard) {
  std::vector<StudyTask> own;
  for (Index k = shard.number - 1; k < std::ssize(tasks); k += shard.count) own.push_back(tasks[k]);
  return own;
}

}  // namespace spicymkl
