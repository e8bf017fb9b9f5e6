#!/usr/bin/env bats
# What a terminal gets: width, colour, characters; the same run kept as text in tests/data/terminal.
# After a change that is meant: KEEP=1 bats tests/cli/terminal.bats writes the kept texts anew.
# shellcheck disable=SC2154 # code comes from common.bash
load common

kept=$SL_SOURCE_DIR/tests/data/terminal
run=(map "$kept/net.yaml" --accel eyeriss --method local --samples 200 --prove=1 --prove-time 0 --compare --quiet --out run)

# is_kept NAME: the output is the kept text of that name
is_kept() {
    if [ -n "${KEEP-}" ]; then cp out "$kept/$1.txt"; fi
    diff -u "$kept/$1.txt" out || complain "expected tests/data/terminal/$1.txt"
}

# is_within COLUMNS: no line is wider
is_within() {
    python3 -c '
import sys
wide = [line for line in open("out", encoding="utf-8").read().split("\n") if len(line) > int(sys.argv[1])]
sys.exit("\n".join(wide) if wide else 0)' "$1" || complain "expected at most $1 columns"
}

# in_terminal FILE COMMAND...: run it in a pseudo-terminal of 90 columns; its output goes to FILE
in_terminal() {
    python3 - "$@" <<'PYTHON'
import fcntl, os, pty, struct, sys, termios
path, command = sys.argv[1], sys.argv[2:]
pid, fd = pty.fork()
if pid == 0:
    os.execvp(command[0], command)
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 90, 0, 0))
data = b""
while True:
    try:
        piece = os.read(fd, 65536)
    except OSError:
        break
    if not piece:
        break
    data += piece
os.waitpid(pid, 0)
open(path, "wb").write(data.replace(b"\r\n", b"\n"))
PYTHON
}

@test "the same run at 80, 100 and 120 columns, each as it is kept" {
    for columns in 80 100 120; do
        COLUMNS=$columns succeeds "${run[@]}"
        is_within $columns
        is_kept "columns-$columns"
    done
    # narrower and wider terminals get the nearest of these
    COLUMNS=40 succeeds "${run[@]}"
    cmp out "$kept/columns-80.txt"
    COLUMNS=200 succeeds "${run[@]}"
    cmp out "$kept/columns-120.txt"
    # the verdict and what binds stand before the tables
    head -4 out | grep -q "proven" || complain "expected the verdict first"
}

@test "in a pipe it is 100 columns wide, without colour" {
    unset COLUMNS
    TERM=xterm succeeds "${run[@]}"
    cmp out "$kept/columns-100.txt"
    # files are the same whatever the terminal
    cmp run/map.txt "$kept/columns-100.txt"
}

@test "without UTF-8 every character is ASCII, in the same columns" {
    COLUMNS=100 LC_ALL=C succeeds "${run[@]}"
    ! LC_ALL=C grep -q '[^ -~]' out || complain "expected ASCII alone"
    is_kept ascii
    # line by line as wide as with UTF-8
    python3 - "$kept/columns-100.txt" <<'PYTHON'
import sys
wide = open(sys.argv[1], encoding="utf-8").read().split("\n")
plain = open("out", encoding="ascii").read().split("\n")
assert [len(line) for line in wide] == [len(line) for line in plain]
PYTHON
    LC_ALL=C succeeds list accels eyeriss
    ! LC_ALL=C grep -q '[^ -~]' out || complain "expected ASCII alone"
    # JSON stays UTF-8
    LC_ALL=C succeeds "${run[@]}" --json
    grep -q "µ" out
}

@test "colour is for terminals, and not with NO_COLOR or TERM=dumb" {
    unset COLUMNS NO_COLOR
    TERM=xterm in_terminal out "$STARLING" "${run[@]}"
    grep -q $'^\e\\[1m' out || complain "expected a bold verdict"
    [ "$(grep -c $'\e\\[38;5;166m' out)" -eq 1 ] || complain "expected one coloured part"
    sed $'s/\e\\[[0-9;]*m//g' out >plain
    mv plain out
    is_within 90
    for setting in NO_COLOR=1 TERM=dumb; do
        env "${setting?}" bash -c ':'
        env TERM=xterm "$setting" python3 -c 'import os, pty, sys; pty.spawn(sys.argv[1:])' "$STARLING" "${run[@]}" >out </dev/null
        ! grep -q $'\e\\[' out || complain "expected no colour with $setting"
    done
}

@test "what does not fit is named, and is there where there is room" {
    COLUMNS=80 succeeds "${run[@]}"
    grep -q '^(not shown at this width: .*gain' out || complain "expected the names of columns"
    COLUMNS=120 succeeds "${run[@]}"
    ! grep -q '^(not shown' out || complain "expected all columns"
}

@test "completion is made of the option tables, for three shells" {
    for shell in bash zsh fish; do
        succeeds completion $shell
        mv out "starling.$shell"
        for command in map eval tune study doctor; do grep -q "$command" "starling.$shell"; done
        for option in sensitivity prove accel; do grep -q -- "$option" "starling.$shell"; done
        grep -q "mobilenet_v2" "starling.$shell"
        ! grep -q "older name" "starling.$shell"
    done
    # as bash asks for it
    complete_words() {
        bash -c 'source ./starling.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _starling; echo "${COMPREPLY[@]}"' - "$@"
    }
    [ "$(complete_words starling ma)" = map ]
    [ "$(complete_words starling map --sens)" = --sensitivity ]
    [ "$(complete_words starling map mobile)" = mobilenet_v2 ]
    [ "$(complete_words starling map --accel eye)" = eyeriss ]
    [ "$(complete_words starling study res)" = "resume" ] || [ "$(complete_words starling study resu)" = resume ]
    ! command -v zsh >/dev/null || zsh -n starling.zsh
    ! command -v fish >/dev/null || fish -n starling.fish
    refuses 2 "expected bash, zsh or fish" completion csh
}

@test "doctor says what is there and what is missing" {
    succeeds doctor
    says "processor" "instruction sets" "libyaml" "SQLite" "C compiler" "this folder"
    PATH=/nonexistent succeeds doctor --json
    is_json starling.doctor/1
    [ "$(json 'd["programs"]["python"], d["machine"]["cores"] >= 1, d["writable"]["here"]')" = "(None, True, True)" ]
    TMPDIR=/nonexistent succeeds doctor
    says "NOT WRITABLE: /nonexistent"
}
