// Tables of text: CSV, also with semicolons and with the marks of other encodings.
#include <fmt/format.h>

#include "../support.hpp"
#include "../targets.hpp"
#include "io/csv_text.hpp"

namespace spicymkl::fuzz {

namespace {

std::vector<std::string> csv_seeds() {
  return {
      "a,b,y\n1,2,yes\n3,4.5,no\n-1e-3,+.5,yes\n",
      "id,a,w,y\nP1,1,1,a\nP2,NA,2,b\nP3,?,0.5,a\n",
      ",x,y\n0,1,2\n1,3,4\n2,5,6\n",
      "1,2,3\n4,5,6\n",
      "a;b;y\r\n1;2;3\r\n4;5;6\r\n",
      "\xEF\xBB\xBF"
      "a,b\n\"1\",\"2\"\n3,4\n",
      "\"a\"\"b\",\"c\nd\",y\n1,2,\"x,\"\"y\"\n3,4, z \n",
      "\xFF\xFE"
      "a\0,\0b\0",
      "Unnamed: 0,a,y\n0,1,u\n1,2,v\n",
      "a,b\n1,2,3\n",
      "a,a\n1,2\n",
      "a,b\n1,\"2\n",
      "a,b\n1,inf\n2,1e999\n",
      "x\n\n1\n\n2\n",
      "1,5;2\n3,4;5\n",
      std::string(300, ','),
  };
}

/// What the command writes as cells of a CSV file reads as what it was.
void write_and_read(const Table& table) {
  std::string text = "k,t\n";
  for (const std::string& cell : table.target) text += "1," + csv_cell(cell) + "\n";
  const MemoryFile file(text);
  TableOptions options;
  options.format = TableFormat::csv;
  options.header = Header::yes;
  options.target = "t";
  options.threads = 1;
  require(read_table(file.path(), options).target == table.target, "what was written reads as something else");
}

void read_csv(std::string_view bytes) {
  read_tables(bytes, TableFormat::csv);
  const MemoryFile file(bytes);
  TableOptions options;
  options.format = TableFormat::csv;
  options.target = "-1";
  options.threads = 1;
  Table table;
  if (accepted([&] { table = read_table(file.path(), options); })) write_and_read(table);
}

}  // namespace

Target csv_target() {
  return {"csv",
          csv_seeds,
          {",",  ";",    "\t",  "\n",           "\r\n",    "\"",         "\"\"",  "NA",    "N/A", "NaN",
           "?",  "null", "y",   "id",           "w",       "Unnamed: 0", "1e308", "1e999", "-0",  "inf",
           "-1", "0.1",  "1,5", "\xEF\xBB\xBF", "\xFF\xFE"},
          read_csv};
}

}  // namespace spicymkl::fuzz
