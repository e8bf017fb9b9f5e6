#!/usr/bin/env bats
# One clear sentence and the right exit code for whatever is wrong.
load common

@test "eval needs one workload" {
    refuses 2 "expected a workload, such as 'starling eval resnet18'" eval
    refuses 2 "expected one workload" eval resnet18 resnet34
    refuses 2 "--csv and --json" eval resnet18 --csv --json
}

@test "unknown names get hints" {
    refuses 2 "unknown network 'resnet81' (did you mean 'resnet18'?)" eval resnet81
    refuses 2 "resnet18 has no layer 'conv5_dwn' (did you mean 'conv5_down'?)" eval resnet18:conv5_dwn
    refuses 2 "resnet18 has no layer 99, its layers are 1 to 21" eval resnet18:99
    refuses 2 "unknown accelerator 'eyeris' (did you mean 'eyeriss'?)" eval resnet18 --accel eyeris
}

@test "wrong numbers in layers are named" {
    for k in 0 -4 99999999999999999999 9223372036854775808 4x 1.5 ""; do
        refuses 2 "K: expected a whole number" eval "conv:K=$k,C=3"
    done
    # beyond 2^53, beyond 2^64
    refuses 2 "2^53 MACs or more" eval conv:K=100000000,C=100000000
    refuses 2 "2^53 MACs or more" eval conv:K=4294967296,C=4294967296,P=4294967296
    refuses 2 "2^53 MACs or more" eval gemm:M=1048576,N=1048576,K=1048576
    refuses 2 "is too much for layer" eval vgg16 --batch 1000000000
    refuses 2 "--batch: expected a whole number from 1" eval resnet18 --batch 0
    refuses 2 "--batch: expected a whole number from 1" eval resnet18 --batch -1
    refuses 2 "--threads: expected a whole number" eval resnet18 --threads many
}

@test "wrong mappings are named" {
    refuses 2 "--mapping: column 1: 'Z:1'" eval resnet18:2 --mapping Z:1
    refuses 2 "--mapping: column 5: 'K:0'" eval resnet18:2 --mapping "C:1 K:0"
    refuses 2 "--mapping: no loop over C" eval resnet18:2 --mapping "@7 @7 K:1 P:1 Q:1 R:1 S:1"
    refuses 2 "the nest has 1 storage boundary (@), eyeriss has 2 on-chip levels (L2, L1)" \
        eval resnet18:2 --mapping "@7 K:1 C:1 P:1 Q:1 R:1 S:1"
    refuses 2 "nosuch.yaml: cannot open" eval resnet18:2 --mapping nosuch.yaml
    printf 'mapping:\n  - {level: DRAM, loop: []}\n' >bad.yaml
    refuses 2 "bad.yaml:2:" eval resnet18:2 --mapping bad.yaml
}

@test "files that are missing or folders are told apart from wrong ones" {
    refuses 2 "nosuch.yaml: cannot open: No such file" eval nosuch.yaml
    refuses 2 "nosuch.yaml: cannot open: No such file" eval resnet18 --accel nosuch.yaml
    mkdir folder.yaml
    refuses 2 "folder.yaml: cannot read: Is a directory" eval folder.yaml
    refuses 2 "folder.yaml: cannot read: Is a directory" eval resnet18 --accel folder.yaml
}

@test "truncated, garbled and huge YAML is refused with its place" {
    network=$SL_SOURCE_DIR/data/networks/resnet18.yaml
    head -c 1100 "$network" >cut.yaml
    refuses 2 "cut.yaml:" eval cut.yaml
    head -c 700 "$SL_SOURCE_DIR/data/accels/eyeriss.yaml" >accel.yaml
    refuses 2 "accel.yaml" eval resnet18 --accel accel.yaml
    printf 'network: \377\n' >latin.yaml
    refuses 2 "latin.yaml:1:10: expected UTF-8 text" eval latin.yaml
    printf 'layers: [{type: conv, K: 64, C: -3}]\n' >negative.yaml
    refuses 2 "negative.yaml:1:" eval negative.yaml
    : >empty.yaml
    refuses 2 "empty.yaml" eval empty.yaml
    head -c 17000000 /dev/zero >huge.yaml
    refuses 2 "huge.yaml: expected at most" eval huge.yaml
    refuses 2 "huge.yaml: expected at most" eval resnet18 --accel huge.yaml
    refuses 2 "huge.yaml: expected at most" eval resnet18:2 --mapping huge.yaml
}

@test "names that are not UTF-8 are shown as question marks" {
    refuses 2 "unknown command '?'" "$(printf '\377')"
    refuses 2 "unknown network '?'" eval "$(printf '\377')"
    refuses 2 "expected UTF-8 text" eval resnet18 --accel "$(printf '\377')"
}

@test "a folder that cannot be made is told" {
    : >file
    refuses 3 "file/d: cannot make the folder" eval resnet18 --out file/d
    refuses 3 "file: is not a folder" eval resnet18 --out file
    refuses 2 "--out: expected the name of a folder" list networks --out ""
}

@test "names that would turn or clear the terminal are refused" {
    printf 'network: x\nlayers:\n  - {name: "a\\u202Eb", type: linear, K: 4, C: 4}\n' >turned.yaml
    refuses 2 "turned.yaml:3:12: expected text, found the character U+202E" eval turned.yaml
    printf 'name,type,K,C\na\xe2\x81\xa6b,linear,4,4\n' >turned.csv
    refuses 2 "turned.csv:2:2: expected text, found the character U+2066" eval turned.csv
    printf 'network: x\ntitle: "\\e[2J"\nlayers:\n  - {type: linear, K: 4, C: 4}\n' >clears.yaml
    refuses 2 "clears.yaml:2:8: expected text, found the character U+001B" eval clears.yaml
}

@test "options that would change nothing are refused" {
    refuses 2 "--samples: expected a whole number from 1" map resnet18:2 --samples 0
    refuses 2 "--dataset: does not apply to --agents all" map resnet18:2 --dataset 100
    refuses 2 "--illegal: does not apply to --method exact" map resnet18:2 --method exact --illegal penalty
    refuses 2 "--start: does not apply to --method exact" map resnet18:2 --method exact --start none
    refuses 2 "--bias: does not apply to --target cpu" tune resnet18:2 --target cpu --bias
    refuses 2 "--bus: does not apply to --target cpu" tune resnet18:2 --target cpu --bus 128
    refuses 2 "--type: does not apply to --target vta" tune resnet18:2 --target vta --type int8
    refuses 2 "--cores: does not apply to --hw fixed" tune resnet18:2 --cores 2
    refuses 2 "--transfer: method random does not learn from other layers" tune resnet18:2 --method random --transfer x
    refuses 2 "--prey: does not apply to --env spread" train --env spread --prey flee
    refuses 2 "--prey: does not apply to --env adversary" train --env adversary --prey flee
    refuses 2 "--adversary: does not apply to --env tag" train --adversary still
    refuses 2 "--adversary: expected one of seek, random, still" train --env adversary --adversary flee
    refuses 2 "--entropy: does not apply to --algo maddpg" train --entropy 0.1
    refuses 2 "--regulariser: does not apply to --algo masac" train --algo masac --regulariser 0.1
    refuses 2 "--neighbors: does not apply to --sampling uniform" train --neighbors 5
    refuses 2 "--format: does not apply to study run" study run table3 --format json
    refuses 2 "--quick: does not apply to study report" study report nowhere --quick
    refuses 2 "--nests: not together with --objective" eval --nests - --objective energy
}

@test "sizes that are needed are asked for" {
    refuses 2 "expected K, a gemm needs it" eval gemm:M=64,N=64
    refuses 2 "expected C, a linear needs it" eval linear:K=10
    refuses 2 "core '16x16': expected BATCHxBLOCK_INxBLOCK_OUT, like 1x16x16" tune resnet18:2 --core 16x16
}
