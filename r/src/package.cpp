// The package is compiled as one unit, as configure tells R: what the files include is then read once.
#include "RcppExports.cpp"
#include "convert.cpp"
#include "learning.cpp"
#include "models.cpp"
#include "tables.cpp"
#include "training.cpp"
#include "watch.cpp"
