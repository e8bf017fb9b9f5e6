#!/usr/bin/env bats
# starling verify: certificates that hold, that do not, that are none.
# shellcheck disable=SC2154 # code comes from common.bash
load common

layer=conv:K=16,C=8,P=14,Q=14,R=3,S=3

prove() {
    succeeds map $layer --objective edp --method exact --prove=0.5 --out run --quiet
    cp run/certificates/conv.cert good.cert
}

# change PYTHON: the lines of good.cert, as the list s, changed; written to bad.cert
change() {
    python3 -c '
import sys
s = open("good.cert", encoding="utf-8").read().split("\n")
old = list(s)
def number(key):
    return float(next(line.split()[1] for line in s if line.startswith(key + " ")))
def put(key, value):
    s[:] = [f"{key} {value!r}" if line.startswith(key + " ") else line for line in s]
exec(sys.argv[1])
assert s != old
open("bad.cert", "w", encoding="utf-8").write("\n".join(s))' "$1"
}

# is_false PYTHON: exit code 1 and a reason
is_false() {
    change "$1"
    starling verify bad.cert
    [ "$code" -eq 1 ] || complain "expected a false claim after: $1"
    [ ! -s err ] || complain "expected silence"
    says "bad.cert: FALSE: " "1 certificate: 0 true, 1 FALSE"
}

@test "a certificate of map is true, in text and in JSON" {
    prove
    succeeds verify good.cert
    says "good.cert: true: gap " "lower bound" "branches" "on eyeriss, proven in the space native" "1 certificate: 1 true"
    cp run/map.json out
    expected=$(json 'd["layers"][0]["objective_value"], d["layers"][0]["lower_bound"], d["layers"][0]["proof"]["branches"]')
    succeeds verify good.cert --json
    is_json starling.verify/2
    [ "$(json 'd["certificates"][0]["objective_value"], d["certificates"][0]["lower_bound"], d["certificates"][0]["branches"]')" = "$expected" ]
    [ "$(json 'd["certificates"][0]["valid"], d["certificates"][0]["reason"], d["n_true"], d["n_false"], d["n_unread"]')" = \
        "(True, None, 1, 0, 0)" ]
    for threads in 1 2; do
        succeeds verify good.cert --threads $threads
        cp out out$threads
    done
    cmp out1 out2
}

@test "a run, a folder and several files are checked one by one" {
    prove
    succeeds verify run
    says "run/certificates/conv.cert: true"
    mkdir folder
    cp good.cert folder/b.cert
    cp good.cert folder/a.cert
    echo x >folder/c.txt
    succeeds verify folder good.cert --out files --quiet
    [ "$(cut -d: -f1 out | head -n 3 | tr '\n' ' ')" = "folder/a.cert folder/b.cert good.cert " ]
    says "3 certificates: 3 true"
    cmp out files/verify.txt
    [ -s files/verify.json ]
}

@test "a bound that is too high is false, by 0.1 percent too" {
    prove
    is_false 'put("bound", number("bound") * 1.001)'
    # every branch is raised with it, so that only closing them again can tell
    is_false '
high = number("value") * 1.001
put("bound", high)
for i, line in enumerate(s):
    if line.startswith("branch "):
        words = line.split()
        words = [f"bound={max(float(w[6:]), high)!r}" if w.startswith("bound=") else w for w in words]
        s[i] = " ".join(words)'
}

@test "costs that are not those of the mapping are false" {
    prove
    is_false 'put("value", number("value") * 0.999)'
    is_false 'put("latency", number("latency") - 1)'
    is_false 'put("energy", number("energy") * 1.001)'
}

@test "a branch that is left out is noticed" {
    prove
    change 'del s[next(i for i, line in enumerate(s) if line.startswith("branch "))]'
    starling verify bad.cert
    [ "$code" -eq 1 ] || [ "$code" -eq 2 ] || complain "expected a refusal"
    change '
n = int(number("branches"))
last = max(i for i, line in enumerate(s) if line.startswith("branch "))
del s[last]
s[:] = [f"branches {n - 1}" if line.startswith("branches ") else line for line in s]'
    starling verify bad.cert
    [ "$code" -eq 1 ] || [ "$code" -eq 2 ] || complain "expected a refusal"
}

@test "a mapping that does not fit is false" {
    prove
    change 's[:] = ["mapping @7 @7 K:1 C:1 P:1 Q:1 R:1 S:1" if line.startswith("mapping ") else line for line in s]'
    starling verify bad.cert
    [ "$code" -eq 1 ] || [ "$code" -eq 2 ] || complain "expected a refusal"
}

@test "what cannot be read gets a sentence with its place, and the others are checked all the same" {
    prove
    refuses 2 "nosuch.cert: cannot open" verify nosuch.cert
    echo hello >bad.cert
    refuses 2 "bad.cert:1:" verify bad.cert
    : >bad.cert
    refuses 2 "bad.cert:" verify bad.cert
    head -c 500 good.cert >bad.cert
    refuses 2 "bad.cert:" verify bad.cert
    printf '\377\376\000\001' >bad.cert
    refuses 2 "bad.cert:" verify bad.cert
    change 's[:] = ["goal speed" if line.startswith("goal ") else line for line in s]'
    refuses 2 "bad.cert:" verify bad.cert
    starling verify bad.cert good.cert
    [ "$code" -eq 2 ] || complain "expected exit code 2"
    [ "$(wc -l <err)" -eq 1 ]
    says "good.cert: true" "2 certificates: 1 true, 1 not read"
    refuses 2 "expected certificates or runs" verify
    mkdir empty
    refuses 2 "empty: expected certificates (*.cert)" verify empty
}

# ---- runs: certificates belong to results ----

# small_run DIR OPTION...: a run of two layers on six PEs, in which everything is proven
small_run() {
    local dir=$1
    shift
    [ -e small.yaml ] || cat >small.yaml <<'YAML'
accel: small
clock_mhz: 200
word_bytes: 1
energy_unit_pj: 1
mac: {energy: 1}
levels:
  - {name: DRAM, port: 16, energy: 200}
  - name: L2
    capacity: 4096
    link: {words: 16, energy: 0}
    energy: 6
    fanout: {clusters: 6, multicast: true, reduction: true}
  - {name: L1, capacity: 64, link: {words: 16, energy: 2}, energy: 1}
YAML
    cat >net.yaml <<'YAML'
network: pair
layers:
  - {name: first, type: conv, K: 4, C: 3, P: 5, R: 2}
  - {name: second, type: conv, K: 6, C: 2, Q: 4}
YAML
    succeeds map net.yaml --accel ./small.yaml --objective edp --method exact --prove-time 0 --out "$dir" --quiet "$@"
}

# contradicts SENTENCE...: verify of the run says so in one line each, with exit code 1
contradicts() {
    starling verify run
    [ "$code" -eq 1 ] || complain "expected exit code 1"
    [ ! -s err ] || complain "expected nothing on standard error"
    says "$@"
}

# falsify PYTHON: map.json of the run, as d, changed
falsify() {
    python3 -c '
import json, sys
d = json.load(open("run/map.json", encoding="utf-8"))
old = json.dumps(d)
exec(sys.argv[1])
assert json.dumps(d) != old
json.dump(d, open("run/map.json", "w", encoding="utf-8"))' "$1"
}

@test "a run is bound to its certificates, with the space of each" {
    small_run run
    succeeds verify run
    says "run/certificates/first.cert: true: " "run/certificates/second.cert: true: " "proven in the space native" \
        "2 certificates: 2 true"
    succeeds verify run/ --json
    is_json starling.verify/2
    [ "$(json '[(c["run_layer"], c["valid"], c["space"]["preset"], c["space"]["narrowed"]) for c in d["certificates"]]')" = \
        "[('first', True, 'native', False), ('second', True, 'native', False)]" ]
    [ "$(json 'd["faults"], d["n_true"], d["n_narrowed"], d["n_false"], d["n_faults"]')" = "([], 2, 0, 0, 0)" ]
    small_run opened --open RS
    succeeds verify opened
    says "first.cert: true: " "proven in the space native with R and S open"
}

@test "certificates of two layers that were swapped are noticed" {
    small_run run
    mv run/certificates/first.cert third
    mv run/certificates/second.cert run/certificates/first.cert
    mv third run/certificates/second.cert
    contradicts "run/certificates/first.cert: FALSE: layer first: the certificate is about another layer: conv:K=6,C=2,Q=4, not conv:K=4,C=3,P=5,R=2" \
        "run/certificates/second.cert: FALSE: layer second: the certificate is about another layer" "2 certificates: 0 true, 2 FALSE"
}

@test "a certificate that was deleted is missing" {
    small_run run
    rm run/certificates/second.cert
    contradicts "run: FALSE: layer second: its certificate is missing: certificates/second.cert" \
        "1 certificate: 1 true; 1 result without a certificate"
    rm -r run/certificates
    contradicts "layer first: its certificate is missing" "layer second: its certificate is missing" "0 certificates: 0 true; 2 results"
    starling verify run --json
    [ "$code" -eq 1 ]
    [ "$(json '[(f["run"], f["run_layer"]) for f in d["faults"]], d["n_faults"]')" = "([('run', 'first'), ('run', 'second')], 2)" ]
}

@test "what map.json says otherwise than the certificate is noticed" {
    small_run run
    cp run/map.json map.json
    while IFS='|' read -r change sentence; do
        cp map.json run/map.json
        falsify "$change"
        contradicts "run/certificates/first.cert: FALSE: layer first: $sentence" "second.cert: true" "2 certificates: 1 true, 1 FALSE"
    done <<'CASES'
d["layers"][0]["objective_value"] *= 0.999|the value of the certificate is
d["layers"][0]["lower_bound"] *= 1.001|the lower bound of the certificate is
d["layers"][0]["latency_cycles"] -= 1|the latency of the certificate is
d["layers"][0]["energy_pj"] -= 1|the energy of the certificate is
d["layers"][0]["gap"] = 0.001|the run says a gap of 0.001
d["layers"][0]["proof"]["status"] = "outside"; d["layers"][0]["mapping"] = d["layers"][0]["default"]["mapping"]|the mapping of the certificate is
d["layers"][0]["mapping"] = "K:1 " + d["layers"][0]["mapping"]|the mapping of the certificate is
d["layers"][0]["inline"] = "conv:K=4,C=3,P=5,R=2,stride=2x1"|the certificate is about another layer
CASES
    cp map.json run/map.json
    falsify 'd["machine"] = [line.replace("capacity=64", "capacity=65") for line in d["machine"]]'
    contradicts "layer first: the results and the accelerator of the run say different machines"
    cp map.json run/map.json
    falsify 'd["prove"]["epsilon"] = 0.5'
    contradicts "layer first: the epsilon of the certificate is 0, that of the run 0.5"
    cp map.json run/map.json
    falsify 'd["layers"][0]["lower_bound"] = None'
    contradicts "run: FALSE: layer first: the run calls it optimal, without a lower bound" \
        "first.cert: FALSE: no layer of the run has it as its proof"
    cp map.json run/map.json
    falsify 'd["layers"][0]["dims"]["K"] = 8'
    refuses 2 "expected K=4, as 'inline' says" verify run
    falsify 'd["schema"] = "other"'
    refuses 2 "run/map.json:" verify run
    rm run/map.json
    refuses 2 "run: expected map.json" verify run
}

@test "another accelerator under the same name is noticed" {
    small_run run
    sed -i 's/capacity: 64/capacity: 65/' small.yaml
    small_run other
    cp run/certificates/first.cert first.cert
    cp other/certificates/first.cert run/certificates/first.cert
    contradicts "first.cert: FALSE: layer first: the machine of the certificate is another: 'level 2' has 'capacity=65', in the run 'capacity=64'"
    cp first.cert run/certificates/first.cert
    cp other/accel.yaml run/accel.yaml
    contradicts "first.cert: FALSE: layer first: the machine" "second.cert: FALSE: layer second: the machine"
}

@test "another goal is noticed" {
    small_run run
    small_run other --objective energy
    cp other/certificates/*.cert run/certificates
    contradicts "first.cert: FALSE: layer first: the goal of the certificate is energy, that of the run edp"
    falsify 'd["objective"] = "energy"'
    contradicts "layer first: the mapping of the certificate"
}

@test "a narrowed space is noticed, and said where the run asked for it" {
    small_run run
    small_run narrow --constraints weight-stationary
    succeeds verify narrow/certificates/first.cert
    says "proven in a space narrowed by constraints (native but for order 1, order 2): holds for mappings allowed by them only" \
        "1 certificate: 1 true (1 in a space narrowed by constraints)"
    succeeds verify narrow
    says "narrowed by constraints weight-stationary (native but for order 1, order 2)" "2 true (2 in a space narrowed by constraints)"
    succeeds verify narrow --json
    [ "$(json 'd["certificates"][0]["space"]')" = "{'preset': 'native', 'open': '', 'narrowed': True, 'lists': 'order 1, order 2', 'constraints': 'weight-stationary'}" ]
    cp narrow/certificates/*.cert run/certificates
    contradicts "first.cert: FALSE: layer first: the space of the certificate is another: 'order 1' has"
    # the other way round: a run of a narrowed space with certificates of another one
    small_run output --constraints output-stationary
    rm -r run
    cp -r narrow run
    cp output/certificates/*.cert run/certificates
    contradicts "first.cert: FALSE: layer first: the space of the certificate is another"
    small_run all --space all
    rm -r run
    cp -r all run
    falsify 'd["space"]["preset"] = "native"'
    contradicts "the space of the certificate is all, that of the run native"
}

@test "a certificate that belongs to no layer is foreign" {
    small_run run
    cp run/certificates/first.cert run/certificates/third.cert
    contradicts "run/certificates/third.cert: FALSE: no layer of the run has it as its proof" "3 certificates: 2 true, 1 FALSE"
    # a run that proves every layer leaves none of an earlier one behind
    small_run run
    succeeds verify run
}

@test "a run of version 0.1.0 is read; one with constraints is refused with what to do" {
    cp -r "$SL_SOURCE_DIR/tests/data/verify/run-0.1.0" run
    succeeds verify run
    says "run/certificates/first.cert: true" "2 certificates: 2 true"
    rm run/certificates/first.cert
    contradicts "run: FALSE: layer first: its certificate is missing"
    rm -r run
    cp -r "$SL_SOURCE_DIR/tests/data/verify/run-0.1.0" run
    falsify 'd["layers"][1]["lower_bound"] *= 1.01'
    contradicts "second.cert: FALSE: layer second: the lower bound"
    falsify 'd["space"]["constraints"] = "weight-stationary"'
    contradicts "map it again with this version"
}
