// Every loss of the library.
#pragma once

#include "spicymkl/loss/epsilon_insensitive.hpp"
#include "spicymkl/loss/hinge.hpp"
#include "spicymkl/loss/huber.hpp"
#include "spicymkl/loss/logistic.hpp"
#include "spicymkl/loss/quantile.hpp"
#include "spicymkl/loss/squared.hpp"
#include "spicymkl/loss/squared_hinge.hpp"
