// Losses and regularisers that a user wrote in Python, as the solver sees them.
#pragma once

#include <nanobind/nanobind.h>

#include "spicymkl/model/problem_description.hpp"

namespace spicymkl::python {

namespace nb = nanobind;

/// `loss` has the methods of spicymkl.Loss.
std::shared_ptr<const Loss> own_loss(const nb::object& loss);

/// alpha times what `penalty` says; it has the methods of spicymkl.Regularizer.
RegularizerFamily own_penalty(const nb::object& penalty);

/// "python:" and the class of the object: no name of a built-in one begins like that.
std::string own_name(const nb::object& object);

}  // namespace spicymkl::python
