#!/usr/bin/env bats
# starling list.
load common

@test "list networks names every bundled network with its size" {
    succeeds list networks
    is_narrow
    for file in "$SL_SOURCE_DIR"/data/networks/*.yaml; do
        grep -q "^$(basename "$file" .yaml) " out
    done
    # published: 1,814,073,344 MACs
    grep -Eq '^resnet18 +21 +12 +1\.81 G ' out
}

@test "list networks NAME shows its layers" {
    succeeds list networks resnet18
    is_narrow
    says "ResNet-18" "conv2_1" "conv K=64 C=64 P=56 Q=56 R=3 S=3 pad=1" "fc" "linear K=1000 C=512"
    [ "$(grep -c '^ *[0-9]' out)" -eq 21 ]
}

@test "list accels names every bundled accelerator" {
    succeeds list accels
    is_narrow
    for file in "$SL_SOURCE_DIR"/data/accels/*.yaml; do
        grep -q "^$(basename "$file" .yaml) " out
    done
    grep -Eq '^eyeriss +168 ' out
}

@test "list accels NAME draws the accelerator" {
    succeeds list accels eyeriss
    is_narrow
    says "DRAM" "L2" "L1" "MAC" "168" "Source:"
    cp "$SL_SOURCE_DIR/data/accels/eyeriss.yaml" mine.yaml
    cp out bundled
    succeeds list accels mine.yaml
    cmp bundled out
}

@test "list objectives names them with units" {
    succeeds list objectives
    says latency energy edp area power cycles pJ
}

@test "list tuners is another word for list methods" {
    succeeds list methods
    is_narrow
    says "random" "oracle" "autotvm" "dcoc" "chameleon" "marl" "source: Fayyazi"
    cp out methods
    succeeds list tuners
    cmp out methods
    succeeds list methods dcoc
    is_narrow
    says "dcoc: " "Options, for --set NAME=VALUE" "check       "
    cp out methods
    succeeds list tuners dcoc
    cmp out methods
    succeeds list methods oracle
    says "It has no options."
    succeeds list tuners dcoc --json
    is_json starling.methods/1
    [ "$(json 'd["methods"][0]["name"], len(d["methods"][0]["options"]) > 3')" = "('dcoc', True)" ]
}

@test "list methods names who can search, and the options of one" {
    succeeds list methods
    is_narrow
    says random local marl ppo marl-paper exact source:
    succeeds list methods marl
    is_narrow
    says "for --set NAME=VALUE" "critic WHAT  " "(default: auto)" "batch N  " "(2 to 64; default: 16)" \
        "source  after MARL"
    succeeds list methods random
    if grep -qi "source" out; then complain "a source that is none"; fi
    succeeds list methods local --json
    is_json starling.methods/1
    [ "$(json 'd["methods"][0]["name"], d["methods"][0]["options"][0]["name"]')" = "('local', 'starts')" ]
}

@test "list spaces and list constraints name what map may be told" {
    succeeds list spaces
    is_narrow
    says native all paper paper10
    succeeds list spaces --json
    is_json starling.spaces/1
    succeeds list constraints
    is_narrow
    for file in "$SL_SOURCE_DIR"/data/constraints/*.yaml; do
        grep -q "^$(basename "$file" .yaml) " out
        succeeds list constraints "$(basename "$file" .yaml)"
        cmp "$file" out
        succeeds list constraints "$file"
        cmp "$file" out
        succeeds list constraints
    done
    succeeds list constraints nvdla-style --json
    is_json starling.constraints/1
}

@test "every list has JSON" {
    succeeds list networks --json
    is_json starling.networks/1
    [ "$(json '[n["macs"] for n in d["networks"] if n["name"] == "resnet18"]')" = "[1814073344]" ]
    succeeds list networks --json mobilenet_v2
    is_json starling.network/1
    [ "$(json 'len(d["layers"])')" -eq 53 ]
    succeeds list accels --json
    is_json starling.accels/1
    succeeds list accels simba --json
    is_json starling.accels/1
    [ "$(json 'd["accels"][0]["name"], len(d["accels"])')" = "('simba', 1)" ]
    succeeds list objectives --json
    is_json starling.objectives/1
    [ "$(json 'len(d["objectives"])')" -eq 5 ]
}

@test "list leaves files where --out says" {
    succeeds list networks --out a/b --quiet
    cmp out a/b/networks.txt
    cp a/b/networks.json out
    is_json starling.networks/1
    grep -q '^resnet18,21,12,1814073344,' a/b/networks.csv
    grep -q '<td class="t">resnet18</td>' a/b/networks.html
    succeeds list networks resnet18 --out one --quiet
    grep -q '^2,conv2_1,conv,.*,115605504,' one/layers.csv
    succeeds list networks --form csv
    cmp out a/b/networks.csv
}

@test "list refuses what it does not know" {
    refuses 2 "expected networks, accels, objectives, methods, spaces, constraints, flocks or envs" list
    refuses 2 "expected networks, accels, objectives, methods, spaces, constraints, flocks or envs" list nothing
    refuses 2 "did you mean 'networks'?" list network
    refuses 2 "did you mean 'resnet18'?" list networks resnet81
    refuses 2 "did you mean 'eyeriss'?" list accels eyris
    refuses 2 "unknown method 'marle' (did you mean 'marl'?)" list methods marle
    refuses 2 "unknown method 'dcok' (did you mean 'dcoc'?)" list tuners dcok
    refuses 2 "did you mean 'nvdla-style'?" list constraints nvdla-stile
    refuses 2 "did not expect 'x'" list objectives x
    refuses 2 "did not expect 'x'" list spaces x
    refuses 2 "did not expect 'b'" list networks a b
    refuses 2 "nosuch.yaml: cannot open" list accels nosuch.yaml
}

@test "list envs shows the shapes of particle worlds" {
    succeeds list envs
    is_narrow
    says "predators chase prey" "an agent sees"
    grep -Eq '^tag +24 +8 +8 +98 +5 +144$' out
    grep -Eq '^spread +48 +0 +48 +288 +5 +288$' out
    succeeds list envs --json
    is_json starling.envs/1
    [ "$(json '[e["name"] for e in d["envs"]][:2], d["envs"][0]["shapes"][0]["observed"]')" = "(['tag', 'spread'], 16)" ]
    refuses 2 "list envs: did not expect 'tag'" list envs tag
}
