// Which of its kernels OpenBLAS runs.
#pragma once

namespace spicymkl {

/// OpenBLAS knows processors by their model numbers, and takes those that are younger than itself for a Pentium 4: with
/// vectors of 2 doubles in place of 8 it is a fifth as fast. (Version 0.3.21 of Debian 12 on an Emerald Rapids.) Then
/// the kernels for the instructions that the processor has are chosen, as OPENBLAS_CORETYPE would; where that is set,
/// it decides. Not for a time when another thread may be inside BLAS.
void choose_blas_kernels();

}  // namespace spicymkl
