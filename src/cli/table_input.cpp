#include "table_input.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "option_registry.hpp"
#include "spicymkl/core/error.hpp"

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
  app.add_option("--drop", input.drop, "columns to leave out: a b, or a,b (behind DATA)")
      ->delimiter(',')
      ->group(kRareGroup);
  app.add_option("--categorical", input.categorical, "columns of strings: a b, or a,b (behind DATA)")
      ->delimiter(',')
      ->group(kRareGroup);
  add_id_option(app, input);
}

void add_id_option(CLI::App& app, TableInput& input) {
  app.add_option("--id", input.id, "column that names the rows: not learned from, kept in what is written")
      ->group(kRareGroup);
}

void refuse_swallowed_table(const TableInput& input) {
  if (!input.path.empty()) return;
  for (const auto& [option, columns] :
       {std::pair{"--drop", &input.drop}, std::pair{"--categorical", &input.categorical}})
    for (const std::string& name : *columns)
      if (std::filesystem::is_regular_file(name))
        throw InputError(
            fmt::format("{} took the file '{}' for a column; give the table first: DATA {} …", option, name, option));
}

TableOptions table_options(const TableInput& input, int threads) {
  TableOptions options;
  if (!input.format.empty()) options.format = parse_table_format(input.format);
  if (input.header != "auto") options.header = input.header == "yes" ? Header::yes : Header::no;
  options.target = input.target;
  options.drop = input.drop;
  options.categorical = input.categorical;
  options.id = input.id;
  options.threads = threads;
  return options;
}

}  // namespace spicymkl::cli
