#!/usr/bin/env bats
# starling eval --witness: mappings executed as C programs, compared with the model count by count.
# shellcheck disable=SC2154 # code comes from common.bash
load common

# the worked example of docs/model.md: K=3 C=2 P=5 R=3
example_layer=conv:K=3,C=2,P=5,R=3
example_nest='C:1 P:2 @7 K*2 K:1 R:1 @7 P:1'

@test "every count of a small layer equals its execution" {
    succeeds eval $example_layer --mapping "$example_nest" --witness
    is_narrow
    says "executed" "level  tensor  count" "all 71 counts equal; the output is right"
    [ "$(grep -c ' yes$' out)" -eq 71 ]
    [ "$(grep -c ' NO$' out)" -eq 0 ]
    [ "$(grep -c Scaled out)" -eq 0 ]
}

@test "a large layer is scaled down and says so" {
    succeeds eval resnet18:conv3_1 --accel simba --witness
    is_narrow
    says "Scaled down to be executed in seconds, since it has more than 4,194,304 MACs" \
        "iterations per loop" "all 77 counts equal; the output is right"
}

@test "a network is executed layer by layer" {
    printf 'network: two\nlayers:\n  - {name: a, type: conv, K: 4, C: 3, P: 5, Q: 5, R: 3, S: 3}\n  - {name: b, type: gemm, M: 5, N: 7, K: 4}\n  - {name: c, type: gemm, M: 5, N: 7, K: 4}\n' >two.yaml
    succeeds eval ./two.yaml --accel nvdla --witness
    is_narrow
    says "two on nvdla, executed" "all 116 counts of 2 layers equal; every output is right"
}

@test "JSON has every count by both ways" {
    succeeds eval $example_layer --mapping "$example_nest" --witness --json
    is_json starling.witness/1
    [ "$(json 'd["equal"], d["layers"][0]["output_right"], d["layers"][0]["different"]')" = "(True, True, [])" ]
    [ "$(json 'd["layers"][0]["model"] == d["layers"][0]["execution"]')" = True ]
    [ "$(json 'len(d["layers"][0]["model"]), d["layers"][0]["scaled"]')" = "(71, False)" ]
    json 'd["layers"][0]["execution"]' >witness
    succeeds eval $example_layer --mapping "$example_nest" --json
    json '{k: v for k, v in d["layers"][0]["counts"].items()}' | cmp witness -
}

@test "--out leaves the table and the document" {
    starling eval $example_layer --witness --out results
    [ "$code" -eq 0 ]
    cmp out results/witness.txt
    grep -q '"starling.witness/1"' results/witness.json
}

@test "--witness-source is a program that stands on its own" {
    succeeds eval $example_layer --mapping "$example_nest" --witness-source witness.c
    [ ! -s out ]
    cc -std=c11 -Wall -Wextra -Werror -pedantic -O1 witness.c -o witness
    ./witness >counts
    grep -qx 'output right' counts
    grep -qx 'macs 90' counts
    succeeds eval $example_layer --mapping "$example_nest" --witness-source -
    cmp out witness.c
    succeeds eval $example_layer --mapping "$example_nest" --witness --witness-source again.c
    cmp again.c witness.c
}

@test "the program of a large layer says that it is scaled down" {
    starling eval resnet18:conv2_1 --witness-source witness.c
    [ "$code" -eq 0 ]
    grep -q '^The program has the layer scaled down: conv K=' err
    succeeds eval resnet18:conv2_1 --witness-source witness.c --quiet
}

@test "a compiler that counts wrongly is caught" {
    mkdir bin
    # a cc that breaks the rule of multicast
    cat >bin/cc <<'SCRIPT'
#!/bin/sh
sed -i 's/if (!again \&\& b->step == 1) b->first++;/if (b->step == 1) b->first++;/' witness.c
PATH=$OLD_PATH exec cc "$@"
SCRIPT
    chmod +x bin/cc
    export OLD_PATH=$PATH
    PATH=$PWD/bin:$PATH starling eval $example_layer --mapping "$example_nest" --witness
    [ "$code" -eq 1 ]
    says "NO" "1 of 71 counts differ; the output is right"
}

@test "without a compiler there is one sentence" {
    code=0
    env PATH=/nowhere "$STARLING" eval $example_layer --witness >out 2>err || code=$?
    [ "$code" -eq 2 ]
    [ ! -s out ]
    grep -q '^starling: the compiler (cc) cannot be started' err
}

@test "what cannot go together is refused" {
    refuses 2 "not together with --csv" eval $example_layer --witness --csv
    refuses 2 "not together with --csv" eval $example_layer --witness --export timeloop
    refuses 2 "not together with --model maestro" eval $example_layer --witness --model maestro
    refuses 2 "not together with --witness" eval $example_layer --witness --witness-source -
    refuses 2 "not together with --json or --out" eval $example_layer --witness-source witness.c --json
    refuses 2 "name one, such as resnet18:conv1" eval resnet18 --witness-source witness.c
    refuses 3 "" eval $example_layer --witness-source missing/witness.c
}
