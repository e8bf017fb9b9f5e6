#!/usr/bin/env bats
# The guides show what the program prints. When numbers move on purpose:
#   python3 tests/cli/guide.py build/release/starling docs/guides/first-steps.md --update
load common

@test "first-steps.md shows what the program prints" {
    python3 "$SL_SOURCE_DIR/tests/cli/guide.py" "$STARLING" "$SL_SOURCE_DIR/docs/guides/first-steps.md"
}
