// eigen.h - inside search: eigenvalues and eigenvectors of small symmetric matrices, the same bits
// on every machine.
#pragma once

#include "starling/core.h"

// `a` (n, n) is symmetric and finite, row-major; only its lower half is read. On return row j of
// `a` is the unit eigenvector of values[j]; the order of the pairs is of no meaning. `scratch`
// (2n). False if the iteration does not end (not seen for finite numbers); `a` is then of no use.
bool sl_eigen_symmetric(int n, double *a, double *values, double *scratch);
