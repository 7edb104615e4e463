// Training data in a few numbers.
#pragma once

#include "spicymkl/pipeline/missingness.hpp"

namespace spicymkl {

struct ColumnSummary {
  std::string name;
  Index n_categories = 0;  ///< 0 for a column of numbers
  Index n_missing = 0;
  double smallest = 0, mean = 0, largest = 0;  ///< of the numbers that are there
  double deviation = 0;                        ///< of one of several targets
};

struct DataSummary {
  std::string source;        ///< file
  bool from_python = false;  ///< an array or frame: advice names no options of the command
  Index n_rows = 0;
  std::vector<ColumnSummary> columns;  ///< none for precomputed kernels
  std::string target_name;
  std::vector<std::string> classes;    ///< empty for numbers
  std::vector<Index> class_rows;       ///< rows of each class
  bool joint_classes = false;          ///< more than two that are learned at once
  bool multi_class_was_asked = false;  ///< else the loss decided whether they are
  std::string loss;                    ///< that learns classes
  ColumnSummary target;                ///< of numbers
  std::vector<ColumnSummary> targets;  ///< of several; empty: there is one
  bool joint_targets = false;          ///< several that are learned at once
  std::string event_name;              ///< of survival times, which are the target; empty: none
  Index n_events = 0;
  int event_code = 1;                   ///< what stands for an event
  bool task_was_asked = false;          ///< by the task or the loss; else it was assumed
  bool could_be_numbers = false;        ///< the names of all classes are numbers
  std::vector<std::string> dropped;     ///< columns that were left out on request
  std::string row_index;                ///< an unnamed column that counts the rows, left out; empty: none
  std::string id_name;                  ///< empty: none
  std::string weight_name;              ///< empty: none
  std::vector<std::string> covariates;  ///< columns of C, such as age or site=B
  std::vector<std::string> id_like;     ///< columns that are learned from, but look like the identity of the rows
  std::string impute;                   ///< how missing cells are filled in; empty: there are none
  std::vector<SourceMissing> missing_sources;
  std::vector<std::string> sources;          ///< the tables that columns came from; none: one
  std::vector<SourceMissing> missing_views;  ///< those that lack rows

  Index n_missing() const;
  Index n_categorical() const;
};

/// `table` is as read, before imputation; `groups` are the sources that the user named, if any.
DataSummary summarize(const Table& table, const Target& target, const std::vector<ColumnGroup>& groups = {},
                      int threads = 1);

/// What is learned, where that was not known yet when the table was summarised; its name is that in `data`.
void summarize_target(const Target& target, DataSummary& data);

/// What was assumed of the data, in one sentence for the console and the report: rows, columns, task, and what was left
/// out or filled in, with the options that change it.
std::string assumption_text(const DataSummary& data);

/// How much of each source was imputed, and how that is spread over the classes; empty: nothing.
std::string imputation_text(const DataSummary& data);

/// Which tables there are, and how many rows some lack, spread over the classes; empty: there is one table.
std::string views_text(const DataSummary& data);

/// One sentence per source whose missing cells or rows are spread unevenly, and one where targets that are learned at
/// once are of very unlike size.
std::vector<std::string> data_warnings(const DataSummary& data);

/// One sentence per column that looks like the identity of the rows.
std::vector<std::string> identity_remarks(const DataSummary& data);

}  // namespace spicymkl
