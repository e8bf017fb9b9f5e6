"""The price of a nest by the plain recursion of docs/model.md.

count = V - sum of OV(j) over the loops in time j, both products over groups of dims. A factor depends
on the loops over its own dims alone and on what each of them does in the transition: a loop in time is
KEPT, ADVANCEs or WRAPs, of a spatial loop ALL instances count or the FIRST alone. Numbers may be plain,
or arrays over many tilings at once.
"""
import itertools
import math

import numpy as np

from certificate.reader import DIMS, TENSORS, WINDOWS, Untrue

RELEVANT = {"W": "GKCRS", "I": "NGCPQRS", "O": "NGKPQ"}
KEPT, ADVANCE, WRAP, ALL, FIRST = range(5)


def low(a, b):
    return min(a, b) if isinstance(a, int) and isinstance(b, int) else np.minimum(a, b)


def high(a, b):
    return max(a, b) if isinstance(a, int) and isinstance(b, int) else np.maximum(a, b)


def some(m):
    return m > 0 if isinstance(m, int) else m.any()


def up(a, b):
    return -(-a // b)


def pieces(extent, loops):
    """(how many, extent) of the tiles of a dim in the new step: full ones and edges."""
    found = [(1, extent)]
    for tile, move in loops:
        split = []
        for m, e in found:
            full, rest = e // tile, e % tile
            if move in (WRAP, FIRST):
                split.append((m, low(tile, e)))
            elif move == ADVANCE:
                split += [(m * high(full - 1, 0), tile), (m * ((rest > 0) & (full > 0)), rest)]
            else:
                split += [(m * full, tile), (m * (rest > 0), rest)]
        found = [piece for piece in split if some(piece[0])]
    return found


def leaves(extent, loops):
    """(how many, new extent, old extent, new start - old start) of the tiles that both steps have.

    On the way also the extent of instance 0 in the old step, whose trips all instances follow.
    """
    found = [(1, extent, extent, extent, 0)]
    for tile, move in loops:
        split = []
        for m, new, old, leader, shift in found:
            full, rest = new // tile, new % tile
            if move == KEPT:
                split += [(m * full, tile, tile, tile, 0),
                          (m * (rest > 0), rest, rest, low(tile, leader - full * tile), 0)]
            elif move == ADVANCE:
                split += [(m * high(full - 1, 0), tile, tile, tile, tile),
                          (m * ((rest > 0) & (full > 0)), rest, tile, tile, tile)]
            elif move == WRAP:  # from the last trip of the old context; idle instances hold nothing
                last = (up(leader, tile) - 1) * tile
                works = up(old, tile) >= up(leader, tile)
                split.append((m * works, low(tile, new), old - last, leader - last, shift - last))
            elif move == ALL:
                full, rest = low(new, old) // tile, low(new, old) % tile
                split += [(m * full, tile, tile, low(tile, leader), shift),
                          (m * (rest > 0), low(tile, new - full * tile), low(tile, old - full * tile),
                           low(tile, leader), shift)]
            else:
                split.append((m, low(tile, new), low(tile, old), low(tile, leader), shift))
        found = [leaf for leaf in split if some(leaf[0])]
    return [(m, new, old, shift) for m, new, old, _, shift in found]


def window(a, b, steps):
    """Coordinates that `a` outputs and `b` taps touch; steps = (stride, dilation)."""
    return a * b - high(a - steps[1], 0) * high(b - steps[0], 0)


def shared_window(x, y, steps):
    """Coordinates in common of a new and an old window: in every residue class both are intervals."""
    (_, new_p, old_p, shift_p), (_, new_r, old_r, shift_r) = x, y
    stride, dilation = steps
    total = 0
    for alpha, beta in itertools.product(range(dilation), range(stride)):
        # outputs dilation u + alpha, taps stride w + beta, from 0 (new) and from -shift (old)
        u1, w1 = (new_p - 1 - alpha) // dilation, (new_r - 1 - beta) // stride
        v0, v1 = -((alpha + shift_p) // dilation), (old_p - shift_p - 1 - alpha) // dilation
        z0, z1 = -((beta + shift_r) // stride), (old_r - shift_r - 1 - beta) // stride
        there = (u1 >= 0) & (w1 >= 0) & (v1 >= v0) & (z1 >= z0)
        total = total + there * high(low(u1 + w1, v1 + z1) - high(v0 + z0, 0) + 1, 0)
    return total


def factor(relevant, chains, steps):
    """The factor of a group: one dim, or the two of a window. `chains` holds (extent, loops) of each."""
    if not relevant:
        return math.prod(sum(m for m, _ in pieces(*chain)) for chain in chains)
    if not any(move in (ADVANCE, WRAP) for _, loops in chains for _, move in loops):
        parts = [pieces(*chain) for chain in chains]
        sums = [sum(m * e for m, e in part) for part in parts]
        if len(chains) == 1:
            return sums[0]
        gaps = [sum(m * high(e - step, 0) for m, e in part) for part, step in zip(parts, steps[::-1])]
        return sums[0] * sums[1] - gaps[0] * gaps[1]
    if len(chains) == 1:
        return sum(m * high(low(new, old - shift) - high(-shift, 0), 0) for m, new, old, shift in leaves(*chains[0]))
    return sum(x[0] * y[0] * shared_window(x, y, steps) for x in leaves(*chains[0]) for y in leaves(*chains[1]))


def groups_of(cert, tensor):
    """Groups of dims whose coordinates are independent; dims of extent 1 do not matter."""
    singles = [d for d in DIMS if cert.extent[d] > 1]
    pairs = [pair for pair in WINDOWS if tensor == "I" and set(pair) <= set(singles)]
    return [(d,) for d in singles if not any(d in pair for pair in pairs)] + pairs


def tensor_size(cert, tensor, extent):
    """Words of a tile with these extents."""
    if tensor != "I":
        return math.prod(extent[d] for d in RELEVANT[tensor])
    rows, columns = (window(extent[pair[0]], extent[pair[1]], cert.steps[pair]) for pair in WINDOWS)
    return extent["N"] * extent["G"] * extent["C"] * rows * columns


def bytes_needed(cert, level, extent, keep):
    twice = 2 if cert.levels[level].buffering == "double" else 1
    return sum(twice * cert.word_bytes[t] * tensor_size(cert, t, extent) for t in keep)


def counts_all(cert, kind, tensor, dim, fanout, parent):
    """Does a count sum over all instances of a spatial loop over `dim` below level `fanout`?"""
    if kind in ("fill", "own0"):
        return kind == "fill"
    if fanout < parent:
        return kind == "pread"
    return dim in RELEVANT[tensor] or not cert.fanouts[fanout].merges[tensor]


def can_place(loops, room, takes):
    """Can every loop (dim, trips) lie wholly on one axis that takes its dim?"""
    return not loops or any(can_place(loops[1:], room[:a] + [room[a] // loops[0][1]] + room[a + 1:], takes)
                            for a in range(len(room)) if loops[0][0] in takes[a] and room[a] >= loops[0][1])


class Nest:
    """Loops (dim, spatial, tile, fan-out it lies in), where the boundaries lie, what they keep."""

    def __init__(self, cert, text):
        self.cert, self.loops, self.at, self.keeps, self.memo = cert, [], [0], [TENSORS], {}
        for token in text.split():
            if token[0] == "@" and token[1:] in list("01234567"):
                self.at.append(len(self.loops))
                self.keeps.append("".join(t for i, t in enumerate(TENSORS) if int(token[1:]) >> i & 1))
            elif token[0] in DIMS and token[1:2] in (":", "*") and token[2:].isdigit() and int(token[2:]) > 0:
                self.loops.append((token[0], token[1] == "*", int(token[2:]), len(self.at) - 1))
            else:
                raise Untrue(f"the mapping has '{token}', expected DIM:TILE, DIM*TILE or @KEEP")
        self.n = len(self.loops)
        if len(self.at) != cert.L + 1 or max(self.extents(self.n).values()) > 1:
            raise Untrue(f"the mapping has not {cert.L} boundaries and tiles of 1 at its end")
        self.at.append(self.n)  # the MACs
        self.keeps.append(TENSORS)

    def extents(self, end):
        """Of the largest tiles inside the first `end` loops."""
        extent = dict(self.cert.extent)
        for dim, _, tile, _ in self.loops[:end]:
            extent[dim] = min(extent[dim], tile)
        return extent

    def misfit(self):
        """None, or why the nest does not fit."""
        cert = self.cert
        for l in range(1, cert.L + 1):
            need, room = bytes_needed(cert, l, self.extents(self.at[l]), self.keeps[l]), cert.levels[l].capacity
            if set(self.keeps[l]) - set(cert.keep(l)) or room and need > room:
                return f"level {l} needs {need:g} bytes for {self.keeps[l]}, has {room:g} for {cert.keep(l)}"
        for f, fanout in enumerate(cert.fanouts):
            loops = [(dim, up(self.extents(i)[dim], tile)) for i, (dim, spatial, tile, where) in enumerate(self.loops)
                     if spatial and where == f]
            if not can_place([loop for loop in loops if loop[1] > 1], fanout.sizes, fanout.takes):
                return f"its spatial loops do not fit the fan-out below level {f}"
        return None

    def parent(self, level, tensor):
        return max(l for l in range(level) if tensor in self.keeps[l])

    def product(self, tensor, end, whole, moves, dims=DIMS, relevant=None):
        """Product over the groups within `dims`, of the loops before `end`; loops in time do `moves`."""
        result = 1
        for group in groups_of(self.cert, tensor):
            if group[0] in dims:
                chains = tuple((self.cert.extent[d], tuple(
                    (tile, (ALL if whole(d, f) else FIRST) if spatial else moves[i])
                    for i, (dim, spatial, tile, f) in enumerate(self.loops[:end]) if dim == d)) for d in group)
                key = group[0] in RELEVANT[tensor] if relevant is None else relevant, chains, group
                if key not in self.memo:
                    self.memo[key] = factor(*key[:2], self.cert.steps.get(group))
                result *= self.memo[key]
        return result

    def count(self, tensor, level, kind):
        """V - sum of OV(j). The MACs hold nothing: every iteration at work fetches."""
        end, parent = self.at[level], self.parent(level, tensor)

        def whole(dim, fanout):
            return counts_all(self.cert, kind, tensor, dim, fanout, parent)

        if level > self.cert.L:
            return self.product(tensor, end, whole, [KEPT] * self.n, relevant=False)
        total = self.product(tensor, end, whole, [KEPT] * self.n)
        for j in (j for j in range(end) if not self.loops[j][1]):
            total -= self.product(tensor, end, whole, [KEPT] * j + [ADVANCE] + [WRAP] * (self.n - j - 1))
        return total

    def level_counts(self, level):
        """fill, pread, own0, srv0 by tensor; upd, upd0, cov0, first."""
        cert, keep, end = self.cert, self.keeps[level], self.at[level]
        zero, kept = [FIRST] * self.n, [KEPT] * self.n
        c = {(kind, t): self.count(t, level, kind) for kind in ("fill", "pread", "own0", "srv0") for t in keep}
        c["upd"] = c["upd0"] = c["cov0"] = 0
        if "O" in keep:  # what was counted so far are updates; the first of every element reads nothing back
            parent = self.parent(level, "O")
            once = tensor_size(cert, "O", cert.extent)
            once *= self.product("O", self.at[parent], lambda d, f: True, zero, "CRS")
            once0 = self.product("O", end, lambda d, f: counts_all(cert, "srv0", "O", d, f, parent), kept,
                                 RELEVANT["O"])
            c["upd"], c["upd0"] = c["pread", "O"], c["srv0", "O"]
            c["pread", "O"], c["srv0", "O"] = c["upd"] - once, c["upd0"] - once0
            c["cov0"] = self.product("O", end, lambda d, f: False, kept, RELEVANT["O"])
        c["first"] = sum(self.product(t, end, lambda d, f, t=t: counts_all(
            cert, "pread", t, d, f, self.parent(level, t)), zero) for t in keep if t != "O")
        return c

    def price(self):
        """(counts by level, cycles, latency, energy): docs/model.md, section 5."""
        L, counts = self.cert.L, [{}] + [self.level_counts(l) for l in range(1, self.cert.L + 2)]
        cycles = self.product("W", self.n, lambda d, f: False, [KEPT] * self.n, relevant=False)
        reads, writes, port, link, moved = ([0] * (L + 2) for _ in range(5))
        for l, t in ((l, t) for l in range(1, L + 2) for t in self.keeps[l]):
            c, p = counts[l], self.parent(l, t)
            reads[p] += c["pread", t]
            link[l] += c["pread", t]
            port[p] += c["srv0", t]
            port[l] += c["own0", t]
            moved[l] += c["fill", t]
            if t != "O":
                writes[l] += c["fill", t]
            else:
                writes[p] += c["upd"]
                port[p] += c["upd0"]
                link[l] += c["upd"]
                reads[l] += c["fill", t]
                writes[l] += c["pread", t]
                moved[l] += c["pread", t]
                port[l] += c["own0", t] - c["cov0"]
        energy, peak, extra = self.cert.n_macs * self.cert.mac_pj, cycles, 0
        for l, level in enumerate(self.cert.levels):
            energy += reads[l] * level.read_pj + writes[l] * level.write_pj + moved[l] * level.link_pj
            peak = max(peak, math.ceil(port[l] / level.port))
            time = math.ceil(link[l] / level.link)
            peak, extra = (peak, extra + time) if level.buffering == "single" else (max(peak, time), extra)
            extra += math.ceil(counts[l].get("first", 0) / level.link)
        return counts, cycles, peak + extra, energy
