#!/usr/bin/env bats
# starling map: what it shows, what it leaves, that it is the same every time, that it can be stopped.
# shellcheck disable=SC2154 # code comes from common.bash
load common

layer=conv:K=32,C=16,P=14,Q=14,R=3,S=3

# two layers that are the same, and two others
write_network() {
    cat >net.yaml <<'YAML'
network: mine
title: "a <b>bold</b> title"
layers:
  - {name: first, type: conv, K: 16, C: 3, H: 32, W: 32, R: 3, S: 3, pad: 1}
  - {name: "<mid>", type: conv, K: 16, C: 16, H: 32, W: 32, R: 3, S: 3, pad: 1}
  - {name: again, type: conv, K: 16, C: 16, H: 32, W: 32, R: 3, S: 3, pad: 1}
  - {name: last, type: linear, K: 10, C: 1024}
YAML
}

@test "one layer gets its loop nest, what binds it, and its curve" {
    succeeds map $layer --samples 60 --quiet
    is_narrow
    says "edp by marl, 60 samples, seed 1" "loop nest  " "DRAM" "least possible" "default mapping" \
        "bound by  " "space  " "agents" "of 60; stopped: samples" "curve  "
}

@test "a network gets a table of distinct layers and totals" {
    write_network
    succeeds map net.yaml --samples 40 --objective edp --quiet
    is_narrow
    says "edp by marl, 40 samples per layer" "bound by" "gain" "EDP" "least possible" "default mapping" \
        "with default mappings" "samples  120"
    grep -Eq '^<mid> .* 3x3 +2 ' out
    grep -Eq '^total .* MACs +4 ' out
}

@test "the JSON has every key, and its numbers agree with each other" {
    write_network
    succeeds map net.yaml --json --samples 60 --objective edp
    is_json starling.map/1
    python3 - <<'PYTHON'
import json, math
d = json.load(open("out", encoding="utf-8"))
for key in "accel objective method options seed space agents layers totals workload budget interrupted".split():
    assert key in d, key
assert d["objective"] == "edp" and d["method"] == "marl" and d["agents"] == "all" and d["options"]
assert [(l["name"], l["count"]) for l in d["layers"]] == [("first", 1), ("<mid>", 2), ("last", 1)]
assert [i["name"] for i in d["layers"][1]["instances"]] == ["<mid>", "again"]
for l in d["layers"]:
    assert l["objective_value"] == l["edp"] and math.isclose(l["edp"], l["latency_cycles"] * l["energy_pj"])
    assert l["area_um2"] > 0 and l["power_mw"] > 0 and 0 < l["utilisation"] <= 1 and l["binder"]
    assert l["floor_multiple"] >= 1 and l["gain"] >= 1 and l["samples"] == 60 and l["stopped"] == "samples"
    samples, best = zip(*l["curve"])
    assert list(samples) == sorted(samples) and list(best) == sorted(best, reverse=True)
    assert samples[-1] == 60 and math.isclose(best[-1], l["objective_value"], rel_tol=1e-14)
    assert "@" in l["mapping"] and l["assign_samples"] == l["warm_samples"] == 0
t = d["totals"]
for key in ("latency_cycles", "energy_pj"):
    assert math.isclose(t[key], sum(l[key] * l["count"] for l in d["layers"]))
assert math.isclose(t["edp"], t["latency_cycles"] * t["energy_pj"]) and t["objective_value"] == t["edp"]
assert t["samples"] == 180 and t["macs"] > 0 and t["floor_multiple"] >= 1 and t["gain"] >= 1
PYTHON
    [ ! -e starling-runs ]
}

@test "without an objective energy times delay is minimised, by a program its own value" {
    for words in "map $layer" "assign $layer --agents 2"; do
        # shellcheck disable=SC2086 # words
        succeeds $words --samples 40 --json
        mv out plain
        # shellcheck disable=SC2086 # words
        succeeds $words --samples 40 --json --objective edp
        cmp plain out
        [ "$(json 'd["objective"]')" = edp ]
    done
    cat >count.sh <<'SH'
while read -r line; do
    echo "$line" >>seen
    id=${line#*\"id\":}
    echo "{\"id\":${id%%,*},\"value\":7}"
done
SH
    succeeds map $layer --evaluator "bash count.sh" --samples 3 --json
    [ "$(json 'd["objective"]')" = latency ]
    grep -q '"objective":"latency"' seen
}

@test "objectives have their units, weights make products" {
    for pair in latency:latency_cycles energy:energy_pj edp:edp area:area_um2 power:power_mw; do
        succeeds map $layer --json --samples 30 --method local --objective "${pair%:*}"
        [ "$(json "d['layers'][0]['objective_value'] == d['layers'][0]['${pair#*:}']")" = True ]
    done
    succeeds map $layer --json --samples 30 --method local --objective latency=2,energy=1
    [ "$(json 'd["objective"], d["unit"]')" = "('latency=2,energy=1', '')" ]
    succeeds map $layer --samples 30 --method local --objective latency=2,energy=1 --quiet
    is_narrow
}

@test "the same seed gives the same bytes with 1 and 2 threads, printed and in files" {
    write_network
    for threads in 1 2; do
        succeeds map net.yaml --samples 100 --threads $threads --json
        cp out json$threads
        succeeds map net.yaml --samples 100 --threads $threads --out run$threads --quiet
        cp out text$threads
    done
    cmp json1 json2
    cmp text1 text2
    same_run run1 run2
    cmp json1 run1/map.json
    cmp text1 run1/map.txt
    succeeds map net.yaml --samples 100 --seed 2 --json
    if cmp -s json1 out; then complain "expected another result of another seed"; fi
}

@test "groups of agents and a warm start do not depend on threads, and their samples are counted apart" {
    write_network
    for threads in 1 2; do
        succeeds map net.yaml --samples 40 --agents 3 --dataset 100 --warm 20 --threads $threads --json
        cp out json$threads
    done
    cmp json1 json2
    [ "$(json '[(l["samples"], l["assign_samples"], l["warm_samples"], l["agents"]) for l in d["layers"][:2]]')" = \
        "[(40, 100, 20, 3), (40, 100, 20, 3)]" ]
    [ "$(json 'd["agents"], d["totals"]["samples"], d["totals"]["assign_samples"], d["totals"]["warm_samples"]')" = \
        "(3, 120, 300, 60)" ]
}

@test "a layer comes out the same alone and within a network" {
    write_network
    succeeds map net.yaml --samples 50 --json
    inside=$(json 'd["layers"][2]["mapping"], d["layers"][2]["curve"]')
    succeeds map net.yaml:last --samples 50 --json
    [ "$(json 'd["layers"][0]["mapping"], d["layers"][0]["curve"]')" = "$inside" ]
}

@test "every method, space and bundled dataflow maps a layer" {
    succeeds list methods --json
    methods=$(json '" ".join(m["name"] for m in d["methods"])')
    succeeds list constraints --json
    constraints=$(json '" ".join(c["name"] for c in d["constraints"])')
    for method in $methods; do
        budget=(--samples 50)
        if [ "$method" = exact ]; then budget=(--prove=20); fi # it takes no samples
        if [ "$method" = draft ]; then budget=(--samples 9); fi # it thinks for long
        if [ "$method" = oracle ]; then
            refuses 2 "oracle: it needs a lower bound of every point" map $layer --method oracle
            continue
        fi
        if [ "$method" = flock ]; then # taught before, on other layers
            succeeds learn mlp --tasks 0 --evaluator native --samples 10 --rounds 0 --critic trees=20 \
                --quiet --out taught
            budget=(--samples 5 --flock taught)
        fi
        succeeds map $layer --method "$method" "${budget[@]}" --json --quiet
        [ "$(json 'd["method"], d["layers"][0]["floor_multiple"] >= 1')" = "('$method', True)" ]
    done
    for space in native all paper paper10; do
        succeeds map $layer --method local --space $space --samples 50 --json
        [ "$(json 'd["space"]["preset"], d["layers"][0]["floor_multiple"] >= 1')" = "('$space', True)" ]
    done
    for name in $constraints; do
        succeeds map $layer --method local --constraints "$name" --samples 50 --json
        [ "$(json 'd["space"]["constraints"], d["layers"][0]["floor_multiple"] >= 1')" = "('$name', True)" ]
    done
}

@test "every bundled accelerator is mapped onto" {
    for accel in eyeriss flex256 flex1024 gamma168 gamma1024 golden nvdla tpu gemmini simba; do
        for what in $layer dw:G=32,P=14,Q=14,R=3,S=3 gemm:M=64,N=64,K=64; do
            succeeds map "$what" --accel $accel --samples 20 --json
            [ "$(json 'd["layers"][0]["floor_multiple"] >= 1')" = True ]
        done
    done
}

@test "layers of all sizes are mapped" {
    for what in conv:K=1,C=1 conv:K=7,C=13,P=11,Q=5,R=3,S=1 linear:K=1000,C=512 \
        gemm:M=1048576,N=1024,K=1024 bmm:B=12,M=64,N=64,K=64 conv:K=8,C=8,P=9,Q=9,R=3,S=3,stride=2; do
        succeeds map $what --samples 40 --json
        [ "$(json 'd["layers"][0]["floor_multiple"] >= 1')" = True ]
    done
}

@test "budgets: a target stops early, time stops a run without a limit of samples" {
    succeeds map $layer --target 100000 --json
    [ "$(json 'd["layers"][0]["stopped"], d["layers"][0]["samples"]')" = "('target', 1)" ]
    succeeds map $layer --time 0.3 --method local --json
    [ "$(json 'd["layers"][0]["stopped"], d["budget"]["samples"]')" = "('seconds', None)" ]
    succeeds map $layer --time 100 --samples 25 --json
    [ "$(json 'd["layers"][0]["stopped"], d["layers"][0]["samples"]')" = "('samples', 25)" ]
}

@test "the run directory has every form, and eval reads it back to the same costs" {
    write_network
    sed 's/port: 16 /port: 9 /' "$SL_SOURCE_DIR/data/accels/eyeriss.yaml" >mine.yaml
    succeeds map net.yaml --accel mine.yaml --samples 50 --out run --quiet
    rm mine.yaml net.yaml
    for file in map.html map.txt map.json layers.csv accel.yaml run.json mappings/first.yaml; do
        [ -s run/$file ]
    done
    cp run/map.json out
    numbers='d["totals"]["latency_cycles"], d["totals"]["energy_pj"]'
    found=$(json "$numbers")
    last=$(json 'd["layers"][2]["latency_cycles"], d["layers"][2]["energy_pj"]')
    succeeds eval run --json
    [ "$(json "$numbers")" = "$found" ]
    [ "$(json '[l["name"] for l in d["layers"]], d["mapping_from"]')" = \
        "(['first', '<mid>', 'again', 'last'], 'run')" ]
    succeeds eval run:last --json
    [ "$(json "$numbers")" = "$last" ]
    succeeds eval ./run
    says "those of the run ./run"
    succeeds eval linear:K=10,C=1024 --accel run/accel.yaml --mapping run/mappings/last.yaml --json
    [ "$(json "$numbers")" = "$last" ]
    succeeds eval --nests run/layers.csv --csv --accel run/accel.yaml
    python3 "$SL_SOURCE_DIR/tests/cli/same_columns.py" run/layers.csv out

    # names that mean something else go first; ./NAME is the folder
    cp -r run resnet18
    cp -r run conv
    succeeds eval resnet18
    says "default mapping of every layer"
    succeeds eval conv:K=4,C=4
    says "default mapping"
    succeeds eval ./resnet18
    says "those of the run ./resnet18"

    refuses 2 "run is a run of 'starling map' with its own batch" eval run --batch 2
    refuses 2 "run has no layer 'nosuch'" eval run:nosuch
    sed -i 's/"starling.map.1"/"other"/' run/map.json
    refuses 2 "run/map.json:2:" eval run
}

@test "without --out runs go to starling-runs, each to a folder of its own" {
    write_network
    succeeds map net.yaml --samples 20 --quiet
    succeeds map net.yaml --samples 20 --quiet
    succeeds map net.yaml --samples 21 --quiet
    succeeds map net.yaml:last --samples 20 --quiet
    [ "$(cd starling-runs && echo *)" = "mine mine-2 mine_last" ]
    starling map net.yaml --samples 21
    grep -q "^3 of 3 layers taken from an earlier run in starling-runs/mine-2" err
    grep -q "^Written to starling-runs/mine-2: map.html" err
}

@test "Ctrl-C keeps the best so far, and the same command finishes the run" {
    write_network
    python3 - "$STARLING" <<'PYTHON'
import json, os, signal, subprocess, sys, time
command = [sys.argv[1], "map", "net.yaml", "--samples", "20000", "--method", "local", "--threads", "1", "--out", "run"]
def interrupt(number, seconds):  # so long after it has begun
    if os.path.exists("run/run.json"):
        os.remove("run/run.json")  # there again once the next run has begun
    run = subprocess.Popen(command + ["--no-resume"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not os.path.exists("run/run.json"):
        time.sleep(0.01)
    time.sleep(seconds)
    run.send_signal(number)
    return (*run.communicate(timeout=60), run.returncode)
for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
    # a fast build has ended before the longer ones, a slow one has hardly begun after the shorter
    for seconds in (0.3, 0.1, 0.03, 0.01, 0.06, 0.02, 0.2, 0.05):
        out, err, ended = interrupt(number, seconds)
        if ended != code:
            continue
        d = json.load(open("run/map.json", encoding="utf-8"))
        if d["layers"][2]["stopped"] == "interrupted":
            break
    assert ended == code, (ended, err)
    assert b"INTERRUPTED" in out and b"Interrupted: every layer has the best" in err
    assert d["interrupted"] and len(d["layers"]) == 3
    assert all(l["floor_multiple"] >= 1 and l["samples"] >= 1 for l in d["layers"])
    assert d["layers"][2]["stopped"] == "interrupted"
PYTHON
    succeeds map net.yaml --samples 20000 --method local --out run --quiet
    succeeds map net.yaml --samples 20000 --method local --out whole --quiet
    same_run run whole
}

@test "after kill -9 finished layers are kept, and the result is that of a whole run" {
    write_network
    python3 - "$STARLING" <<'PYTHON'
import os, signal, sqlite3, subprocess, sys, time
run = subprocess.Popen([sys.argv[1], "map", "net.yaml", "--samples", "20000", "--method", "local", "--threads", "1",
                        "--out", "run", "--quiet"], stdout=subprocess.DEVNULL)
def finished():
    try:
        return sqlite3.connect("file:run/records.db?mode=ro", uri=True).execute("SELECT count(*) FROM cells").fetchone()[0]
    except sqlite3.Error:  # not there yet
        return 0
while not finished():
    time.sleep(0.005)
run.send_signal(signal.SIGKILL)
run.wait()
assert not os.path.exists("run/map.json")
PYTHON
    starling map net.yaml --samples 20000 --method local --out run
    [ "$code" -eq 0 ]
    grep -Eq "^[12] of 3 layers taken from an earlier run in run" err
    succeeds map net.yaml --samples 20000 --method local --out whole --quiet
    same_run run whole
}

@test "records of other runs, and broken ones, are not taken" {
    write_network
    succeeds map net.yaml --samples 30 --out run --quiet
    cp -r run whole
    for change in "fingerprint = 'another'" "mapping = 'K:1'" "stopped = 'sure'" "found_at = samples + 1" \
        "detail = '{'" "detail = '{\"failures\": -1}'" "reason = 'broken'"; do
        change_records run "UPDATE cells SET $change WHERE layer = 'first'"
        starling map net.yaml --samples 30 --out run
        grep -q "^2 of 3 layers taken" err || complain "expected one layer to be mapped again after $change"
        same_run run whole
    done
    starling map net.yaml --samples 30 --out run --no-resume
    if grep -q "taken" err; then complain "expected every layer to be mapped again"; fi
    same_run run whole
    # a file that is none stays as it is
    echo mine >run/records.db
    refuses 2 "run/records.db: expected a store of records" map net.yaml --samples 30 --out run
    [ "$(cat run/records.db)" = mine ]
}

@test "a folder of another run is not overwritten unless asked" {
    write_network
    succeeds map net.yaml --samples 20 --out run --quiet
    cp -r run before
    for words in "net.yaml:last" "mlp" "net.yaml --accel nvdla" "net.yaml --objective latency" \
        "net.yaml --method local" "net.yaml --seed 2" "net.yaml --samples 21" "net.yaml --space paper"; do
        # shellcheck disable=SC2086 # words
        refuses 2 "run holds a run of another setup (map: workload mine, accel eyeriss, objective edp, " \
            map --samples 20 $words --out run
        grep -q "choose another folder by --out, or replace" err
        diff -r before run
    done
    # the same run is taken up, with its proofs
    starling map net.yaml --samples 20 --out run
    grep -q "^3 of 3 layers taken from an earlier run in run" err
    same_run before run
    succeeds map net.yaml --samples 20 --out run --prove=50 --quiet
    # replaced: nothing of the other run stays
    succeeds map net.yaml:last --samples 20 --out run --no-resume --quiet
    succeeds map net.yaml:last --samples 20 --out fresh --quiet
    rmdir run/certificates
    same_run fresh run
}

@test "a folder of another command is not overwritten" {
    succeeds train --episodes 2 --trials 2 --out run --quiet
    cp -r run before
    refuses 2 "run holds a run of another setup (train: env tag, " map $layer --samples 20 --out run
    diff -r before run
}

@test "half-written files of killed runs go when the run is taken up again" {
    write_network
    succeeds map net.yaml --samples 20 --prove=50 --out run --quiet
    cp -r run whole
    for file in map.json mappings/last.yaml certificates/last.cert; do
        echo half >"run/$file.4711-0.tmp"
    done
    echo mine >run/mappings/notes.tmp
    echo mine >run/mappings/notes.1-a.tmp
    succeeds map net.yaml --samples 20 --prove=50 --out run --quiet
    [ "$(find run -name '*.tmp' | sort | xargs)" = "run/mappings/notes.1-a.tmp run/mappings/notes.tmp" ]
    rm run/mappings/notes*
    same_run run whole
}

@test "a folder in which another process works is left alone" {
    write_network
    "$STARLING" map net.yaml --samples 1000000000 --out run --quiet >/dev/null 2>&1 &
    pid=$!
    for _ in $(seq 2000); do
        [ ! -e run/run.json ] || break
        sleep 0.01
    done
    echo half >run/map.json.4711-0.tmp
    code=0
    timeout -s KILL 30 "$STARLING" map net.yaml --samples 1000000000 --out run >out 2>err || code=$?
    kill -9 $pid
    wait $pid || true
    [ "$code" -eq 2 ] || complain "expected exit code 2"
    grep -q "another process works in run" err || complain "expected who works there"
    [ -e run/map.json.4711-0.tmp ]
}

@test "the page is self-contained, well-formed and escapes names" {
    write_network
    succeeds map net.yaml --samples 30 --out run --quiet
    grep -q '&lt;mid&gt;' run/map.html
    if grep -q '<mid>' run/map.html; then complain "expected escaped names"; fi
    python3 - <<'PYTHON'
from html.parser import HTMLParser

class Page(HTMLParser):
    open, tags = [], set()
    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        assert not any(name == "src" or name == "href" and to[0] != "#" for name, to in attributes), (tag, attributes)
        if tag != "meta":
            self.open.append(tag)
    def handle_startendtag(self, tag, attributes):
        self.tags.add(tag)
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

page = Page()
page.feed(open("run/map.html", encoding="utf-8").read())
assert not page.open and "script" not in page.tags and {"table", "svg", "pre"} <= page.tags
PYTHON
}

@test "what no mapping can do ends at once with the inequality" {
    eyeriss=$SL_SOURCE_DIR/data/accels/eyeriss.yaml
    sed 's/capacity: 512/capacity: 2/' "$eyeriss" >small.yaml
    refuses 2 "conv on eyeriss: L1 needs 3 B (W 1, I 1, O 1), has 2 B" map $layer --accel small.yaml
    sed 's/port: 16 /port: 0 /' "$eyeriss" >slow.yaml
    refuses 2 "slow.yaml:" map $layer --accel slow.yaml
    printf 'constraints: none\nrules:\n  - {level: L1, tiles: {K: 32, C: 16, P: 14, Q: 14}}\n' >none.yaml
    refuses 2 "conv on eyeriss: L1 needs 9,920 B (W 512, I 3,136, O 6,272), has 512 B" \
        map $layer --constraints none.yaml
    refuses 2 "conv on simba: the paper space needs two" map $layer --accel simba --space paper
    [ ! -e starling-runs ]
}

@test "a search that finds nothing that fits says so" {
    large=conv:K=512,C=512,P=56,Q=56,R=3,S=3
    refuses 2 "none of 3 samples fits eyeriss; use --illegal repair or --start default" \
        map $large --method random --space paper --illegal penalty --start none --samples 3 --quiet
    succeeds map $large --method random --space paper --illegal penalty --samples 3 --json
    succeeds map $large --method random --space paper --start none --samples 3 --json
}

@test "options that are wrong get a sentence" {
    refuses 2 "expected a workload, such as 'starling map mobilenet_v2'" map
    refuses 2 "expected one workload" map resnet18 resnet34
    refuses 2 "unknown method 'marle' (did you mean 'marl'?)" map $layer --method marle
    refuses 2 "--set: marl has no option 'critc' (did you mean 'critic'?)" map $layer --set critc=on
    refuses 2 "--set: expected NAME=VALUE" map $layer --set critic
    refuses 2 "--set: critic: expected one of auto, on, off" map $layer --set critic=maybe
    refuses 2 "--critic: method random has no critic" map $layer --method random --critic on
    refuses 2 "--agents: random has no agents" map $layer --method random --agents 3
    refuses 2 "--agents: expected all or a number from 1" map $layer --agents 0
    refuses 2 "--warm: method random does not learn across layers" map $layer --method random --warm 10
    refuses 2 "--objective: " map $layer --objective speed
    refuses 2 "--target: there is no floor of area" map $layer --objective area --target 5
    refuses 2 "--open: expected dims out of NGKCPQRS, got 'XY'" map $layer --open XY
    refuses 2 "--space: expected one of native" map $layer --space papr
    refuses 2 "unknown constraints 'nvdla-stile' (did you mean 'nvdla-style'?)" map $layer --constraints nvdla-stile
    refuses 2 "--samples: expected a whole number" map $layer --samples many
    : >file
    refuses 3 "file: is not a folder" map $layer --out file
}

@test "options of the method reach it" {
    succeeds map $layer --samples 40 --set critic=off,batch=8 --json
    [ "$(json 'd["options"]["critic"], d["options"]["batch"]')" = "('off', 8)" ]
    succeeds map $layer --samples 40 --critic on --json
    [ "$(json 'd["options"]["critic"]')" = "on" ]
}
