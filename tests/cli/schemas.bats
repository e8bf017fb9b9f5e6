#!/usr/bin/env bats
# Documents of --json against their schemas in data/schemas; schemas.txt lists the commands.
load common

# python: one that has jsonschema; Debian's does, another one that comes first may not
python() {
    local name
    for name in python3 /usr/bin/python3; do
        if "$name" -c 'import jsonschema' 2>/dev/null; then
            "$name" "$@"
            return
        fi
    done
    echo "no Python with jsonschema: scripts/install-deps test brings it"
    return 1
}

@test "every document of every command follows its schema, and every schema is used" {
    export STARLING SL_SOURCE_DIR
    python "$SL_SOURCE_DIR/tests/cli/schemas.py"
}
