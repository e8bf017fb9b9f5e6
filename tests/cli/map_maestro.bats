#!/usr/bin/env bats
# starling map and study with --model maestro: its numbers are the objective, as far as they are physical.
# shellcheck disable=SC2154 # code comes from common.bash
load common

layer=conv:K=32,C=16,P=14,Q=14,R=3,S=3
maestro="--accel gamma168 --model maestro --method gamma"

write_network() {
    cat >net.yaml <<'YAML'
network: mine
layers:
  - {name: first, type: conv, K: 16, C: 3, H: 32, W: 32, R: 3, S: 3, stride: 2, pad: 1}
  - {name: mid, type: dw, G: 16, H: 16, W: 16, R: 3, S: 3, pad: 1}
  - {name: again, type: dw, G: 16, H: 16, W: 16, R: 3, S: 3, pad: 1}
  - {name: last, type: linear, K: 10, C: 1024}
YAML
}

@test "a layer gets MAESTRO's numbers and the native ones of the same mapping" {
    # shellcheck disable=SC2086 # words
    succeeds map $layer $maestro --samples 300 --quiet
    is_narrow
    says "MAESTRO's model with impossible results rejected" "not physical  MAESTRO's area and power" "MAESTRO" "native model" "no other floor" "buffers  "
    if grep -Eq 'least possible|default mapping|bound by' out; then complain "claims of the native model"; fi
}

@test "the objective is MAESTRO's, and its file says the same" {
    # shellcheck disable=SC2086 # words
    succeeds map $layer $maestro --objective edp --samples 300 --out run --json --quiet
    is_json starling.map/1
    [ "$(json 'd["model"], d["layers"][0]["gain"], d["layers"][0]["floor_multiple"]')" = "('maestro', None, None)" ]
    [ "$(json 'd["layers"][0]["objective_value"] == d["layers"][0]["maestro"]["edp"] == d["totals"]["objective_value"]')" = True ]
    [ "$(json 'd["layers"][0]["curve"][-1][1] == d["layers"][0]["objective_value"]')" = True ]
    [ "$(json 'd["layers"][0]["maestro"]["energy_pj"] < d["layers"][0]["energy_pj"]')" = True ]
    cycles=$(json 'd["layers"][0]["maestro"]["latency_cycles"]')
    native=$(json 'd["layers"][0]["latency_cycles"]')
    head -1 run/layers.csv | grep -q ',maestro_cycles,maestro_energy_pj,'
    succeeds eval --model maestro run/mappings/*.m --accel gamma168 --csv
    [ "$(tail -1 out | cut -d, -f4 | tr -d ' ')" = "$cycles" ]
    succeeds eval run --json
    [ "$(json 'd["layers"][0]["latency_cycles"]')" = "$native" ]
}

@test "a network is mapped layer by layer, the same with any number of threads, and resumed" {
    write_network
    # shellcheck disable=SC2086 # words
    succeeds map net.yaml $maestro --samples 150 --out one --threads 1 --quiet
    is_narrow
    says "native latency" "native energy" "total"
    cp out one.txt
    # shellcheck disable=SC2086 # words
    succeeds map net.yaml $maestro --samples 150 --out four --threads 4 --quiet
    cmp one/map.json four/map.json
    # shellcheck disable=SC2086 # words
    starling map net.yaml $maestro --samples 150 --out one
    cmp one.txt out
    grep -q "3 of 3 layers taken" err
    ls one/mappings/first.m one/mappings/mid.m one/mappings/again.m one/mappings/last.yaml
    if grep -q '<script' one/map.html; then complain "scripts"; fi
    grep -q 'model maestro' one/map.html
    # another model is another run
    starling map net.yaml --accel gamma168 --method gamma --samples 150 --out one
    if grep -q "layers taken" err; then complain "taken from a run of another model"; fi
}

@test "what MAESTRO cannot price is refused with a sentence" {
    refuses 2 "two levels on chip" map $layer --accel nvdla --model maestro
    refuses 2 "batched matrix products" map bmm:B=2,M=8,N=8,K=8 --accel gamma168 --model maestro
    refuses 2 "no dilation" map conv:K=8,C=8,P=9,Q=9,R=3,S=3,dilation=2 --accel gamma168 --model maestro
    refuses 2 "even for the smallest tile" map alexnet:conv1 --accel gamma168 --model maestro
    refuses 2 "proofs hold for --evaluator native only" map $layer --accel gamma168 --model maestro --prove
    refuses 2 "proofs hold for --evaluator native only" map $layer --accel gamma168 --model maestro --method exact
    refuses 2 "no floor of edp" map $layer --accel gamma168 --model maestro --objective edp --target 5
}

@test "a study may be priced by MAESTRO" {
    cat >mine.yaml <<'YAML'
study: mine
model: maestro
layers:
  - one: conv:K=16,C=8,P=12,Q=12,R=3,S=3
  - two: gemm:M=64,N=32,K=128
accels: [gamma168]
objectives: [latency, edp]
samples: 100
seeds: 2
methods: [gamma, random]
show: [results]
YAML
    succeeds study run mine.yaml --quiet --out study
    says "evaluator maestro" "one edp" "two latency"
    if grep -q "broken" out; then complain "broken cells"; fi
    succeeds map conv:K=16,C=8,P=12,Q=12,R=3,S=3 --accel gamma168 --model maestro --method gamma --samples 100 \
        --objective latency --start none --json
    value=$(json 'd["layers"][0]["objective_value"]')
    succeeds study export study --quiet
    grep -q "$value" out
}

@test "any study may be priced by another model than the plan's, and goes on with it" {
    cat >mine.yaml <<'YAML'
study: mine
layers: [{one: "conv:K=16,C=8,P=12,Q=12,R=3,S=3"}]
accels: [gamma168]
samples: 60
seeds: 2
methods: [gamma, random]
optimum: {gap: 1}
show: [results]
YAML
    succeeds study run mine.yaml --model maestro --quiet
    says "evaluator maestro"
    succeeds study export starling-runs/study-mine-maestro --quiet
    cp out first.csv
    succeeds study resume starling-runs/study-mine-maestro --quiet
    says "evaluator maestro"
    succeeds study export starling-runs/study-mine-maestro --quiet
    cmp first.csv out
    refuses 2 "native" study run mine.yaml --model exact
}
