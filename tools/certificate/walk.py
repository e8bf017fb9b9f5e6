"""The walk: no mapping of a branch is below the bound.

Level by level from the outside in. Of every level the tilings that fit are listed once, with the tiles
outside them open; then every surviving choice of outer tiles is extended, dim by dim, along that list.
Where all tiles of a level are chosen, each quantity of the levels so far is minimised exactly over the
loop orders: OV(j) depends on the loops inside j only as a set, so the best order of a segment is a
longest path through sets, and segments do not see each other's orders. What is left at the innermost
level is priced order by order. Nothing is closed but by a bound of bounds.py or an exact price.
"""
import itertools
import math

import numpy as np

from certificate.bounds import LevelBound
from certificate.model import ADVANCE, RELEVANT, WRAP, Nest, bytes_needed, counts_all, groups_of, tensor_size
from certificate.reader import DIMS, TENSORS, Uncovered, Untrue
from certificate.space import AXIS, CLUSTER, KEEP_ALL, TIME, ZERO, Chain, table

NEAR = 1e-9  # what rounding may do to a value, and what a claim may be off by
CHUNK, PART = 1 << 14, 1 << 12  # nodes at a time: extended; minimised over orders


def take(node, which):
    if isinstance(which, np.ndarray) and which.dtype == bool:
        which = np.flatnonzero(which)
    return {key: values[..., which] for key, values in node.items()}


def size_of(node):
    return node["q"].shape[-1]


class Branch:
    """One spread. Nodes are dicts of arrays, many nodes at once: (level, dim) -> row of the dim's chain,
    "q" -> (quantities, n) of all levels that are done, "p" -> place in the list of tilings."""

    def __init__(self, cert, spread, quantities, cache):
        self.cert, self.quantities, self.levels = cert, quantities, range(1, cert.L + 1)
        self.limit = cert.bound * (1 - NEAR)
        self.dims = [d for d in DIMS if cert.extent[d] > 1]
        self.chains = {}
        for d in self.dims:
            key = d, frozenset(one for one in spread if one[2] == d)
            if key not in cache:
                if len(cache) > 100:  # tables take space
                    cache.clear()
                cache[key] = Chain(cert, d, spread)
            self.chains[d] = cache[key]
        self.spread = [d for d in self.dims if any(one[2] == d for one in spread)]
        self.sequence = self.spread + [d for d in self.dims if d not in self.spread]

    def wholes(self, tensor, kind, parent):
        return {d: (lambda f, d=d: counts_all(self.cert, kind, tensor, d, f, parent)) for d in self.dims}

    def order(self, s):
        return [d for d in "".join(self.cert.orders[s]) if d in self.dims]

    def fits(self, l, room):
        capacity = self.cert.levels[l].capacity
        need = bytes_needed(self.cert, l, {d: room.get(d, 1) for d in DIMS}, self.cert.keep(l))
        return np.asarray(need) <= (capacity or np.inf)

    def still_term(self, b, l, tensor, what, parent, coefficients):
        """A term that no order changes (docs/model.md, D, D0, cov0, first) as tables over rows of level l."""
        if what == "first":
            groups, wholes = groups_of(self.cert, tensor), self.wholes(tensor, "pread", parent)
            return coefficients, [(g, table([self.chains[d] for d in g], g[0] in RELEVANT[tensor], b, l,
                                            [ZERO] * len(g), [wholes[d] for d in g])) for g in groups]
        if what == "once":
            coefficients = coefficients * tensor_size(self.cert, "O", self.cert.extent)
            dims, relevant, b, state, wholes = "CRS", False, parent, ZERO, self.wholes(tensor, "fill", parent)
        else:
            dims, relevant, state = RELEVANT["O"], True, KEEP_ALL
            wholes = self.wholes(tensor, "srv0" if what == "once0" else "own0", parent)
        return coefficients, [((d,), table((self.chains[d],), relevant, b, l, (state,), (wholes[d],)))
                              for d in self.dims if d in dims]

    def mac_term(self, l, tensor, kind, parent, coefficients):
        wholes = self.wholes(tensor, kind, parent)
        return coefficients, [((d,), table((self.chains[d],), False, l + 1, l, (KEEP_ALL,), (wholes[d],)))
                              for d in self.dims]

    def below(self, q, cycles):
        return self.quantities.value(q, cycles) < self.limit

    def close(self):
        """Raises Untrue if a mapping is below the bound. Returns whether tiles had to be looked at."""
        root = {(0, d): np.zeros(1, int) for d in self.dims}
        root["q"] = np.zeros((self.quantities.n, 1))
        cycles = self.cycles(0, root)
        if not self.below(self.quantities.compulsory, cycles).any():
            return False
        self.bounds = {l: LevelBound(self, l) for l in self.levels}
        slots = {l: self.bounds[l].slots() for l in self.levels}
        opened = {l: {d: np.array([len(slots[l].room[d]) - 1]) for d in self.dims} for l in self.levels}
        self.floors = {l: slots[l].evaluate(opened[l], 1)[1] for l in self.levels}
        if not self.below(sum(self.floors.values()), cycles).any():
            return False
        self.lists = {l: self.tilings(slots[l], opened[l]) for l in self.levels}
        for stands in itertools.product((False, True), repeat=self.cert.L):
            self.walk(1, root, dict(zip(self.levels, stands)))
        return True

    def tilings(self, slots, opened):
        """All tilings of a level that fit and are not closed by themselves, in the order of `sequence`. By
        number of leading dims: keys of the beginnings, their least quantities, how to find a key. Then
        the least of all."""
        others = sum(self.floors[m] for m in self.levels if m != slots.l)
        node = {**opened, "q": np.zeros((self.quantities.n, 1))}
        for d in self.sequence:
            choices, n = np.flatnonzero(slots.alive[d]), size_of(node)
            node = {**take(node, np.repeat(np.arange(n), len(choices))), d: np.tile(choices, n)}
            fits = self.fits(slots.l, {e: slots.room[e][node[e]] for e in self.dims})
            node = take(node, np.broadcast_to(fits, size_of(node)))
            parts = []
            for start in range(0, max(size_of(node), 1), 1 << 16):
                part = take(node, slice(start, start + (1 << 16)))
                part["q"] = slots.evaluate(part, size_of(part))[0]
                cycles = math.prod(slots.cycles[e][part[e]] for e in self.dims)
                parts.append(take(part, self.below(part["q"] + others, cycles)))
            node = {key: np.concatenate([part[key] for part in parts], axis=-1) for key in node}
        beginnings, place = [], np.zeros(size_of(node), int)
        for d in self.sequence if len(place) else ():
            keys = place * len(slots.room[d]) + node[d]
            starts = np.flatnonzero(np.diff(keys, prepend=-1))
            place = np.cumsum(np.diff(keys, prepend=-1) != 0) - 1
            least = np.minimum.reduceat(node["q"], starts, axis=1)
            beginnings.append((keys[starts], least, slots.slot[d], len(slots.room[d])))
        return beginnings, node["q"].min(axis=1, keepdims=True, initial=np.inf)

    def walk(self, l, node, stands):
        """Nodes with the tiles of all levels outside l. `stands` by level: no loop in time just above it
        iterates, which leaves hardly a choice of its tiles; else they are in its list."""
        if l > self.cert.L:
            self.price_orders(node)
            return
        least = {m: self.floors[m] if stands[m] else self.lists[m][1] for m in self.levels}
        rest = sum((least[m] for m in self.levels if m > l), np.zeros((1, 1)))
        work = [] if np.isinf(rest + least[l]).any() else [(0, {**node, "p": np.zeros(size_of(node), int)})]
        while work:
            k, node = work.pop()
            if size_of(node) > CHUNK:
                work += [(k, take(node, slice(CHUNK, None))), (k, take(node, slice(CHUNK)))]
            elif k == len(self.sequence):
                self.settle(l, node, stands, rest)
            else:
                work.append((k + 1, self.extend(l, k, node, stands[l], rest)))

    def extend(self, l, k, node, stands, rest):
        """Choose the tile of one more dim of level l in all ways; drop what is closed."""
        d, chain = self.sequence[k], self.chains[self.sequence[k]]
        outer = node[l - 1, d]
        number = chain.number[l][outer]
        old = np.repeat(np.arange(len(outer)), number)
        row = (chain.first[l][outer] - np.cumsum(number) + number)[old] + np.arange(len(old))
        if stands:
            place, there, here = node["p"][old], ~self.bounds[l].active[d][row], self.floors[l]
        else:
            keys, least, slot, n = self.lists[l][0][k]
            wanted = node["p"][old] * n + slot[row]
            place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            there, here = keys[place] == wanted, least
        new = np.flatnonzero(there)
        node = {**take(node, old[new]), (l, d): row[new], "p": place[new]}
        here = here if stands else here[:, node["p"]]
        return take(node, self.below(node["q"] + here + rest, self.cycles(l, node)))

    def cycles(self, l, node):
        """At least so many, tiles further in being open; exact at the innermost level."""
        found = np.full(size_of(node), float(self.cert.n_macs))
        for d in self.spread:
            found /= self.cert.extent[d]  # what a dim takes that is not spread
            level = l if (l, d) in node else l - 1
            found *= self.chains[d].cycles(level)[node[level, d]]
        return found

    def settle(self, l, node, stands, rest):
        """All tiles of level l are chosen: bound by class, then the least over the orders."""
        bound, idx = self.bounds[l], {d: node[l, d] for d in self.dims}
        fits = self.fits(l, {d: bound.room[d][idx[d]] for d in self.dims})
        here = bound.evaluate(idx, size_of(node))[1 if stands[l] else 0]
        node = take(node, fits & np.isfinite(here[0]) & self.below(node["q"] + here + rest, self.cycles(l, node)))
        for start in range(0, size_of(node), PART):
            part = take(node, slice(start, start + PART))
            part["q"] = self.least_quantities(l, part)
            part = take(part, self.below(part["q"] + rest, self.cycles(l, part)))
            if size_of(part):
                self.walk(l + 1, part, stands)

    # --- orders

    def gains(self, s, l, node):
        """{(j, set inside j): what levels up to l share when j of segment s advances}, as quantities."""
        dims, found, memo = self.order(s), {}, {}
        for b in range(max(s, 1), l + 1):
            for number, (tensor, wholes, coefficients) in enumerate(self.bounds[b].moving):
                groups = groups_of(self.cert, tensor)

                def of(group, states):
                    key = b, number, group, states
                    if key not in memo:
                        values = table([self.chains[d] for d in group], group[0] in RELEVANT[tensor], b, b,
                                       states, [wholes[d] for d in group])
                        memo[key] = values[tuple(node[b, d] for d in group)]
                    return memo[key]

                def products(j, left, inside, product):
                    """(set inside j, product of the factors) for all sets, group by group."""
                    if not left:
                        yield inside, product
                        return
                    choices = ([(s, ADVANCE)] if d == j else [(s + 1, WRAP), (s, WRAP)] if d in dims
                               else [(s + 1, WRAP)] for d in left[0])
                    for states in itertools.product(*choices):
                        more = product * of(left[0], states)
                        if more.any():
                            wrapped = {d for d, state in zip(left[0], states) if state == (s, WRAP)}
                            yield from products(j, left[1:], inside | wrapped, more)

                for j in dims:  # its own group first: often nothing is shared
                    own_first = sorted(groups, key=lambda group, j=j: j not in group)
                    for inside, product in products(j, own_first, frozenset(), 1.0):
                        gain = found.setdefault((j, inside), np.zeros((self.quantities.n, size_of(node))))
                        for row in np.flatnonzero(coefficients):
                            gain[row] += coefficients[row] * product
        return found

    def may_follow(self, s, j, inside):
        """May j be the next loop outwards of segment s?"""
        free, after, line = self.cert.orders[s][1], self.cert.orders[s][2], "".join(self.cert.orders[s])
        needed = after if j in free else line[line.index(j) + 1:]
        return j not in inside and all(d in inside for d in needed if d in self.dims)

    def least_quantities(self, l, node):
        """Each quantity of the levels up to l, minimised over all orders."""
        total = sum(self.bounds[b].total({d: node[b, d] for d in self.dims}) for b in range(1, l + 1))
        for s in range(l + 1):
            gains, best = self.gains(s, l, node), {frozenset(): np.zeros((self.quantities.n, 1))}
            for _ in self.order(s):
                grown = {}
                for inside, saved in best.items():
                    for j in (j for j in self.order(s) if self.may_follow(s, j, inside)):
                        now, key = saved + gains.get((j, inside), 0), inside | {j}
                        grown[key] = np.maximum(grown[key], now) if key in grown else now
                best = grown
            (saved,) = best.values()
            total = total - saved
        return total

    def orders_of(self, s, inside=()):
        """All orders of segment s, innermost first."""
        if len(inside) == len(self.order(s)):
            yield inside
        for j in self.order(s):
            if self.may_follow(s, j, inside):
                yield from self.orders_of(s, inside + (j,))

    def price_orders(self, node):
        """Leaves whose quantities may not be least all at once: every combination of orders."""
        L = self.cert.L
        for start in range(0, size_of(node), 64):
            part = take(node, slice(start, start + 64))
            total = sum(self.bounds[b].total({d: part[b, d] for d in self.dims}) for b in self.levels)
            orders, saved = [list(self.orders_of(s)) for s in range(L + 1)], []
            for s in range(L + 1):
                gains, zero = self.gains(s, L, part), np.zeros(total.shape)
                saved.append(np.stack([sum((gains.get((j, frozenset(order[:i])), 0) for i, j in enumerate(order)), zero)
                                       for order in orders[s]], axis=1))  # (quantities, orders, nodes)
            for i, cycles in enumerate(self.cycles(L, part)):
                left = total[:, i].reshape([-1] + [1] * (L + 1))  # (quantities, orders of 0, 1, ..)
                for s in range(L + 1):
                    shape = [-1] + [len(orders[m]) if m == s else 1 for m in range(L + 1)]
                    left = left - saved[s][:, :, i].reshape(shape)
                values = self.quantities.value(left, cycles)
                if values.min() < self.limit:
                    best = np.unravel_index(values.argmin(), values.shape)
                    rows = {d: part[L, d][i] for d in self.dims}
                    self.tell(values.min(), rows, [orders[s][o] for s, o in enumerate(best)])

    def tell(self, expected, rows, orders):
        """A mapping below the bound: write it down and let the plain recursion have the last word."""
        text = self.nest_text(rows, orders)
        nest = Nest(self.cert, text)
        value = self.cert.goal_value(*nest.price()[2:])
        if nest.misfit() or abs(value - expected) > NEAR * value:
            raise Uncovered(f"a defect of the checker: {text} has {value!r}, the walk says {expected!r}")
        if value < self.limit:
            raise Untrue(f"a mapping is below the bound: {text} has {value:.17g}")

    def nest_text(self, rows, orders):
        tokens, extent = [], dict(self.cert.extent)
        loops = {d: self.chains[d].loops(self.cert.L + 1) for d in self.dims}
        for s in range(self.cert.L + 2):
            steps = orders[s][::-1] if s <= self.cert.L else self.dims
            turns = [(CLUSTER, d) for d in self.dims] + [(TIME, d) for d in steps] + [(AXIS, d) for d in self.dims]
            for kind, d in turns:
                for tile in (int(tile[rows[d]]) for segment, k, tile in loops[d] if (segment, k) == (s, kind)):
                    if tile < extent[d]:
                        extent[d] = tile
                        tokens.append(f"{d}{':' if kind == TIME else '*'}{tile}")
            if 1 <= s <= self.cert.L:
                tokens.append(f"@{sum(1 << TENSORS.index(t) for t in self.cert.keep(s))}")
        return " ".join(tokens)
