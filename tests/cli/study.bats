#!/usr/bin/env bats
# starling study: plans, runs that can be killed, reports, exports, merges.
# shellcheck disable=SC2154 # code comes from common.bash
load common

write_plan() {
    cat >mine.yaml <<'YAML'
study: mine
title: "a <b>small</b> comparison"
about: Two methods on two layers.
layers:
  - one: conv:K=16,C=8,P=14,Q=14,R=3,S=3
  - two: linear:K=64,C=128
objectives: [latency, edp]
samples: 120
seeds: 6
windows: 4
methods:
  - local
  - random
  - {name: plain flock, method: marl, set: {critic: "off"}}
reference: local
optimum: {gap: 0, nodes: 1000000}
show: [results, curves, boxes, targets, wins, returns, times]
YAML
}

@test "a study runs, reports and leaves its files" {
    write_plan
    succeeds study run mine.yaml --quiet
    is_narrow
    says "a <b>small</b> comparison" "one latency" "two edp" "plain flock"
    dir=starling-runs/study-mine
    for file in study.db report.html report.md; do [ -s $dir/$file ]; done
    ls $dir/figures/*.svg $dir/tables/*.csv
    # nothing comes from the network, and text is text
    if grep -Eq '(src|href)="?https?:' $dir/report.html; then complain "a link to the network"; fi
    if grep -q '<b>small</b>' $dir/report.html; then complain "unescaped"; fi
    grep -q '&lt;b&gt;small&lt;/b&gt;' $dir/report.html
}

@test "a plan pairs rows, and says what they cost" {
    write_plan
    sed -i -e 's/^windows: 4/stretch: 30\nfootprint: true/' -e 's/^show:.*/show: [factors, costs, returns]/' mine.yaml
    cat >>mine.yaml <<'YAML'
factors:
  - {what: chance, row: random, over: local}
  - {what: "no neighbours", row: plain flock, over: local}
YAML
    succeeds study run mine.yaml --quiet --out run
    is_narrow
    says "Factors and their sources" "chance" "stretches of 30" "Cost and result of every row"
    grep -q '^no neighbours,plain flock,local,' run/tables/factors-5.csv
    grep -q '^plain flock,15,' run/tables/costs.csv
    # rows that train nothing have no weights
    grep -q '^random,15,0,' run/tables/costs.csv
    sed -i 's/over: local}/over: locl}/' mine.yaml
    refuses 2 "unknown row 'locl' (did you mean 'local'?)" study run mine.yaml --out other
}

@test "records do not depend on threads, nor on being stopped and resumed" {
    write_plan
    succeeds study run mine.yaml --quiet --threads 1 --out a
    succeeds study run mine.yaml --quiet --threads 4 --out b
    succeeds study export a --no-times
    mv out a.csv
    succeeds study export b --no-times
    cmp out a.csv
    # a few cells, then the rest
    succeeds study run mine.yaml --quiet --seeds 2 --out c
    succeeds study run mine.yaml --quiet --out c
    succeeds study export c --no-times
    cmp out a.csv
}

@test "kill -9 loses at most the cells in flight" {
    write_plan
    sed -i 's/samples: 120/samples: 1500/' mine.yaml
    for pause in 0.3 0.7 0.2 1.1; do
        timeout -s KILL $pause "$STARLING" study run mine.yaml --quiet --out killed || true
    done
    succeeds study run mine.yaml --quiet --out killed
    succeeds study run mine.yaml --quiet --out whole
    succeeds study export whole --no-times
    mv out whole.csv
    succeeds study export killed --no-times
    cmp out whole.csv
}

@test "Ctrl-C ends a study in good order, resume goes on" {
    write_plan
    sed -i 's/samples: 120/samples: 4000/' mine.yaml
    "$STARLING" study run mine.yaml --quiet --out run >out 2>err &
    pid=$!
    sleep 1
    kill -TERM $pid || true # done in a fast build
    code=0
    wait $pid || code=$?
    [ "$code" -eq 143 ] || [ "$code" -eq 0 ] # done before the signal came
    succeeds study resume run --quiet
    succeeds study report run --json --quiet
    is_json starling.study/1
    python3 - <<'PYTHON'
import json
d = json.load(open("out", encoding="utf-8"))
assert d["missing"] == 0 and d["broken"] == 0 and d["reference"] == "local"
assert len(d["tasks"]) == 4 and len(d["rows"]) == 3 and len(d["cells"]) == 12
for cell in d["cells"]:
    for at in cell["checkpoints"]:
        assert at["n"] == 6 and at["low_quartile"] <= at["median"] <= at["high_quartile"]
        assert at["over_optimum"] >= 1 - 1e-9
PYTHON
}

@test "a cell is what starling map finds with the same seed" {
    write_plan
    succeeds study run mine.yaml --quiet --out run
    succeeds study export run --what curves
    mv out curves.csv
    succeeds map conv:K=16,C=8,P=14,Q=14,R=3,S=3 --objective edp --method local --samples 120 --seed 3 --start none --json
    python3 - <<'PYTHON'
import csv, json
rows = [r for r in csv.DictReader(open("curves.csv", encoding="utf-8")) if (r["task"], r["row"], r["seed"]) == ("one edp", "local", "3")]
curve = json.load(open("out", encoding="utf-8"))["layers"][0]["curve"]
assert [(int(r["sample"]), float(r["best"])) for r in rows] == [(s, v) for s, v in curve]
PYTHON
}

@test "the title says what was run" {
    write_plan
    echo 'quick: {samples: 40, seeds: 2, methods: [local, random]}' >>mine.yaml
    succeeds study run mine.yaml --quick --quiet --out short
    says "a <b>small</b> comparison (quick: 40 samples, 2 seeds)"
    grep -q 'comparison (quick: 40 samples, 2 seeds)</title>' short/report.html
    succeeds study run mine.yaml --samples 50 --seeds 6 --quiet --out long
    says "a <b>small</b> comparison (50 samples, 6 seeds)"
    succeeds study list table3
    if head -n 1 out | grep -q "20,000"; then complain "a title that is wrong for the quick form"; fi
}

@test "a study that is not complete says so first and compares nothing" {
    write_plan
    echo 'notes: [local wins everywhere]' >>mine.yaml
    succeeds study run mine.yaml --quiet --out run
    says "In short." "Wins, ties and losses" "over local" "local wins everywhere"
    python3 -c '
import sqlite3
store = sqlite3.connect("run/study.db")
store.execute("delete from cells where key like \"run/%/local/6\"")
store.commit()'
    succeeds study report run --quiet
    sed -n 4p out | grep -q "^Not complete: 72 of 76 cells are done, 4 missing, 0 broken" || complain "expected it first"
    for words in "In short" "Wins, ties" "over local" "compared with" "local wins everywhere"; do
        if grep -q "$words" out run/report.md; then complain "expected no conclusion: $words"; fi
    done
    succeeds study resume run --quiet
    says "In short." "All 76 cells are done"
}

@test "two studies become one" {
    write_plan
    succeeds study run mine.yaml --quiet --methods local,random --out a
    succeeds study run mine.yaml --quiet --methods "plain flock" --out b
    succeeds study merge a b --out both --quiet
    succeeds study export both --no-times
    mv out both.csv
    succeeds study run mine.yaml --quiet --out whole
    succeeds study export whole --no-times
    cmp out both.csv
    refuses 2 "nothing is overwritten" study merge a b --out both
    refuses 2 "two studies" study merge a --out c
}

@test "a merge that is refused leaves nothing, and what was there" {
    write_plan
    sed -i 's/samples: 120/samples: 5/; s/^optimum.*//' mine.yaml
    succeeds study run mine.yaml --quiet --seeds 2 --out a
    cp -r a b
    python3 -c '
import sqlite3
with sqlite3.connect("b/study.db") as store:
    store.execute("UPDATE cells SET fingerprint = ?", ("0123456789abcdef",))'
    mkdir empty mine
    for out in c deep/er/c deep/er/c/ empty empty/c mine; do
        refuses 2 "of different plans or versions" study merge a b --quiet --out $out
        refuses 2 "nowhere" study merge a nowhere --quiet --out $out
    done
    [ "$(echo *)" = "a b empty err mine mine.yaml out" ]
    [ -z "$(find empty mine -mindepth 1)" ]
}

@test "a cell that comes to nothing is a record with a reason, the others run" {
    cat >hard.yaml <<'YAML'
study: hard
title: Nearly nothing fits
layers:
  - wide: conv:K=512,C=512,P=28,Q=28,R=3,S=3
space: paper
illegal: penalty
samples: 3
seeds: 6
methods:
  - random
  - {name: patient, method: local, samples: 3000}
YAML
    succeeds study run hard.yaml --quiet --out hard
    says "patient"
    succeeds study report hard --json --quiet
    python3 - <<'PYTHON'
import json
d = json.load(open("out", encoding="utf-8"))
assert d["missing"] == 0 and 4 <= d["broken"] <= 6, d
assert [c["row"] for c in d["cells"] if c["checkpoints"][0]["n"] == 6] == ["patient"], d["cells"]
PYTHON
    succeeds study export hard
    grep -q 'none of 3 samples fits' out
}

@test "plans are listed and explained" {
    succeeds study list
    says table2 table3 fig4 fig5 fig5-maestro fig6 fig7 zoo estimates policies reuse
    succeeds study list table3
    says "VGG16 edp" "marl-paper" "20,000" "samples" "starling study run table3"
    succeeds study list --json
    is_json starling.plans/1
}

@test "what is wrong is said in one sentence" {
    refuses 2 "study: expected list, run, resume, report, export or merge; see 'starling study --help'" study
    refuses 2 "did you mean 'run'" study rum table3
    refuses 2 "expected one plan" study run
    refuses 2 "did you mean 'table3'" study run tabel3
    refuses 2 "nowhere" study resume nowhere
    refuses 2 "/dev/null" study report /dev/null
    echo "not a database, but long enough to look like one" >x.db
    refuses 2 "x.db" study report x.db
    write_plan
    sed 's/- random/- randon/' mine.yaml >bad.yaml
    refuses 2 "did you mean 'random'" study run bad.yaml --quiet
    grep -q 'bad.yaml:13' err
    sed 's/samples: 120/samples: many/' mine.yaml >bad.yaml
    refuses 2 "bad.yaml:8" study run bad.yaml --quiet
    succeeds study run mine.yaml --quiet --out here
    sed 's/study: mine/study: other/' mine.yaml >other.yaml
    refuses 2 "holds the study 'mine'" study run other.yaml --quiet --out here
}

# a program that is fast and leaves a line per request
write_program() {
    cat >price.py <<'PYTHON'
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    print("asked", file=open("asked.txt", "a"))
    words = sum(loop["trips"] * (place + 1) for place, loop in enumerate(request["loops"]))
    print(json.dumps({"id": request["id"], "value": 1 + words}), flush=True)
PYTHON
    cat >priced.yaml <<'YAML'
study: priced
layers: ["conv:K=16,C=4", "linear:K=8,C=4"]
evaluator: python3 price.py
samples: 6
seeds: 2
methods: [random, marl]
quick: {samples: 3, seeds: 1}
YAML
}

@test "a program prices the mappings of a plan; what is done is not asked again" {
    write_program
    succeeds study run priced.yaml --quiet --threads 2 --out a
    says "python3 price.py"
    before=$(wc -l <asked.txt)
    succeeds study run priced.yaml --quiet --out a
    [ "$(wc -l <asked.txt)" -eq "$before" ]
    succeeds study run priced.yaml --quiet --threads 1 --out b
    succeeds study export a --no-times
    first=$output
    succeeds study export b --no-times
    [ "$first" = "$output" ]
    # another program is another study of the same plan
    sed 's/"value": 1/"value": 2/' price.py >other.py
    succeeds study run priced.yaml --quick --quiet --evaluator "python3 other.py" --out c
    says "python3 other.py"
}

@test "a plan whose program is missing ends with a sentence" {
    write_program
    refuses 2 "./no-such-program: the evaluator ended with code 127" \
        study run priced.yaml --quiet --evaluator ./no-such-program --out d
    refuses 2 "'vta' evaluates no mappings" study run priced.yaml --quiet --evaluator vta --out e
}
