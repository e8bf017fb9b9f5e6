#!/usr/bin/env bats
# starling eval of whole networks, and the files of --out.
# shellcheck disable=SC2154 # code comes from common.bash
load common

@test "a network gets a table with totals and a summary" {
    succeeds eval resnet18 --accel eyeriss
    is_narrow
    says "bound by" "conv5_down" "512x256 7x7 1x1 /2" "12 distinct" "inferences/s" "most time" \
        "most energy" "bound by  " "1.81 G"
    [ "$(grep -c '^ *[0-9][0-9]*  [a-z]' out)" -eq 21 ]
}

@test "every bundled network is priced and never below a floor" {
    for file in "$SL_SOURCE_DIR"/data/networks/*.yaml; do
        network=$(basename "$file" .yaml)
        succeeds eval "$network"
        is_narrow
        succeeds eval "$network" --json
        is_json starling.eval/1
        [ "$(json 'all(l["fits"] and l["floor_multiples"][o] >= 1 for l in d["layers"] for o in ("latency", "energy", "edp"))')" = True ]
        [ "$(json 'sum(l["counts"]["macs"] for l in d["layers"]) == d["totals"]["macs"]')" = True ]
    done
}

@test "results do not depend on the run or the number of threads" {
    succeeds eval mobilenet_v2 --json --threads 1
    cp out first
    for threads in 1 2 5 0; do
        succeeds eval mobilenet_v2 --json --threads $threads
        cmp first out
    done
}

@test "objectives choose the floor that is shown" {
    succeeds eval resnet18 --objective edp
    says "floor: edp over the least that any mapping needs"
    succeeds eval resnet18 --objective area
    is_narrow
    refuses 2 "expected one of latency, energy, edp, area, power, got 'speed'" \
        eval resnet18 --objective speed
}

@test "the CSV of a network is read back by --nests to the same numbers" {
    for accel in eyeriss simba; do
        succeeds eval resnet18 --csv --accel $accel
        cp out layers.csv
        [ "$(wc -l <layers.csv)" -eq 22 ]
        succeeds eval --nests layers.csv --csv --accel $accel
        python3 "$SL_SOURCE_DIR/tests/cli/same_columns.py" layers.csv out
    done
}

@test "a mapping is for one layer, so a network with one is refused" {
    refuses 2 "--mapping: expected one layer, resnet18 has 21; name one, such as resnet18:conv1" \
        eval resnet18 --mapping K:1
}

@test "--out leaves the report in every form and the mappings" {
    succeeds eval resnet18 --out some/where --quiet
    cmp out some/where/report.txt
    [ "$(find some/where/mappings -name '*.yaml' | wc -l)" -eq 21 ]
    cp some/where/report.json out
    is_json starling.eval/1
    cycles=$(json 'd["layers"][1]["latency_cycles"]')

    # a mapping that was written is one that can be given
    succeeds eval resnet18:conv2_1 --mapping some/where/mappings/conv2_1.yaml --json
    [ "$(json 'd["layers"][0]["latency_cycles"]')" -eq "$cycles" ]
    succeeds eval --nests some/where/layers.csv --csv --accel eyeriss
    python3 "$SL_SOURCE_DIR/tests/cli/same_columns.py" some/where/layers.csv out
}

@test "--out says on standard error what it wrote, unless --quiet" {
    starling eval resnet18 --out d
    [ "$code" -eq 0 ]
    grep -q "^Written to d: report.html" err
}

@test "the page is self-contained, well-formed and escapes names" {
    cat >net.yaml <<'YAML'
network: mine
title: "a <b>bold</b> & \"quoted\" title"
layers:
  - {name: "<script>", type: conv, K: 4, C: 4, P: 4, Q: 4, R: 3, S: 3}
  - {name: "../../etc", type: conv, K: 4, C: 4, P: 4, Q: 4, R: 1, S: 1}
YAML
    succeeds eval net.yaml --out page --quiet
    grep -q '&lt;script&gt;' page/report.html
    grep -q '&lt;b&gt;bold&lt;/b&gt; &amp; &quot;quoted&quot;' page/report.html
    python3 - <<'PYTHON'
from html.parser import HTMLParser

class Page(HTMLParser):
    open, tags = [], set()
    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        assert not any(name == "src" or name == "href" and value[0] != "#" for name, value in attributes), (tag, attributes)
        if tag != "meta":
            self.open.append(tag)
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

page = Page()
page.feed(open("page/report.html", encoding="utf-8").read())
assert not page.open and "script" not in page.tags and "table" in page.tags
PYTHON
    # names of files stay inside the folder
    [ "$(find . -name '*.yaml' | sort | tr '\n' ' ')" = \
        "./net.yaml ./page/mappings/_._.._etc.yaml ./page/mappings/_script_.yaml " ]
}

@test "layers whose names become the same file name get files of their own" {
    printf 'name,type,K,C\na/b,linear,2,2\na_b,linear,3,2\na;b,linear,4,2\n' >net.csv
    succeeds eval net.csv --out d --quiet
    [ "$(find d/mappings -name 'a_b*.yaml' | wc -l)" -eq 3 ]
}

@test "a batch is taken apart again in the table" {
    succeeds eval bert_base --batch 3
    is_narrow
    says "12*512x512x64" "--batch 3"
}

@test "a network of the user's own, and another folder" {
    cat >net.yaml <<'YAML'
network: mine
layers:
  - {name: first, type: conv, K: 16, C: 3, H: 32, W: 32, R: 3, S: 3, pad: 1}
  - {name: last, type: linear, K: 10, C: 1024}
YAML
    succeeds eval net.yaml --json
    cp out here
    mkdir deeper
    cd deeper
    succeeds eval ../net.yaml --json
    cmp ../here out
    succeeds eval ../net.yaml:last
    says "mine:last on eyeriss" "10,240 MACs"
}

@test "a depthwise layer of one channel has a shape" {
    printf 'layers:\n  - {name: thin, type: dw, G: 1, P: 8, Q: 8, R: 3, S: 3}\n  - {name: fc, type: linear, K: 10, C: 64}\n' >thin.yaml
    succeeds eval thin.yaml
    says "g1 8x8 3x3"
}

@test "no text of a table is a formula, and rates have no exponents" {
    printf 'name,type,K,C\n=1+1,linear,4,4\n-3.5,linear,5,4\n' >net.csv
    succeeds eval net.csv --csv
    grep -q "^1,'=1+1," out
    grep -q "^2,-3.5," out
    succeeds eval net.csv
    says "inferences/s"
    if grep -q "e+0" out; then complain "expected no exponent"; fi
}
