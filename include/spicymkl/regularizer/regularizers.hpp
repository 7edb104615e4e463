// Every regulariser of the library.
#pragma once

#include "spicymkl/regularizer/block1.hpp"
#include "spicymkl/regularizer/blockq.hpp"
#include "spicymkl/regularizer/custom.hpp"
#include "spicymkl/regularizer/elasticnet.hpp"
#include "spicymkl/regularizer/mixed.hpp"
#include "spicymkl/regularizer/uniform.hpp"
