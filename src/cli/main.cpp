#include "command_main.hpp"

int main(int argc, char** argv) { return spicymkl::cli::command_main(argc, argv); }
