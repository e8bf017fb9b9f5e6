#!/usr/bin/env bats
# Help, versions, commands that do not exist, and the ends of pipes.
load common

@test "starling alone, --help and help show the commands" {
    for words in "" --help -h help; do
        # shellcheck disable=SC2086 # no word at all is one of the cases
        succeeds $words
        says "Usage: starling COMMAND" "map" "tune" "eval" "verify" "assign" "learn" "train" "profile" "env" "list" "bench" "doctor" "completion" "Exit codes:"
        is_narrow
    done
}

@test "every command has a help with usage, options, examples and exit codes" {
    for command in map tune search eval verify study assign learn train profile env list bench doctor completion; do
        succeeds "$command" --help
        says "Usage: starling $command" "Options:" "--json" "--quiet" "--out DIR" "--version" \
            "Examples:" "starling $command " "Exit codes:"
        is_narrow
        cp out first
        succeeds help "$command"
        cmp first out
        succeeds "$command" -h
        cmp first out
        succeeds "$command" help
        cmp first out
    done
}

@test "parts of commands have their help, asked for in any way" {
    for part in "list networks" "list flocks" "study run" "env replay"; do
        # shellcheck disable=SC2086 # words
        succeeds $part --help
        says "Usage: starling $part " "Options:" "Examples:" "Exit codes:"
        is_narrow
        cp out first
        for words in "help $part" "${part% *} help ${part#* }" "${part% *} --help ${part#* }"; do
            # shellcheck disable=SC2086 # words
            succeeds $words
            cmp first out
        done
    done
    succeeds list --help
    cp out first
    succeeds list help
    cmp first out
    says "list networks     bundled networks; the layers of one"
    # an older name works, and is not shown
    ! grep -q tuners out || complain "tuners are in the help"
}

@test "options may stand before commands and their parts" {
    succeeds list objectives --json
    cp out first
    for words in "list --json objectives" "--json list objectives" "--json --quiet list objectives" \
        "list --form json objectives" "--out made list --quiet --json objectives"; do
        # shellcheck disable=SC2086 # words
        succeeds $words
        cmp first out
    done
    cmp first made/objectives.json
}

@test "the help of eval comes from its option table, with defaults" {
    succeeds eval --help
    says "--accel NAME|FILE" "--batch N" "default: 1" "MAESTRO's numbers" \
        "--nests FILE"
}

@test "the version is the library's, everywhere" {
    version=$(sed -n 's/.*SL_VERSION "\(.*\)"/\1/p' "$SL_SOURCE_DIR/include/starling/core/version.h")
    [ -n "$version" ]
    for words in "--version" "map --version" "tune --version" "eval --version" "verify --version" "assign --version" "learn --version" "train --version" "profile --version" "env --version" "list --version" "bench --version"; do
        # shellcheck disable=SC2086 # words
        succeeds $words
        [ "$(cat out)" = "starling $version" ]
    done
}

@test "an unknown command gets the nearest one as a hint" {
    refuses 2 "unknown command 'evl' (did you mean 'eval'?)" evl
    refuses 2 "unknown command 'xyzzy'" xyzzy
    refuses 2 "unknown command 'lst' (did you mean 'list'?)" help lst
    refuses 2 "unknown command 'evl' (did you mean 'eval'?)" evl resnet18 --accel eyeriss --help
    refuses 2 "unknown command 'xyzzy', expected map, " xyzzy
    refuses 2 "study: unknown command 'rum' (did you mean 'run'?)" help study rum
    refuses 2 "unknown option --jsn (did you mean --json?)" --jsn
}

@test "what is wrong with the command line is a document where --json is on it" {
    for words in --json "--json nonsense" "nonsense --json" "help nonsense --json" "list --json" \
        "list nonsense --json" "--json list networks nonsense" "list networks --nonsense --json"; do
        code=0
        # shellcheck disable=SC2086 # words
        "$STARLING" $words >out 2>err || code=$?
        [ "$code" -eq 2 ]
        is_json starling.error/1
        [ "starling: $(json 'd["error"]["message"]')" = "$(cat err)" ]
    done
    "$STARLING" --json >out 2>/dev/null || true
    [[ "$(json 'd["error"]["message"]')" = "expected "*"; see 'starling --help'" ]]
    for words in "--version --json" "--json --version" "version --json" "list --version --json"; do
        # shellcheck disable=SC2086 # words
        succeeds $words
        is_json starling.version/1
    done
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
    for command in map tune eval verify assign learn train profile env list bench doctor completion "bench cost" "bench maestro" "bench map" \
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
