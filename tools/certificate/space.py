"""The space of a certificate: its lists by definition, its branches, and the tilings of one dim.

The letters are those of docs/formats/certificate.md: T_l tiles, S_l sizes, X_l extents, L levels on chip.
"""
import itertools
import math

import numpy as np

from certificate.model import ALL, FIRST, KEPT, WRAP, bytes_needed, factor, low, up
from certificate.reader import DIMS, Untrue

# --- lists of the presets `native` and `all` (docs/spaces.md)


def tile_sizes(extent, every):
    """The smallest size per number of trips, or every size."""
    if every:
        return list(range(1, extent + 1))
    sizes = [1]
    while sizes[-1] < extent:
        sizes.append(up(extent, up(extent, sizes[-1]) - 1))
    return thinned(sizes)


def cluster_sizes(instances, every):
    """The largest size per number of clusters, or every size."""
    if every:
        return list(range(1, instances + 1))
    return thinned(sorted({instances // n for n in range(1, instances + 1)}))


def thinned(sizes):
    """Lists above 256: the first and last 32 stay, between them each is 3/64 above the one before."""
    kept = []
    for i, size in enumerate(sizes):
        if len(sizes) <= 256 or i < 32 or i >= len(sizes) - 32 or size * 64 >= kept[-1] * 67:
            kept.append(size)
    return kept


def takers(axis_takes, tiled, opened):
    """Dims that an axis may spread; filters only where it names its dims or they are open."""
    return "".join(d for d in DIMS if d in tiled and d in axis_takes
                   and (d not in "RS" or d in opened or axis_takes != DIMS))


def sets_of(dims, most):
    """All sets of up to `most` dims, as masks ascend."""
    sets = [s for n in range(1, most + 1) for s in itertools.combinations(dims, n)]
    return ["".join(s) for s in sorted(sets, key=lambda s: sum(1 << DIMS.index(d) for d in s))] or [""]


def has_definition(preset):
    """Whether the lists of a preset are derived here."""
    return preset in ("native", "all")


def other_lists(cert, opened):
    """Names of what differs from the preset `native` or `all` with dims opened besides."""
    extent, every, L = cert.extent, cert.preset == "all", cert.L
    channel = "G" if extent["K"] == extent["C"] == 1 < extent["G"] else "K"
    row = "N" if extent["P"] == 1 < extent["N"] else "P"
    tiled = {d for d in channel + row + "CQRS" + opened if extent[d] > 1}
    facts = {"outermost": (set(cert.outermost), {d for d in DIMS if extent[d] > 1 and d not in tiled})}
    for l in range(1, L + 1):
        listed = {d for d in tiled if d not in "RS" or l == L or d in opened}
        facts[f"order {l}"] = ((cert.orders[l][0], set(cert.orders[l][1]), cert.orders[l][2]), ("", listed, ""))
        for d in DIMS:
            if extent[d] > 1:
                defined = tile_sizes(extent[d], every) if d in listed else None
                facts[f"sizes {l} {d}"] = (cert.sizes.get((l, d)), defined)
    for l, (over, inside, sizes) in cert.clusters.items():
        dims = takers(cert.fanouts[l].takes[0], tiled, opened)
        facts[f"clusters {l}"] = ((over, inside, sizes), (dims, dims, cluster_sizes(cert.fanouts[l].sizes[0], every)))
    for (l, a), sets in cert.axes.items():
        most = 2 if len(cert.fanouts[l].sizes) == 1 else 3
        facts[f"axis {l} {a}"] = (sets, sets_of(takers(cert.fanouts[l].takes[a], tiled, opened), most))
    return [name for name, (stated, defined) in facts.items() if stated != defined]


def check_lists(cert):
    """Lists that the preset defines must be those of the file; narrowed ones are taken as they are."""
    if cert.constrained or not has_definition(cert.preset):
        return
    for name in other_lists(cert, cert.open):
        raise Untrue(f"'{name}' is not that of the space {cert.preset}")


def space_text(cert, constraints=None):
    """What the bound holds for, in words; `constraints` is what a run calls them."""
    if not has_definition(cert.preset):
        return f"the space {cert.preset}{' narrowed by constraints' if cert.constrained else ''}, with the lists of the file"
    sets = ["".join(s) for n in range(5) for s in itertools.combinations("NGRS", n)]
    others, opened = min(((other_lists(cert, s), s) for s in sets), key=lambda pair: len(pair[0]))
    if others:
        name = f" {constraints}" if constraints else ""
        return (f"a space narrowed by constraints{name} ({cert.preset} but for {', '.join(others)}): "
                "holds for mappings allowed by them only")
    opened = cert.open if not cert.constrained else opened
    return f"the space {cert.preset}" + (f" with {' and '.join(opened)} open" if opened else "")


# --- branches: sets of (fan-out, "c" over its clusters or "a0" over axis 0, dim, number)


def reach(tile, outer, n):
    """X_l: the extent in level l of tiles that go over up to n clusters."""
    return np.where(tile >= up(outer, n), outer, tile * n)


def fitting_clusters(cert, l, dim, n):
    """The largest number of clusters up to n with which the smallest tiles fit level l."""
    tiles = {d: 1 if d in cert.outermost else min(
        [cert.extent[d]] + [cert.sizes[m, d][0] for m in range(1, l + 1) if (m, d) in cert.sizes]) for d in DIMS}

    def fits(m):
        extent = {**tiles, dim: int(reach(tiles[dim], cert.extent[dim], m))}
        return bytes_needed(cert, l, extent, cert.keep(l)) <= cert.levels[l].capacity

    return n if not cert.levels[l].capacity else next((m for m in range(n, 1, -1) if fits(m)), 1)


def cluster_choices(cert, l):
    """With one cluster all dims over it are the same, so only the first is taken; likewise inside clusters of one."""
    over, inside, sizes = cert.clusters[l]
    for c in sizes:
        n = cert.fanouts[l].sizes[0] // c
        for p in (over[:1] if n == 1 else over) or [None]:
            for q in (inside[:1] if c == 1 else inside) or [None]:
                yield ([(l, "c", p, fitting_clusters(cert, l, p, n))] if p else []) + ([(l, "a0", q, c)] if q else [])


def dealt(dims, room):
    """Ways to deal `room` instances to dims: each takes a useful number, the last what is left."""
    if len(dims) < 2:
        yield [(d, room) for d in dims]
        return
    for m in sorted({room // n for n in range(1, room + 1)}):
        for rest in dealt(dims[1:], room // m):
            yield [(dims[0], m)] + rest


def axis_choices(cert, l, a):
    for dims in cert.axes[l, a]:
        for deal in dealt(sorted(dims, key=DIMS.index, reverse=True), cert.fanouts[l].sizes[a]):
            yield [(l, f"a{a}", d, m) for d, m in deal]


def branches_of(cert):
    parts = []
    for l, fanout in enumerate(cert.fanouts):
        if l in cert.clusters:
            parts.append(list(cluster_choices(cert, l)))
        else:
            parts += [list(axis_choices(cert, l, a)) for a in range(len(fanout.sizes))]
    for choice in itertools.product(*parts):
        yield frozenset(itertools.chain(*choice))


# --- tilings

CLUSTER, TIME, AXIS = range(3)  # kinds of loops
KEEP_ALL, ZERO = (99, WRAP), (-1, FIRST)  # states, see Chain.moves


class Chain:
    """Every way to tile one dim in a branch. A row of level l is one choice of T_1 .. T_l."""

    def __init__(self, cert, dim, spread):
        self.cert, self.dim, self.memo = cert, dim, {}
        number = {(f, where): n for f, where, d, n in spread if d == dim}
        levels = range(cert.L + 1)
        self.clusters = [number.get((f, "c"), 1) for f in levels]
        self.axes = [[number.get((f, f"a{a}"), 1) for a in range(len(cert.fanouts[f].sizes))] for f in levels]
        self.named = [any((f, f"a{a}") in number for a in range(len(self.axes[f]))) for f in levels]
        self.key = dim, str((self.clusters, self.axes, self.named))
        sizes = self.sizes()
        # rows of level l: `tiles` (l + 1, rows), and where the rows below a row of level l - 1 are
        self.tiles = [np.array([[1 if dim in cert.outermost else cert.extent[dim]]])]
        self.first, self.number, self.parent = [None], [None], [None]
        for l in levels[1:]:
            outer, s = self.tiles[-1][-1], sizes[l]
            if s is None:
                s, below, n = outer, 0 * outer, 0 * outer + 1
            else:
                below = np.searchsorted(s, outer)
                n = below + (s[-1] >= outer)
            parent, first = np.repeat(np.arange(len(outer)), n), np.cumsum(n) - n
            k = np.arange(len(parent)) - first[parent]
            tile = np.where(k < below[parent], s[np.minimum(k, len(s) - 1)], outer[parent])
            self.tiles.append(np.vstack([self.tiles[-1][:, parent], tile]))
            self.first.append(first)
            self.number.append(n)
            self.parent.append(parent)

    def sizes(self):
        """S_l by level: the list of the file, and whole waves."""
        cert, found = self.cert, [None] * (self.cert.L + 2)
        for l in range(cert.L, 0, -1):
            listed = cert.sizes.get((l, self.dim))
            if listed is None:
                continue
            found[l] = b = np.array(listed)
            if cert.waves and self.named[l]:
                inner = [1] if l == cert.L else [] if found[l + 1] is None else found[l + 1]
                for x in np.unique(inner) * (self.clusters[l + 1] if l < cert.L else 1):
                    w = x * math.prod(self.shares(l, up(b, x)))
                    found[l] = np.union1d(found[l], up(b, w) * w)
                found[l] = found[l][found[l] <= listed[-1]]
        return found

    def shares(self, f, left):
        """What the axes of fan-out f take of `left` pieces, one after the other."""
        found = []
        for most in self.axes[f]:
            found.append(low(most, left))
            left = up(left, found[-1])
        return found

    def extent(self, l, tiles=None):
        """X_l by row."""
        T = self.tiles[l] if tiles is None else tiles
        return reach(T[l], T[l - 1], self.clusters[l])

    def loops(self, l):
        """Loops above level l (L + 1: all) as (segment, kind, tile by row); segment s lies above level s."""
        if l not in self.memo:
            cert, T = self.cert, self.tiles[min(l, self.cert.L)]
            found = [(0, TIME, T[0])] if self.dim in cert.outermost else []
            for s in range(1, l + 1):
                X = self.extent(s, T) if s <= cert.L else np.ones_like(T[0])
                shares = self.shares(s - 1, up(T[s - 1], X))
                if self.clusters[s - 1] > 1:
                    found.append((s, CLUSTER, T[s - 1]))
                if s > cert.L or self.dim in "".join(cert.orders[s]):
                    found.append((s, TIME, X * math.prod(shares)))
                found += [(s, AXIS, X * math.prod(shares[a + 1:]))
                          for a, most in enumerate(self.axes[s - 1]) if most > 1]
            self.memo[l] = found
        return self.memo[l]

    def walks(self, s):
        """Is there a loop in time in segment s?"""
        return any(segment == s and kind == TIME for segment, kind, _ in self.loops(max(s, 1)))

    def active(self, l):
        """By row: does the loop in time just above level l iterate?"""
        steps = [tile for s, kind, tile in self.loops(l) if s == l and kind == TIME]
        return steps[0] < self.tiles[l][l - 1] if steps else np.zeros(self.tiles[l].shape[1], bool)

    def cycles(self, l):
        """By row of level l: the least factor of this dim in the cycles, over all rows further in."""
        if ("cycles", l) not in self.memo:
            if l == self.cert.L:
                found = table((self,), False, l + 1, l, (KEEP_ALL,), (lambda f: False,))
            else:
                found = np.full(self.tiles[l].shape[1], np.inf)
                np.minimum.at(found, self.parent[l + 1], self.cycles(l + 1))
            self.memo["cycles", l] = found
        return self.memo["cycles", l]

    def moves(self, b, state, whole):
        """What every loop above level b does. State (s, ADVANCE or WRAP): loops in time of segments
        before s are kept, that of s does this, later ones wrap. ZERO: all stand at their first index.
        whole(f): do all instances below level f count, or the first?"""
        s, move = state
        return tuple((ALL if whole(segment - 1) else FIRST) if kind != TIME else
                     KEPT if segment < s else move if segment == s or move == FIRST else WRAP
                     for segment, kind, _ in self.loops(b))


def table(chains, relevant, b, l, states, wholes):
    """Factors of a group above level b for all rows of level l of its one or two dims."""
    moves = tuple(chain.moves(b, state, whole) for chain, state, whole in zip(chains, states, wholes))
    key, memo = (chains[-1].key, relevant, b, l, moves), chains[0].memo
    if key not in memo:
        parts, cert = [], chains[0].cert
        for i, chain in enumerate(chains):
            shape = (-1, 1) if i + 1 < len(chains) else (-1,)
            loops = [tile.reshape(shape) for s, _, tile in chain.loops(max(l, b)) if s <= b]
            parts.append((cert.extent[chain.dim], list(zip(loops, moves[i]))))
        found = factor(relevant, parts, cert.steps.get(tuple(chain.dim for chain in chains)))
        shape = [chain.tiles[min(l, cert.L)].shape[1] for chain in chains]
        memo[key] = np.ascontiguousarray(np.broadcast_to(np.asarray(found, float), shape))
    return memo[key]
