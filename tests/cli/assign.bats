#!/usr/bin/env bats
# starling assign: parameters of a layer grouped into agents.
load common

@test "a layer gives its correlations, its tree and its agents" {
    succeeds assign resnet18:conv2_1 --samples 400
    says "conv2_1 on eyeriss: 15 parameters of the native space, 3 agents" \
        "400 samples by random, of which the best 15 % (60) by latency enter the correlations." \
        "Correlations, in the order of the tree" "The tree, and where it is cut into agents" \
        "distance between rows of the matrix, ward linkage" "Agents and their parameters"
    is_narrow
    # three agents, numbered from 1, and every parameter once
    sed -n '/^Agents /,$p' out >agents
    [ "$(grep -cE '^agent [123]  ' agents)" -eq 3 ]
    for name in "L2 order" "L2 parallel" "L2 K" "L1 order" "L1 S" "L2 cluster"; do
        [ "$(grep -coE "$name(,|\$)" agents)" -eq 1 ] || complain "expected once: $name"
    done
}

@test "the document holds everything that was found" {
    succeeds assign mobilenet_v2:2 --agents 4 --samples 300 --share 20 --objective edp --json
    is_json starling.assign/1
    [ "$(json 'd["layer"]["name"], d["accel"]["name"], d["objective"], d["space"]')" = \
        "('block1_dw', 'eyeriss', 'edp', 'native')" ]
    [ "$(json 'd["samples"], d["rows"], d["metric"], d["linkage"], d["agents"]')" = \
        "(300, 60, 'rows', 'ward', 4)" ]
    [ "$(json 'sorted({p["agent"] for p in d["parameters"]})')" = "[1, 2, 3, 4]" ]
    [ "$(json 'sorted(d["parameters"][0])')" = "['agent', 'kind', 'name', 'values']" ]
    [ "$(json 'len(d["parameters"]) == len(d["correlation"]) == len(d["merges"]) + 1 == len(d["leaves"])')" = True ]
    [ "$(json 'all(row[i] == 1 and all(-1 <= r <= 1 for r in row) for i, row in enumerate(d["correlation"]))')" = True ]
    [ "$(json 'all(d["correlation"][i][j] == d["correlation"][j][i] for i in range(15) for j in range(15))')" = True ]
    # the merges make the agents: undo the last three
    [ "$(json '(lambda n, groups: [groups.__setitem__(n + i, groups.pop(int(m[0])) + groups.pop(int(m[1])))
        for i, m in enumerate(d["merges"][:n - 4])] and
        sorted(map(sorted, groups.values())) ==
        sorted([i for i, p in enumerate(d["parameters"]) if p["agent"] == a] for a in (1, 2, 3, 4)))(
        len(d["parameters"]), {i: [i] for i in range(len(d["parameters"]))})')" = True ]
}

@test "the same seed gives the same bytes, another seed others" {
    succeeds assign resnet18:conv2_1 --samples 300 --json
    cp out first
    succeeds assign resnet18:conv2_1 --samples 300 --json --seed 1
    cmp first out
    succeeds assign resnet18:conv2_1 --samples 300 --json --seed 2
    ! cmp -s first out || complain "expected other bytes"
}

@test "every space, policy, metric and linkage works" {
    for words in "--space paper" "--space paper10" "--policy local" "--metric 1-|r|" \
        "--linkage average" "--linkage complete" "--linkage single" "--agents all" "--agents 1" \
        "--share 100" "--objective latency=2,energy=1"; do
        # shellcheck disable=SC2086 # words
        succeeds assign resnet18:conv2_1 --samples 100 $words
        says "Agents and their parameters"
        is_narrow
    done
    succeeds assign resnet18:conv2_1 --samples 100 --metric '1-|r|' --linkage average
    says "distance 1 - |r|, average linkage"
    succeeds assign resnet18:conv2_1 --samples 100 --agents all
    says ", 15 agents" "agent 15  L2 cluster"
    succeeds assign resnet18:conv2_1 --samples 100 --agents 1
    says ", 1 agent" "The tree"
    ! grep -q "┊" out || complain "expected no cut"
}

@test "dims to open and constraints are those of map" {
    layer=resnet18:conv2_1
    succeeds assign $layer --samples 60 --json
    [ "$(json 'd["open"], d["constraints"], len(d["parameters"])')" = "('', None, 15)" ]
    cp out plain
    # R and S are tiled at L2 too
    succeeds assign $layer --samples 60 --open r,s --json
    [ "$(json 'd["open"], len(d["parameters"])')" = "('r,s', 17)" ]
    [ "$(json '{"L2 R", "L2 S"} <= {p["name"] for p in d["parameters"]}')" = True ]
    # both commands group the same parameters
    for words in "--open RS" "--constraints weight-stationary" "--space paper --constraints nvdla-style"; do
        # shellcheck disable=SC2086 # words
        succeeds assign $layer --samples 60 $words --json
        found=$(json '(d["open"], d["constraints"], len(d["parameters"]))')
        # shellcheck disable=SC2086 # words
        succeeds map $layer --samples 5 --method random $words --json
        [ "$(json '(d["space"]["open"], d["space"]["constraints"], d["layers"][0]["space"]["parameters"])')" = "$found" ]
    done
    succeeds assign $layer --samples 60 --constraints weight-stationary
    says "constraints  weight-stationary"
    # a tile that is fixed has one value
    printf 'constraints: mine\nrules:\n  - {level: L2, tiles: {K: 16}}\n' >mine.yaml
    succeeds assign $layer --samples 60 --constraints mine.yaml --json
    [ "$(json 'd["constraints"], [p["values"] for p in d["parameters"] if p["name"] == "L2 K"] in ([], [1])')" = \
        "('mine', True)" ]
    ! cmp -s plain out || complain "expected other correlations"
}

@test "layers of all kinds have an assignment" {
    for layer in mobilenet_v2:2 conv:K=1 gemm:M=512,N=768,K=768 bmm:B=12,M=64,N=64,K=64 \
        linear:K=1000,C=512 conv:K=7,C=11,P=13,Q=13,R=1,S=1,stride=2; do
        succeeds assign "$layer" --samples 60 --agents 2 --json
        [ "$(json 'max(p["agent"] for p in d["parameters"])')" -eq 2 ]
    done
}

@test "--out leaves two pictures, the report, the page, the document and its table" {
    "$STARLING" assign resnet18:conv2_1 --samples 100 --out made/here >out 2>err
    [ "$(ls made/here)" = "assign.html
assign.json
assign.txt
dendrogram.svg
matrix.svg
parameters.csv" ]
    cmp out made/here/assign.txt
    python3 -c '
import json, xml.dom.minidom
json.load(open("made/here/assign.json", encoding="utf-8"))
for name, texts in (("matrix", 15 * 15), ("dendrogram", 15)):
    svg = xml.dom.minidom.parse(f"made/here/{name}.svg").documentElement
    assert svg.tagName == "svg" and svg.getAttribute("viewBox"), name
    words = [t.firstChild.data for t in svg.getElementsByTagName("text")]
    assert len(words) > texts and "L2 cluster" in words, name
    assert "conv2_1" in words[0], words[0]
page = open("made/here/assign.html", encoding="utf-8").read()
assert page.count("<figure") == 2 and "····" not in page
found = json.load(open("made/here/assign.json", encoding="utf-8"))["parameters"]
lines = open("made/here/parameters.csv", encoding="utf-8").read().splitlines()
assert lines[0] == "name,kind,values,agent" and len(lines) == 16
assert lines[1:] == [",".join(str(p[k]) for k in ("name", "kind", "values", "agent")) for p in found]
'
    succeeds assign resnet18:conv2_1 --samples 100 --out made/here --quiet
    refuses 3 "cannot make the folder" assign resnet18:conv2_1 --samples 100 --out made/here/assign.txt/x
}

@test "what cannot be done is said in one sentence" {
    refuses 2 "expected a layer" assign
    refuses 2 "expected one layer" assign resnet18:1 resnet18:2
    refuses 2 "'resnet18' has 21 layers, and agents are assigned for one: pick it as in resnet18:2" \
        assign resnet18
    refuses 2 "--agents: expected all or a number from 1 to 15, the parameters of conv2_1, got '16'" \
        assign resnet18:conv2_1 --agents 16
    refuses 2 "got '0'" assign resnet18:conv2_1 --agents 0
    refuses 2 "got 'many'" assign resnet18:conv2_1 --agents many
    refuses 2 "--linkage" assign resnet18:conv2_1 --linkage wards
    refuses 2 "--metric" assign resnet18:conv2_1 --metric r
    refuses 2 "--objective" assign resnet18:conv2_1 --objective speed
    refuses 2 "--share" assign resnet18:conv2_1 --share 0
    refuses 2 "--share" assign resnet18:conv2_1 --share 101
    refuses 2 "--open: expected dims out of NGKCPQRS, got 'XY'" assign resnet18:conv2_1 --open XY
    refuses 2 "unknown constraints 'nvdla-stile' (did you mean 'nvdla-style'?)" \
        assign resnet18:conv2_1 --constraints nvdla-stile
    refuses 2 "none.yaml: cannot open" assign resnet18:conv2_1 --constraints none.yaml
    printf 'constraints: none\nrules:\n  - {level: L1, tiles: {K: 64, C: 64, P: 56, Q: 56}}\n' >none.yaml
    refuses 2 "conv2_1 on eyeriss: " assign resnet18:conv2_1 --constraints none.yaml
    refuses 2 "--samples" assign resnet18:conv2_1 --samples 1
    refuses 2 "eyeris" assign resnet18:conv2_1 --accel eyeris
}
