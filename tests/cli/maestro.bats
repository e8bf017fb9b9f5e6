#!/usr/bin/env bats
# starling eval --model maestro, and mappings in the forms of MAESTRO and Timeloop.
# shellcheck disable=SC2154 # code comes from common.bash
load common

files=$SL_SOURCE_DIR/tests/data/maestro

# priced NAME ARGUMENT...: NAME.m in MAESTRO's model on the hardware of NAME.hw
priced() {
    local name=$1
    shift
    succeeds eval --model maestro "$files/$name.m" --hw-file "$files/$name.hw" "$@"
}

# columns N...: those of the only row of MAESTRO's CSV
columns() {
    python3 -c '
import sys
lines = open("out", encoding="utf-8").read().splitlines()
assert len(lines) == 2, lines
print(*[lines[1].split(",")[int(i) - 1] for i in sys.argv[1:]])' "$@"
}

# layer DATAFLOW: a file layer.m with a matrix product of 4 x 6 x 8 and that dataflow
layer() {
    printf '%s\n' 'Network mine {' '' 'Layer one {' 'Type: GEMM' 'Dimensions { M: 4, N: 6, K: 8 }' \
        "Dataflow { $1 }" '}' '}' >layer.m
}

# ---- what MAESTRO prints

@test "the CSV is that of MAESTRO: header, a row per layer, nothing else" {
    priced exact_fit --csv
    head -n 1 out | grep -q '^Neural Network Name, Layer Number, NumPEs, Runtime (Cycles), ' || complain header
    [ "$(head -n 1 out | tr ',' '\n' | wc -l)" -eq 52 ]
    [ "$(tail -n +2 out)" = "exact_fit,conv,4,35,1.1036,3.65714,3.31384e+09,80073.4,7.27988,4,4,4,1,4,168,66,1,1,32,8,1.15985e+11,128,4.8892,0.9108,0.5796,0.900275,128,32,32,32,4,128,8,8,8,16,128,128,64,128,1,3,3,3,8,8,8,16,16,16,4,3.2" ] ||
        complain "another row"
}

@test "worked examples: two levels, and a lost edge" {
    priced two_levels --csv
    [ "$(columns 4 5 8 9 14 15 16 22 29 34 40 51)" = "898 8.0384 151365 7.85395 5 220 54 2430 1008 360 90 3.33333" ]
    priced lost_edge --csv
    [ "$(columns 4 22 40 51)" = "14 16 8 1.5" ]
}

@test "a recorded run of MAESTRO from the command line" {
    python3 - "$files/golden.jsonl.gz" <<'END'
import gzip, json, sys
with gzip.open(sys.argv[1], "rt") as lines:
    next(lines)
    runs = (json.loads(line) for line in lines)
    run = next(r for r in runs if r["kind"] == "gamma" and not r["hw_file"] and r["exit"] == 0)
open("run.m", "w").write(run["mapping"])
open("row", "w").write("".join(",".join(row) + "\n" for row in run["rows"]))
names = ("num_pes", "num_simd_lanes", "noc_bw", "offchip_bw")
words = [w for n in names for w in ("--" + n.replace("_", "-"), str(run[n]))]
open("words", "w").write(" ".join(words + ["--noc-hop-latency", str(run["noc_latency"])]))
END
    # shellcheck disable=SC2046 # words
    succeeds eval --model maestro run.m --csv $(cat words)
    tail -n +2 out | cmp row -
}

@test "the energy of a layer has the L1 accesses of the one before, also when it is shown alone" {
    succeeds eval --model maestro "$files/stale_energy.m" --hw-file "$files/two_levels.hw" --csv
    [ "$(tail -n +2 out | cut -d, -f2,5 | xargs)" = "first,8.0384 second,12.3228" ]
    for layer in second 2; do
        succeeds eval --model maestro "$files/stale_energy.m:$layer" --hw-file "$files/two_levels.hw" --csv
        [ "$(columns 2 5)" = "second 12.3228" ]
    done
    refuses 2 "has no layer 'third'; its layers are 1 to 2, first to second" \
        eval --model maestro "$files/stale_energy.m:third"
}

@test "without hardware there are 7 PEs, no latency and no limit" {
    succeeds eval --model maestro "$files/exact_fit.m" --json
    is_json starling.maestro/1
    [ "$(json 'list(d["hardware"].values())')" = "[7, 1, None, 0, 70000, None, None]" ]
    succeeds eval --model maestro "$files/exact_fit.m" --num-pes 4 --num-simd-lanes 2 --noc-bw 8 --noc-hops 3 \
        --noc-hop-latency 2 --offchip-bw 9 --l1-size 10 --l2-size 11 --json
    [ "$(json 'list(d["hardware"].values())')" = "[4, 2, 8, 6, 9, 10, 11]" ]
    priced exact_fit --num-simd-lanes 4 --json
    [ "$(json 'list(d["hardware"].values())')" = "[4, 4, 8, 1, 1000, None, None]" ]
}

@test "the hardware may be that of an accelerator" {
    succeeds eval --model maestro "$files/exact_fit.m" --accel flex256 --json
    [ "$(json 'd["hardware"]["num_pes"]')" = 256 ]
    refuses 2 "--accel nvdla: MAESTRO's machine has two levels on chip, L2 and L1" \
        eval --model maestro "$files/exact_fit.m" --accel nvdla
}

# ---- the document and the reports

@test "the JSON has every column, the screen energy, the guard, and both models" {
    priced exact_fit --csv
    row=$(tail -n 1 out)
    priced exact_fit --json
    is_json starling.maestro/1
    [ "$(json 'len(d["layers"][0]["maestro"])')" = 53 ]
    [ "$(json '",".join(v if isinstance(v, str) else "%.6g" % v for v in list(d["layers"][0]["maestro"].values())[:-1])')" = "$row" ]
    [ "$(json 'd["layers"][0]["maestro"]["screen_energy"]')" = 6117.28 ]
    [ "$(json 'd["layers"][0]["guard"]["accepted"], d["totals"]["n_unphysical"]')" = "(True, 0)" ]
    [ "$(json '[c["exact"] for c in d["layers"][0]["comparison"] if c["quantity"] in ("macs", "l2_read_w")]')" = "[128, 8]" ]
    [ "$(json 'all(r in d["reasons"] for c in d["layers"][0]["comparison"] for r in c["reasons"])')" = True ]
    [ "$(json 'all(not c["reasons"] for c in d["layers"][0]["comparison"] if c["maestro"] == c["exact"])')" = True ]
}

@test "the report says what differs and why" {
    priced two_levels
    is_narrow
    says "two_levels:conv in MAESTRO's model" "CONV K=5 C=6 R=3 S=3 Y=5 X=5" \
        "level 0         over 2 clusters: SpatialMap(1,1) K; TemporalMap(4,4) C" "level 1         over 2 PEs: SpatialMap(1,1) C" \
        "as a loop nest  K:2 C:4 P:1 Q:1 @7 K*1 C:2 C*1 @7 R:1 S:1" "Physical but for area and power: every MAC is there" "Not physical: the area and power" \
        "why they differ" "cold start" "stale L1, energy parts" "Why MAESTRO differs"
    grep -qE '^PEs +4$' out || complain "PEs"
    grep -qE '^MACs per PE +1$' out || complain "MACs per PE"
    grep -qE '^MACs +2,430 +2,430 +=$' out || complain "MACs are the same"
    grep -qE '^runtime, cycles +898 +733 +1\.23 × +cold start$' out || complain "runtime"
    grep -qE '^L2 reads of W +360 +1,710 ' out || complain "L2 reads"
}

@test "what is not physical is said loudly, and is no error" {
    priced lost_edge
    is_narrow
    says "NOT PHYSICAL:" "6 of 22 MACs are missing" "a cluster that gets only part of a tile"
    grep -qE '^MACs +16 +22 +0\.73 × +lost edge$' out || complain "MACs are lost"
    priced lost_edge --json
    [ "$(json 'd["layers"][0]["guard"]["accepted"], [b["rule"] for b in d["layers"][0]["guard"]["broken"]]')" = "(False, ['macs'])" ]
    succeeds eval --model maestro "$files/two_levels.m" --num-pes 4 --l1-size 50
    says "NOT PHYSICAL:" "L1 needs 54 B, has 50"
}

@test "a list that is no nest is shown with what is known" {
    layer 'SpatialMap(1,1) M; TemporalMap(2,3) N; TemporalMap(8,8) K;'
    succeeds eval --model maestro layer.m --num-pes 4
    is_narrow
    says "No loop nest does this" "all PEs busy" "gaps" "NOT PHYSICAL:"
    succeeds eval --model maestro layer.m --num-pes 4 --json
    [ "$(json 'd["layers"][0]["nest"], d["layers"][0]["comparison"][1]["exact"], d["layers"][0]["comparison"][0]["exact"]')" = "(None, None, 192)" ]
}

@test "several layers come as a table with totals" {
    succeeds eval --model maestro "$files/stale_energy.m" --hw-file "$files/two_levels.hw"
    is_narrow
    says "stale_energy in MAESTRO's model" "first" "second" "2 layers" "20.3612" "1,796" "(2 layers)" \
        "One layer in full: name it as in stale_energy.m:first"
}

@test "--out leaves the report, the JSON and the CSV" {
    starling eval --model maestro "$files/exact_fit.m" --hw-file "$files/exact_fit.hw" --out there
    [ "$code" -eq 0 ]
    cmp out there/maestro.txt
    grep -q "Written to there: maestro.html, maestro.txt, maestro.json, maestro.csv, layers.csv" err
    grep -q "^index,name,type,macs,runtime_cycles,exact_cycles,energy_nj,physical,inline,nest$" there/layers.csv
    priced exact_fit --csv
    cmp out there/maestro.csv
    priced exact_fit --json
    cmp out there/maestro.json
}

# ---- what is refused

@test "inputs on which MAESTRO dies are refused with file, line and reason" {
    layer 'SpatialMap(1,1) M; TemporalMap(1,1) N; Cluster(8,P); SpatialMap(1,1) K;'
    refuses 2 "layer.m:3: layer one: the clusters need 8 PEs, there are 7 (MAESTRO divides by zero)" \
        eval --model maestro layer.m
    layer 'TemporalMap(1,1) M;'
    refuses 2 "layer.m:3: layer one: level 0 has no SpatialMap (MAESTRO exits with 255)" eval --model maestro layer.m --csv
    layer 'SpatialMap(1,1) C;'
    refuses 2 "layer one: level 0 maps C, which is no dim of it" eval --model maestro layer.m --json
    layer 'SpatialMop(1,1) M;'
    refuses 2 "layer.m:6:12:" eval --model maestro layer.m
    refuses 2 "nowhere.m" eval --model maestro nowhere.m
}

@test "options that do not go together are refused" {
    m=$files/exact_fit.m
    for option in --num-pes --num-simd-lanes --noc-bw --noc-hops --noc-hop-latency --offchip-bw --l1-size --l2-size; do
        refuses 2 "$option: expected --model maestro too" eval resnet18:2 $option 4
        refuses 2 "$option: not together with --accel, which has it" eval --model maestro "$m" --accel flex256 $option 4
        [ $option = --num-simd-lanes ] && continue
        refuses 2 "$option: not together with --hw-file, which has it" \
            eval --model maestro "$m" --hw-file "$files/exact_fit.hw" $option 4
    done
    refuses 2 "--hw-file: expected --model maestro too" eval resnet18:2 --hw-file x
    refuses 2 "--mapping: not together with a .m file, which has dataflows of its own" eval --model maestro "$m" --mapping x.m
    refuses 2 "--batch: not together with a .m file, which has batches of its own" eval --model maestro "$m" --batch 2
    refuses 2 "--repair: not together with --model maestro" eval --model maestro resnet18:2 --mapping '@7 @7' --repair
    refuses 2 "--objective: not together with --model maestro" eval --model maestro "$m" --objective edp
    refuses 2 "--nests: not together with --model maestro" eval --model maestro --nests x.csv --csv
    refuses 2 "expected at most 2147483647 cycles" \
        eval --model maestro "$m" --noc-hops 70000 --noc-hop-latency 70000
    refuses 2 "--num-pes: expected a whole number" eval --model maestro "$m" --num-pes 0
    refuses 2 "--csv and --json: choose one" eval --model maestro "$m" --csv --json
}

# ---- workloads of ours

@test "a workload of ours is priced with its mapping as a directive list" {
    succeeds eval --model maestro vgg16:conv3_1 --accel flex256
    is_narrow
    says "vgg16:conv3_1 on flex256 in MAESTRO's model, default mapping" "PEs              256" "clusters:" "Not physical: the area and power" "Why MAESTRO differs"
    succeeds eval --model maestro vgg11 --accel flex256
    is_narrow
    says "vgg11 on flex256 in MAESTRO's model, default mappings" "11 layers"
    succeeds eval --model maestro gemm:M=8,N=8,K=8 --num-pes 16
    says "in MAESTRO's model, default mapping" "PEs              16" "MACs per PE      1" "GEMM M=8 N=8 K=8"
}

@test "a given mapping is priced as it is, or refused with the reason" {
    succeeds eval --model maestro conv:K=4,C=4,P=4,Q=4 --num-pes 4 --mapping 'C:1 @7 K*1 @7 P:1 Q:1' --json
    [ "$(json 'd["layers"][0]["nest"]')" = "C:1 @7 K*1 @7 P:1 Q:1" ]
    refuses 2 "the given mapping has no directive list for 4 PEs: MAESTRO keeps filters whole" \
        eval --model maestro conv:K=4,C=4,P=4,Q=4,R=3 --num-pes 4 --mapping 'R:1 C:1 @7 K*1 @7 P:1 Q:1'
    refuses 2 "layer bmm: MAESTRO knows no batched matrix products" eval --model maestro bmm:B=2,M=4,N=4,K=4 --num-pes 4
    refuses 2 "layer conv: MAESTRO knows no dilation" eval --model maestro conv:K=4,P=4,R=3,dilation=2
}

@test "a dataflow of a file is priced for a layer of ours" {
    succeeds eval --model maestro conv:K=5,C=6,P=3,Q=3,R=3,S=3 --mapping "$files/two_levels.m" --num-pes 4 --csv
    [ "$(columns 22 51)" = "2430 3.33333" ]
}

@test "a run of starling map is priced on its own hardware" {
    starling map vgg11:conv2_1 --model maestro --accel gamma168 --samples 20 --out there
    [ "$code" -eq 0 ] || complain "expected a run"
    succeeds eval --model maestro there
    is_narrow
    says "vgg11:conv2_1 on gamma168 in MAESTRO's model, mapping of the run" "PEs              168" "Physical but for area and power:"
    refuses 2 "there is a run of 'starling map' with its own hardware: not together with --num-pes" \
        eval --model maestro there --num-pes 4
}

# ---- interchange

# costs: latency, energy and counts that no form of the same nest changes
costs() {
    json '[[l[k] for k in ("latency_cycles", "energy_pj", "counts", "fits")] for l in d["layers"]]'
}

@test "a mapping goes to a .m file and back with the same cost" {
    for layer in vgg16:conv3_1 resnet18:conv3_1 resnet18:fc mobilenet_v2:block2_dw; do
        succeeds eval $layer --accel flex256 --json
        costs >before
        succeeds eval $layer --accel flex256 --export maestro
        cp out there.m
        pes=$(sed -n 's|^// for .* PEs: --num-pes ||p' there.m)
        [ -n "$pes" ]
        succeeds eval $layer --accel flex256 --mapping there.m --num-pes "$pes" --json
        costs | cmp before -
        succeeds eval --model maestro there.m --num-pes "$pes" --json
        [ "$(json 'd["layers"][0]["no_nest"]')" = None ]
    done
}

@test "a mapping goes to Timeloop and back with the same cost" {
    for nest in 'K:8 C:16 P:7 @7 K*2 C*4 P*1 @7 K:1 C:1 Q:1 R:1 S:1' 'Q:14 @3 C:4 K*1 C:1 @5 P:1 Q:1 R:1 S:1'; do
        succeeds eval conv:K=16,C=32,P=28,Q=28,R=3,S=3 --accel flex256 --mapping "$nest" --export timeloop
        says "problem:" "architecture:" "mapping:" "target: DRAM"
        cp out there.yaml
        starling eval conv:K=16,C=32,P=28,Q=28,R=3,S=3 --accel flex256 --mapping "$nest" --json
        costs >before
        starling eval conv:K=16,C=32,P=28,Q=28,R=3,S=3 --accel flex256 --mapping there.yaml --json
        costs | cmp before -
    done
}

@test "a mapping may come through a pipe in every form" {
    nest='K:8 C:16 P:7 @7 K*2 C*4 P*1 @7 K:1 C:1 Q:1 R:1 S:1' layer=conv:K=16,C=32,P=28,Q=28,R=3,S=3
    "$STARLING" eval $layer --accel flex256 --mapping "$nest" --export timeloop >there.yaml
    starling eval $layer --accel flex256 --mapping - --json <there.yaml
    costs >before
    echo "$nest" >there.nest
    starling eval $layer --accel flex256 --mapping - --json <there.nest
    costs | cmp before -
}

@test "a mapping without such a form is refused with the reason" {
    refuses 2 "--export maestro: MAESTRO keeps filters whole" \
        eval conv:K=4,C=4,P=4,R=3 --accel flex256 --mapping 'R:1 @7 K*1 @7 C:1 P:1' --export maestro
    refuses 2 "--export timeloop: the tiles of K do not divide" \
        eval conv:K=7,C=4 --accel flex256 --mapping 'K:2 @7 @7 K:1 C:1' --export timeloop
    refuses 2 "--export: expected one layer, resnet18 has 21; name one, such as resnet18:conv1" \
        eval resnet18 --export maestro
    refuses 2 "--export: not together with --csv, --json or --out" \
        eval resnet18:2 --export maestro --json
    refuses 2 "--export: not together with --model maestro" \
        eval --model maestro "$files/exact_fit.m" --export timeloop
}

@test "a .m file as a mapping must suit the layer" {
    refuses 2 "layer conv is a CONV, the layer to map a GEMM" \
        eval gemm:M=4,N=4,K=4 --accel flex256 --mapping "$files/two_levels.m"
    refuses 2 "has 2 layers, none of them called conv: name one, as in" \
        eval conv:K=5,C=6,P=3,Q=3,R=3,S=3 --accel flex256 --mapping "$files/stale_energy.m"
    succeeds eval conv:K=5,C=6,P=3,Q=3,R=3,S=3 --accel flex256 --mapping "$files/stale_energy.m:second" --num-pes 4
    says "K:2 C:4 P:1 Q:1 @7 K*1 C:2 C*1 @7 R:1 S:1"
    refuses 2 "no loop nest does this on 1 PEs: the clusters need more PEs than there are" \
        eval conv:K=5,C=6,P=3,Q=3,R=3,S=3 --accel flex256 --mapping "$files/two_levels.m" --num-pes 1
    refuses 2 "--noc-bw: expected --model maestro too" \
        eval conv:K=5,C=6,P=3,Q=3,R=3,S=3 --accel flex256 --mapping "$files/two_levels.m" --noc-bw 1
}
