"""Lower bounds of the quantities that latency and energy grow with.

A quantity is a sum of counts times constants: energy, the words of every port and link with a finite
rate, the words of the first step. A lower bound of each gives one of the value. Call d* the innermost
loop in time of segment l that iterates: the class of a mapping at level l. Every mapping has exactly
one class there, or no loop of segment l iterates. In class d*, for each count V - sum of OV(j) at level l:

 1. d* relevant and alone in its group: count >= (V_d* - max over s <= l of F_d*[wrapped from s]) times V
    of the other groups. Proof: for j over d* itself OV(j) = 0, tiles are disjoint. For any other j the
    loop d* of segment l wraps, so the factor of d* is one of those in the maximum; the other factors
    sum, over all such j, to at most their V: an overlap is at most the new tile, and no new step of the
    other groups is reached by two of the j.
 2. d* in a window g: count >= V of the others times (V_g - what d* shares when it advances - the most
    that every other loop of g shares when it advances - the most shared when a loop outside g does), by
    the same argument. Where a loop of g may lie before or behind j in its segment, the most of both.
 3. Always: count >= floor, what the counted instances fetch at least once: of relevant dims V (tiles are
    disjoint), of windows all coordinates (or those of the first step, where not all instances count),
    of irrelevant dims the instances that ever work.

Each is a product of factors >= 0 of single dims or windows. So where tiles are open, the least factor
over all of them gives a bound. "Slots" are such tables: the tile of level l known, those outside it
open; the last slot: all open.
"""
import math

import numpy as np

from certificate.model import ADVANCE, RELEVANT, WRAP, groups_of, tensor_size, window
from certificate.space import KEEP_ALL, ZERO, table


class Quantities:
    """Which counts make up which quantity. Coefficients are arrays over the quantities; 0 is energy."""

    def __init__(self, cert):
        self.cert, L = cert, cert.L
        self.ports = [l for l in range(L + 1) if cert.levels[l].port < math.inf]
        self.links = [l for l in range(1, L + 1) if cert.levels[l].link < math.inf]
        names = ["energy"] + [f"port {l}" for l in self.ports]
        names += [f"{word} {l}" for l in self.links for word in ("link", "first")]
        self.row, self.n = {name: i for i, name in enumerate(names)}, len(names)
        self.moving = {l: [] for l in range(1, L + 2)}  # (tensor, kind, parent, coefficients): V - sum of OV
        self.still = {l: [] for l in range(1, L + 2)}  # the same of terms that no order changes
        for l in range(1, L + 2):
            for t in cert.keep(l):
                self.add(l, t, cert.parent(l, t))
        self.compulsory = np.zeros((self.n, 1))
        self.compulsory[0] = self.least_energy()

    def add(self, l, t, p):
        """Level l (L + 1: the MACs) fetches tensor t from level p: docs/model.md, section 5."""
        parent, here = self.cert.levels[p], self.cert.levels[l] if l <= self.cert.L else None
        fill, back = (here.link_pj + (here.read_pj if t == "O" else here.write_pj) if here else 0), parent.read_pj
        if t == "O":  # every update but the first of an element reads a partial sum back
            back += here.write_pj + here.link_pj if here else 0
            pread, each = {"energy": parent.write_pj + back}, 2
            self.put(self.still[l], t, "once", p, {"energy": -back, f"link {l}": -1})
            self.put(self.still[l], t, "once0", p, {f"port {p}": -1})
            self.put(self.still[l], t, "cov0", p, {f"port {l}": -1})
        else:
            pread, each = {"energy": back}, 1
            self.put(self.still[l], t, "first", p, {f"first {l}": 1})
        self.put(self.moving[l], t, "fill", p, {"energy": fill})
        self.put(self.moving[l], t, "pread", p, {**pread, f"link {l}": each})
        self.put(self.moving[l], t, "srv0", p, {f"port {p}": each})
        self.put(self.moving[l], t, "own0", p, {f"port {l}": each})

    def put(self, terms, tensor, kind, parent, parts):
        coefficients = np.zeros(self.n)
        for name, value in parts.items():
            if name in self.row:
                coefficients[self.row[name]] = value
        if coefficients.any():
            terms.append((tensor, kind, parent, coefficients))

    def least_energy(self):
        """No mapping of any branch has less: every tensor moves once into every level that keeps it, and
        one read for operands serves at most as many MACs as the fan-outs that merge it have instances."""
        cert, levels, energy = self.cert, self.cert.levels, 0.0
        instances = [math.prod(fanout.sizes) for fanout in cert.fanouts]
        for l in range(1, cert.L + 1):
            for t in cert.keep(l):
                source, target = levels[cert.parent(l, t)], levels[l]
                if t == "O":
                    source, target = target, source
                energy += tensor_size(cert, t, cert.extent) * (source.read_pj + levels[l].link_pj + target.write_pj)
        for t in "WIO":
            p = cert.parent(cert.L + 1, t)
            reads = cert.n_macs / math.prod(instances[f] for f in range(p, cert.L + 1) if cert.fanouts[f].merges[t])
            energy += reads * levels[p].read_pj
            if t == "O":
                first = tensor_size(cert, "O", cert.extent) * math.prod(instances[:p])
                energy += reads * levels[p].write_pj - min(first, reads) * levels[p].read_pj
        return energy

    def value(self, q, cycles):
        """The goal, or a bound of it, from (bounds of) the quantities and the cycles."""
        levels, peak, extra = self.cert.levels, cycles, 0

        def duration(name, rate):
            return np.ceil(q[self.row[name]] / rate * (1 - 1e-12))

        for l in self.ports:
            peak = np.maximum(peak, duration(f"port {l}", levels[l].port))
        for l in self.links:
            time = duration(f"link {l}", levels[l].link)
            peak, extra = (peak, extra + time) if levels[l].buffering == "single" else (np.maximum(peak, time), extra)
            extra = extra + duration(f"first {l}", levels[l].link)
        return self.cert.goal_value(peak + extra, q[0] + self.cert.n_macs * self.cert.mac_pj)


class Form:
    """One count of one tensor at level l: tables (dims, values) of V and floor for every group, and by
    class d* (group, its dims, values) to stand in for V of that group."""

    def __init__(self, coefficients, base, floor, classes):
        self.coefficients, self.base, self.floor, self.classes = coefficients, base, floor, classes


def make_form(branch, l, tensor, wholes, coefficients):
    base, floor, classes = [], [], {}
    for g, group in enumerate(groups_of(branch.cert, tensor)):
        chains, relevant = [branch.chains[d] for d in group], group[0] in RELEVANT[tensor]

        def of(*states, chains=chains, relevant=relevant, group=group):
            return table(chains, relevant, l, l, states, [wholes[d] for d in group])

        volume = of(*[KEEP_ALL] * len(group))
        base.append((group, volume))
        if len(group) == 1:
            floor.append((group, volume if relevant else of((0, WRAP))))
        elif all(wholes[d](f) for d in group for f in range(l)):
            whole = window(*(branch.cert.extent[d] for d in group), branch.cert.steps[group])
            floor.append((group, np.full_like(volume, whole)))
        else:
            floor.append((group, of(ZERO, ZERO)))
        for d in (d for d in group if relevant and branch.chains[d].walks(l)):
            shared = (shared_at_most(l, chains, group.index(d), of) if len(group) == 2
                      else np.max([of((s, WRAP)) for s in range(l + 1)], axis=0))
            classes[d] = g, group, np.maximum(volume - shared, 0)
    return Form(coefficients, base, floor, classes)


def shared_at_most(l, chains, mine, of):
    """What a window shares, in all transitions together, when its dim `mine` is innermost (2. above)."""
    def at(own, other):
        return of(*((own, other) if mine == 0 else (other, own)))

    total = at((l, ADVANCE), KEEP_ALL)
    if chains[1 - mine].walks(l):
        total = total + at((l, WRAP), (l, ADVANCE))
    outside = [at((l, WRAP), (s, WRAP)) for s in (l, l + 1)]
    for s in range(l):
        near = [(s, WRAP), (s + 1, WRAP)]
        if chains[mine].walks(s):
            total = total + np.max([at((s, ADVANCE), x) for x in near], axis=0)
        if chains[1 - mine].walks(s):
            total = total + np.max([at(x, (s, ADVANCE)) for x in near], axis=0)
        outside += [at(x, y) for x in near for y in near]
    return total + np.max(outside, axis=0)


def gather(tables, idx):
    """The product of tables, each looked up by the rows (or slots) of its dims."""
    return math.prod((values[tuple(idx[d] for d in dims)] for dims, values in tables), start=1.0)


def weighted(terms, idx):
    """Sum of coefficients times products: (quantities, n)."""
    return sum(np.multiply.outer(coefficients, np.atleast_1d(gather(tables, idx))) for coefficients, tables in terms)


class LevelBound:
    """The bounds of level l of a branch, by rows of its dims or, after slots(), by slots."""

    def __init__(self, branch, l):
        self.branch, self.l, merged = branch, l, {}
        for t, kind, p, coefficients in branch.quantities.moving[l]:  # counts that see the same instances are one
            wholes = branch.wholes(t, kind, p)
            key = t, tuple(branch.chains[d].moves(l, ZERO, wholes[d]) for d in branch.dims)
            merged.setdefault(key, [t, wholes, 0])[2] += coefficients
        self.moving = list(merged.values())
        self.forms = [make_form(branch, l, *moving) for moving in self.moving]
        self.still = [branch.still_term(l, l, *term) for term in branch.quantities.still[l]]
        if l == branch.cert.L:
            self.still += [branch.still_term(l + 1, l, *term) for term in branch.quantities.still[l + 1]]
            self.still += [branch.mac_term(l, *term) for term in branch.quantities.moving[l + 1]]
        self.active = {d: branch.chains[d].active(l) for d in branch.dims}
        self.room = {d: branch.chains[d].extent(l) for d in branch.dims}
        self.cycles = {d: branch.chains[d].cycles(l) for d in branch.dims}

    def slots(self):
        new = object.__new__(LevelBound)
        new.branch, new.l = self.branch, self.l
        new.slot = {d: np.unique(chain.tiles[self.l][-1], return_inverse=True)[1]
                    for d, chain in self.branch.chains.items()}
        new.room = {d: shrink(room, [new.slot[d]], np.minimum) for d, room in self.room.items()}
        least = {d: room[-1] for d, room in new.room.items()}
        new.alive = {d: np.broadcast_to(self.branch.fits(self.l, {**least, d: room[:-1]}), len(room) - 1)
                     for d, room in new.room.items()}  # slots that fit where all other tiles are smallest

        def small(dims, values, best=np.minimum):
            return dims, shrink(values, [new.slot[d] for d in dims], best, [new.alive[d] for d in dims])

        new.active = {d: small((d,), active, np.maximum)[1] for d, active in self.active.items()}
        new.cycles = {d: small((d,), cycles)[1] for d, cycles in self.cycles.items()}
        new.still = [(c, [small(*pair, np.maximum if c.min() < 0 else np.minimum) for pair in tables])
                     for c, tables in self.still]
        new.forms = []
        for form in self.forms:
            classes = {}
            for d, (g, group, values) in form.classes.items():
                active = self.active[d].reshape([-1 if e == d else 1 for e in group])
                classes[d] = g, *small(group, np.where(active, values, np.inf))
            new.forms.append(Form(form.coefficients, [small(*pair) for pair in form.base],
                                  [small(*pair) for pair in form.floor], classes))
        return new

    def total(self, idx):
        """The quantities of this level if no two steps shared anything."""
        return weighted(self.still, idx) + weighted([(form.coefficients, form.base) for form in self.forms], idx)

    def evaluate(self, idx, n):
        """(the least over the classes, infinite where no loop iterates; the floors): (quantities, n) each."""
        fixed = np.zeros((self.branch.quantities.n, n)) + weighted(self.still, idx)
        floor = [np.broadcast_to(gather(form.floor, idx), n) for form in self.forms]
        base = [gather(form.base, idx) for form in self.forms]
        best = np.full_like(fixed, np.inf)
        for d in self.branch.order(self.l):
            active = self.active[d][idx[d]]
            total = np.zeros_like(fixed)
            for i, form in enumerate(self.forms if active.any() else ()):
                count = floor[i]
                if d in form.classes:
                    g, group, values = form.classes[d]
                    count = np.maximum(count, base[i] / gather([form.base[g]], idx) * gather([(group, values)], idx))
                for row in np.flatnonzero(form.coefficients):
                    total[row] += form.coefficients[row] * count
            np.minimum(best, np.where(active, total, np.inf), out=best)
        floors = sum(np.multiply.outer(form.coefficients, floor[i]) for i, form in enumerate(self.forms))
        return best + fixed, floors + fixed


def shrink(values, slots, best, alive=None):
    """From rows to slots along every axis, and one more slot: the best of all that are alive."""
    for axis, slot in enumerate(slots):
        values = np.moveaxis(values, axis, 0)
        order = np.argsort(slot, kind="stable")
        found = best.reduceat(values[order], np.flatnonzero(np.diff(slot[order], prepend=-1)), axis=0)
        some = found[alive[axis]] if alive is not None and alive[axis].any() else found
        values = np.moveaxis(np.concatenate([found, best.reduce(some, axis=0)[None]]), 0, axis)
    return values
