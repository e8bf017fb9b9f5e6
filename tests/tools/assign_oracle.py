#!/usr/bin/env python3
"""Write tests/data/assign/linkage.yaml: trees, leaves and cuts as SciPy makes them.

    assign_oracle.py >tests/data/assign/linkage.yaml      needs NumPy and SciPy; the tests do not

Every case is a table of small whole numbers, one row per sample. Its correlation matrix (Pearson),
two kinds of distances and four linkages follow from it. Cases named `ties` give the matrix itself,
in quarters, so that equal distances are equal to the last bit.
"""
import sys

import numpy
import scipy
from scipy.cluster.hierarchy import dendrogram, fcluster, linkage
from scipy.spatial.distance import pdist, squareform

LINKAGES = ["ward", "average", "complete", "single"]
SIZES = [2, 3, 4, 5, 6, 8, 10, 15, 17, 30, 60]
TIED_SIZES = [2, 3, 4, 5, 6, 9, 17, 30]


def flow(values):
    return "[" + ", ".join(f"{v:.15g}" if isinstance(v, float) else str(v) for v in values) + "]"


def partition(labels):
    """Cluster numbers in the order of first points."""
    seen = {}
    return [seen.setdefault(label, len(seen)) for label in labels]


def distances(r):
    off_diagonal = squareform(r - numpy.diag(numpy.diag(r)), checks=False)
    return {"rows": pdist(r), "1-|r|": numpy.maximum(0, 1 - abs(off_diagonal))}


def print_tree(metric, name, d, tied):
    tree = linkage(d, name)
    n = len(tree) + 1
    print(f"      - metric: {metric}\n        linkage: {name}")
    print("        merges:")
    for left, right, height, size in tree.tolist():
        print(f"        - [{int(left)}, {int(right)}, {height:.15g}, {int(size)}]")
    print(f"        leaves: {flow(dendrogram(tree, no_plot=True)['leaves'])}")
    # with ties SciPy may cut into fewer; it never cuts into n - 1 or n
    cuts = [] if tied else [k for k in (1, 2, 3, 6, 9) if k <= n - 2]
    print("        cuts:" if cuts else "        cuts: []")
    for k in cuts:
        print(f"        - {flow(partition(fcluster(tree, k, 'maxclust')))}")


def print_case(n, r, rows, tied):
    print(f"  - n: {n}\n    tied: {str(tied).lower()}")
    print("    r:" if tied else "    samples:")
    for row in r if tied else rows:
        print(f"      - {flow(row.tolist())}")
    print("    trees:")
    for metric, d in distances(r).items():
        for name in LINKAGES:
            print_tree(metric, name, d, tied)


def main():
    rng = numpy.random.default_rng(2025)
    print(f"# Agglomerative clustering by SciPy {scipy.__version__} (scipy.cluster.hierarchy), NumPy {numpy.__version__}.")
    print("# Written by tests/tools/assign_oracle.py; what the keys mean is said there.")
    print("cases:")
    for n in SIZES:
        # columns that share causes, so that there is something to find
        causes = rng.normal(size=(12, 3)) @ rng.normal(size=(3, n))
        rows = numpy.rint(20 * (causes + 0.5 * rng.normal(size=(12, n)))).astype(int)
        print_case(n, numpy.corrcoef(rows, rowvar=False), rows, False)
    for n in TIED_SIZES:
        r = numpy.triu(rng.integers(-4, 5, size=(n, n)) / 4, 1)
        print_case(n, r + r.T + numpy.eye(n), None, True)


if __name__ == "__main__":
    sys.exit(main())
