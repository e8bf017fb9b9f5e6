#!/usr/bin/env bats
# starling NET MACHINE: what it stands for, and that names of commands come first.
# shellcheck disable=SC2154 # code comes from common.bash
load common

write_network() {
    printf '%s\n' "network: mine" "layers:" "  - {name: only, type: linear, K: 10, C: 64}" >"$1"
}

@test "a network and a machine are mapped, proven and reported in one line" {
    succeeds mlp:1 flex256 --samples 30 --json
    mv out short
    succeeds map mlp:1 --accel flex256 --prove --samples 30 --json
    cmp short out
    is_json starling.map/1
    [ "$(json 'd["objective"], d["accel"]["name"], d["layers"][0]["proof"]["status"] in ("optimal", "within")')" = \
        "('edp', 'flex256', True)" ]
}

@test "files, layers and options stand for themselves" {
    write_network mine.yaml
    succeeds mine.yaml eyeriss --samples 20 --json
    [ "$(json 'd["workload"]["name"]')" = mine ]
    succeeds "conv:K=8,C=8,P=6,Q=6,R=3,S=3" --samples 20 --prove=3 --json
    [ "$(json 'd["accel"]["name"], d["proof"]["percent"] if "proof" in d else 3')" = "('eyeriss', 3)" ]
    succeeds mlp --help
    says "Usage: starling map WORKLOAD"
}

@test "names of commands win over files" {
    write_network list
    succeeds list networks
    says "resnet18"
}

@test "a misspelt network, machine or command is told as such" {
    refuses 2 "unknown network 'restnet18' (did you mean 'resnet18'?)" restnet18 eyeriss
    refuses 2 "unknown accelerator 'eyeris' (did you mean 'eyeriss'?)" resnet18 eyeris
    refuses 2 "unknown command 'mpa' (did you mean 'map'?)" mpa resnet18
    refuses 2 "cannot open" none.yaml eyeriss
}
