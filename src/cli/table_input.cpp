#include "table_input.hpp"

#include "option_registry.hpp"

namespace spicymkl::cli {

void add_format_options(CLI::App& app, TableInput& input) {
  app.add_option("--format", input.format, "csv, tsv, libsvm, npy or npz (default: by extension)")->group(kRareGroup);
  app.add_option("--header", input.header, "first line holds names: yes, no or auto")
      ->type_name("TEXT")
      ->capture_default_str()
      ->check(CLI::Validator(CLI::IsMember({"yes", "no", "auto"})).description(""))
      ->group(kRareGroup);
}

void add_column_options(CLI::App& app, TableInput& input) {
  app.add_option("--target", input.target, "column to learn: its name, or position (0 first, -1 last)");
  app.add_option("--drop", input.drop, "columns to leave out, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(kRareGroup);
  app.add_option("--categorical", input.categorical, "columns of texts, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(kRareGroup);
}

TableOptions table_options(const TableInput& input, int threads) {
  TableOptions options;
  if (!input.format.empty()) options.format = parse_table_format(input.format);
  if (input.header != "auto") options.header = input.header == "yes" ? Header::yes : Header::no;
  options.target = input.target;
  options.drop = input.drop;
  options.categorical = input.categorical;
  options.threads = threads;
  return options;
}

}  // namespace spicymkl::cli
