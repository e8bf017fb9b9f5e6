#!/usr/bin/env bats
# starling env: recorded episodes of particle worlds played again.
load common

golden() {
    echo "$SL_SOURCE_DIR/tests/data/particle/golden.jsonl.gz"
}

@test "env replay tells how far recorded episodes are from our rules" {
    succeeds env replay "$(golden)"
    is_narrow
    says "24 episodes, 600 steps, rules openai" positions velocities observations rewards
    succeeds env replay "$(golden)" --rules mpe2
    says "rules mpe2"
}

@test "the JSON of env replay has the deviations, packed or not" {
    succeeds env replay "$(golden)" --json
    is_json starling.env-replay/1
    [ "$(json 'd["episodes"], d["steps"], d["rules"]')" = "(24, 600, 'openai')" ]
    [ "$(json 'max(d[k] for k in ("pos_dev", "vel_dev", "obs_dev", "reward_dev")) < 1e-9')" = True ]
    cp out packed
    zcat "$(golden)" >plain.jsonl
    succeeds env replay plain.jsonl --json --quiet --out files
    cmp out packed
    cmp out files/env-replay.json
    [ -s files/env-replay.txt ]
    succeeds env replay "$(golden)" --json --rules mpe2
    [ "$(json 'min(d[k] for k in ("pos_dev", "vel_dev", "obs_dev", "reward_dev")) > 0.1')" = True ]
}

@test "env replay reads standard input" {
    "$STARLING" env replay - --json <"$(golden)" >out
    [ "$(json 'd["episodes"]')" = 24 ]
}

@test "env refuses what is no recording, with the line" {
    refuses 2 "env: expected replay; see 'starling env --help'" env
    refuses 2 "env: unknown command 'play' (did you mean 'replay'?)" env play
    refuses 2 "env: unknown command 'show', expected replay" env show
    refuses 2 "env replay: expected one file of episodes" env replay
    refuses 2 "none.jsonl: cannot open" env replay none.jsonl
    refuses 2 "--rules" env replay "$(golden)" --rules openia
    echo '{"source": "mine"}' >bad.jsonl
    refuses 2 "bad.jsonl: expected episodes" env replay bad.jsonl
    echo '{"scenario": "tag", "n": 3}' >>bad.jsonl
    refuses 2 "bad.jsonl:2:" env replay bad.jsonl
    head -c 5000 "$(golden)" >cut.jsonl.gz
    refuses 2 "cut.jsonl.gz: cannot unpack: the file ends too early" env replay cut.jsonl.gz
}
