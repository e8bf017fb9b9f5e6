#!/usr/bin/env bats
# starling learn, list flocks, map --flock: flocks that are taught before.
# shellcheck disable=SC2154 # code is set by starling() of common.bash
load common

layer=conv:K=16,C=16,P=8,Q=8,R=3,S=3
# a search that suits the flock of these tests
map_layer=(map "$layer" --evaluator maestro --accel gamma168 --objective edp --samples 5)
# rows that were measured on a Gemmini
rows=$SL_SOURCE_DIR/tests/data/gemmini/rtl.csv.gz
accel=$SL_SOURCE_DIR/examples/accels/gemmini_rtl.yaml
learn_rows=(learn --rows "$rows" --accels "$accel" --objective latency --critic trees=20)

# one small flock for all tests
setup_file() {
    "$STARLING" learn --tasks 6 --samples 20 --rounds 0 --threads 1 --quiet --out "$BATS_FILE_TMPDIR/taught"
}

# taught: the folder `small` of this test, a copy of that flock's
taught() {
    cp -r "$BATS_FILE_TMPDIR/taught" small
}

# wait_for FILE BYTES: until it has so many, half a minute at most
wait_for() {
    for _ in $(seq 3000); do
        [ ! -e "$1" ] || [ "$(stat -c %s "$1")" -lt "$2" ] || return 0
        sleep 0.01
    done
    return 1
}

@test "a flock is taught on drawn tasks, and its folder holds what came of it" {
    starling learn --tasks 6 --samples 20 --rounds 0 --threads 2 --json --out d
    [ "$code" -eq 0 ]
    is_json starling.flock/1
    [ "$(json 'd["name"], d["evaluator"], d["program"], d["objective"], d["tasks"], d["evaluations"]')" = \
        "('d', 'maestro', '', 'edp', 6, 120)" ]
    [ "$(json '-1 <= d["tau"] <= 1 <= d["regret_3"] <= d["regret_1"], d["error"] >= 0')" = "(True, True)" ]
    [ "$(json 'd["points"] <= 120 and d["trees"] % d["critics"] == 0')" = True ]
    cmp out d/learn.json
    [ "$(cat err)" = "120 evaluations. Written to d: taught.flock; use it with --flock d" ]
    for name in taught.flock lessons.bin run.json learn.txt learn.html; do
        [ -s "d/$name" ] || complain "expected d/$name"
    done
    # the same bytes as with one thread
    cmp d/taught.flock "$BATS_FILE_TMPDIR/taught/taught.flock"
    # with --json alone there is no folder
    succeeds learn --tasks 2 --samples 5 --rounds 0 --critic trees=5 --json --quiet
    [ ! -e starling-runs ]
    [ "$(json 'd["name"], d["evaluations"]')" = "('taught', 10)" ]
}

@test "the number of threads changes nothing, also where the flock searches itself; another seed does" {
    words=(--tasks 4 --samples 12 --rounds 1 --round-samples 3 --critic trees=20 --quiet)
    for run in "1 --threads 1" "2 --threads 2" "3 --threads 1 --seed 2"; do
        # shellcheck disable=SC2086 # words
        succeeds learn "${words[@]}" ${run#* } --out "run${run%% *}"
        says "evaluations             60"
        is_narrow
    done
    cmp run1/taught.flock run2/taught.flock
    ! cmp -s run1/taught.flock run3/taught.flock || complain "expected other bytes"
}

@test "after kill -9 the same command goes on, to the bytes of an undisturbed run" {
    words=(--tasks 8 --samples 30 --rounds 1 --round-samples 5 --critic trees=20 --threads 1)
    succeeds learn "${words[@]}" --out whole --quiet
    # in the first tasks, then among those that the flock searches itself
    for bytes in 1000 $(($(stat -c %s whole/lessons.bin) * 9 / 10)); do
        "$STARLING" learn "${words[@]}" --out cut --quiet >/dev/null 2>&1 &
        pid=$!
        wait_for cut/lessons.bin "$bytes"
        kill -9 $pid || true # done in a fast build
        wait $pid || true
        [ "$bytes" -gt 1000 ] || [ ! -e cut/taught.flock ]
    done
    # and an entry that was cut short
    head -c 1000 whole/lessons.bin | tail -c 50 >>cut/lessons.bin
    starling learn "${words[@]}" --out cut
    [ "$code" -eq 0 ]
    grep -qE '^280 evaluations, [0-9]+ from before\. ' err || complain "expected samples from before"
    cmp whole/taught.flock cut/taught.flock
    cmp <(sed 's/whole/cut/' whole/learn.json) cut/learn.json
}

@test "SIGTERM keeps the tasks that are through" {
    words=(--tasks 10 --samples 400 --rounds 0 --critic trees=20 --threads 1 --out cut)
    "$STARLING" learn "${words[@]}" >out 2>err &
    pid=$!
    wait_for cut/lessons.bin 1000
    kill -TERM $pid
    ended=0
    wait $pid || ended=$?
    [ "$ended" -eq 143 ]
    grep -qE "^Interrupted: [0-9]+ evaluations are kept\. Rerun the command to resume\.$" err
    [ ! -e cut/taught.flock ]
}

@test "a finished run is shown again; a folder of another run is refused, and replaced by --no-resume" {
    taught
    starling learn --tasks 6 --samples 20 --rounds 0 --out small
    [ "$code" -eq 0 ]
    [ "$(cat err)" = "120 evaluations, 120 from before. Written to small: taught.flock; use it with --flock small" ]
    cmp small/taught.flock "$BATS_FILE_TMPDIR/taught/taught.flock"
    for other in "--samples 10" "--samples 20 --seed 2" "--samples 20 --space paper" "--samples 20 --critic depth=3" \
        "--samples 20 --objective latency" "--samples 20 --machines fixed" "--samples 20 --accels gamma1024"; do
        # shellcheck disable=SC2086 # words
        refuses 2 "small holds a run of another setup" learn --tasks 6 --rounds 0 --out small $other
        cmp small/taught.flock "$BATS_FILE_TMPDIR/taught/taught.flock"
    done
    succeeds learn --tasks 3 --samples 10 --rounds 0 --critic trees=20 --out small --no-resume --quiet
    says "evaluations             30"
}

@test "layers of workloads are taught on, once each, on every machine" {
    succeeds learn "$layer" "$layer" linear:K=32,C=64 --tasks 0 --accels gamma168,gamma1024 --machines fixed \
        --samples 8 --rounds 0 --critic trees=5 --json --quiet
    [ "$(json 'd["tasks"], d["evaluations"]')" = "(4, 32)" ]
    says "layers of $layer, $layer, linear:K=32,C=64 on machines as they are: gamma168,gamma1024; seed 1"
    succeeds learn "$layer" linear:K=32,C=64 --tasks 0 --evaluator native --samples 8 --rounds 0 --critic trees=5 --json --quiet
    [ "$(json 'd["evaluator"], d["tasks"]')" = "('native', 2)" ]
}

@test "a flock taught by a program of one's own says which, and is for programs" {
    program="python3 $SL_SOURCE_DIR/examples/evaluators/minimal.py"
    succeeds learn "$layer" linear:K=32,C=64 --tasks 0 --evaluator "$program" --objective latency --accels eyeriss \
        --machines fixed --samples 6 --rounds 0 --critic trees=5 --quiet --out own
    succeeds list flocks own --json
    [ "$(json 'd["evaluator"], d["program"]')" = "('process', '$program')" ]
    succeeds list flocks own
    is_narrow
    says "program " "minimal.py"
    succeeds map "$layer" --evaluator "$program" --objective latency --flock own --samples 3 --json
    [ "$(json 'd["method"], d["layers"][0]["samples"]')" = "('flock', 3)" ]
    refuses 2 "--flock own: it was taught by another evaluator" map "$layer" --objective latency --flock own
}

@test "list flocks shows one that was taught, by its folder or its file" {
    taught
    succeeds list flocks small
    is_narrow
    says "Flock small" "evaluator               maestro" "objective               edp" "tasks                   6" \
        "evaluations             120" "taught by               layers drawn"
    # as it was told when it was taught
    cp out listed
    succeeds learn --tasks 6 --samples 20 --rounds 0 --out small --quiet
    cmp listed out
    cmp listed small/learn.txt
    says "By kind of layer" "task to nearest other"
    succeeds list flocks small/taught.flock --json
    is_json starling.flock/1
    [ "$(json 'sum(s["tasks"] for s in d["skills"]), d["distances"]["least"] <= d["distances"]["median"] <= d["distances"]["most"]')" = "(6, True)" ]
    [ "$(json 'd["name"], d["evaluations"]')" = "('small/taught.flock', 120)" ]
    refuses 2 "unknown flock 'nosuch', expected a bundled one" list flocks nosuch
    refuses 2 "did not expect 'b'" list flocks a b
}

@test "list flocks names every bundled one, and there may be none" {
    succeeds list flocks
    is_narrow
    says "starling learn teaches your own"
    cp out list
    succeeds list flocks --form csv
    [ "$(head -1 out)" = "name,evaluator,objective,tasks,evaluations,tau,regret_1,regret_3" ]
    succeeds list flocks --json
    is_json starling.flocks/1
    bundled=$(cd "$SL_SOURCE_DIR/data" && for file in flocks/*.flock; do [ ! -e "$file" ] || basename "$file" .flock; done)
    [ "$(json '" ".join(f["name"] for f in d["flocks"])')" = "${bundled//$'\n'/ }" ]
    for name in $bundled; do
        grep -q "^$name " list
        succeeds list flocks "$name"
        is_narrow
        says "Flock $name"
        refuses 2 "unknown flock '${name}x' (did you mean '$name'?)" list flocks "${name}x"
    done
}

@test "map --flock takes few samples, the same ones every time" {
    taught
    succeeds "${map_layer[@]}" --flock small --json
    is_json starling.map/1
    [ "$(json 'd["method"], d["start"], d["layers"][0]["samples"]')" = "('flock', 'none', 5)" ]
    cp out first
    succeeds "${map_layer[@]}" --flock small/taught.flock --method flock --json --threads 1
    cmp first <(sed 's,small/taught.flock,small,' out)
    # a run that is gone on with is one of the very same flock
    succeeds "${map_layer[@]}" --flock small --out run --quiet
    starling "${map_layer[@]}" --flock small --out run
    [ "$code" -eq 0 ]
    grep -q "1 of 1 layers taken from an earlier run" err
    refuses 2 "run holds a run of another setup" "${map_layer[@]}" --flock none --out run
    succeeds learn --tasks 3 --samples 10 --rounds 0 --critic trees=20 --out other --quiet
    refuses 2 "run holds a run of another setup" "${map_layer[@]}" --flock other --out run
}

@test "map takes the bundled flock that suits, and says what was spent before" {
    [ -e "$SL_SOURCE_DIR/data/flocks/maestro-edp.flock" ] || skip "no flock is bundled"
    succeeds "${map_layer[@]}" --quiet
    is_narrow
    says "edp by flock, 5 samples" "maestro-edp: pre-trained on 400 tasks, 120,000 evaluations" "of taught tasks are to each other"
    run=starling-runs/$(ls starling-runs)
    for file in run.json map.json; do
        [ "$(python3 -c "import json, sys; d = json.load(open(sys.argv[1])); print(d['method'], d['flock']['name'], d['flock']['evaluations'])" \
            "$run/$file")" = "flock maestro-edp 120000" ]
    done
    grep -q "maestro-edp: pre-trained" "$run/map.html"
    succeeds "${map_layer[@]}" --json
    is_json starling.map/1
    [ "$(json '0 < d["layers"][0]["taught"]["share"] <= 1, d["layers"][0]["taught"]["distance"] > 0')" = "(True, True)" ]
    cp out default
    for words in "--method flock" "--flock maestro-edp"; do
        # shellcheck disable=SC2086 # words
        succeeds "${map_layer[@]}" --json $words
        cmp default out
    done
    # another objective, another flock
    succeeds "${map_layer[@]}" --objective latency --json
    [ "$(json 'd["flock"]["name"]')" = maestro-latency ]
}

@test "no flock is used where none suits, where another method is named, and where it is turned off" {
    # what only marl takes is about marl
    for words in "--flock none" "--method marl" "--set blind=2" "--critic on" "--agents 3 --dataset 20" "--warm 2" \
        "--objective area" "--objective latency=2,energy=1"; do
        # shellcheck disable=SC2086 # words
        succeeds "${map_layer[@]}" --json $words
        [ "$(json 'd["method"], d["flock"], d["layers"][0]["taught"]')" = "('marl', None, None)" ]
    done
    succeeds map "$layer" --objective edp --samples 5 --json
    [ "$(json 'd["method"], d["flock"]')" = "('marl', None)" ]
    # machines of other levels
    succeeds map "$layer" --evaluator "python3 $SL_SOURCE_DIR/examples/evaluators/minimal.py" --samples 2 --json
    [ "$(json 'd["method"], d["flock"]')" = "('marl', None)" ]
}

@test "a layer or machine far from all that was taught is said to be" {
    taught
    succeeds map dw:G=8192,P=3,Q=3,R=3,S=3 --evaluator maestro --accel gamma1024 --objective edp --flock small --samples 2 --quiet
    is_narrow
    says "farther than all taught tasks are from each other: the flock knows little"
    succeeds map dw:G=8192,P=3,Q=3,R=3,S=3 --evaluator maestro --accel gamma1024 --objective edp --flock small --samples 2 --json
    [ "$(json 'd["layers"][0]["taught"]["share"]')" = 0 ]
}

@test "flocks go on from earlier ones, and merge" {
    taught
    words=(--samples 10 --rounds 1 --round-samples 3 --critic trees=20 --quiet)
    succeeds learn --from small --tasks 3 --seed 2 "${words[@]}" --threads 1 --out more
    says "tasks                   9" "evaluations             159" "seed 1 +" "seed 2"
    # whatever the threads; the folder that it went on from is not needed again
    succeeds learn --from small --tasks 3 --seed 2 "${words[@]}" --threads 2 --out twin
    cmp more/taught.flock twin/taught.flock
    rm -r small twin
    starling learn --from more --tasks 0 --seed 2 --critic trees=20 --out again
    [ "$code" -eq 0 ]
    [ "$(cat err)" = "159 evaluations, 159 from before. Written to again: taught.flock; use it with --flock again" ]
    cmp more/taught.flock again/taught.flock
    # two of them are the sum, and what both know counts once
    succeeds learn --tasks 2 --seed 3 "${words[@]}" --rounds 0 --out other
    succeeds learn --from more,other,again --tasks 0 --critic trees=20 --out sum --json --quiet
    [ "$(json 'd["tasks"], d["evaluations"], d["source"].count("seed 1"), d["source"].count(" + ")')" = "(11, 179, 1, 2)" ]
    succeeds "${map_layer[@]}" --flock sum --json
    [ "$(json 'd["flock"]["name"], d["flock"]["evaluations"]')" = "('sum', 179)" ]
}

@test "what cannot be gone on from is refused with a sentence" {
    taught
    merge=(learn --tasks 0 --out merged)
    refuses 2 "small was taught for objective edp, this is latency" "${merge[@]}" --from small --objective latency
    refuses 2 "small was taught by evaluator maestro, this is native" "${merge[@]}" --from small --evaluator native
    refuses 2 "small: its points are of another space" "${merge[@]}" --from small --space paper
    refuses 2 "a flock holds what was learnt, not what was evaluated" "${merge[@]}" --from small/taught.flock
    refuses 2 "nosuch: there is no such folder" "${merge[@]}" --from small,nosuch
    refuses 2 "--from: expected a folder" "${merge[@]}" --from ,
    refuses 2 "--from: does not apply to --rows" "${learn_rows[@]}" --from small
    truncate -s 2000 small/lessons.bin
    refuses 2 "small/lessons.bin: the evaluations are damaged, or were cut short" "${merge[@]}" --from small
    rm small/lessons.bin
    refuses 2 "small: there is no lessons.bin in it" "${merge[@]}" --from small
    [ ! -e merged ]
}

@test "a run that is refused, or fails before anything is kept, leaves nothing" {
    for words in "--tasks 1" "--tasks 3 --accels tpu" "--tasks 3 --method flock" "$layer --tasks 0" \
        "--tasks 3 --objective latency --evaluator native --accels nosuch.yaml"; do
        # shellcheck disable=SC2086 # words
        starling learn --out d --samples 5 $words
        [ "$code" -eq 2 ]
        [ ! -e d ] || complain "left by $words"
    done
    starling learn "$layer" linear:K=32,C=64 --tasks 0 --evaluator "false" --accels eyeriss --samples 5 --out d
    [ "$code" -ne 0 ]
    [ ! -e d ] || complain "left by an evaluator that fails"
    # what was there stays
    mkdir d
    echo mine >d/mine
    refuses 2 "teaching needs at least two tasks" learn --tasks 1 --out d --no-resume
    [ "$(ls d)" = mine ]
    taught
    refuses 2 "teaching needs at least two tasks" learn --tasks 1 --out small --no-resume
    cmp small/taught.flock "$BATS_FILE_TMPDIR/taught/taught.flock"
}

@test "a flock that does not suit is refused with what differs" {
    taught
    refuses 2 "--flock small: it was taught another objective; see 'starling list flocks small'" \
        map "$layer" --evaluator maestro --accel gamma168 --objective latency --flock small
    refuses 2 "--flock small: it was taught by another evaluator" map "$layer" --accel gamma168 --objective edp --flock small
    refuses 2 "--flock small: it was taught on machines with other levels, ports or links" \
        map "$layer" --evaluator maestro --accel eyeriss --objective edp --flock small
    refuses 2 "--flock: method marl takes no flock; expected --method flock" "${map_layer[@]}" --flock small --method marl
    refuses 2 "--method flock: expected --flock too" "${map_layer[@]}" --method flock --flock none
    refuses 2 "--method flock: expected --flock too" map "$layer" --method flock --json
    # nobody else has one to offer
    refuses 2 "flock cannot collect samples: it needs a flock" "${map_layer[@]}" --agents 2 --dataset 20 --assign-policy flock
    refuses 2 "flock: it needs a flock" learn --method flock --tasks 3 --samples 5 --out none
    refuses 2 "--method flock: expected --flock too" tune "$layer" --method flock --budget 5
    refuses 2 "--warm: method flock does not learn across layers" "${map_layer[@]}" --flock small --warm 3
    refuses 2 "--critic: method flock has no critic" "${map_layer[@]}" --flock small --critic on
}

@test "what is no flock, or not all of one, is refused" {
    taught
    head -c 3000 small/taught.flock >short.flock
    refuses 2 "short.flock: cannot unpack: the file ends too early" "${map_layer[@]}" --flock short.flock
    # one byte changed inside, wherever it is
    for share in 0.1 0.5 0.9999; do
        python3 - "$share" <<'END'
import gzip, sys
data = bytearray(gzip.open("small/taught.flock").read())
data[int(float(sys.argv[1]) * len(data))] ^= 1
gzip.open("changed.flock", "wb").write(data)
END
        refuses 2 "changed.flock: the flock is damaged: its digest does not fit its bytes" "${map_layer[@]}" --flock changed.flock
    done
    gunzip <small/taught.flock | head -c 5000 | gzip >half.flock
    refuses 2 "half.flock: the flock is damaged" "${map_layer[@]}" --flock half.flock
    echo hello >text.flock
    refuses 2 "text.flock: expected a flock as 'starling learn' writes it" "${map_layer[@]}" --flock text.flock
    : >empty.flock
    refuses 2 "empty.flock: expected a flock as 'starling learn' writes it" list flocks empty.flock
    mkdir folder
    refuses 2 "folder/taught.flock: cannot open" "${map_layer[@]}" --flock folder
    refuses 2 "unknown flock 'nosuch', expected a bundled one ('starling list flocks'), a file, or a folder of 'starling learn'" \
        "${map_layer[@]}" --flock nosuch
    # lessons of a run that are none
    cp small/run.json small/lessons.bin
    refuses 2 "small/lessons.bin: expected samples of this run" learn --tasks 6 --samples 20 --rounds 0 --out small
}

@test "measured rows teach a flock" {
    succeeds "${learn_rows[@]}" --quiet --out measured
    says "Flock measured" "tasks                   66" "evaluations             1,567" "objective               latency"
    is_narrow
    [ -s measured/taught.flock ]
    succeeds "${learn_rows[@]}" --quiet --json --threads 1
    [ "$(json 'd["tasks"], d["evaluations"], d["evaluator"], d["points"]')" = "(66, 1567, 'process', 0)" ]
    succeeds list flocks measured
    says "tasks                   66"
    refuses 2 "it was taught by another evaluator" map "$layer" --accel gemmini --objective latency --flock measured
    refuses 2 "measured holds a run of another setup" "${learn_rows[@]}" --seed 2 --out measured
}

@test "schedules of VTA are taught, and tune uses them" {
    learn_vta=(learn --evaluator vta --tasks 12 --samples 20 --round-samples 4 --critic trees=40 --quiet)
    succeeds "${learn_vta[@]}" --threads 1 --out v
    says "evaluator               vta" "machine                 1x16x16_i8w8a32_15_15_18_17, bus of 64 bits, tsim" "objective               cycles"
    is_narrow
    succeeds "${learn_vta[@]}" --threads 2 --out w
    cmp v/taught.flock w/taught.flock
    succeeds tune conv:K=32,C=32,P=14,Q=14,R=3,S=3,pad=1 --flock v --budget 4 --json --quiet --out run
    [ "$(json 'd["setup"]["method"], d["setup"]["flock"]["name"], d["setup"]["flock"]["tasks"], d["total"]["failures"]')" = "('flock', 'v', 12, 0)" ]
    [ "$(json 'd["setup"]["flock"]["evaluations"] == '"$(python3 -c 'import json; print(json.load(open("v/learn.json"))["evaluations"])')")" = True ]
    grep -q "flock     v: [0-9,]* measurements of 12 other layers before" run/tune.txt
    grep -q '"flock"' run/run.json
    # the core it was taught on, and nothing else
    refuses 2 "--flock v: it was taught on another core; see 'starling list flocks v'" tune alexnet:conv3 --core 1x8x32 --flock v --json
    refuses 2 "--flock v: it was taught by another evaluator" "${map_layer[@]}" --flock v
    refuses 2 "--flock: does not apply to --hw search" tune alexnet:conv3 --hw search --flock v --json
    refuses 2 "--flock: method dcoc takes no flock; expected --method flock" tune alexnet:conv3 --method dcoc --flock v --json
    refuses 2 "--method flock: expected --flock too" tune alexnet:conv3 --method flock --json
    refuses 2 "--flock maestro-edp: it was taught by another evaluator" tune alexnet:conv3 --flock maestro-edp --json
}

@test "C programs of this processor are taught, and tune uses them" {
    command -v cc >/dev/null || skip "no compiler"
    export XDG_CACHE_HOME=$PWD/cache
    succeeds learn conv:K=8,C=8,P=6,Q=6,R=3,S=3,pad=1 conv:K=16,C=8,P=5,Q=5,R=1,S=1 --evaluator cpu --tasks 0 \
        --samples 5 --rounds 0 --critic trees=10 --quiet --out c
    says "evaluator               cpu" "objective               s" "evaluations             10" "fp32, threads=1"
    succeeds tune conv:K=8,C=8,P=7,Q=7,R=3,S=3,pad=1 --evaluator cpu --flock c --budget 2 --json --quiet
    [ "$(json 'd["setup"]["method"], d["setup"]["flock"]["evaluations"], d["layers"][0]["measurements"]')" = "('flock', 10, 2)" ]
    refuses 2 "--flock c: it was taught on another processor, or for other programs" \
        tune conv:K=8,C=8,P=7,Q=7,R=3,S=3,pad=1 --evaluator cpu --type int8 --flock c --json
}

@test "what learn cannot do is refused with a sentence" {
    refuses 2 "--objective: does not apply to --evaluator vta" learn --evaluator vta --objective latency
    refuses 2 "--core: does not apply to --evaluator cpu" learn --evaluator cpu --core 1x8x8
    refuses 2 "--core: does not apply to --evaluator maestro" learn --core 1x8x8
    refuses 2 "--core: core '3x16x16'" learn --evaluator vta --core 3x16x16 --out core
    refuses 2 "--tasks: expected at least 1 without a workload" learn --tasks 0
    refuses 2 "teaching needs at least two tasks" learn --tasks 1 --out one
    refuses 2 "teaching needs at least two tasks" learn "$layer" --tasks 0 --out two
    refuses 2 "MAESTRO's machine has two levels on chip" learn --tasks 3 --accels tpu --out three
    refuses 2 "--critic: --trees: expected a whole number from 1 to 10000, got 'x'" learn --critic trees=x
    refuses 2 "--critic: unknown option --nonsense" learn --critic nonsense=1
    refuses 2 "--critic: expected NAME=VALUE, got 'trees'" learn --critic trees
    refuses 2 "--set: marl has no option 'nonsense'" learn --set nonsense=1
    refuses 2 "unknown method 'marle' (did you mean 'marl'?)" learn --method marle
    refuses 2 "did you mean 'gamma168'?" learn --accels gamma16
    refuses 2 "did you mean 'resnet18'?" learn resnet81
    refuses 2 "--objective: expected an objective" learn --objective speed
    refuses 2 "--samples: expected" learn --samples 1
}

@test "what learn --rows cannot do is refused with a sentence" {
    refuses 2 "--column: expected --rows too" learn --column cycles
    refuses 2 "--rows: expected --accels too, with the machine that was measured" learn --rows "$rows"
    refuses 2 "--accels: expected one accelerator, the one that was measured" learn --rows "$rows" --accels "$accel,gamma168"
    refuses 2 "nosuch.csv: cannot open" learn --rows nosuch.csv --accels "$accel"
    refuses 2 "--rows: expected no workload, the file has the layers" learn resnet18 --rows "$rows" --accels "$accel"
    refuses 2 "--tasks: does not apply to --rows" learn --rows "$rows" --accels "$accel" --tasks 5
    refuses 2 "column" learn --rows "$rows" --accels "$accel" --column nosuch
    echo nonsense >text.csv
    refuses 2 "text.csv" learn --rows text.csv --accels "$accel"
}

@test "drawn layers have the MACs asked for, and copies of a program change nothing" {
    program="python3 $SL_SOURCE_DIR/examples/evaluators/minimal.py"
    for copies in 1 3; do
        succeeds learn --evaluator "$program" --evaluator-copies $copies --objective latency --accels cache_twin \
            --machines fixed --macs 1e4..1e6 --tasks 4 --samples 6 --rounds 0 --critic trees=5 --quiet --out c$copies
        says "layers of 1e4..1e6 MACs drawn"
    done
    cmp c1/taught.flock c3/taught.flock
    refuses 2 "--macs: expected LEAST..MOST such as 2e5..6e6, got '5'" learn --macs 5
    refuses 2 "--macs: expected LEAST..MOST" learn --macs 6e6..2e5
    refuses 2 "--macs: expected no workload" learn "$layer" --macs 1..2
}
