#!/usr/bin/env bats
# Help, versions, commands that do not exist, and the ends of pipes.
load common

@test "starling alone, --help and help show the commands" {
    for words in "" --help -h help; do
        # shellcheck disable=SC2086 # no word at all is one of the cases
        succeeds $words
        says "Usage: starling COMMAND" "map" "tune" "eval" "verify" "assign" "train" "profile" "env" "list" "bench" "Exit codes:"
        is_narrow
    done
}

@test "every command has a help with usage, options, examples and exit codes" {
    for command in map tune search eval verify assign train profile env list bench; do
        succeeds "$command" --help
        says "Usage: starling $command" "Options:" "--json" "--quiet" "--out DIR" "--version" \
            "Examples:" "starling $command " "Exit codes:"
        is_narrow
        cp out first
        succeeds help "$command"
        cmp first out
        succeeds "$command" -h
        cmp first out
    done
}

@test "the help of eval comes from its option table, with ranges and defaults" {
    succeeds eval --help
    says "--accel NAME|FILE" "--batch N" "default: 1" "latency, energy, edp," \
        "--nests FILE"
}

@test "the version is the library's, everywhere" {
    version=$(sed -n 's/.*SL_VERSION "\(.*\)"/\1/p' "$SL_SOURCE_DIR/include/starling/core/version.h")
    [ -n "$version" ]
    for words in "--version" "map --version" "tune --version" "eval --version" "verify --version" "assign --version" "train --version" "profile --version" "env --version" "list --version" "bench --version"; do
        # shellcheck disable=SC2086 # words
        succeeds $words
        [ "$(cat out)" = "starling $version" ]
    done
}

@test "an unknown command gets the nearest one as a hint" {
    refuses 2 "unknown command 'evl' (did you mean 'eval'?)" evl
    refuses 2 "unknown command 'xyzzy'" xyzzy
    refuses 2 "unknown command 'lst' (did you mean 'list'?)" help lst
    refuses 2 "expected a command before '--json'" --json
}

@test "an unknown option gets the nearest one as a hint" {
    refuses 2 "unknown option --acel (did you mean --accel?)" eval resnet18 --acel eyeriss
    refuses 2 "unknown option --jsn (did you mean --json?)" list networks --jsn
    refuses 2 "--accel: expected a value" eval resnet18 --accel
}

@test "options may stand before or after words" {
    succeeds eval resnet18:2 --accel golden
    cp out first
    succeeds eval --accel golden resnet18:2
    cmp first out
    succeeds eval --accel=golden -- resnet18:2
    cmp first out
}

@test "a reader that stops early is no error" {
    "$STARLING" eval resnet18 2>err | head -n 1 >out
    [ "${PIPESTATUS[0]}" -eq 0 ]
    [ ! -s err ]
    (for i in $(seq 3000); do echo "$i,1.1.64.64.56.56.3.3,1.1.1.1,1.1,@7 K:1 C:1 P:1 Q:1 R:1 S:1"; done) >rows
    (echo id,ext,conv,net,nest && cat rows) >nests.csv
    "$STARLING" eval --nests nests.csv --csv 2>err | head -n 1 >out
    [ "${PIPESTATUS[0]}" -eq 0 ]
    [ ! -s err ]
}

@test "output that cannot be written is an error" {
    code=0
    "$STARLING" list networks >/dev/full 2>err || code=$?
    [ "$code" -eq 3 ]
    grep -q "^starling: cannot write to standard output" err
    code=0
    "$STARLING" list networks >&- 2>err || code=$?
    [ "$code" -eq 3 ]
}

@test "what ends a run of map early is in its help and in the man page" {
    succeeds map --help
    says "Ctrl-C and SIGTERM keep the best so far (exit codes 130 and 143)."
    grep -qF -- "*130*, *143*" "$SL_SOURCE_DIR/docs/man/starling.1.scd" ||
        complain "not in the man page: 130, 143"
}

@test "the man page knows every option" {
    for command in map tune eval verify assign train profile env list bench "bench cost" "bench maestro" "bench map" \
        "bench prove" "bench particles" "bench replay" "bench dense" "bench vta" "bench kernel"; do
        # shellcheck disable=SC2086 # words
        succeeds $command --help
        grep -oE -- '^ +(-[a-z], )?--[a-z0-9-]+' out | grep -oE -- '--[a-z0-9-]+' >options
        [ -s options ]
        while read -r option; do
            grep -q -- "\*$option\*" "$SL_SOURCE_DIR/docs/man/starling.1.scd" ||
                complain "not in the man page: $command $option"
        done <options
    done
}
