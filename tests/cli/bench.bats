#!/usr/bin/env bats
# starling bench: every case and the slowest of them, as a table and as JSON.

load common

@test "bench cost shows every case" {
    succeeds bench cost --repeats 1 --nests 64
    says "VGG16 conv3_2" "ResNet 3x3 stride 2" "depthwise 3x3" "GEMM 1024^3" "slowest" "rows ready"
}

@test "the JSON of bench cost has the cases and the slowest of each column" {
    succeeds bench cost --repeats 1 --nests 64 --json --threads 2
    is_json starling.bench-cost/1
    [ "$(json 'len(d["cases"]), d["threads"], d["accel"]')" = "(8, 2, 'eyeriss')" ]
    for column in any_nest search move_channel move_window; do
        [ "$(json "d['${column}_ns_worst'] == max(c['${column}_ns'] for c in d['cases']) > 0")" = True ]
    done
}

@test "bench refuses what it cannot measure" {
    refuses 2 "expected one word, what to measure: cost" bench
    refuses 2 "expected one word, what to measure: cost" bench speed
    refuses 2 "bench cost needs two on-chip levels, tpu has 4" bench cost --accel tpu
    refuses 2 "--repeats" bench cost --repeats 0
}
