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

@test "bench map shows every method and whole networks" {
    succeeds bench map --repeats 1 --samples 20
    is_narrow
    says "Samples per second" random local "marl, critic on" "marl, critic off" ppo marl-paper mobilenet_v2 resnet18
}

@test "the JSON of bench map has methods, layers and networks" {
    succeeds bench map --repeats 1 --samples 20 --json --threads 2
    is_json starling.bench-map/1
    [ "$(json 'd["threads"], d["samples"], d["accel"], len(d["methods"][0]["layers"])')" = "(2, 20, 'eyeriss', 4)" ]
    [ "$(json 'all(m["samples_per_second"] > 0 for m in d["methods"])')" = True ]
    [ "$(json '[(n["network"], n["samples"], n["seconds"] > 0) for n in d["networks"]]')" = \
        "[('mobilenet_v2', 620, True), ('resnet18', 240, True)]" ]
}

@test "bench refuses what it cannot measure" {
    refuses 2 "expected a part: cost, maestro, map, prove, particles, replay, dense, vta, kernel or schedules" bench
    refuses 2 "expected a part: cost, maestro, map, prove, particles, replay, dense, vta, kernel or schedules" bench speed
    refuses 2 "bench cost needs two on-chip levels, tpu has 4" bench cost --accel tpu
    refuses 2 "--repeats" bench cost --repeats -1
    refuses 2 "bench vta: expected options only, got 'resnet18'" bench vta resnet18
}

@test "every part has the options that apply to it, and no others" {
    succeeds bench cost --help
    says "Usage: starling bench cost" "--nests N" "default: 25"
    [ "$(grep -cE -- "--(trials|objective)" out)" -eq 0 ]
    succeeds bench kernel --help
    says "WORKLOAD" "--trials N" "default: 5"
    [ "$(grep -cE -- "--(nests|accel)" out)" -eq 0 ]
    refuses 2 "--trials: does not apply to" bench dense --trials 3
}

@test "bench leaves the same rows as CSV" {
    succeeds bench maestro --repeats 1 --nests 64 --form csv
    [ "$(head -1 out)" = "network,layers,mappings,refused,p25_us,median_us,p75_us,p99_us,worst_us" ]
    [ "$(wc -l <out)" -eq 5 ]
}

@test "bench maestro shows networks and all of them together" {
    succeeds bench maestro --repeats 1 --nests 64
    is_narrow
    says "Microseconds per evaluation of MAESTRO's model" alexnet vgg16 resnet18 mobilenet_v2 all median worst
}

@test "the JSON of bench maestro has the spread of every network" {
    succeeds bench maestro --repeats 1 --nests 64 --json
    is_json starling.bench-maestro/1
    [ "$(json 'd["num_pes"], d["nests"], len(d["networks"]), d["all"]["mappings"]')" = "(168, 64, 4, 256)" ]
    [ "$(json 'all(0 < n["p25_us"] <= n["median_us"] <= n["p75_us"] <= n["p99_us"] <= n["worst_us"] for n in d["networks"])')" = True ]
    [ "$(json 'd["all"]["worst_us"] == max(n["worst_us"] for n in d["networks"])')" = True ]
    [ "$(json 'd["all"]["refused"] == sum(n["refused"] for n in d["networks"]) < 64')" = True ]
}

@test "bench prove tells how long every gap takes" {
    succeeds bench prove conv:K=8,C=8,P=7,Q=7,R=3,S=3 gemm:M=16,N=16,K=16 --threads 1
    is_narrow
    says "Seconds to prove" "0.5%" "conv" "gemm" "0.000%"
}

@test "the JSON of bench prove has times, values and bounds" {
    succeeds bench prove conv:K=8,C=8,P=7,Q=7,R=3,S=3 --objective latency --space all --json --threads 2
    is_json starling.bench-prove/1
    [ "$(json 'd["space"], d["objective"], d["threads"], len(d["layers"])')" = "('all', 'latency', 2, 1)" ]
    [ "$(json '[(x["status"], x["value"] == x["lower_bound"], min(x["seconds_to"].values()) > 0) for x in d["layers"]]')" = "[('optimal', True, True)]" ]
}

@test "a proof that --nodes ends has the same gap with any number of threads" {
    succeeds bench prove conv:K=64,C=64,P=56,Q=56,R=3,S=3 --time 0 --nodes 20000 --json --threads 1
    [ "$(json 'd["nodes"], [(x["status"], x["seconds_to"]["0"], 0 < x["gap"] < 1, x["nodes"] < 21000) for x in d["layers"]]')" = \
        "(20000, [('stopped', None, True, True)])" ]
    gap=$(json '[x["gap"] for x in d["layers"]]')
    succeeds bench prove conv:K=64,C=64,P=56,Q=56,R=3,S=3 --time 0 --nodes 20000 --json --threads 2
    [ "$(json '[x["gap"] for x in d["layers"]]')" = "$gap" ]
}

@test "bench particles shows every world for every number of agents" {
    succeeds bench particles --repeats 1
    is_narrow
    says "Env steps per second" observations
    cp out table
    succeeds list envs --json
    for world in $(json '" ".join(e["name"] for e in d["envs"])'); do
        [ "$(grep -Ec "^$world +(3|6|12|24|48) " table)" -eq 5 ] || complain "expected five rows of $world"
    done
}

@test "the JSON of bench particles has speeds with and without observations" {
    succeeds bench particles --repeats 1 --json
    is_json starling.bench-particles/1
    [ "$(json '[(r["env"], r["agents"]) for r in d["rows"]][:2], len(d["rows"]) % 5, d["repeats"]')" = "([('tag', 3), ('tag', 6)], 0, 1)" ]
    [ "$(json 'all(0 <= r["observation_share"] < 1 and r["steps_per_second"] > 0 for r in d["rows"])')" = True ]
}

@test "bench replay shows every layout for every number of agents" {
    succeeds bench replay --repeats 1 --rows 500
    is_narrow
    says "Milliseconds to gather" separate joint state uniform neighbor
    [ "$(grep -Ec '^ *(3|6|12|24) +(separate|joint|state)' out)" -eq 16 ]
}

@test "bench replay takes numbers of agents, memory and the size of pages" {
    succeeds bench replay --repeats 1 --rows 5000 --agents 2,4 --memory 1 --pages small
    says "small" "Fewer rows where all layouts together would pass 0.001 GB."
    [ "$(grep -Ec '^ *(2|4) +(separate|joint|state)' out)" -eq 8 ]
    succeeds bench replay --repeats 1 --rows 500 --agents 2 --pages small --json
    [ "$(json 'd["pages"], d["memory"], {c["huge_pages"] for c in d["cases"]}')" = "('small', 6000, {False})" ]
    refuses 2 "--agents: expected numbers from 1 to 256, got '0'" bench replay --agents 0
    refuses 2 "--agents: expected a list of numbers" bench replay --agents ""
}

@test "the JSON of bench replay has medians and quartiles" {
    succeeds bench replay --repeats 1 --rows 500 --json
    is_json starling.bench-replay/1
    [ "$(json '[(c["agents"], c["layout"], c["rows"]) for c in d["cases"]][-1], len(d["cases"]), d["batch"]')" = "((24, 'state', 500), 16, 1024)" ]
    [ "$(json 'all(0 < c[s]["low_ms"] <= c[s]["median_ms"] <= c[s]["high_ms"] for c in d["cases"] for s in ("uniform", "neighbor"))')" = True ]
}

@test "bench dense shows layers beside the peak and other pieces" {
    succeeds bench dense --repeats 1
    is_narrow
    says "fused multiply-adds alone reach" forward gradient back Gumbel-softmax "uniform noise" Adam
}

@test "the JSON of bench dense has shares of the peak" {
    succeeds bench dense --repeats 1 --json
    is_json starling.bench-dense/1
    [ "$(json 'd["repeats"], d["peak_gflops"] > 0, len(d["pieces"])')" = "(1, True, 5)" ]
    [ "$(json 'all(abs(p["peak_share"] * d["peak_gflops"] / p["gflops"] - 1) < 1e-6 for p in d["products"])')" = True ]
}

@test "bench vta shows the layers of ResNet-18 and all of them together" {
    succeeds bench vta --repeats 1 --nests 64
    is_narrow
    says "Microseconds per simulated schedule of VTA" conv2_1 median "90 %" all
}

@test "the JSON of bench vta has the spaces and the spread of times" {
    succeeds bench vta --repeats 1 --nests 64 --json
    is_json starling.bench-vta/1
    [ "$(json '[(x["space"], x["valid"], x["timed"]) for x in d["layers"]][0], len(d["layers"]), d["all"]["timed"]')" = "((2304, 1443, 64), 10, 640)" ]
    [ "$(json 'all(0 < x["median_us"] <= x["p90_us"] <= x["worst_us"] for x in d["layers"])')" = True ]
}

# built programs go to the test's own folder
keep_programs_here() {
    export XDG_CACHE_HOME=$BATS_TEST_TMPDIR
}

@test "bench kernel shows the default and a given schedule beside the peak" {
    keep_programs_here
    succeeds bench kernel conv:K=16,C=8,P=8,Q=8,R=3,S=3,pad=1 --repeats 1 --schedule "vector=16 oc_vectors=2 ow_block=4"
    is_narrow
    says "Layers in fp32 as C programs" "default ms" "of the peak" "oc_vectors=2 ow_block=4"
    refuses 2 "--schedule: ow_block is wider than the output" bench kernel conv:K=16,C=8,P=2,Q=2 --schedule ow_block=9
    refuses 2 "expected knobs as in" bench kernel conv:K=16,C=8,P=2,Q=2 --schedule fast
}

@test "the JSON of bench kernel has times, shares of the peak and counts" {
    keep_programs_here
    succeeds bench kernel conv:K=16,C=8,P=8,Q=8,R=3,S=3,pad=1 --type int8 --trials 3 --repeats 1 --json
    is_json starling.bench-kernel/1
    [ "$(json 'd["type"], d["threads"], d["rounds"], len(d["layers"])')" = "('int8', 1, 1, 1)" ]
    [ "$(json '[(x["measured"], x["failed"], x["macs"], x["best"]["median_s"] > 0) for x in d["layers"]]')" = "[(3, 0, 73728, True)]" ]
    [ "$(json 'abs(d["layers"][0]["best"]["peak_share"] * d["peak_gops"] / d["layers"][0]["best"]["gops"] - 1) < 1e-9')" = True ]
}

@test "bench schedules measures the schedules of a file in turns, in its order" {
    printf '%s\n' "# two" "" "vector=16 oc_vectors=2 ow_block=4" "vector=16 ow_block=2" >list
    succeeds bench schedules conv:K=16,C=8,P=8,Q=8,R=3,S=3,pad=1 list --repeats 2 --json
    is_json starling.bench-schedules/1
    [ "$(json '[s["schedule"].split()[2] for s in d["schedules"]]')" = "['ow_block=4', 'ow_block=2']" ]
    [ "$(json 'all(s["median_s"] >= s["least_s"] > 0 and s["error"] == "" for s in d["schedules"])')" = True ]
}

@test "bench schedules says which line is wrong" {
    printf '%s\n' "ow_block=4" "ow_block=9" >list
    refuses 2 "list:2: ow_block is wider than the output" bench schedules conv:K=16,C=8,P=8,Q=8,R=3,S=3,pad=1 list
    printf 'fast\n' >list
    refuses 2 "list:1: expected knobs as in" bench schedules conv:K=16,C=8,P=8,Q=8 list
    : >list
    refuses 2 "expected a schedule a line, got none" bench schedules conv:K=16,C=8,P=8,Q=8 list
    refuses 2 "expected a layer and a file" bench schedules conv:K=16,C=8,P=8,Q=8
    refuses 2 "expected one layer, got" bench schedules resnet18 list
}
