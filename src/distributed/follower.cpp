#include "make_message.hpp"
#include "office.hpp"

namespace spicymkl {

namespace {

class Follower {
 public:
  explicit Follower(Communicator& ranks)
      : ranks_(ranks), watch_(Watch::obeying([this] { return ranks_.called_off() == operation_; })) {}

  int run() {
    agree_on_machines(ranks_);
    while (true) {
      const Bytes message = receive_message(ranks_);
      Reader in(message);
      const auto action = in.get<Action>();
      forget(in.indices());
      if (action == Action::end) return in.get<std::int32_t>();
      ++operation_;
      conclude(ranks_, attempt([&] { return work(action, in); }), is_summed(action));
    }
  }

 private:
  void forget(const std::vector<Index>& numbers) {
    for (const Index number : numbers) {
      desk_.parts.erase(number);
      desk_.samples.erase(number);
      desk_.subsets.erase(number);
    }
  }

  Answer work(Action action, Reader& in) {
    switch (action) {
      case Action::compare_files: {
        const auto paths = in.texts();
        compare_marks(paths, in.texts());
        return {};
      }
      case Action::make:
        return make(in);
      case Action::subset:
        return few_kernels(in);
      case Action::on_samples:
        return on_some_samples(in);
      default:
        break;
    }
    const Part& part = desk_.parts.at(in.get<Index>());
    return answer(part, question_from(action, std::ssize(part.places), in));
  }

  Answer make(Reader& in) {
    const auto samples_number = in.get<Index>();
    if (!in.get<bool>()) desk_.samples[samples_number] = std::make_shared<const Samples>(samples_from(in));
    MakeTask task = make_task_from(in, ranks_.rank(), watch_);
    Part part = make_part(desk_.samples.at(samples_number), task.kernels, std::move(task.outlines),
                          std::move(task.places), task.options);
    Answer description = describe(part);
    desk_.parts[task.number] = std::move(part);
    return description;
  }

  Answer few_kernels(Reader& in) {
    const Part& whole = desk_.parts.at(in.get<Index>());
    const auto session = in.get<Index>(), number = in.get<Index>();
    if (whole.bank && !desk_.subsets.contains(session)) desk_.subsets[session] = whole.bank->subsets();
    Part part = make_subset(whole, desk_.subsets[session], in.indices());
    Answer description = describe(part);
    desk_.parts[number] = std::move(part);
    return description;
  }

  Answer on_some_samples(Reader& in) {
    const Part& whole = desk_.parts.at(in.get<Index>());
    const auto number = in.get<Index>();
    Part part = on_samples(whole, in.indices());
    if (whole.bank && !part.bank) return nothing();
    Answer description = describe(part);
    desk_.parts[number] = std::move(part);
    return description;
  }

  Communicator& ranks_;
  std::int64_t operation_ = 0;
  Watch watch_;
  Desk desk_;
};

}  // namespace

int follow(Communicator& ranks) { return Follower(ranks).run(); }

}  // namespace spicymkl
