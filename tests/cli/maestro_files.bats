#!/usr/bin/env bats
# Layers of MAESTRO's and GAMMA's files as workloads.
load common

@test "the layers of a MAESTRO file are a workload, with or without dataflow" {
    printf '%s\n' 'Network mine {' \
        'Layer a { Type: CONV Stride { X: 2, Y: 2 } Dimensions { K 8, C 4, R 3, S 3, Y 9, X 9 } }' \
        'Layer b-1 { Type: GEMM Dimensions { M 3, N 4, K 5 } Dataflow { SpatialMap(1,1) M } }' \
        'Layer a { Type: DSCONV Dimensions { C 4, R 3, S 3, Y 9, X 9 } }' '}' >mine.m
    succeeds eval mine.m --json
    [ "$(json '[l["name"] for l in d["layers"]]')" = "['a', '1', 'a_2']" ]
    [ "$(json 'd["totals"]["macs"]')" = $((8 * 4 * 9 * 16 + 60 + 4 * 9 * 49)) ]
    succeeds eval mine.m:a_2
    says "G=4"
    refuses 2 "mine has no layer 'c'" eval mine.m:c
}

@test "a MAESTRO file that is wrong is refused with the place" {
    printf 'Network n {\nLayer a { Type: FC\n' >bad.m
    refuses 2 "bad.m:2:17: MAESTRO does not support layers of type FC" eval bad.m
    printf 'Network n {\nLayer a { Type: CONV Dimensions { K 1, C 1, R 3, S 1, Y 2, X 1 } } }\n' >bad.m
    refuses 2 "bad.m:2: layer 'a': Y is smaller than R" eval bad.m
}

@test "a table of GAMMA is a workload" {
    printf 'K,C,Y,X,R,S,T\n64,3,10,9,3,3,1\n1,32,5,5,3,3,2\n' >gamma.csv
    succeeds eval gamma.csv --json
    [ "$(json '[l["name"] for l in d["layers"]]')" = "['conv1', 'dw2']" ]
    [ "$(json 'd["totals"]["macs"]')" = $((64 * 3 * 9 * 56 + 32 * 9 * 9)) ]
    succeeds eval gamma.csv:dw2
    printf 'K,C,Y,X,R,S,T\n64,3,10,9,3,3,9\n' >gamma.csv
    refuses 2 "gamma.csv:2:15: expected a type T" eval gamma.csv
}
