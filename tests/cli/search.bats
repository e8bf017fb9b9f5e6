#!/usr/bin/env bats
# search.bats - own spaces and own evaluators from the shell.
# shellcheck disable=SC2154 # code is set by starling() of common.bash
load common

space() {
    cat > space.yaml <<'EOF'
name: toy
parameters:
  rows: {ordinal: [4, 8, 16, 32, 64]}
  cols: {ordinal: [4, 8, 16, 32, 64]}
  dataflow: {categorical: [os, ws, is]}
  order: {permutation: [K, C, P, Q]}
  volts: {ordinal: [0.5, 0.75, 1.0]}
rules:
  - rows * cols <= 1024
  - not (dataflow == is and rows < 8)
EOF
}

# counts its calls in the file `calls`
evaluator() {
    cat > ev.py <<'EOF'
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    p = request["point"]
    assert p["rows"] * p["cols"] <= 1024
    value = 1 + abs(p["rows"] - 32) / 8 + abs(p["cols"] - 16) / 8 + "os ws is".split().index(p["dataflow"])
    value += p["order"].index("C") + abs(p["volts"] - 0.75)
    with open("calls", "a") as calls:
        calls.write(line)
    print(json.dumps({"id": request["id"], "value": value}), flush=True)
EOF
}

@test "a search in an own space finds a good point, and rules cost no sample" {
    space; evaluator
    starling search space.yaml --evaluator "python3 ev.py" --samples 60 --json
    [ "$code" -eq 0 ]
    python3 - <<'EOF'
import json
d = json.load(open("out"))
assert d["schema"] == "starling.search/1" and d["samples"] == 60 and d["failures"] == 0, d
assert d["value"] < 3 and d["point"]["rows"] * d["point"]["cols"] <= 1024, d
assert len(open("calls").readlines()) == 60 - 0, "every sample is one call"
EOF
}

@test "the number of copies changes nothing" {
    space; evaluator
    for n in 1 3; do
        starling search space.yaml --evaluator "python3 ev.py" --samples 40 --method ga --evaluator-copies $n --json
        [ "$code" -eq 0 ]
        mv out out$n
    done
    cmp out1 out3
}

@test "after kill -9 nothing that was answered is asked again, and the end is the same" {
    space; evaluator
    sed 's/^    print/    import time; time.sleep(0.05)\n    print/' ev.py > slow.py
    cp slow.py prog.py
    starling search space.yaml --evaluator "python3 prog.py" --samples 40 --out whole
    [ "$code" -eq 0 ]
    rm calls
    "$STARLING" search space.yaml --evaluator "python3 prog.py" --samples 40 --out cut > /dev/null 2>&1 &
    for _ in $(seq 200); do
        [ -f cut/log.jsonl ] && [ "$(wc -l < cut/log.jsonl)" -gt 10 ] && break
        sleep 0.05
    done
    kill -9 $!
    wait $! || true
    answered=$(($(wc -l < cut/log.jsonl) - 1))
    [ "$answered" -ge 10 ]
    rm calls
    starling search space.yaml --evaluator "python3 prog.py" --samples 40 --out cut
    [ "$code" -eq 0 ]
    [ "$(wc -l < calls)" -le $((40 - answered)) ]
    cmp whole/search.json cut/search.json
}

@test "evaluators that break are told in one sentence; samples that fail are samples" {
    space
    starling search space.yaml --evaluator ./nothing-there
    [ "$code" -eq 2 ]
    [ "$(wc -l < err)" -eq 1 ]
    starling search space.yaml --evaluator "echo hello"
    [ "$code" -eq 2 ]
    grep -q "expected" err
    cat > half.py <<'EOF'
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    n = request["id"]
    if n % 7 == 0: sys.exit(3)
    reply = {"reason": "too hot"} if n % 5 == 0 else {"value": float("nan")} if n % 3 == 0 else {"value": n}
    print(json.dumps({"id": n, **reply}), flush=True)
EOF
    starling search space.yaml --evaluator "python3 half.py" --samples 30 --out half --json
    [ "$code" -eq 0 ]
    grep -q '"failures": 1[0-9]' out
    grep -q 'too hot' half/log.jsonl
    grep -q 'ended with code 3' half/log.jsonl
}

@test "methods that need what a stranger does not have refuse with a sentence" {
    space
    for method in gamma draft oracle; do
        starling search space.yaml --evaluator true --method $method
        [ "$code" -eq 2 ]
        grep -q "^starling: --method $method: it " err
    done
}

@test "a space that makes no sense is refused with its place" {
    space
    sed 's/rows \* cols <= 1024/rows * colz <= 1024/' space.yaml > bad.yaml
    starling search bad.yaml --evaluator true
    [ "$code" -eq 2 ]
    grep -q "^starling: bad.yaml:9:5: expected a parameter" err
    sed 's/ordinal: \[0.5, 0.75, 1.0\]/ordinal: [0.5, 0.25]/' space.yaml > bad.yaml
    starling search bad.yaml --evaluator true
    [ "$code" -eq 2 ]
    grep -q "bad.yaml:7:.*ascend" err
}

@test "a program of one's own prices mappings, and its log resumes" {
    cat > nest.py <<'EOF'
import json, sys
for line in sys.stdin:
    r = json.loads(line)
    assert set(r) >= {"v", "id", "objective", "layer", "accel", "nest", "loops", "tiles"}, r
    inner, value = r["tiles"][-1], 1
    for dim in "KCPQ": value *= 1 + abs(inner[dim] - 4)
    open("asked", "a").write(line)
    print(json.dumps({"id": r["id"], "value": value}), flush=True)
EOF
    starling map "conv:K=16,C=16,P=14,Q=14,R=3,S=3" --evaluator "python3 nest.py" --samples 30 --out run --json
    [ "$code" -eq 0 ]
    grep -q '"model": "process"' out
    n=$(wc -l < asked)
    rm run/records.db
    cp out first
    starling map "conv:K=16,C=16,P=14,Q=14,R=3,S=3" --evaluator "python3 nest.py" --samples 30 --out run --json
    [ "$code" -eq 0 ]
    [ "$(wc -l < asked)" -eq "$n" ] # the log had it all
    cmp first out
    starling map mlp --evaluator "python3 nest.py" --prove
    [ "$code" -eq 2 ]
    starling map mlp --evaluator vta
    [ "$code" -eq 2 ]
    grep -q "starling tune" err
}
