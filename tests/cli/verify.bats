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
    says "good.cert: true: gap " "lower bound" "branches" "on eyeriss" "1 certificate: 1 true"
    cp run/map.json out
    expected=$(json 'd["layers"][0]["objective_value"], d["layers"][0]["lower_bound"], d["layers"][0]["proof"]["branches"]')
    succeeds verify good.cert --json
    is_json starling.verify/1
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
