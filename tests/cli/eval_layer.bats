#!/usr/bin/env bats
# starling eval of one layer.
# shellcheck disable=SC2154 # code comes from common.bash
load common

# the worked example of docs/model.md: K=3 C=2 P=5 R=3
example_layer=conv:K=3,C=2,P=5,R=3
example_nest='C:1 P:2 @7 K*2 K:1 R:1 @7 P:1'

@test "one layer gets a report with every part" {
    succeeds eval resnet18:conv2_1
    is_narrow
    says "resnet18:conv2_1 on eyeriss" "115,605,504 MACs, default mapping" "Fits:" "Loop nest" \
        "DRAM" "L2" "L1" "Buffers" "Traffic" "filled" "read above" "updated above" "Latency" \
        "bound by" "compute" "DRAM port" "L2 link" "+ ramp" "Energy" "MACs" "Floors" "utilisation" \
        "power" "area"
}

@test "a layer is the same by name, by number and inline" {
    succeeds eval resnet18:conv2_1 --json
    json 'd["layers"][0]["counts"]' >by_name
    succeeds eval resnet18:2 --json
    json 'd["layers"][0]["counts"]' | cmp by_name -
    succeeds eval conv:K=64,C=64,H=56,W=56,R=3,S=3,pad=1 --json
    json 'd["layers"][0]["counts"]' | cmp by_name -
}

@test "every bundled accelerator prices a convolution, a depthwise and a matrix layer" {
    for accel in eyeriss flex256 flex1024 gamma168 gamma1024 golden nvdla tpu gemmini simba; do
        for layer in resnet18:conv3_1 mobilenet_v2:block2_dw bert_base:4; do
            succeeds eval "$layer" --accel "$accel"
            is_narrow
            says "Fits:"
        done
    done
}

@test "the counts are those of the worked example" {
    succeeds eval $example_layer --mapping "$example_nest" --json
    is_json starling.eval/1
    counts='[d["layers"][0]["counts"][k] for k in ("macs", "cycles", "l1_fill_W", "l1_fill_I", "l1_upd",
        "l1_pread_O", "l2_fill_W", "l2_pread_W", "l2_pread_I", "l2_own0_W", "mac_upd", "mac_pread_O")]'
    [ "$(json "$counts")" = "[90, 60, 18, 14, 30, 15, 54, 54, 38, 36, 90, 75]" ]
    succeeds eval $example_layer --mapping "$example_nest"
    says "90 MACs, given mapping" "$example_nest"
}

@test "a mapping may come as nest text, as a file of it, as YAML" {
    succeeds eval $example_layer --mapping "$example_nest"
    cp out first
    echo "$example_nest" >mine.nest
    succeeds eval $example_layer --mapping mine.nest
    cmp first out
    printf 'nest: "%s"\n' "$example_nest" >mine.yaml
    succeeds eval $example_layer --mapping mine.yaml
    cmp first out
}

@test "a mapping that does not fit is priced, marked, and gives exit code 1" {
    nest='@7 @7 K:1 C:1 P:1 Q:1 R:1 S:1'
    starling eval resnet18:conv2_1 --mapping "$nest"
    [ "$code" -eq 1 ]
    [ ! -s err ]
    is_narrow
    says "DOES NOT FIT eyeriss" "L2 needs 452,864 B (W 36,864, I 215,296, O 200,704), has 108,000 B" \
        "L1 needs 452,864 B" "Latency" "Energy"
    starling eval resnet18:conv2_1 --mapping "$nest" --json
    [ "$code" -eq 1 ]
    is_json starling.eval/1
    [ "$(json 'd["layers"][0]["fits"], [(v["rule"], v["level"], v["need"], v["have"]) for v in d["layers"][0]["violations"]]')" = \
        "(False, [('capacity', 'L2', 452864, 108000), ('capacity', 'L1', 452864, 512)])" ]
}

@test "a mapping that does not fit has no distance to the floor" {
    # 896 PEs where there are 168 would be faster than physics allows
    nest='K:32 P:28 @7 K*1 P*1 @7 C:1 Q:1 R:1 S:1'
    starling eval resnet18:conv2_1 --mapping "$nest" --json
    [ "$code" -eq 1 ]
    [ "$(json 'd["layers"][0]["floor_multiples"]["latency"], d["totals"]["floor_multiples"]["edp"], d["layers"][0]["utilisation"]')" = \
        "(None, None, None)" ]
    starling eval resnet18:conv2_1 --mapping "$nest"
    says "142,296 cycles" "but does not fit" "the spatial loops need 896 (K 32, P 28)"
}

@test "an accelerator that cannot run a layer says why, with exit code 1" {
    # a scratchpad of one byte cannot hold one word of each tensor
    sed -e 's/capacity: 512 .*/capacity: 1/' "$SL_SOURCE_DIR/data/accels/eyeriss.yaml" >tiny.yaml
    refuses 2 "conv2_1 does not fit eyeriss: L1 needs 3 B (W 1, I 1, O 1), has 1 B" \
        eval resnet18:conv2_1 --accel tiny.yaml
    refuses 2 "does not fit eyeriss" eval resnet18 --accel tiny.yaml
}

@test "the JSON of one layer adds up" {
    succeeds eval resnet18:conv3_1 --json --objective energy
    is_json starling.eval/1
    [ "$(json 'd["objective"], d["model"], d["mapping_from"]')" = "('energy', 'native', 'default')" ]
    python3 - <<'PYTHON'
import json
d = json.load(open("out"))
layer, total = d["layers"][0], d["totals"]
parts = layer["mac_energy_pj"] + sum(sum(l["energy_pj"].values()) + sum(l["link_energy_pj"].values())
                                     for l in layer["levels"])
assert abs(parts / layer["energy_pj"] - 1) < 1e-12
assert total["energy_pj"] == layer["energy_pj"] and total["latency_cycles"] == layer["latency_cycles"]
assert layer["latency_cycles"] == layer["objectives"]["latency"] >= layer["counts"]["cycles"]
assert all(layer["floor_multiples"][o] >= 1 for o in ("latency", "energy", "edp"))
assert layer["floors"]["area"] is None and layer["floor_multiples"]["power"] is None
assert layer["dims"] == dict(N=1, G=1, K=128, C=64, P=28, Q=28, R=3, S=3) and layer["stride"] == [2, 2]
assert layer["counts"]["macs"] == 57802752
PYTHON
}

@test "the batch multiplies the work" {
    succeeds eval resnet18:conv2_1 --batch 3 --json
    [ "$(json 'd["layers"][0]["counts"]["macs"], d["layers"][0]["dims"]["N"]')" = "(346816512, 3)" ]
}

@test "the commands of the README work" {
    succeeds eval resnet18:conv2_1 --mapping "K:16 C:16 P:7 @7 K*1 P*1 Q:4 C:4 @7 C:1 Q:1 R:1 S:1"
    succeeds eval gemm:M=512,N=768,K=768 --json
    is_json starling.eval/1
}

@test "--repair makes a mapping fit and says so; one that fits stays as it is" {
    nest="K:64 C:64 P:56 Q:56 R:3 S:3 @7 K*1 P:56 Q:56 @7 C:1 P:1 Q:1 R:1 S:1"
    succeeds eval resnet18:conv2_1 --mapping "$nest" --repair
    says "repaired mapping" "Fits"
    succeeds eval resnet18:conv2_1 --mapping "$nest" --repair --json
    [ "$(json 'd["mapping_from"], d["layers"][0]["fits"]')" = "('repaired', True)" ]
    succeeds eval $example_layer --mapping "$example_nest" --repair
    says "given mapping"
    refuses 2 "--repair: expected --mapping too" eval resnet18:conv2_1 --repair
}
