// What one rank keeps of banks that are spread, and how it answers for its kernels.
#pragma once

#include <map>

#include "exchange.hpp"
#include "spicymkl/bank/make_bank.hpp"

namespace spicymkl {

enum class Action : std::int32_t {
  end,
  compare_files,
  make,
  subset,
  on_samples,
  products,
  forms,
  weighted_product,
  diagonal,
  column,
  factor,
  sum,
};

/// Whether the answers are added up; the others are put side by side.
bool is_summed(Action action);
/// Whether it may take long, so that it asks the watch. What does not is answered after a stop, too, as other banks do.
bool is_long(Action action);

/// The kernels of a bank that a rank has.
struct Part {
  Index n_samples = 0;
  std::shared_ptr<const KernelBank> bank;  ///< null: it has none of them
  std::vector<Index> places;               ///< of every kernel of the whole, its number in `bank`; -1: of another rank

  /// The kernels of a set that are here.
  struct Share {
    std::vector<Index> kernels;    ///< numbers in the bank
    std::vector<Index> positions;  ///< in the set
  };
  Share share(KernelSet set) const;
};

/// What is asked of the kernels of a set.
struct Question {
  Action action;
  std::vector<Index> set;
  Vector weights = {};
  Matrix V = {};       ///< of a column, its number alone
  Index together = 1;  ///< columns of V that share a form
};

void put(const Question& question, Index n_kernels, Writer& out);
Question question_from(Action action, Index n_kernels, Reader& in);

/// For the kernels that are here: products side by side, forms below one another, sums.
Answer answer(const Part& part, const Question& question);

/// What rank 0 keeps of the part of a rank, and whether the bank has what: one row per kernel with its trace, what is
/// missing of it and the width of its factor, and a last row (columns, sums, quick subsets); the text is its use.
Answer describe(const Part& part);
/// The same for a part that is not there.
Answer nothing();

std::string use_text(const std::vector<BankUse>& use);
std::vector<BankUse> use_from(const std::string& text);

/// How the part of a rank is made.
struct PartOptions {
  bool exact = false;  ///< every kernel on the fly
  double work_bytes = 0;
  BankOptions bank;
};

/// The same in this process alone.
BankOptions alone(BankOptions options);

/// `places` as in Part; the kernels and outlines are those of this rank.
Part make_part(const std::shared_ptr<const Samples>& samples, const std::vector<FittedKernel>& kernels,
               std::vector<KernelOutline> outlines, std::vector<Index> places, const PartOptions& options);

/// The same kernels on some samples; its bank is null where it has none or cannot.
Part on_samples(const Part& part, const std::vector<Index>& rows);

/// These kernels of the whole, renumbered from 0; `subsets` are those of the part's bank, if it has one.
Part make_subset(const Part& part, const KernelSubsets& subsets, const std::vector<Index>& kernels);

/// What a follower keeps, by number.
struct Desk {
  std::map<Index, std::shared_ptr<const Samples>> samples;
  std::map<Index, Part> parts;
  std::map<Index, KernelSubsets> subsets;
};

}  // namespace spicymkl
