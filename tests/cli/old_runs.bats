#!/usr/bin/env bats
# Runs of version 0.1.0 (tests/data/runs-0.1.0): read back, and gone on with or refused; nothing of them is lost.
# shellcheck disable=SC2154 # code comes from common.bash
load common

# old NAME...: unpack runs beside the files that they were made of
old() {
    local name
    for name in net.yaml plan.yaml; do cp "$SL_SOURCE_DIR/tests/data/runs-0.1.0/$name" .; done
    for name in "$@"; do tar -xzf "$SL_SOURCE_DIR/tests/data/runs-0.1.0/$name.tar.gz"; done
}

# goes_on_or_refuses ARGUMENT...: success, or one sentence that says what to do
goes_on_or_refuses() {
    starling "$@" --quiet
    [ "$code" -eq 0 ] || refuses 2 "--out" "$@" --quiet
}

# same_as_new DIR ARGUMENT...: what the command has just said, it says in a new folder too
same_as_new() {
    local dir=$1
    shift
    cp out from-old
    succeeds "$@" --quiet --out new
    sed "s/\b$dir\b/new/g" from-old | diff - out || complain "expected what a new run gives"
}

# numbers FIELDS: of the layers of the document in out
numbers() {
    json "[tuple(l[k] for k in '$1'.split()) for l in d['layers']]"
}

@test "a run of map evaluates to the numbers that it found" {
    old map
    cp map/map.json out
    found=$(numbers "name latency_cycles energy_pj mapping")
    succeeds eval map --json
    [ "$(numbers "name latency_cycles energy_pj mapping")" = "$found" ]
    succeeds eval map:a
    says "mapping of the run map"
}

@test "its certificates hold" {
    old map
    succeeds verify map
    says "map/certificates/a.cert: true" "2 certificates: 2 true"
    succeeds verify map/certificates/b.cert
    says "1 certificate: 1 true"
}

@test "the same map command goes on or is refused, and loses nothing" {
    old map maestro
    cp map/map.json out
    found=$(numbers "name objective_value lower_bound mapping")
    goes_on_or_refuses map net.yaml --objective edp --method local --samples 60 --prove --seed 3 --out map
    cp map/map.json out
    [ "$(numbers "name objective_value lower_bound mapping")" = "$found" ]
    succeeds verify map
    cp maestro/map.json out
    found=$(numbers "name objective_value mapping")
    goes_on_or_refuses map net.yaml --objective edp --model maestro --method random --samples 40 --out maestro
    cp maestro/map.json out
    [ "$(numbers "name objective_value mapping")" = "$found" ]
    succeeds eval maestro
}

@test "another map command does not replace a run" {
    old map
    succeeds eval map
    cp out before
    refuses 2 "--no-resume" map net.yaml --objective edp --method local --samples 61 --prove --seed 3 --out map
    succeeds eval map
    cmp out before
    succeeds verify map
}

@test "a map run that was killed goes on to the result of a new one, or is refused" {
    old map-killed
    cp -r map-killed before
    words=(map net.yaml --objective edp --method marl --samples 600 --threads 1)
    goes_on_or_refuses "${words[@]}" --out map-killed
    if [ "$code" -eq 0 ]; then
        same_as_new map-killed "${words[@]}"
    else
        diff -r map-killed before
    fi
}

@test "the same tune command goes on or is refused, and loses nothing" {
    old tune
    cp tune/tune.json out
    found=$(numbers "name best_measured measurements knobs")
    goes_on_or_refuses tune net.yaml --method autotvm --budget 20 --out tune
    cp tune/tune.json out
    [ "$(numbers "name best_measured measurements knobs")" = "$found" ]
}

@test "a tune run that was killed goes on to the result of a new one, or is refused" {
    old tune-killed
    cp -r tune-killed before
    words=(tune net.yaml --method dcoc --budget 64 --threads 1 --set "walkers=16,steps=100,hidden=32")
    goes_on_or_refuses "${words[@]}" --out tune-killed
    if [ "$code" -eq 0 ]; then
        same_as_new tune-killed "${words[@]}"
    else
        diff -r tune-killed before
    fi
}

@test "a log of tune is learnt from" {
    old tune tune-killed
    for run in tune tune-killed; do
        cp $run/log.jsonl before
        succeeds tune conv:K=16,C=16,P=8,Q=8,R=3,S=3 --method autotvm --budget 10 --transfer $run/log.jsonl --out new-$run --quiet
        says "starting from other tasks"
        cmp $run/log.jsonl before
    done
}

# records: keys and results of the study
records() {
    succeeds study export study --no-times
    python3 -c '
import csv
for row in csv.DictReader(open("out", encoding="utf-8", newline="")):
    print(row["key"], row["value"], row["mapping"], row["stopped"], row["reason"])'
}

@test "a study is reported, and goes on or is refused with all its results" {
    old study
    records >before
    [ "$(wc -l <before)" -eq 5 ]
    succeeds study report study --quiet
    says "local" "ga"
    goes_on_or_refuses study resume study
    goes_on_or_refuses study run plan.yaml --out study
    records | diff before -
    # more of the same is run only beside results of this version
    goes_on_or_refuses study run plan.yaml --seeds 3 --out study
    records | grep -Fxf before | diff before -
}

@test "a study of another version is refused before anything changes" {
    succeeds study run "$SL_SOURCE_DIR/tests/data/runs-0.1.0/plan.yaml" --out study --quiet
    python3 -c '
import sqlite3
with sqlite3.connect("study/study.db") as store:
    store.execute("UPDATE cells SET version = ?, fingerprint = ?", ("0.0.9", "0123456789abcdef"))'
    records >before
    sentence="of version 0.0.9, which"
    refuses 2 "$sentence" study resume study --quiet
    refuses 2 "$sentence" study run "$SL_SOURCE_DIR/tests/data/runs-0.1.0/plan.yaml" --seeds 1 --out study --quiet
    records | diff before -
    succeeds study report study --quiet
    says "2 seeds"
}

@test "training goes on or is refused, and loses nothing" {
    old train
    cp train/checkpoint before
    words=(train --env spread --agents 2 --batch 8 --warm 50 --hidden 2 --trials 4 --capacity 60 --checkpoint 10)
    goes_on_or_refuses "${words[@]}" --episodes 20 --out train
    cmp train/checkpoint before
    goes_on_or_refuses "${words[@]}" --episodes 30 --out train
    if [ "$code" -eq 0 ]; then
        succeeds "${words[@]}" --episodes 30 --out new --quiet
        cmp train/checkpoint new/checkpoint
    else
        cmp train/checkpoint before
    fi
}
