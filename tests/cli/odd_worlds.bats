#!/usr/bin/env bats
# Networks and accelerators that generated/commands came upon, and what was wrong with the answers.
# shellcheck disable=SC2154 # code comes from common.bash
load common

# two layers, and an accelerator on which nothing costs energy
setup_file() {
    cat >"$BATS_FILE_TMPDIR/two.yaml" <<'YAML'
network: two
layers:
  - {name: a, type: conv, K: 61, C: 7, P: 31, Q: 31, R: 3, S: 3}
  - {name: b, type: linear, K: 127, C: 251}
YAML
    cat >"$BATS_FILE_TMPDIR/free.yaml" <<'YAML'
accel: free
clock_mhz: 200
word_bytes: 1
mac: {energy: 0}
levels:
  - {name: DRAM, energy: 0}
  - {name: L1, capacity: 4 KiB, energy: 1, fanout: {clusters: 16}}
YAML
}

@test "a floor of zero has no multiple: a dash, never inf" {
    for command in eval map; do
        for workload in "$BATS_FILE_TMPDIR/two.yaml" "$BATS_FILE_TMPDIR/two.yaml:a"; do
            succeeds "$command" "$workload" --accel "$BATS_FILE_TMPDIR/free.yaml" --out "$command-${workload##*/}" --quiet
            if grep -qw -- 'inf' out; then complain "expected no inf of: $command $workload"; fi
        done
    done
}

@test "an objective that is zero everywhere is mapped, and its proof ends" {
    for objective in area energy=0.5,area=1; do
        succeeds map "$BATS_FILE_TMPDIR/two.yaml:b" --accel "$BATS_FILE_TMPDIR/free.yaml" --objective "$objective" \
            -m local -n 5 --prove --prove-time 1 --json
        [ "$(json 'd["layers"][0]["objective_value"], d["layers"][0]["lower_bound"]')" = "(0, None)" ]
    done
}

@test "the comparison with the default mappings breaks its line" {
    succeeds map "$BATS_FILE_TMPDIR/two.yaml" -m random -n 1 --start none --out run --quiet
    says "time  " "energy  " "EDP  " "× as much as with default mappings"
    is_narrow
}

@test "the verdict of a network that is only proven breaks its line" {
    succeeds map "$BATS_FILE_TMPDIR/two.yaml" -m exact --objective edp --constraints weight-stationary \
        --prove=100 --out run --quiet
    says "every layer is proven within 100 % of the best mapping in its" "constraints weight-stationary,"
    is_narrow
}

@test "the line of the curve is narrow where the first sample was almost as good" {
    succeeds map conv:K=509,C=61,P=127,Q=127,R=3,S=3 -m ga -n 20000 --objective area=0.01,energy=0.001 --out run --quiet
    says "curve  " "% above the result) to 20,000"
    is_narrow
}

@test "a run that is taken up again has the numbers of the first" {
    words="conv:K=160,C=61,P=31,Q=31,R=3,S=3 --accel golden -m random -n 20 --start none --objective edp --quiet --json"
    # shellcheck disable=SC2086 # words
    succeeds map $words --out run
    cp out first
    # shellcheck disable=SC2086 # words
    succeeds map $words --out run
    cmp out first
}

@test "a machine with endless ways to spread is told so at once" {
    axes="a: {size: 64}, b: {size: 64}, c: {size: 64}, d: {size: 64}"
    cat >wide.yaml <<YAML
accel: wide
clock_mhz: 200
word_bytes: 1
mac: {energy: 1}
levels:
  - {name: DRAM, energy: 200}
  - {name: L2, capacity: 1 MiB, energy: 6, fanout: {grid: {a: {size: 64}, b: {size: 64}}}}
  - {name: L1, capacity: 4 KiB, energy: 1, fanout: {grid: {$axes}}}
YAML
    code=0
    timeout -s KILL 60 "$STARLING" map conv:N=2,K=64,C=64,P=56,Q=56,R=3,S=3 --accel wide.yaml -m local -n 5 --prove \
        --prove-time 1 --json --quiet >out 2>err || code=$?
    [ "$code" -eq 0 ] || complain "expected an end"
    [ "$(json 'd["layers"][0]["proof"]["reason"]')" = "there are more than 65,536 ways to spread" ]
}
