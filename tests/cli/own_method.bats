#!/usr/bin/env bats
# own_method.bats - a search method from a shared object.
load common

method=$SL_BUILD_DIR/examples/halving.so

@test "a method of a shared object maps, with its options" {
    run "$STARLING" map "conv:K=16,C=16,P=14,Q=14,R=3,S=3" --method "$method" --set first=5 --samples 60 --json
    [ "$status" -eq 0 ]
    [[ $output == *'"method": "halving"'* ]]
    [[ $output == *'"first": 5'* ]]
}

@test "a method of a shared object tunes and searches own spaces" {
    run "$STARLING" tune resnet18:conv5_2 --method "$method" --budget 20 --json
    [ "$status" -eq 0 ]
    [[ $output == *'halving'* ]]
}

@test "a file that is no method is refused with one sentence" {
    printf 'no object' > "$BATS_TEST_TMPDIR/bad.so"
    run "$STARLING" map mlp --method "$BATS_TEST_TMPDIR/bad.so"
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == *"cannot be loaded"* ]]
    run "$STARLING" map mlp --method "$BATS_TEST_TMPDIR/none.so"
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
}
