#!/usr/bin/env bats
# starling train: what it shows and leaves, that it goes on after any end to the same weights.
# shellcheck disable=SC2154 # code comes from common.bash
load common

# networks, batches and replays that train in a moment
small="--hidden 16 --batch 32 --warm 200 --capacity 5000 --trials 50"

# value FILE EXPRESSION: of the JSON document d in a file
value() {
    python3 -c '
import json, sys
d = json.load(open(sys.argv[1], encoding="utf-8"))
print(eval(sys.argv[2]))' "$1" "$2"
}

# same_results A B: the records of two runs agree in all but times
same_results() {
    python3 - "$1" "$2" <<'PYTHON'
import json, sys
a, b = (json.load(open(folder + "/train.json")) for folder in sys.argv[1:])
a.pop("speed"), b.pop("speed")
assert a == b, [k for k in a if a[k] != b[k]]
PYTHON
    cmp "$1/curve.csv" "$2/curve.csv"
    cmp "$1/curve.svg" "$2/curve.svg"
}

@test "training shows returns, an evaluation beside random actions, and phases" {
    # shellcheck disable=SC2086 # words
    succeeds train --env spread --episodes 150 $small --out run --quiet
    is_narrow
    says "spread, 3 agents, maddpg, mode faithful, layout joint, sampling uniform, seed 1" "better than chance"
    cmp out run/train.txt
    # what learnt nothing says that alone; the page has the rest
    if grep -q "steps/s" out; then complain "expected the verdict alone"; fi
    for words in "150 of 150: 3,750 steps" "rounds of updates" "in 50 new episodes" "as in training" "likeliest actions" \
        "random actions" "steps/s" "action selection" "mini-batch sampling" "target Q" "Q loss" "P loss"; do
        grep -qF -- "$words" run/train.html || complain "expected on the page: $words"
    done
    for file in train.json run.json curve.svg curve.csv checkpoint; do [ -s "run/$file" ]; done
    [ ! -e run/checkpoint.new ]
    grep -q "random actions" run/curve.svg
    [ "$(head -n 1 run/curve.csv)" = "episodes,mean_return" ]
    [ "$(wc -l <run/curve.csv)" -eq 3 ]
}

@test "the JSON has setup, returns, evaluation and phases" {
    # shellcheck disable=SC2086 # words
    succeeds train --episodes 230 $small --algo masac --sampling neighbor --neighbors 2 --prey random --json
    is_json starling.train/1
    [ ! -e starling-runs ]
    [ "$(json 'd["finished"], d["episodes"], d["steps"], len(d["returns"]), d["block"]')" = "(True, 230, 5750, 3, 100)" ]
    [ "$(json 'd["rounds"] == 5750 // 100 - 200 // 100 + 1')" = True ]
    [ "$(json '[d["setup"][k] for k in ("env", "algo", "sampling", "neighbors", "prey", "batch", "regulariser")]')" = \
        "['tag', 'masac', 'neighbor', 2, 'random', 32, None]" ]
    [ "$(json 'all(d["evaluation"][k]["error"] >= 0 for k in ("noisy", "greedy", "random"))')" = True ]
    [ "$(json 'len(d["speed"]["phase_seconds"]), d["speed"]["steps_per_second"] > 0')" = "(7, True)" ]
    [ "$(json 'sum(d["speed"]["phase_seconds"].values()) <= d["speed"]["seconds"]')" = True ]
}

@test "layouts and numbers of threads give the same weights, seeds others" {
    # shellcheck disable=SC2086 # words
    for words in "--layout separate -j1" "--layout joint -j2" "--layout state -j1"; do
        succeeds train --env spread --episodes 60 $small --json $words
        json 'd["weights_digest"], d["returns_digest"]' >>digests
    done
    [ "$(sort -u digests | wc -l)" -eq 1 ]
    # shellcheck disable=SC2086 # words
    succeeds train --env spread --episodes 60 $small --json --seed 2
    json 'd["weights_digest"], d["returns_digest"]' >other
    [ "$(cat other)" != "$(head -n 1 digests)" ]
}

@test "folded modes keep world states, and refuse other layouts" {
    # shellcheck disable=SC2086 # words
    for mode in folded folded-shared; do
        succeeds train --episodes 40 $small --json --mode $mode
        [ "$(json 'd["setup"]["mode"], d["setup"]["layout"]')" = "('$mode', 'state')" ]
    done
    refuses 2 "expected the layout 'state'" train --mode folded --layout joint
}

@test "kill -9 and the same command again give the weights of an uninterrupted run" {
    words="--env spread --episodes 1500 $small --sampling priority --envs 3 --checkpoint 40"
    # shellcheck disable=SC2086 # words
    succeeds train $words --out whole --quiet
    # shellcheck disable=SC2086 # words
    "$STARLING" train $words --out cut --quiet >/dev/null 2>&1 &
    pid=$!
    for _ in $(seq 2000); do
        [ ! -e cut/checkpoint ] || break
        sleep 0.01
    done
    kill -9 $pid
    wait $pid || true
    [ -e cut/checkpoint ]
    [ ! -e cut/train.json ]
    # shellcheck disable=SC2086 # words
    starling train $words --out cut
    [ "$code" -eq 0 ]
    grep -q "Resuming after" err
    [ "$(value cut/train.json '0 < d["speed"]["from_episode"] < 1500')" = True ]
    same_results whole cut
}

@test "SIGTERM leaves a checkpoint and a report; the same command goes on" {
    words="--episodes 1500 $small --env spread --checkpoint 40"
    # shellcheck disable=SC2086 # words
    succeeds train $words --out whole --quiet
    # shellcheck disable=SC2086 # words
    "$STARLING" train $words --out cut >out 2>err &
    pid=$!
    for _ in $(seq 2000); do
        [ ! -e cut/checkpoint ] || break
        sleep 0.01
    done
    kill -TERM $pid
    ended=0
    wait $pid || ended=$?
    [ "$ended" -eq 143 ]
    grep -q "Rerun the command to resume" err
    [ "$(value cut/train.json 'd["finished"]')" = False ]
    # shellcheck disable=SC2086 # words
    succeeds train $words --out cut --quiet
    same_results whole cut
}

@test "a finished run is shown again, and goes on when more is asked for" {
    # shellcheck disable=SC2086 # words
    succeeds train --episodes 60 $small --quiet
    cp out first
    dir=starling-runs/train-tag-3-maddpg
    cp $dir/train.json before.json
    # shellcheck disable=SC2086 # words
    starling train --episodes 60 $small
    [ "$code" -eq 0 ]
    cmp out first
    grep -q "Already finished" err
    cmp $dir/train.json before.json
    # shellcheck disable=SC2086 # words
    succeeds train --episodes 90 $small --quiet
    [ "$(value $dir/train.json 'd["episodes"], d["speed"]["from_episode"]')" = "(90, 60)" ]
    # another setup takes another folder
    # shellcheck disable=SC2086 # words
    succeeds train --episodes 90 $small --seed 7 --quiet
    [ -e $dir-2/train.json ]
}

@test "a folder of another run is not overwritten unless asked" {
    # shellcheck disable=SC2086 # words
    succeeds train --episodes 30 $small --out run --quiet
    # shellcheck disable=SC2086 # words
    refuses 2 "run holds a run of another setup" train --episodes 30 $small --seed 2 --out run
    # shellcheck disable=SC2086 # words
    refuses 2 "run holds a longer run of 30 episodes" train --episodes 20 $small --out run
    # shellcheck disable=SC2086 # words
    succeeds train --episodes 30 $small --seed 2 --out run --no-resume --quiet
    [ "$(value run/train.json 'd["setup"]["seed"]')" = 2 ]
}

@test "a second training in a folder where one runs is refused, the first goes on" {
    # shellcheck disable=SC2086 # words
    "$STARLING" train --episodes 100000000 $small --checkpoint 10 --out run --quiet >/dev/null 2>&1 &
    pid=$!
    for _ in $(seq 2000); do
        [ ! -e run/checkpoint ] || break
        sleep 0.01
    done
    code=0
    # shellcheck disable=SC2086 # words
    timeout -s KILL 30 "$STARLING" train --episodes 100000000 $small --checkpoint 10 --out run >out 2>err || code=$?
    kill -TERM $pid
    ended=0
    wait $pid || ended=$?
    [ "$code" -eq 2 ] || complain "expected exit code 2"
    grep -q "another process works in run: wait until it ends" err || complain "expected who works there"
    [ "$ended" -eq 143 ]
    [ -s run/train.json ]
}

@test "a training without updates, or no better than chance, says so and what to do" {
    # shellcheck disable=SC2086 # words
    succeeds train --episodes 7 $small --out run --quiet
    is_narrow
    says "No update was made: 175 steps are fewer than the 200 before the first one (--warm, --every)." \
        "--episodes 5000"
    [ "$(value run/train.json 'd["rounds"], d["learning"]["verdict"]')" = "(0, 'no-update')" ]
    grep -q "no update" run/curve.svg
    # too small a rate: nothing is learnt
    # shellcheck disable=SC2086 # words
    succeeds train --env spread --episodes 120 $small --rate 1e-9 --out still --quiet
    is_narrow
    says "No better than chance: the last 100 episodes returned -"
    tr '\n' ' ' <out | grep -q "Give more --episodes, a smaller --rate or another --seed"
    [ "$(value still/train.json 'd["learning"]["verdict"], d["learning"]["episodes"]')" = "('chance', 100)" ]
    [ "$(value still/train.json '"No better than chance" in d["learning"]["sentence"]')" = True ]
    grep -q "no better than chance" still/curve.svg
}

@test "a training that has learnt says by how much it beats chance" {
    succeeds train --env spread --agents 1 --episodes 600 --hidden 32 --batch 64 --warm 500 --every 25 --rate 0.003 \
        --trials 100 --out run --quiet
    says "Better than chance: the last 100 episodes returned -"
    [ "$(value run/train.json 'd["learning"]["verdict"]')" = better ]
    [ "$(value run/train.json 'd["learning"]["last"]["mean"] > d["evaluation"]["random"]["mean"]')" = True ]
    if grep -q "chance" run/curve.svg; then complain "expected a plain title"; fi
}

@test "a broken checkpoint is told, not followed" {
    # shellcheck disable=SC2086 # words
    succeeds train --episodes 30 $small --out run --quiet
    rm run/train.json
    head -c 3000 run/checkpoint >part && cp part run/checkpoint
    # shellcheck disable=SC2086 # words
    refuses 2 "checkpoint" train --episodes 30 $small --out run
    echo "something else" >run/checkpoint
    # shellcheck disable=SC2086 # words
    refuses 2 "expected a checkpoint of 'starling train'" train --episodes 30 $small --out run
}

@test "agents are trained in every world, on observations and on its state" {
    succeeds list envs --json
    for world in $(json '" ".join(e["name"] for e in d["envs"])'); do
        for mode in faithful folded-shared; do
            # shellcheck disable=SC2086 # words
            succeeds train --env "$world" --episodes 40 $small --json --mode $mode
            is_json starling.train/1
            [ "$(json 'd["setup"]["env"], d["setup"]["mode"], d["rounds"] > 0')" = "('$world', '$mode', True)" ]
        done
    done
}

@test "prey that learn are a second team, in text, JSON and curve" {
    # shellcheck disable=SC2086 # words
    for mode in faithful folded-shared; do
        succeeds train --prey learn --prey-count 2 --episodes 150 $small --mode $mode --out $mode --quiet
        is_narrow
        says "tag, predators (3) and prey (2), maddpg" "Prey are "
        grep -q "random predators" $mode/train.html
        grep -q "random prey" $mode/train.html
        [ "$(head -n 1 $mode/curve.csv)" = "episodes,mean_return,opponents_return" ]
        grep -q "predators" $mode/curve.svg
        [ "$(value $mode/train.json '[d["opponents"][k] for k in ("name", "agents")]')" = "['prey', 2]" ]
        [ "$(value $mode/train.json 'len(d["opponents"]["returns"]) == len(d["returns"]) == 2')" = True ]
        [ "$(value $mode/train.json 'd["evaluation"]["against_random"]["error"] > 0 < d["opponents"]["evaluation"]["against_random"]["error"]')" = True ]
        # they lose by touches what predators win, and more by leaving
        [ "$(value $mode/train.json 'd["opponents"]["evaluation"]["noisy"]["mean"] < 0 <= d["evaluation"]["noisy"]["mean"]')" = True ]
    done
    # where they do not learn there are none
    # shellcheck disable=SC2086 # words
    succeeds train --episodes 30 $small --json
    [ "$(json '"opponents" in d')" = False ]
}

@test "both teams go on from a checkpoint, to the same weights" {
    # shellcheck disable=SC2086 # words
    for words in "--prey learn --shaping 0.5" "--prey dodge --shaping 0.5 --mode folded"; do
        rm -rf whole cut
        succeeds train $words --episodes 90 $small --out whole --quiet
        succeeds train $words --episodes 50 $small --out cut --quiet
        succeeds train $words --episodes 90 $small --out cut --quiet
        [ "$(value cut/train.json 'd["speed"]["from_episode"]')" = 50 ]
        same_results whole cut
    done
}

@test "the numbers of prey and landmarks, and the steps of an episode, are options" {
    # shellcheck disable=SC2086 # words
    succeeds train --episodes 20 $small --json
    weights=$(json 'd["weights"]')
    [ "$(json '[k for k in ("scripted", "landmarks", "shaping") if k in d["setup"]]')" = "[]" ]
    # shellcheck disable=SC2086 # words
    succeeds train --episodes 20 $small --prey-count 2 --landmarks 5 --steps 10 --json
    [ "$(json '[d["setup"][k] for k in ("scripted", "landmarks", "episode_steps")]')" = "[2, 5, 10]" ]
    [ "$(json 'd["steps"]')" = 200 ]
    # a predator sees 4 numbers more of the prey and 6 of the obstacles: in 2 actors and 2 critics of 3 agents
    [ "$(json 'd["weights"]')" = $((weights + 3 * 2 * 16 * 10 + 3 * 2 * 16 * 3 * 10)) ]
    # shellcheck disable=SC2086 # words
    succeeds train --env adversary --adversaries 2 --episodes 20 $small --json
    [ "$(json 'd["setup"]["scripted"]')" = 2 ]
    refuses 2 "--prey-count" train --env spread --prey-count 2
    refuses 2 "--shaping" train --env adversary --shaping 1
    refuses 2 "--steps" train --steps 0
    refuses 2 "--prey: expected one of flee, random, still, learn, dodge" train --prey hide
}

@test "shaping is taught, not counted" {
    # shellcheck disable=SC2086 # words
    succeeds train --episodes 60 $small --prey dodge --shaping 1 --json
    digest=$(json 'd["weights_digest"]')
    [ "$(json 'd["setup"]["shaping"], min(d["returns"]) >= 0')" = "(1, True)" ]
    # shellcheck disable=SC2086 # words
    succeeds train --episodes 60 $small --prey dodge --json
    [ "$(json 'd["weights_digest"]')" != "$digest" ]
}

@test "256 agents learn where the memory holds them; else the sentence says how much they take" {
    refuses 3 "the networks of 256 agents with 1024 hidden units take 1" train --agents 256 --hidden 1024 --capacity 30000
    refuses 2 "at most 256 that learn" train --agents 200 --prey learn
    succeeds train --agents 256 --hidden 1 --batch 4 --warm 50 --every 50 --capacity 100 --episodes 3 --trials 2 --mode folded-shared --json
    [ "$(json 'd["setup"]["agents"], d["rounds"]')" = "(256, 1)" ]
}

@test "wrong options are told" {
    refuses 2 "--env: expected one of tag, spread" train --env chess
    refuses 2 "--checkpoint: expected a number of episodes" train --checkpoint soon
    refuses 2 "--agents" train --agents 0
    refuses 2 "unexpected 'tag'" train tag
    refuses 2 "the first update needs more than the replay holds" train --capacity 100
    refuses 3 "cannot make the folder" train --episodes 10 --out /dev/null/here
}
