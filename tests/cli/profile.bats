#!/usr/bin/env bats
# starling profile: every combination, shares, growth, counters or the word for none, pictures.
load common

# networks, batches and replays of a moment
small="--hidden 16 --batch 32 --fill 200 --rounds 2"

@test "profile shows shares, growth and what neighbours bring" {
    # shellcheck disable=SC2086 # words
    succeeds profile --agents 2,4 $small
    is_narrow
    says "tag, mode faithful: milliseconds of 100 env steps and an update" "act" "sample" "target" \
        "times as long with twice the agents" "2 to 4" "Mini-batch sampling beside uniform" \
        "medians of 2 units" "Transitions held: 200."
    [ "$(grep -Ec '^ +(2|4)  (maddpg|masac) +separate +(uniform|neighbor)' out)" -eq 8 ]
    grep -Eq "unavailable|dTLB misses" out
}

@test "tables of every mode, layout and sampling are narrow" {
    # shellcheck disable=SC2086 # words
    succeeds profile --agents 2 $small --mode all --layouts all --samplings all --env all
    is_narrow
    says "tag, mode faithful" "tag, mode shared" "tag, mode folded:" "spread, mode folded-shared"
}

@test "the JSON has a case per combination, whose parts agree" {
    # shellcheck disable=SC2086 # words
    succeeds profile --env both --agents 3,6 --algo maddpg --layouts joint,state --samplings uniform $small \
        --mode faithful,folded --json
    is_json starling.profile/1
    python3 - <<'PYTHON'
import json, math
d = json.load(open("out", encoding="utf-8"))
c = d["cases"]
# folded has the layout state alone
assert len(c) == 2 * 2 * 3, len(c)
assert [(x["env"], x["agents"], x["mode"], x["layout"]) for x in c[:3]] == [
    ("tag", 3, "faithful", "joint"), ("tag", 3, "faithful", "state"), ("tag", 3, "folded", "state")]
for x in c:
    assert len(x["phases"]) == 7 and x["rows"] == 200 and x["row_bytes"] > 0
    assert math.isclose(sum(p["share"] for p in x["phases"].values()), 1)
    assert all(0 <= p["low_ms"] <= p["median_ms"] <= p["high_ms"] for p in x["phases"].values())
    assert x["phases"]["target Q"]["median_ms"] > 0 and x["all"]["median_ms"] > 0
    four = ("mini-batch sampling", "target Q", "Q loss", "P loss")
    assert math.isclose(x["update_ms"], sum(x["phases"][k]["median_ms"] for k in four), rel_tol=1e-9)
    assert set(x["sampling_counters"]) == {"instructions", "cache_misses", "dtlb_load_misses"}
    assert all(v == "unavailable" or v >= 0 for v in x["sampling_counters"].values())
    if x["agents"] == 6:
        assert x["growth"] is None
        continue
    twice = next(y for y in c if y["agents"] == 6 and all(y[k] == x[k] for k in ("env", "mode", "layout")))
    assert math.isclose(x["growth"]["all"], twice["all"]["median_ms"] / x["all"]["median_ms"], rel_tol=1e-9)
PYTHON
}

@test "--out leaves tables and pictures" {
    # shellcheck disable=SC2086 # words
    starling profile --agents 2,4 $small --out dir
    # shellcheck disable=SC2154 # code comes from common.bash
    [ "$code" -eq 0 ]
    cmp out dir/profile.txt
    for name in training update growth neighbor; do
        python3 -c '
import sys, xml.dom.minidom
xml.dom.minidom.parse(sys.argv[1])' "dir/$name-tag.svg"
    done
    grep -q "mini-batch sampling" dir/update-tag.svg
    grep -q "2 to 4 agents, mean" dir/growth-tag.svg
    [ "$(wc -l <dir/growth_means.csv)" -eq 3 ]
    [ ! -e dir/training-spread.svg ]
}

@test "fewer transitions are held where memory would not suffice, and it is said" {
    # shellcheck disable=SC2086 # words
    succeeds profile --agents 3,6 --algo maddpg --samplings uniform $small --fill 10000 --memory 1
    is_narrow
    says "Fewer than 10,000 where the replays of a number of agents would pass 1 MB together."
    grep -Eq "^Transitions held: [0-9,]+ \(tag 3\), [0-9]+ \(tag 6\)\.$" out
    # shellcheck disable=SC2086 # words
    succeeds profile --agents 3,6 --algo maddpg --samplings uniform $small --fill 10000 --memory 1 --json
    [ "$(json 'all(0 <= 1e6 - c["rows"] * c["row_bytes"] < 25 * c["row_bytes"] for c in d["cases"])')" = True ]
}

@test "--simulate counts misses, the same every time" {
    # shellcheck disable=SC2086 # words
    succeeds profile --agents 2,4 --layouts separate,state $small --simulate 5000
    is_narrow
    says "simulated read misses of sampling, in thousands of lines and pages" "walks 4K" "Simulated: 5,000 transitions"
    [ "$(grep -Ec '^ +(2|4)  (list|separate|state) +(uniform|neighbor) +[0-9]' out)" -eq 12 ]
    grep -q "^2 to 4  mean    separate  neighbor" out
    # shellcheck disable=SC2086 # words
    succeeds profile --agents 2 --algo masac --layouts separate,state $small --simulate 5000 --json
    json '[c["simulated"] for c in d["cases"]]' >first
    # shellcheck disable=SC2086 # words
    succeeds profile --agents 2 --algo masac --layouts separate,state $small --simulate 5000 --json --threads 2
    json '[c["simulated"] for c in d["cases"]]' >second
    cmp first second
    [ "$(json 'all((c["simulated_list"] is not None) == (c["layout"] == "separate") for c in d["cases"])')" = True ]
    [ "$(json 'd["cases"][0]["simulated"]["reads"]')" = 384 ]
    [ "$(json 'len(d["growth_means"])')" = 0 ]
}

@test "profile refuses what it does not know" {
    refuses 2 "--layouts: unknown 'jont' (did you mean 'joint'?)" profile --layouts jont
    refuses 2 "--agents: expected numbers from 1 to 256, got '257'" profile --agents 3,257
    refuses 2 "tag, 256 agents: the networks of 4 engines need" profile --agents 256 --hidden 1024
    refuses 2 "simulated replays must hold 2 to 2147483647 transitions" profile --agents 2 --simulate 1 --hidden 16
    refuses 2 "--mode: expected a list of names" profile --mode ""
    refuses 2 "unexpected 'tag'" profile tag
}
