#!/usr/bin/env bats
# starling study: plans of tuners, on VTA.
# shellcheck disable=SC2154 # code comes from common.bash
load common

write_plan() {
    cat >tuned.yaml <<'YAML'
study: tuned
title: Two tuners on AlexNet
target: vta
networks: [alexnet]
cores: [1x16x16, 1x32x16]
samples: 40
seeds: 3
methods:
  - random
  - {name: checked, method: random, set: {check: true}}
reference: checked
optimum: true
show: [results, curves, boxes, targets, wins, networks, front, effort, times]
quick: {seeds: 2, samples: 12, cores: [1x16x16]}
YAML
}

@test "tuners are compared, in measurements" {
    write_plan
    succeeds study run tuned.yaml --quiet --out run
    is_narrow
    says "Two tuners on AlexNet" "alexnet:conv2" "40 measurements" "Images per second" \
        "Cycles against resources" "hours on a board" "no schedule of the space is better"
    if grep -qi "samples\|mapping" out; then complain "words of mappings: $(grep -i 'samples\|mapping' out)"; fi
    for file in study.db report.html report.md figures/front-alexnet-macs.svg \
        figures/front-alexnet-bram.svg tables/networks-on-1x16x16.csv tables/effort.csv; do
        [ -s run/$file ] || complain "no $file"
    done
    # the optimum of AlexNet's convolutions on the default core, docs/vta.md
    awk -F, '$1 == "alexnet" { exit !($NF > 41 && $NF < 42.5) }' run/tables/networks-on-1x16x16.csv
}

@test "records of tuners do not depend on threads, nor on being stopped and resumed" {
    write_plan
    succeeds study run tuned.yaml --quiet --threads 1 --out a
    succeeds study run tuned.yaml --quiet --threads 3 --out b
    succeeds study export a --no-times
    mv out a.csv
    succeeds study export b --no-times
    cmp out a.csv
    succeeds study run tuned.yaml --quiet --seeds 2 --out c
    succeeds study run tuned.yaml --quiet --out c
    succeeds study resume c --quiet
    succeeds study export c --no-times
    cmp out a.csv
    grep -q 'tile_h=.*failures' a.csv
}

@test "a quick study of tuners, and what a list says of it" {
    write_plan
    succeeds study list ./tuned.yaml
    says "measurements  method" "40  random" "alexnet:conv2 on 1x32x16"
    succeeds study run tuned.yaml --quick --quiet --out run
    says "quick form" "After 12 measurements"
    succeeds study report run --quiet --out again
    cmp run/tables/effort.csv again/tables/effort.csv
}

@test "a run of a study is what starling tune finds" {
    write_plan
    succeeds study run tuned.yaml --quick --quiet --out run
    succeeds study export run --format json --no-times
    mv out cells.json
    succeeds tune alexnet:conv5 --target vta --method random --budget 12 --seed 2 --quiet --json --out tuned
    python3 - <<'PY'
import json
cells = {cell["key"]: cell for cell in json.load(open("cells.json"))["cells"]}
cell = cells["run/alexnet:conv5 on 1x16x16/random/2"]
layer = json.load(open("out"))["layers"][0]
assert [cell["value"], cell["found_at"]] == [layer["best_measured"], layer["found_at"]], (cell, layer)
PY
}

@test "a plan of tuners says where it is wrong" {
    write_plan
    sed -i 's/1x32x16/1x33x16/' tuned.yaml
    refuses 2 "tuned.yaml:5:" study run tuned.yaml
    refuses 2 "1x33x16" study run tuned.yaml
    write_plan
    sed -i 's/- random/- randm/' tuned.yaml
    refuses 2 "tuned.yaml:9:5: unknown method 'randm' (did you mean 'random'?)" study run tuned.yaml
    write_plan
    refuses 2 "tuned.yaml:3:" study run tuned.yaml --model maestro
}

@test "the bundled studies of co-design are there" {
    succeeds study list
    says "codesign " "codesign-joint" "codesign-networks" "codesign-front"
    succeeds study list codesign
    says "ResNet C10" "AlexNet C2" "VGG 512-512 @14"
}
