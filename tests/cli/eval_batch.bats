#!/usr/bin/env bats
# starling eval --nests: many nests at once, against the golden files.
load common

golden() {
    gunzip -c "$SL_SOURCE_DIR/tests/data/native/$1.csv.gz"
}

same() {
    python3 "$SL_SOURCE_DIR/tests/cli/same_columns.py" "$@"
}

# one good row, and rows that go wrong in one place
header=id,ext,conv,net,nest
good='1,1.1.2.1.1.1.1.1,1.1.1.1,1.1,@7 K:1'

@test "every count of oracle_small.csv is equal" {
    golden oracle_small >golden.csv
    succeeds eval --nests golden.csv --csv
    same golden.csv out macs cycles l3_grid mac_grid
    [ "$(head -n 1 out)" = "$(grep -m 1 '^id,' golden.csv | cut -d, -f1,6-)" ]
}

@test "every count of layers.csv is equal, from standard input" {
    golden layers >golden.csv
    "$STARLING" eval --nests - --csv <golden.csv >out
    same golden.csv out l2_grid mac_cov0
}

@test "every cost of layers.csv is equal with --accel golden" {
    golden layers >golden.csv
    succeeds eval --nests golden.csv --csv --accel golden
    same golden.csv out rd0 acc0_2 link2 need1 ramp latency energy_pJ area_given area_min
    [ "$(head -n 1 out)" = "$(grep -m 1 '^id,' golden.csv | cut -d, -f1,7-)" ]
}

@test "the net of a row overrides the accelerator's" {
    printf '%s\n%s\n%s\n' $header \
        'on,1.1.4.4.4.4.1.1,1.1.1.1,1.1,@7 K*1 C*1 @7 P:1 Q:1' \
        'off,1.1.4.4.4.4.1.1,1.1.1.1,0.0,@7 K*1 C*1 @7 P:1 Q:1' >nests.csv
    succeeds eval --nests nests.csv --csv --accel eyeriss
    python3 - <<'PYTHON'
import csv
on, off = csv.DictReader(open("out"))
assert int(on["l2_pread_I"]) * 4 == int(off["l2_pread_I"]) == int(off["l2_fill_I"])
assert int(on["link2"]) < int(off["link2"])
PYTHON
}

@test "comments, other columns, their order and quotes do not matter" {
    printf '# a comment\n%s\n' "$header" "$good" >plain.csv
    printf 'nest,other,net,conv,ext,id\n# in between\n"@7 K:1",x,1.1,1.1.1.1,1.1.2.1.1.1.1.1,1\n' >mixed.csv
    succeeds eval --nests plain.csv --csv
    cp out first
    succeeds eval --nests mixed.csv --csv
    cmp first out
}

@test "ids come back as they are" {
    printf '%s\n"a,""b",1.1.2.1.1.1.1.1,1.1.1.1,1.1,@7 K:1\n' $header >nests.csv
    succeeds eval --nests nests.csv --csv
    grep -q '^"a,""b",2,2,' out
}

@test "--out leaves the table as a file too" {
    printf '%s\n%s\n' "$header" "$good" >nests.csv
    succeeds eval --nests nests.csv --csv --out d
    cmp out d/nests.csv
}

@test "a wrong row names its line and prints nothing" {
    row() { printf '%s\n%s\n%s\n' "$header" "$good" "$1" >nests.csv; }
    row '2,1.1.2.1.1.1.1,1.1.1.1,1.1,@7 K:1'
    refuses 2 "nests.csv:3: ext: expected eight whole numbers N.G.K.C.P.Q.R.S, got '1.1.2.1.1.1.1'" \
        eval --nests nests.csv --csv
    row '2,1.1.0.1.1.1.1.1,1.1.1.1,1.1,@7'
    refuses 2 "nests.csv:3: K " eval --nests nests.csv --csv
    row '2,1.1.-2.1.1.1.1.1,1.1.1.1,1.1,@7'
    refuses 2 "nests.csv:3: K " eval --nests nests.csv --csv
    row '2,1.1.94906267.94906267.1.1.1.1,1.1.1.1,1.1,@7 K:1 C:1'
    refuses 2 "nests.csv:3: the layer has 2^53 MACs or more" eval --nests nests.csv --csv
    row '2,1.1.4294967296.4294967296.1.1.1.1,1.1.1.1,1.1,@7 K:1 C:1'
    refuses 2 "nests.csv:3: the layer has 2^53 MACs or more" eval --nests nests.csv --csv
    row '2,1.1.99999999999999999999.1.1.1.1.1,1.1.1.1,1.1,@7 K:1'
    refuses 2 "nests.csv:3: ext: expected" eval --nests nests.csv --csv
    row '2,1.1.2.1.1.1.1.1,1.0.1.1,1.1,@7 K:1'
    refuses 2 "nests.csv:3: stride" eval --nests nests.csv --csv
    row '2,1.1.2.1.1.1.1.1,1.1.1,1.1,@7 K:1'
    refuses 2 "nests.csv:3: conv: expected" eval --nests nests.csv --csv
    row '2,1.1.2.1.1.1.1.1,1.1.1.1,1.2,@7 K:1'
    refuses 2 "nests.csv:3: net: expected" eval --nests nests.csv --csv
    row '2,1.1.2.1.1.1.1.1,1.1.1.1,1.1,@7 K:2'
    refuses 2 "nests.csv:3: nest: the last loop over K must have tiles of 1" \
        eval --nests nests.csv --csv
    row '2,1.1.2.1.1.1.1.1,1.1.1.1,1.1,@9 K:1'
    refuses 2 "nests.csv:3: nest: column 1: '@9'" eval --nests nests.csv --csv
    row '2,1.1.2.1.1.1.1.1,1.1.1.1,1.1'
    refuses 2 "nests.csv:3: expected 5 cells as in the header, got 4" eval --nests nests.csv --csv
}

@test "with an accelerator every row must have its number of levels" {
    printf '%s\n%s\n' "$header" "$good" >nests.csv
    refuses 2 "nests.csv:2: nest: 1 storage boundaries (@), but golden has 2 on-chip levels" \
        eval --nests nests.csv --csv --accel golden
}

@test "files that are no tables are refused" {
    : >empty.csv
    refuses 2 "empty.csv: expected a header line" eval --nests empty.csv --csv
    printf 'id,ext\n1,1\n' >short.csv
    refuses 2 "short.csv:1: missing column 'conv'" eval --nests short.csv --csv
    printf 'id\377,ext\n' >latin.csv
    refuses 2 "latin.csv:1:3: expected UTF-8 text" eval --nests latin.csv --csv
    refuses 2 "nosuch.csv: cannot open" eval --nests nosuch.csv --csv
    refuses 2 "$PWD: cannot read: Is a directory" eval --nests "$PWD" --csv
}

@test "options that make no sense with --nests are refused" {
    printf '%s\n%s\n' "$header" "$good" >nests.csv
    refuses 2 "--nests" eval resnet18 --nests nests.csv --csv
    refuses 2 "--mapping" eval --nests nests.csv --csv --mapping K:1
    refuses 2 "--batch" eval --nests nests.csv --csv --batch 2
    refuses 2 "--json" eval --nests nests.csv --json
}
