"""What two outputs have in common: JSON, CSV, text, pages, pictures, SQLite stores.

Flow: read(name, bytes) -> Output; compare(before, after, masks) -> [Difference].
"""
import collections
import copy
import csv
import io
import json
import re
import sqlite3
from html.parser import HTMLParser

# kinds of differences, from harmless to grave; those from LOST on are failures
MOVED, ADDED, WORDS, LOST = "moved", "added", "words", "lost"
KINDS = (MOVED, ADDED, WORDS, LOST)

NUMBER = re.compile(r"[-+]?(\d[\d,]*\.?\d*|\.\d+)(e[-+]?\d+)?")
EDGES = ".,;:()[]{}\"'`*<>"
DIGIT = re.compile(r"\s\S*\d")
BLOCKS = ("p", "tr", "pre", "h1", "h2", "h3", "li", "summary", "figcaption", "div", "dt", "dd")

# form: json, csv, text, page, picture or bytes; what: the parsed content
Output = collections.namedtuple("Output", "form what raw")
Difference = collections.namedtuple("Difference", "kind text")


class Masks:
    """What is not compared: paths and columns, pieces and tables of texts, and every number of noisy commands."""

    def __init__(self, names=(), texts=(), tables=(), numbers=False):
        self.names, self.texts, self.tables = ([re.compile(pattern) for pattern in patterns]
                                               for patterns in (names, texts, tables))
        self.numbers = numbers
        self.output = ""

    def of(self, output):
        """The same masks within an output: names are "OUTPUT: PATH"."""
        masks = copy.copy(self)
        masks.output = output
        return masks

    def hides(self, name):
        return any(pattern.search(f"{self.output}: {name}") for pattern in self.names)

    def clean(self, text):
        """A text without what is masked; of the rows of masked tables only what stands before their numbers."""
        for pattern in self.texts:
            text = pattern.sub(" ", text)
        lines, inside = [], False
        for line in text.split("\n"):
            words = " ".join(line.replace("|", " ").split())
            lines.append(DIGIT.split(" " + words)[0] if inside and words else line)
            inside = bool(words) and (inside or any(pattern.search(words) for pattern in self.tables))
        return "\n".join(lines)


# ---- reading ----

class Page(HTMLParser):
    """The text of a page, that of its pictures apart."""

    def __init__(self):
        super().__init__()
        self.text, self.figures = [], []
        self.hidden = self.pictures = self.laid_out = 0

    def handle_starttag(self, tag, attributes):
        self.hidden += tag in ("style", "script")
        self.pictures += tag == "svg"
        self.laid_out += tag == "pre"
        self.text += [value for name, value in attributes if name in ("title", "alt", "aria-label") and value]

    def handle_endtag(self, tag):
        self.hidden -= tag in ("style", "script")
        self.pictures -= tag == "svg"
        self.laid_out -= tag == "pre"
        self.text.append("\n" if tag in BLOCKS else "\n\n" if tag == "table" else " ")

    def handle_data(self, data):
        if not self.hidden:
            data = data if self.laid_out else " ".join(data.split())
            (self.figures if self.pictures else self.text).append(data)


def read_page(text):
    page = Page()
    page.feed(text)
    text = "\n".join(" ".join(line.split()) for line in " ".join(page.text).split("\n"))
    return text, " ".join(page.figures)


def read_csv(text):
    """(columns, rows) of a table whose rows are all as wide as its header; None otherwise."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    rows = list(csv.reader(lines, skipinitialspace=True))
    if not rows or len(rows[0]) < 2 or any(len(row) != len(rows[0]) for row in rows):
        return None
    # columns of the same name are told apart by which one it is
    columns = [name if rows[0].count(name) == 1 else f"{name} ({rows[0][:i + 1].count(name)})"
               for i, name in enumerate(rows[0])]
    return columns, rows[1:]


def read_store(path):
    """{table: (columns, rows)} of an SQLite file, rows in order of their content."""
    store = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    names = [name for name, in store.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    tables = {}
    for name in names:
        cursor = store.execute(f'SELECT * FROM "{name}"')
        tables[name] = [column[0] for column in cursor.description], sorted(cursor.fetchall(), key=repr)
    store.close()
    return tables


def read_json(text):
    """A document, or the list of documents of a file with one per line; None if it is neither."""
    for parse in (json.loads, lambda lines: [json.loads(line) for line in lines.splitlines()]):
        try:
            return parse(text)
        except ValueError:
            pass
    return None


def read(name, raw, path=None):
    """An output as what it is by its name, or (standard output) by its looks."""
    if raw.startswith(b"SQLite format 3"):
        return Output("json", {table: [dict(zip(columns, row)) for row in rows]
                               for table, (columns, rows) in read_store(path).items()}, raw)
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return Output("bytes", None, raw)
    if name.endswith((".html", ".svg")):
        return Output("picture" if name.endswith(".svg") else "page", read_page(text), raw)
    if text.startswith(("{", "[")) and (document := read_json(text)) is not None:
        return Output("json", document, raw)
    first = text.split("\n", 1)[0]
    if (name.endswith(".csv") or first.count(",") > 2 and " " not in first.replace(", ", ",").split(",")[0]) \
            and (table := read_csv(text)):
        return Output("csv", table, raw)
    return Output("text", text, raw)


# ---- comparing ----

def leaves(value, path=""):
    """(path, value) of everything in a document that is neither a list nor an object; empty ones too."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value:
        for i, inner in enumerate(value):
            yield from leaves(inner, f"{path}[{i}]")
    else:
        yield path, value


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def general(path):
    return re.sub(r"\[\d+\]", "[]", path)


def by_place(found):
    """Lines of a dict {place: [(path, sentence)]}: the first of every place, and how many there are."""
    for place, paths in found.items():
        path, sentence = paths[0]
        yield f"{path}{sentence}" + (f" (and {len(paths) - 1} more of {place})" if len(paths) > 1 else "")


def compare_json(before, after, masks):
    if masks.numbers:
        return compare_labels(before, after, masks)
    one, two = (dict(leaves(document)) for document in (before, after))
    old_places, places = ({general(path) for path in side} for side in (one, two))
    lost, added = collections.defaultdict(list), collections.defaultdict(list)
    for path, value in one.items():
        place = general(path)
        if masks.hides(path) and place in places:
            continue
        if path not in two:
            lost[place].append((path, ": not there"))
        elif two[path] != value:
            lost[place].append((path, f": {value!r} before, {two[path]!r} after"))
    for path in two:
        if path not in one and not (masks.hides(path) and general(path) in old_places):
            added[general(path)].append((path, ""))
    return [Difference(kind, line) for kind, found in ((LOST, lost), (ADDED, added)) for line in by_place(found)]


def labels(document, masks):
    """{(path without indices, value)}: of numbers and of what is masked only that they are there."""
    return {(general(path), repr(value) if isinstance(value, str) and not masks.hides(path) else None)
            for path, value in leaves(document)}


def compare_labels(before, after, masks):
    """Of noisy documents: rows may differ in number, so places instead of paths."""
    one, two = labels(before, masks), labels(after, masks)

    def lines(found):
        return [place if value is None else f"{place} = {value}" for place, value in sorted(found, key=repr)]
    return [Difference(LOST, f"{line}: not there") for line in lines(one - two)] + \
        [Difference(ADDED, line) for line in lines(two - one)]


def same_cell(one, two):
    try:
        return one == two or float(one) == float(two)
    except ValueError:
        return False


def compare_csv(before, after, masks):
    (columns, rows), (new_columns, new_rows) = before, after
    out = [Difference(LOST, f"column {name}: not there") for name in columns if name not in new_columns]
    out += [Difference(ADDED, f"column {name}") for name in new_columns if name not in columns]
    if masks.numbers:
        return out
    if len(rows) != len(new_rows):
        out.append(Difference(LOST if len(rows) > len(new_rows) else ADDED,
                              f"{len(rows)} rows before, {len(new_rows)} after"))
    for i, name in enumerate(columns):
        if name not in new_columns or masks.hides(name):
            continue
        j = new_columns.index(name)
        changed = [(n, one[i], two[j]) for n, (one, two) in enumerate(zip(rows, new_rows)) if not same_cell(one[i], two[j])]
        if changed:
            n, one, two = changed[0]
            out.append(Difference(LOST, f"column {name}, row {n + 1}: {one!r} before, {two!r} after"
                                  + (f" (and {len(changed) - 1} more)" if len(changed) > 1 else "")))
    return out


def tokens(text):
    """(Counter of everything with a digit in it, set of the other words)."""
    data, words = collections.Counter(), set()
    for token in text.replace("|", " ").split():
        token = token.strip(EDGES)
        match = NUMBER.fullmatch(token.rstrip("%x×"))
        if match:
            data[float(match.group().replace(",", ""))] += 1
        elif any(c.isdigit() for c in token):
            data[token] += 1
        elif any(c.isalpha() for c in token):
            words.add(token.lower())
    return data, words


def line_of(datum, text):
    """The line of a text that has this number or name first."""
    for line in text.splitlines():
        if datum in tokens(line)[0]:
            return " ".join(line.split())[:100]
    return ""


def compare_text(before, after, masks, where=""):
    before, after = masks.clean(before), masks.clean(after)
    (data, words), (new_data, new_words) = tokens(before), tokens(after)
    lost = {} if masks.numbers else data - new_data
    out = [Difference(LOST, f"{where}{f'{datum:g}' if isinstance(datum, float) else datum} of '{line_of(datum, before)}'"
                      + (f" ({n} times)" if n > 1 else "")) for datum, n in lost.items()]
    if words - new_words:
        out.append(Difference(WORDS, f"{where}no more: {' '.join(sorted(words - new_words))}"))
    more = [] if masks.numbers else [f"{d:g}" if isinstance(d, float) else d for d in new_data - data]
    more += sorted(new_words - words)
    if more:
        out.append(Difference(ADDED, f"{where}new: {' '.join(more)}"))
    return out


def compare_page(before, after, masks):
    """The text of a page must stay; of its pictures the words."""
    pictures = copy.copy(masks)
    pictures.numbers = True
    return compare_text(before[0], after[0], masks) + compare_text(before[1], after[1], pictures, "in pictures: ")


def compare(before, after, masks):
    """[Difference] of two outputs."""
    if before.raw == after.raw:
        return []
    if before.form != after.form:
        if not before.raw.strip():
            return [Difference(ADDED, f"{len(after.raw)} bytes of {after.form}")]
        return [Difference(LOST, f"is {before.form} before, {after.form} after")]
    if before.form == "bytes":
        return [] if masks.numbers else [Difference(LOST, "other bytes")]
    forms = {"json": compare_json, "csv": compare_csv, "text": compare_text, "page": compare_page,
             "picture": compare_page}
    found = forms[before.form](before.what, after.what, masks)
    return found if found else settled(before, after, masks)


def settled(before, after, masks):
    """Nothing is lost or new: nothing at all if only masked things differ, else something moved."""
    if masks.numbers or before.form == "json" and same_layout(before, after):
        return []
    if before.form == "picture":
        return []
    if before.form in ("text", "page"):
        whole = [side.what if before.form == "text" else side.what[0] for side in (before, after)]
        one, two = (masks.clean(text) for text in whole)
        # what is masked may be longer or shorter, so lines are broken elsewhere
        if one == two or one != whole[0] and one.split() == two.split():
            return []
    if before.form == "csv" and before.what[0] == after.what[0]:
        return []
    return [Difference(MOVED, "the same content in another order or layout")]


def same_layout(before, after):
    """The same keys in the same order: what differs was masked."""
    return [path for path, _ in leaves(before.what)] == [path for path, _ in leaves(after.what)]
