#!/bin/sh
# stub.sh - an evaluator that answers 2 x + 1, or misbehaves as the request says in "do".

# the value of a member of the request, which holds no comma; nothing if it is not there
member() {
    case $line in
    *\""$1"\":*) value=${line#*\""$1"\":} && printf '%s' "${value%%[,\}]*}" ;;
    esac
}

while read -r line; do
    id=$(member id)
    case $(member 'do') in
    '"nan"') echo "{\"id\": $id, \"value\": NaN}" ;;
    '"infinity"') echo "{\"id\": $id, \"value\": -Infinity}" ;;
    '"c_nan"') echo "{\"id\": $id, \"value\": -nan}" ;;
    '"null"') echo "{\"id\": $id, \"value\": null}" ;;
    '"text"') echo "{\"id\": $id, \"value\": \"12\"}" ;;
    '"neither"') echo "{\"id\": $id}" ;;
    '"reason"') printf '%s\n' "{\"id\": $id, \"reason\": \"does\\nnot fit\", \"value\": 3}" ;;
    '"extra"') printf '%s\r\n' "{\"value\": -7, \"id\": $id, \"reason\": null, \"more\": [1, {}]}" ;;
    '"large"') echo "{\"id\": $id, \"value\": 100000000000000000000000}" ;;
    '"garbage"') printf '%d apples\tand pears\n' "$id" ;;
    '"other_id"') echo "{\"id\": 1$id, \"value\": 5}" ;;
    '"no_id"') echo "{\"value\": 5, \"ID\": $id}" ;;
    '"empty"') echo ;;
    '"twice"') printf '%s\n%s\n' "{\"id\": $id, \"value\": 1}" '{"id": 0, "value": 2}' ;;
    '"long"') printf '{"id": %d, "pad": "%s"}\n' "$id" "$(head -c 1048576 /dev/zero | tr '\0' x)" ;;
    '"size"') echo "{\"id\": $id, \"value\": ${#line}}" ;;
    '"pid"') echo "{\"id\": $id, \"value\": $$}" ;;
    '"crash"')
        printf 'first line\nabout to crash\n\n' >&2
        kill -SEGV $$
        ;;
    '"exit"') exit 3 ;;
    '"close"')
        exec >&-
        sleep 60
        ;;
    *)
        if [ "$(member 'do')" = '"noise"' ]; then head -c 500000 /dev/zero >&2; fi
        pause=$(member sleep)
        if [ -n "$pause" ]; then sleep "$pause"; fi
        echo "{\"id\":$id,\"value\":$((2 * $(member x) + 1))}"
        ;;
    esac
done
