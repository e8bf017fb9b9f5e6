#!/usr/bin/env bats
# starling map --prove and --method exact: what is shown, that it holds, that it can be stopped and taken up again.
# shellcheck disable=SC2154 # code comes from common.bash
load common

layer=conv:K=16,C=8,P=14,Q=14,R=3,S=3
# proofs of it take minutes: what stops a proof has time to
hard=("conv:K=128,C=64,P=112,Q=112,R=3,S=3" --accel flex1024 --space all --objective edp)

# two layers that are the same, and two others
write_network() {
    cat >net.yaml <<'YAML'
network: mine
layers:
  - {name: first, type: conv, K: 8, C: 3, H: 16, W: 16, R: 3, S: 3, pad: 1}
  - {name: "<mid>", type: dw, G: 16, H: 16, W: 16, R: 3, S: 3, pad: 1}
  - {name: again, type: dw, G: 16, H: 16, W: 16, R: 3, S: 3, pad: 1}
  - {name: last, type: linear, K: 10, C: 256}
YAML
}

# proofs_hold: of a JSON document in the file out
proofs_hold() {
    python3 - <<'PYTHON' || complain "expected bounds that hold"
import json, math
d = json.load(open("out", encoding="utf-8"))
eps = d["prove"]["epsilon"]
for l in d["layers"]:
    value, bound, gap, proof = l["objective_value"], l["lower_bound"], l["gap"], l["proof"]
    assert 0 < bound <= value * (1 + 1e-9) and math.isclose(gap, max(value / bound - 1, 0), abs_tol=1e-12), l["name"]
    assert proof["status"] == ("optimal" if gap <= 1e-7 else "within" if gap <= eps else "stopped"), (gap, proof)
    assert proof["branches"] >= 1 and proof["nodes"] >= 0 and proof["reason"] is None
    assert value <= proof["start_value"] * (1 + 1e-9)
    assert proof["improved"] == (value < proof["start_value"])
    assert bound >= value / l["floor_multiple"] * (1 - 1e-9), "below the floor"
t = d["totals"]
power = {"latency": 1, "energy": 1, "edp": 2}[d["objective"]]
bound = sum(l["count"] * l["lower_bound"] ** (1 / power) for l in d["layers"]) ** power
assert math.isclose(t["lower_bound"], bound, rel_tol=1e-12), (t["lower_bound"], bound)
assert math.isclose(t["gap"], t["objective_value"] / bound - 1, abs_tol=1e-9) and t["gap"] >= 0
PYTHON
}

@test "a network gets a table of bounds, gaps and what is proven, and a sum" {
    write_network
    succeeds map net.yaml --samples 40 --objective edp --prove --quiet
    is_narrow
    says "edp by marl, 40 samples per layer, proven to 0.5 % in at most 10 s per layer, seed 1" "lower bound" "gap" \
        "network: a product of sums over all instances; its bound is not" \
        "lower bound: no mapping of the space is below it; native sizes, all" "proven  "
    grep -Eq '^<mid> +2 +[0-9.]+ .J·s +[0-9.]+ .J·s +(<0.001|[0-9.]+) % +[0-9,]+ +(optimal|within 0.5 %)$' out
    grep -Eq '^network +4 +[0-9.]+ .J·s +[0-9.]+ .J·s +[0-9.]+ %$' out
    grep -Eq '^proven +(all 3 layers|3 layers:) ' out
}

@test "one layer gets a sentence with cost, bound and space" {
    succeeds map $layer --objective latency --samples 40 --prove=0 --quiet
    is_narrow
    tr -s ' \n' ' ' <out >flat
    grep -Eq 'proven latency ([0-9,]+) cycles, lower bound \1 cycles: the optimum of this space, proven \(native sizes, all orders, [0-9,]+ ways to spread\)' flat ||
        complain "expected the sentence"
    succeeds map $layer --samples 40 --prove=20 --constraints nvdla-style --quiet
    says "proven to 20 %" "constraints nvdla-style"
}

@test "the JSON has bounds that hold, for every objective that has them" {
    write_network
    for objective in latency energy edp; do
        succeeds map net.yaml --samples 40 --objective $objective --prove --json
        proofs_hold
        succeeds map net.yaml --samples 40 --method local --objective $objective --prove=0 --prove-time 0 --json
        proofs_hold
        [ "$(json '{l["proof"]["status"] for l in d["layers"]}')" = "{'optimal'}" ]
    done
    [ "$(json 'd["prove"]')" = "{'epsilon': 0, 'seconds': None}" ]
    succeeds map $layer --samples 5 --json
    [ "$(json 'd["prove"], d["layers"][0]["proof"], d["layers"][0]["gap"], d["totals"]["lower_bound"]')" = \
        "(None, None, None, None)" ]
}

@test "what is proven is the same with 1 and 2 threads, printed and in files" {
    write_network
    for threads in 1 2; do
        succeeds map net.yaml --samples 50 --prove --prove-time 0 --threads $threads --out run$threads --quiet
        cp out text$threads
        succeeds map $layer --method exact --prove-time 0 --threads $threads --out one$threads --quiet
    done
    cmp text1 text2
    same_run run1 run2
    same_run one1 one2
}

@test "no search gets below a bound" {
    succeeds map $layer --objective edp --method exact --prove-time 0 --json
    optimum=$(json 'd["layers"][0]["lower_bound"]')
    for method in local random; do
        succeeds map $layer --objective edp --method $method --samples 3000 --json
        [ "$(json "d['layers'][0]['objective_value'] >= $optimum * (1 - 1e-7)")" = True ]
    done
}

@test "exact finds the optimum without samples, and takes an epsilon" {
    write_network
    succeeds map net.yaml --method exact --objective edp --prove-time 0 --json
    proofs_hold
    [ "$(json 'd["method"], d["prove"]["epsilon"], d["totals"]["samples"], d["agents"], d["budget"]["samples"]')" = \
        "('exact', 0, 0, None, None)" ]
    [ "$(json '[(l["samples"], l["stopped"], l["curve"]) for l in d["layers"]]')" = \
        "[(0, None, []), (0, None, []), (0, None, [])]" ]
    optimum=$(json '[l["objective_value"] for l in d["layers"]]')
    succeeds map net.yaml --method local --samples 30 --objective edp --prove=0 --prove-time 0 --json
    [ "$(json "max(abs(l['objective_value'] / o - 1) for l, o in zip(d['layers'], $optimum)) < 1e-6")" = True ]
    succeeds map net.yaml --method exact --prove=3 --objective edp --json
    proofs_hold
    [ "$(json 'd["prove"]["epsilon"]')" = 0.03 ]
    succeeds map $layer --method exact --quiet
    is_narrow
    says "edp by exact, proven optimal in at most 10 s, seed 1" "proven  " "nodes  "
    if grep -q "samples\|curve" out; then complain "expected nothing about samples"; fi
}

@test "exact is listed, and says what does not apply" {
    succeeds list methods
    is_narrow
    says "exact  "
    succeeds list methods exact
    is_narrow
    says "It has no options."
    for option in "--samples 5" "--time 1" "--target 5"; do
        # shellcheck disable=SC2086 # two words
        refuses 2 "${option% *}: does not apply to --method exact" map $layer --method exact $option
    done
    refuses 2 "--set: exact has no option 'x'" map $layer --method exact --set x=1
    refuses 2 "--agents: exact has no agents" map $layer --method exact --agents 2
    refuses 2 "--critic: method exact has no critic" map $layer --method exact --critic on
    refuses 2 "--warm: method exact does not learn across layers" map $layer --method exact --warm 5
    refuses 2 "unknown method 'exat' (did you mean 'exact'?)" map $layer --method exat
}

@test "options of the proof that are wrong get a sentence" {
    refuses 2 "--prove: expected percent from 0 to 1000, got 'x'" map $layer --prove=x
    refuses 2 "--prove: expected percent from 0 to 1000, got '-1'" map $layer --prove=-1
    refuses 2 "--prove: expected percent from 0 to 1000, got 'nan'" map $layer --prove=nan
    refuses 2 "--prove: expected percent from 0 to 1000, got '%'" map $layer --prove=%
    refuses 2 "expected one workload (the value of --prove stands behind '=': --prove=2)" map $layer --prove 2
    refuses 2 "--prove-time: expected --prove too, or --method exact" map $layer --prove-time 3
    refuses 2 "--prove-time: expected a number from 0" map $layer --prove --prove-time -3
}

@test "the percent of a proof may have its sign" {
    succeeds map $layer --samples 20 --prove=0.5% --json
    [ "$(json 'd["prove"]["epsilon"]')" = 0.005 ]
}

@test "where there are no bounds it is said, and exact ends at once" {
    for objective in area power; do
        succeeds map $layer --samples 20 --objective $objective --prove --json
        [ "$(json 'd["layers"][0]["proof"]["status"], d["layers"][0]["lower_bound"], d["totals"]["lower_bound"]')" = \
            "('uncovered', None, None)" ]
        [ "$(json 'len(d["layers"][0]["proof"]["reason"]) > 10')" = True ]
        succeeds map $layer --samples 20 --objective $objective --prove --out run-$objective --quiet
        says "without a proof" "proven  no proof: "
        if grep -q "proven to" out run-$objective/map.html; then complain "expected no promise of a proof"; fi
        [ -z "$(ls run-$objective/certificates)" ]
        refuses 2 "--method exact: conv on eyeriss: " map $layer --objective $objective --method exact
    done
    write_network
    succeeds map net.yaml --samples 20 --objective area --prove --quiet
    says "all 3 layers without a proof: "
    starling map net.yaml --samples 20 --objective area --prove --out told
    [ "$code" -eq 0 ]
    head -n 1 err | grep -q "^--prove: there will be no proof: the area" || complain "expected to be told first"
}

@test "a mapping that beats its space is said to lie outside" {
    outside=("bmm:B=12,M=64,N=64,K=64" --samples 1 --objective edp --prove=0 --prove-time 0)
    succeeds map "${outside[@]}" --json
    [ "$(json 'd["layers"][0]["proof"]["status"], d["layers"][0]["gap"], d["totals"]["gap"]')" = "('outside', 0, 0)" ]
    [ "$(json 'd["layers"][0]["lower_bound"] > d["layers"][0]["objective_value"]')" = True ]
    succeeds map "${outside[@]}" --out run --quiet
    is_narrow
    tr -s ' \n' ' ' <out >flat
    grep -qF "proven better than every mapping in the search space" flat
    grep -qF "the mapping lies outside this space, and no mapping inside is better" flat
    succeeds verify run
    says "bmm.cert: true" "1 certificate: 1 true"
}

@test "the run directory has certificates that hold, and the bounds as columns" {
    write_network
    succeeds map net.yaml --samples 30 --objective edp --prove --out run --quiet
    [ "$(cd run/certificates && echo *)" = "_mid_.cert first.cert last.cert" ]
    cp run/map.json out
    proofs_hold
    succeeds verify run
    says "3 certificates: 3 true"
    python3 - <<'PYTHON'
import csv, json, re
page = open("run/map.html", encoding="utf-8").read()
tables = page.split("<table")[1:]
assert len(tables) == 3 # objectives, layers, proofs
for table in tables:
    rows = re.findall("<tr>.*?</tr>", table, re.DOTALL)
    assert len(rows) == 5 and len({len(re.findall("<t[hd][ >]", row)) for row in rows}) == 1
d = json.load(open("run/map.json", encoding="utf-8"))
by_name = {i["name"]: l for l in d["layers"] for i in l["instances"]}
rows = list(csv.DictReader(open("run/layers.csv", encoding="utf-8")))
assert len(rows) == 4
for row in rows:
    l = by_name[row["layer"]]
    assert row["proof"] == l["proof"]["status"]
    assert abs(float(row["lower_bound"]) / l["lower_bound"] - 1) < 1e-12 and abs(float(row["gap"]) - l["gap"]) < 1e-12
PYTHON
    succeeds eval --nests run/layers.csv --csv --accel run/accel.yaml
    python3 "$SL_SOURCE_DIR/tests/cli/same_columns.py" run/layers.csv out
    for text in "proven gap</th>" "<span>proven gap</span>" "starling verify"; do grep -qF "$text" run/map.html; done
    succeeds eval run --json
    priced=$(json 'd["totals"]["latency_cycles"], d["totals"]["energy_pj"]')
    cp run/map.json out
    [ "$(json 'd["totals"]["latency_cycles"], d["totals"]["energy_pj"]')" = "$priced" ]
}

@test "a proof asked for later, or with another epsilon, begins with what was found" {
    write_network
    succeeds map net.yaml --samples 40 --objective edp --prove --prove-time 0 --out whole --quiet
    succeeds map net.yaml --samples 40 --objective edp --out run --quiet
    starling map net.yaml --samples 40 --objective edp --prove --prove-time 0 --out run
    grep -q "^3 of 3 layers taken from an earlier run in run, 0 with their proofs" err
    same_run run whole
    starling map net.yaml --samples 40 --objective edp --prove --prove-time 0 --out run
    grep -q "^3 of 3 layers taken from an earlier run in run, 3 with their proofs" err
    if grep -q " proofs in " err; then complain "expected no proof to be done again"; fi
    same_run run whole
    starling map net.yaml --samples 40 --objective edp --prove=4 --out run
    grep -q ", 0 with their proofs" err
    rm run/certificates/last.cert
    starling map net.yaml --samples 40 --objective edp --prove=4 --out run
    grep -q ", 2 with their proofs" err
    [ -s run/certificates/last.cert ]
}

@test "a proof that time stops keeps what it has" {
    succeeds map "${hard[@]}" --samples 50 --method local --prove=0 --prove-time 0.3 --out run --quiet
    is_narrow
    says "proven until it was stopped"
    cp run/map.json out
    proofs_hold
    [ "$(json 'd["layers"][0]["proof"]["status"], d["interrupted"]')" = "('stopped', False)" ]
    starling map "${hard[@]}" --samples 50 --method local --prove=0 --prove-time 0.3 --out run
    grep -q "^1 of 1 layers taken from an earlier run in run, 1 with its proof" err
}

@test "Ctrl-C during a proof keeps the mapping and the bound" {
    python3 - "$STARLING" "${hard[@]}" <<'PYTHON'
import json, os, signal, sqlite3, subprocess, sys, time
def kinds():
    try:
        return [row[0] for row in sqlite3.connect("file:run/records.db?mode=ro", uri=True).execute("SELECT kind FROM cells")]
    except sqlite3.Error:  # not there yet
        return []
for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
    run = subprocess.Popen([sys.argv[1], "map", *sys.argv[2:], "--samples", "50", "--method", "local", "--prove=0",
                            "--prove-time", "0", "--out", "run"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # the record of the search is there: the proof has begun
    while not kinds():
        time.sleep(0.01)
    time.sleep(1)
    run.send_signal(number)
    out, err = run.communicate(timeout=60)
    assert run.returncode == code, (run.returncode, err)
    assert b"INTERRUPTED" in out and b"Interrupted: every layer has the best" in err
    d = json.load(open("run/map.json", encoding="utf-8"))
    layer = d["layers"][0]
    assert d["interrupted"] and layer["proof"]["status"] == "stopped" and layer["stopped"] == "samples"
    assert 0 < layer["lower_bound"] <= layer["objective_value"] and "@" in layer["mapping"]
    # it is not taken for a finished proof
    assert kinds() == ["run"]
PYTHON
}

@test "after kill -9 finished proofs are kept, and the result is that of a whole run" {
    write_network
    options=(--samples 2000 --method local --objective edp --prove --prove-time 0)
    python3 - "$STARLING" "${options[@]}" <<'PYTHON'
import os, signal, sqlite3, subprocess, sys, time
run = subprocess.Popen([sys.argv[1], "map", "net.yaml", *sys.argv[2:], "--threads", "1", "--out", "run", "--quiet"],
                       stdout=subprocess.DEVNULL)
def proven():
    try:
        store = sqlite3.connect("file:run/records.db?mode=ro", uri=True)
        return store.execute("SELECT count(*) FROM cells WHERE kind = 'proof'").fetchone()[0]
    except sqlite3.Error:  # not there yet
        return 0
while not proven() and run.poll() is None:
    time.sleep(0.002)
run.send_signal(signal.SIGKILL)
run.wait()
PYTHON
    starling map net.yaml "${options[@]}" --out run
    [ "$code" -eq 0 ]
    grep -Eq "^3 of 3 layers taken from an earlier run in run, [123] with (its|their) proofs?" err
    succeeds map net.yaml "${options[@]}" --out whole --quiet
    # half-written files may have stayed
    find run/certificates -type f ! -name '*.cert' -delete
    same_run run whole
}

@test "proofs in records that are broken are done again" {
    succeeds map $layer --samples 30 --prove --prove-time 0 --out run --quiet
    cp -r run whole
    for change in "stopped = 'sure'" "detail = replace(detail, '\"lower_bound\": ', '\"lower_bound\": -')" \
        "detail = replace(detail, '\"nodes\": ', '\"nodes\": x')" "fingerprint = 'another'" "mapping = ''"; do
        change_records run "UPDATE cells SET $change WHERE kind = 'proof'"
        starling map $layer --samples 30 --prove --prove-time 0 --out run
        grep -q ", 0 with their proofs" err || complain "expected a new proof after $change"
        same_run run whole
    done
}

@test "a space that proofs do not cover and constraints go together" {
    for space in paper paper10; do
        succeeds map conv:K=2,C=11,P=2,Q=8,R=4 --space $space --constraints output-stationary --prove=5 --samples 2 --json --quiet
        is_json starling.map/1
    done
    [ "$(json 'd["layers"][0]["lower_bound"], d["layers"][0]["space"]["lists"]')" = "(None, None)" ]
}
