# common.bash - what every command-line test starts with.
#
# STARLING is the program, SL_SOURCE_DIR the source tree; both come from ctest. By hand:
#   STARLING=build/dev/starling SL_SOURCE_DIR=$PWD bats tests/cli
STARLING=${STARLING:-build/dev/starling}
STARLING=$(cd "$(dirname "$STARLING")" && pwd)/$(basename "$STARLING")
SL_SOURCE_DIR=${SL_SOURCE_DIR:-$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}

# every test has a folder of its own, and works in it: the program needs nothing around it
setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
}

# starling ARGUMENT...: run it; then $code, file out (standard output) and file err are there
starling() {
    code=0
    "$STARLING" "$@" >out 2>err || code=$?
}

# fails with a sentence and everything that was printed
complain() {
    printf '%s\n' "$@" "exit code $code" "--- out" "$(head -c 2000 out)" "--- err" "$(head -c 2000 err)"
    return 1
}

# succeeds ARGUMENT...: exit code 0 and nothing on standard error
succeeds() {
    starling "$@"
    [ "$code" -eq 0 ] || complain "expected success of: $*"
    [ ! -s err ] || complain "expected silence of: $*"
}

# refuses CODE SENTENCE ARGUMENT...: that exit code, one line on standard error with the sentence in it, and no output,
# or with --json a document of the error
refuses() {
    local want=$1 sentence=$2
    shift 2
    starling "$@"
    [ "$code" -eq "$want" ] || complain "expected exit code $want of: $*"
    if [[ " $* " == *" --json "* ]]; then
        is_json starling.error/1
    else
        [ ! -s out ] || complain "expected no output of: $*"
    fi
    [ "$(wc -l <err)" -eq 1 ] || complain "expected one line of: $*"
    grep -q '^starling: ' err || complain "expected 'starling: ' first of: $*"
    grep -qF -- "$sentence" err || complain "expected '$sentence' of: $*"
}

# says TEXT...: every text is somewhere in the output
says() {
    local text
    for text in "$@"; do
        grep -qF -- "$text" out || complain "expected in the output: $text"
    done
}

# is_narrow: no line of the output is wider than 100 columns
is_narrow() {
    python3 -c '
import sys
wide = [line for line in open("out", encoding="utf-8").read().split("\n") if len(line) > 100]
sys.exit("\n".join(wide) if wide else 0)' || complain "expected at most 100 columns"
}

# is_json SCHEMA: the output is one JSON document with that schema
is_json() {
    python3 -c '
import json, sys
document = json.load(open("out", encoding="utf-8"))
sys.exit(0 if document["schema"] == sys.argv[1] and document["version"] else "schema " + document["schema"])' "$1" ||
        complain "expected a JSON document $1"
}

# json EXPRESSION: what a Python expression over the document d gives
json() {
    python3 -c '
import json, sys
d = json.load(open("out", encoding="utf-8"))
print(eval(sys.argv[1]))' "$1"
}

# same_run A B: two folders of runs hold the same files, and the same records (times apart)
same_run() {
    local folder
    diff -r --exclude=records.db "$1" "$2"
    for folder in "$1" "$2"; do
        "$STARLING" study export "$folder/records.db" --no-times >"$BATS_TEST_TMPDIR/records-of-$(basename "$folder")"
    done
    cmp "$BATS_TEST_TMPDIR/records-of-$(basename "$1")" "$BATS_TEST_TMPDIR/records-of-$(basename "$2")"
}

# change_records DIR SQL: damage the records of a run
change_records() {
    python3 -c 'import sqlite3, sys; store = sqlite3.connect(sys.argv[1] + "/records.db"); store.execute(sys.argv[2]); store.commit()' "$1" "$2"
}
