#!/usr/bin/env bats
# starling tune: what it shows and leaves, that it goes on after any end to the same result.
# shellcheck disable=SC2154 # code comes from common.bash
load common

layer=conv:K=32,C=32,P=14,Q=14,R=3,S=3,pad=1

# value FILE EXPRESSION: of the JSON document d in a file
value() {
    python3 -c '
import json, sys
d = json.load(open(sys.argv[1], encoding="utf-8"))
print(eval(sys.argv[2]))' "$1" "$2"
}

# same_results A B: two runs agree in all but times
same_results() {
    python3 - "$1" "$2" <<'PYTHON'
import json, sys
a, b = (json.load(open(folder + "/tune.json")) for folder in sys.argv[1:])
a.pop("speed"), b.pop("speed")
assert a == b, [k for k in a if a[k] != b[k]]
PYTHON
    cmp "$1/tune.txt" "$2/tune.txt"
    cmp "$1/tune.html" "$2/tune.html"
    cmp "$1/curves.svg" "$2/curves.svg"
    diff -r "$1/schedules" "$2/schedules"
    diff -r "$1/programs" "$2/programs"
}

@test "a layer on VTA: schedule, cycles, distance to the proven optimum, files" {
    succeeds tune "$layer" -m random --budget 40 --out run --quiet
    is_narrow
    says "conv on vta 1x16x16" "vta 1x16x16, 64-bit bus, tsim at 100 MHz" "random, 40 measurements, seed 1" \
        "cycles" "above best" "tile_h" "images        " "per second" "speed-up      " "untuned: " "Core 1x16x16" "480 KiB"
    cmp out run/tune.txt
    for file in tune.html tune.json run.json curves.svg log.jsonl; do [ -s "run/$file" ]; done
    [ "$(wc -l <run/log.jsonl)" -eq 41 ]
    grep -q "tile_b=1 tile_h=" run/schedules/conv.txt
    grep -q "gemm" run/programs/conv.vta
    grep -q "</svg>" run/curves.svg
}

# page_of DIR: DIR/tune.html is well-formed, has nothing from elsewhere, and what it links to is there
page_of() {
    python3 - "$1" <<'PYTHON'
import os, sys
from html.parser import HTMLParser

class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.stack = []

    def handle_starttag(self, tag, attrs):
        assert tag not in ("script", "link", "img", "iframe"), tag
        for name, value in attrs:
            if name not in ("href", "src"):
                continue
            assert ":" not in value and not value.startswith("/"), value
            if not value.startswith("#"):
                assert os.path.exists(os.path.join(sys.argv[1], value)), value
        if tag != "meta":
            self.stack.append(tag)

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag, tag

page = Page()
text = open(sys.argv[1] + "/tune.html", encoding="utf-8").read()
page.feed(text)
assert not page.stack, page.stack
assert "@import" not in text and "url(" not in text
PYTHON
}

# shows DIR TEXT...: every text is somewhere in DIR/tune.html
shows() {
    local dir=$1 text
    shift
    for text in "$@"; do
        grep -qF -- "$text" "$dir/tune.html" || complain "expected on the page: $text"
    done
}

@test "the page has the setup, layers, curves, knobs, the core and links to the programs" {
    cat >mixed.yaml <<'YAML'
network: mixed
layers:
  - {name: "<first>", type: conv, K: 32, C: 32, P: 14, Q: 14, R: 3, S: 3, pad: 1}
  - {name: second, type: conv, K: 16, C: 16, P: 8, Q: 8}
  - {name: depth, type: dw, G: 16, P: 8, Q: 8, R: 3, S: 3}
YAML
    succeeds tune ./mixed.yaml -m random --budget 40 --resources z7020,dsp=256 --out run --quiet
    page_of run
    shows run "mixed on vta 1x16x16" "random, 40 measurements per layer, seed 1" "&lt;first&gt;" \
        '<td class="t">second</td>' "at 100 MHz" ">tile_h</th>" "optimal" \
        "the proven optimum" '<a href="programs/second.vta">' '<a href="log.jsonl">' \
        "Left out, and not in the sums: depth" "79 % of 140" "Core 1x16x16"
    if grep -qF '<first>' run/tune.html; then complain "expected escaped names"; fi
    # the picture is that of curves.svg, but for the style that all pictures of a page share, with the optimum as a line
    python3 -c '
import re
def plain(file):
    return re.sub(r"\s+", " ", re.sub(r"<style>.*?</style>", "", open(file).read(), flags=re.S))
assert plain("run/curves.svg") in plain("run/tune.html")'
    [ "$(grep -c ">optimum<" run/curves.svg)" -ge 1 ]
}

@test "the page of a layer that looks for a core, and of a network that does" {
    succeeds tune "$layer" -m random --budget 30 --hw search --optimum --out run --log far.jsonl --quiet
    page_of run
    core=$(value run/tune.json '"%dx%dx%d" % tuple(d["core"][k] for k in ("batch", "block_in", "block_out"))')
    shows run "on vta $core" ">block_in</th>" "what the core given needs" "far.jsonl"
    succeeds tune alexnet -m draft --budget 12 --hw search --cores 2 --optimum=off --out net --quiet
    page_of net
    shows net "drafted cycles" "the least sum wins" "Where the time goes"
}

@test "the JSON has the setup, every layer, resources and sums" {
    succeeds tune resnet18 -m random --budget 8 --optimum=off --skip-first --json
    is_json starling.tune/1
    [ ! -e starling-runs ]
    [ "$(json 'd["finished"], d["setup"]["method"], d["setup"]["budget"], len(d["layers"])')" = "(True, 'random', 8, 12)" ]
    [ "$(json 'd["layers"][0]["name"], d["layers"][0]["left_out"]')" = "('conv1', '--skip-first')" ]
    [ "$(json 'sum(l["count"] for l in d["layers"]), d["total"]["layers"]')" = "(21, 20)" ]
    [ "$(json 'd["total"]["measurements"], d["resources"]["macs"]')" = "(88, 256)" ]
    [ "$(json 'all(l["curve"][-1] == [8, l["best"]["cycles"]] for l in d["layers"][1:] if "best" in l)')" = True ]
    [ "$(json 'all(l["regret"] is None for l in d["layers"][1:] if "best" in l)')" = True ]
}

@test "the best of a layer is never below its optimum, and the oracle finds it" {
    succeeds tune "$layer" -m oracle --json
    [ "$(json 'd["layers"][0]["regret"], d["layers"][0]["optimum"]["proven"], d["layers"][0]["stopped"]')" = \
        "(0, True, 'space exhausted')" ]
    succeeds tune "$layer" -m random --budget 5 --json
    [ "$(json 'd["layers"][0]["best"]["cycles"] >= d["layers"][0]["optimum"]["cycles"]')" = True ]
}

@test "other cores, buses and profiles are other cycles" {
    succeeds tune "$layer" -m oracle --json
    json 'd["total"]["cycles"]' >usual
    succeeds tune "$layer" -m oracle --bus 256 --json
    [ "$(json 'd["total"]["cycles"]')" -lt "$(cat usual)" ]
    succeeds tune "$layer" -m oracle --core 1x32x32 --json
    [ "$(json 'd["total"]["cycles"]')" -lt "$(cat usual)" ]
    succeeds tune "$layer" -m oracle --profile pynq --json
    [ "$(json 'd["total"]["cycles"]')" -gt "$(cat usual)" ]
    [ "$(json 'd["total"]["seconds"] > d["total"]["cycles"] / 100e6')" = True ]
}

@test "a layer looks for a core within limits, together with its schedule" {
    succeeds tune "$layer" -m random --budget 30 --hw search --resources z7020,macs=128 --out run --quiet
    is_narrow
    says "1x16x16 or another core" "block_in" "z7020,macs=128"
    [ "$(value run/tune.json 'd["resources"]["macs"] <= 128, d["resources"]["fill"] <= 1')" = "(True, True)" ]
    [ "$(value run/tune.json '[d["core"][k] for k in ("batch", "block_in", "block_out")] == [d["layers"][0]["knobs"][k] for k in ("batch", "block_in", "block_out")]')" = True ]
}

@test "a network gets one core: the least sum of those that were tuned" {
    succeeds tune alexnet -m draft --budget 12 --hw search --cores 2 --optimum=off --out run --quiet
    is_narrow
    says "shared by 2 cores" "drafted cycles" "Alone, by the draft, the layers would take:"
    [ "$(value run/tune.json 'len([c for c in d["cores"] if c["cycles"]])')" = 2 ]
    [ "$(value run/tune.json 'd["total"]["cycles"] == min(c["cycles"] for c in d["cores"] if c["cycles"])')" = True ]
    [ "$(value run/tune.json 'd["resources"]["fill"] <= 1 and d["resources"]["macs"] <= 256')" = True ]
    [ "$(value run/tune.json 'all(l["measurements"] <= 6 for l in d["layers"])')" = True ]
}

@test "layers that the target cannot do are listed and left out" {
    cat >mixed.yaml <<'YAML'
network: mixed
layers:
  - {name: first, type: conv, K: 16, C: 16, P: 8, Q: 8}
  - {name: depth, type: dw, G: 16, P: 8, Q: 8, R: 3, S: 3}
YAML
    succeeds tune ./mixed.yaml -m grid --budget 10 --json
    [ "$(json 'd["total"]["layers"], "groups" in d["layers"][1]["left_out"]')" = "(1, True)" ]
    succeeds tune ./mixed.yaml -m grid --budget 10 --quiet
    says "Left out, and not in the sums: depth (the template has no groups"
    refuses 2 "nothing to tune: the template has no groups" tune mobilenet_v2:2 --target vta
}

@test "kill -9 and the same command again give the result of an uninterrupted run" {
    words="resnet18:conv3_2 -m ga --budget 300"
    # shellcheck disable=SC2086 # words
    succeeds tune $words --out whole --quiet
    # shellcheck disable=SC2086 # words
    "$STARLING" tune $words --out cut --quiet >/dev/null 2>&1 &
    pid=$!
    for _ in $(seq 2000); do
        [ ! -s cut/log.jsonl ] || break
        sleep 0.005
    done
    kill -9 $pid
    wait $pid || true
    [ ! -e cut/tune.json ]
    # a line that was cut short, wherever it was killed
    printf '{"task": "vta 1x16x16_i8w' >>cut/log.jsonl
    # shellcheck disable=SC2086 # words
    starling tune $words --out cut
    [ "$code" -eq 0 ]
    grep -q "more were in the log already" err
    same_results whole cut
    [ "$(wc -l <cut/log.jsonl)" -eq "$(wc -l <whole/log.jsonl)" ]
}

@test "a tuner that learns goes on to the same result as well" {
    words="$layer --budget 30 --set walkers=4,steps=4,hidden=8"
    # shellcheck disable=SC2086 # words
    succeeds tune $words --out whole --quiet
    mkdir cut
    cp whole/run.json cut/run.json
    sed -i 's/"finished": true/"finished": false/' cut/run.json
    head -c 5000 whole/log.jsonl >cut/log.jsonl
    # shellcheck disable=SC2086 # words
    succeeds tune $words --out cut --quiet
    same_results whole cut
    [ "$(value cut/tune.json '0 < d["speed"]["replayed"] < 30')" = True ]
}

@test "SIGTERM keeps the best so far; the same command goes on" {
    (echo "network: small" && echo "layers:" &&
        for k in $(seq 16 16 256); do echo "  - {name: k$k, type: conv, K: $k, C: 32, P: 12, Q: 12, R: 3, S: 3, pad: 1}"; done) >small.yaml
    words="./small.yaml -m ga --budget 300 --optimum=off"
    # shellcheck disable=SC2086 # words
    succeeds tune $words --out whole --quiet
    # shellcheck disable=SC2086 # words
    "$STARLING" tune $words --out cut -j1 >out 2>err &
    pid=$!
    for _ in $(seq 2000); do
        [ ! -s cut/log.jsonl ] || break
        sleep 0.005
    done
    kill -TERM $pid
    ended=0
    wait $pid || ended=$?
    [ "$ended" -eq 143 ]
    grep -q "INTERRUPTED" out
    grep -q "Rerun the command to resume from the log" err
    [ "$(value cut/tune.json 'd["finished"]')" = False ]
    # shellcheck disable=SC2086 # words
    succeeds tune $words --out cut --quiet
    same_results whole cut
}

@test "threads do not change the result" {
    succeeds tune alexnet -m random --budget 20 -j1 --out one --quiet
    succeeds tune alexnet -m random --budget 20 -j3 --out three --quiet
    same_results one three
}

@test "a finished run is shown again; another setup takes another folder" {
    succeeds tune "$layer" -m random --budget 10 --quiet
    cp out first
    dir=$(echo starling-runs/tune-vta-*)
    starling tune "$layer" -m random --budget 10
    [ "$code" -eq 0 ]
    cmp out first
    grep -q "Already finished" err
    succeeds tune "$layer" -m random --budget 10 --seed 2 --quiet
    [ -e "$dir-2/tune.json" ]
    refuses 2 "holds a run of another setup" tune "$layer" -m random --budget 11 --out "$dir"
    succeeds tune "$layer" -m random --budget 11 --out "$dir" --no-resume --quiet
    [ "$(wc -l <"$dir/log.jsonl")" -eq 12 ]
}

@test "a log of one's own is taken up by other runs, and taught to other layers" {
    succeeds tune "$layer" -m random --budget 30 --log my.jsonl --json
    [ "$(json 'd["speed"]["measured"], d["speed"]["replayed"]')" = "(30, 0)" ]
    cp out first
    succeeds tune "$layer" -m random --budget 30 --log my.jsonl --json
    [ "$(json 'd["speed"]["measured"], d["speed"]["replayed"]')" = "(0, 30)" ]
    succeeds tune "$layer" -m random --budget 40 --log my.jsonl --json
    [ "$(json 'd["speed"]["measured"], d["speed"]["replayed"]')" = "(10, 30)" ]
    succeeds tune conv:K=64,C=32,P=7,Q=7 -m autotvm --budget 70 --transfer my.jsonl --json
    [ "$(json 'd["setup"]["transfer"] is not None, d["layers"][0]["history"]')" = "(True, 40)" ]
    refuses 2 "--transfer: expected another file than --log" tune "$layer" --log my.jsonl --transfer my.jsonl
    echo "no log" >>my.jsonl
    refuses 2 "my.jsonl:42:1: " tune "$layer" -m random --budget 30 --log my.jsonl --json
    refuses 2 "none.jsonl: " tune "$layer" --transfer none.jsonl
}

@test "options of a tuner are set and checked" {
    succeeds tune "$layer" -m ga --budget 10 --set population=4 --json
    [ "$(json 'd["setup"]["options"]["population"]')" = 4 ]
    refuses 2 "--set: " tune "$layer" -m ga --set populaton=4
    refuses 2 "--set: expected NAME=VALUE" tune "$layer" -m ga --set population
}

@test "the cpu: a program that is built, checked and timed" {
    command -v cc >/dev/null || skip "no compiler"
    export XDG_CACHE_HOME=$PWD/cache
    succeeds tune conv:K=8,C=8,P=6,Q=6,R=3,S=3,pad=1 --target cpu -m random --budget 3 --out run --quiet
    is_narrow
    says "conv on this cpu" "fp32, 1 thread" "of peak" "GOP/s" "vector" "peak of one core"
    grep -q "int main" run/programs/conv.c
    page_of run
    shows run "conv on this cpu" "of the peak" ">vector</th>" '<a href="programs/conv.c">'
    [ "$(wc -l <run/log.jsonl)" -eq 4 ]
    [ "$(value run/tune.json 'd["layers"][0]["measurements"], d["layers"][0]["duelled"]')" = "(3, True)" ]
    [ "$(value run/tune.json 'd["layers"][0]["peak_share"] > 0, d["peak_gops"] > 0')" = "(True, True)" ]
}

@test "wrong options are told" {
    refuses 2 "expected a workload" tune
    refuses 2 "expected one workload" tune resnet18 vgg16
    refuses 2 "--evaluator: expected vta or cpu, got 'gpu'" tune resnet18 --target gpu
    refuses 2 "unknown method 'dcok' (did you mean 'dcoc'?)" tune resnet18 -m dcok
    refuses 2 "--core: core '16': expected BATCHxBLOCK_INxBLOCK_OUT" tune resnet18 --core 16
    refuses 2 "--core: core '3x16x16'" tune resnet18 --core 3x16x16
    refuses 2 "the bus has 64, 128, 256 or 512 bits" tune resnet18 --bus 100
    refuses 2 "--resources: " tune resnet18 --resources z7021
    refuses 2 "times the MAC of --resources" tune resnet18 --resources macs=128
    refuses 2 "--iso-resource: not together with --resources" tune resnet18 --iso-resource --resources z7020
    refuses 2 "--budget" tune resnet18 --budget -1
    refuses 2 "--budget: expected at least 1 measurement" tune resnet18 --budget 0
    refuses 2 "--hw search: does not apply to cpu" tune resnet18 --target cpu --hw search
    refuses 2 "expected --evaluator vta" tune resnet18 --target cpu --core 1x16x16
    refuses 2 "--optimum: measured times allow no proof" tune resnet18 --target cpu --optimum
    refuses 2 "unknown" tune resnet19
    refuses 3 "cannot make the folder" tune "$layer" --out /dev/null/here
    refuses 3 "cannot be written" tune "$layer" --log /dev/null/here --json
}
