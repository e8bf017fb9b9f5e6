#!/usr/bin/env bats
# starling assign: parameters of a layer grouped into agents.
load common

@test "a layer gives its correlations, its tree and its agents" {
    succeeds assign resnet18:conv2_1 --samples 400
    says "conv2_1 on eyeriss: 15 parameters of the native space, 3 agents" \
        "400 samples by random, of which the best 15 % (60) by edp enter the correlations, as" \
        "Correlations, in the order of the tree" "The tree, and where it is cut into agents" \
        "distance between rows of the matrix, objective included, ward linkage" "The last merge is at height" \
        "of it." "Agents and their parameters"
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
        "(300, 60, 'rows+objective', 'ward', 4)" ]
    [ "$(json 'sorted({p["agent"] for p in d["parameters"]})')" = "[1, 2, 3, 4]" ]
    [ "$(json 'sorted(d["parameters"][0])')" = "['agent', 'kind', 'name', 'objective', 'values']" ]
    [ "$(json 'len(d["parameters"]) == len(d["correlation"]) == len(d["merges"]) + 1 == len(d["leaves"])')" = True ]
    [ "$(json 'all(row[i] == 1 and all(-1 <= r <= 1 for r in row) for i, row in enumerate(d["correlation"]))')" = True ]
    [ "$(json 'all(d["correlation"][i][j] == d["correlation"][j][i] for i in range(15) for j in range(15))')" = True ]
    # r with the objective is in the table and in the list; heights are shares of the top too
    [ "$(json '[p["objective"] for p in d["parameters"]] == d["objective_correlation"]')" = True ]
    [ "$(json 'd["top"] == d["merges"][-1][2], abs(d["cut_percent"] - 100 * d["cut"] / d["top"]) < 1e-9')" = "(True, True)" ]
    [ "$(json 'd["evaluator"], d["points"], d["threshold"]')" = "('native', 'repaired', None)" ]
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
    for words in "--space paper" "--space paper10" "--policy local" "--policy ga" "--policy ppo" \
        "--metric 1-|r|" "--metric rows" "--points proposed" \
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
assignment.yaml
dendrogram.svg
matrix.svg
parameters.csv" ]
    cmp out made/here/assign.txt
    python3 -c '
import json, xml.dom.minidom
json.load(open("made/here/assign.json", encoding="utf-8"))
for name, texts in (("matrix", 16 * 16), ("dendrogram", 15)):
    svg = xml.dom.minidom.parse(f"made/here/{name}.svg").documentElement
    assert svg.tagName == "svg" and svg.getAttribute("viewBox"), name
    words = [t.firstChild.data for t in svg.getElementsByTagName("text")]
    assert len(words) > texts and "L2 cluster" in words, name
    assert "conv2_1" in words[0], words[0]
page = open("made/here/assign.html", encoding="utf-8").read()
assert page.count("<figure") == 2 and "····" not in page
found = json.load(open("made/here/assign.json", encoding="utf-8"))["parameters"]
lines = open("made/here/parameters.csv", encoding="utf-8").read().splitlines()
assert lines[0] == "name,kind,values,agent,objective" and len(lines) == 16
assert [line.rsplit(",", 1)[0] for line in lines[1:]] == [",".join(str(p[k]) for k in ("name", "kind", "values", "agent")) for p in found]
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
    refuses 2 "--policy: unknown method 'loca' (did you mean 'local'?)" assign resnet18:conv2_1 --policy loca
    refuses 2 "oracle cannot collect samples: it needs a lower bound of every point" assign resnet18:conv2_1 --policy oracle
    refuses 2 "flock cannot collect samples: it needs a flock" assign resnet18:conv2_1 --policy flock
    refuses 2 "the best 0.1 % of 2000 samples leave 2 with a value, and correlations need at least 3" \
        assign resnet18:conv2_1 --share 0.1
    refuses 2 "the best 15 % of 5 samples leave 1 with a value" assign resnet18:conv2_1 --samples 5
    refuses 2 "--agents: does not apply to --threshold" assign resnet18:conv2_1 --agents 4 --threshold 1
    refuses 2 "--threshold: expected a height above 0, or a share of the tree's height such as 40%, got '0'" \
        assign resnet18:conv2_1 --threshold 0
    refuses 2 "got '120%'" assign resnet18:conv2_1 --threshold 120%
    refuses 2 "--evaluator: vta measures programs, not mappings" assign resnet18:conv2_1 --evaluator vta
    refuses 2 "--points" assign resnet18:conv2_1 --points raw
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

@test "evaluators of mappings price the dataset" {
    succeeds assign resnet18:conv2_1 --accel gamma168 --samples 100 --json
    cp out native
    succeeds assign resnet18:conv2_1 --accel gamma168 --samples 100 --evaluator maestro --json
    [ "$(json 'd["evaluator"], d["samples"], d["constraints"]')" = "('maestro', 100, None)" ]
    ! cmp -s native out || complain "expected other correlations"
    succeeds assign resnet18:conv2_1 --samples 30 --json \
        --evaluator "python3 $SL_SOURCE_DIR/examples/evaluators/minimal.py"
    [ "$(json 'd["samples"], d["rows"]')" = "(30, 5)" ]
    refuses 2 "no-such-program" assign resnet18:conv2_1 --samples 30 --evaluator ./no-such-program
}

@test "a height cuts into as many agents as are left below it, a share of the top the same" {
    succeeds assign resnet18:conv2_1 --samples 300 --agents 5 --json
    cut=$(json 'd["cut"]')
    percent=$(json 'd["cut_percent"]')
    cp out five
    for threshold in "$cut" "$percent%"; do
        succeeds assign resnet18:conv2_1 --samples 300 --threshold "$threshold" --json
        [ "$(json 'd["agents"]')" -eq 5 ]
        [ "$(json '[p["agent"] for p in d["parameters"]]')" = \
            "$(python3 -c 'import json; print([p["agent"] for p in json.load(open("five"))["parameters"]])')" ]
    done
    [ "$(json 'abs(d["threshold_percent"] - d["cut_percent"]) < 1e-9, d["threshold"]')" = "(True, None)" ]
    succeeds assign resnet18:conv2_1 --samples 300 --threshold 100% --json
    [ "$(json 'd["agents"], d["cut"]')" = "(1, None)" ]
    succeeds assign resnet18:conv2_1 --samples 300 --threshold 0.01 --json
    [ "$(json 'd["agents"]')" -eq 15 ]
}

@test "map takes agents by number, by height, from any policy and from a file" {
    succeeds map resnet18:conv2_1 --samples 20 --agents 3 --dataset 60 --assign-policy ga --json
    [ "$(json 'd["agents"], d["assignment"]["policy"], d["assignment"]["samples"], d["layers"][0]["assign_samples"]')" = \
        "(3, 'ga', 60, 60)" ]
    cp out by-ga
    succeeds map resnet18:conv2_1 --samples 20 --agents 3 --dataset 60 --json
    ! cmp -s by-ga out || complain "expected another document"
    succeeds map resnet18:conv2_1 --samples 20 --threshold 60% --dataset 60 --json
    [ "$(json 'd["agents"], d["assignment"]["threshold_percent"], 1 < d["layers"][0]["agents"] < 15')" = "('assigned', 60, True)" ]

    # the same agents by the file: the same search, and nothing is counted again
    "$STARLING" assign resnet18:conv2_1 --samples 60 --agents 3 --out made >out 2>err
    succeeds map resnet18:conv2_1 --samples 20 --agents 3 --dataset 60 --json
    found=$(json 'd["layers"][0]["mapping"], d["layers"][0]["curve"]')
    succeeds map resnet18:conv2_1 --samples 20 --assignment made --json
    [ "$(json 'd["layers"][0]["mapping"], d["layers"][0]["curve"]')" = "$found" ]
    [ "$(json 'd["agents"], d["layers"][0]["agents"], d["layers"][0]["assign_samples"], d["totals"]["assign_samples"]')" = \
        "('assigned', 3, 0, 0)" ]
    [ "$(json 'd["assignment"]["file"]["path"], d["assignment"]["file"]["layer"], d["assignment"]["counted"], d["assignment"]["samples"]')" = \
        "('made/assignment.yaml', 'conv2_1', False, 60)" ]
    succeeds map resnet18:conv2_1 --samples 20 --assignment made/assignment.yaml --quiet --out run
    tr -s ' \n' ' ' <out >flat
    grep -qF "agents of made/assignment.yaml (conv2_1 on eyeriss, by 60 samples of random, not counted here)" flat
    # a whole network, depth-wise layers too
    succeeds map mobilenet_v2 --samples 5 --assignment made --json
    [ "$(json 'sorted({l["agents"] for l in d["layers"]})')" = "[3]" ]
}

@test "what map is told about agents has to make sense" {
    "$STARLING" assign resnet18:conv2_1 --samples 60 --agents 3 --out made >out 2>err
    refuses 2 "--agents: expected all or a number from 1 to 15, the parameters of conv2_1, got '16'" \
        map resnet18:conv2_1 --agents 16
    refuses 2 "the most parameters of a layer of resnet18, got '20'" map resnet18 --agents 20
    refuses 2 "--agents: does not apply to --threshold" map resnet18:conv2_1 --agents 3 --threshold 1
    for words in "--agents 3" "--threshold 1" "--dataset 100" "--assign-policy ga"; do
        # shellcheck disable=SC2086 # words
        refuses 2 "does not apply to --assignment" map resnet18:conv2_1 --assignment made $words
    done
    refuses 2 "--assign-policy: does not apply to --agents all" map resnet18:conv2_1 --assign-policy ga
    refuses 2 "--assign-policy: unknown method 'gaa'" map resnet18:conv2_1 --agents 3 --assign-policy gaa
    refuses 2 "oracle cannot collect samples" map resnet18:conv2_1 --agents 3 --assign-policy oracle --json
    refuses 2 "--threshold: local has no agents" map resnet18:conv2_1 --method local --threshold 1
    refuses 2 "--assignment: local has no agents" map resnet18:conv2_1 --method local --assignment made
    refuses 2 "nowhere: cannot open" map resnet18:conv2_1 --assignment nowhere
    printf 'assignment: 1\nagents:\n  - [L2 K, L2 K]\n' >twice.yaml
    refuses 2 "twice.yaml:3:" map resnet18:conv2_1 --assignment twice.yaml
    printf 'assignment: 1\nagents:\n  - [tile_h, tile_w]\n' >vta.yaml
    refuses 2 "vta.yaml: names none of the 15 parameters of conv2_1, such as 'L2 order'" \
        map resnet18:conv2_1 --assignment vta.yaml
}
