// curve_json.c - best-so-far curves as JSON.
#include "curve_json.h"

#include <jansson.h>

#include "command.h"

json_t *curve_json(int n, const SlCurvePoint *curve, json_t *(*number)(double)) {
    json_t *list = command_need(json_array());
    for (int i = 0; i < n; i++) {
        json_t *pair = command_need(json_array());
        json_add(pair, json_integer(curve[i].sample));
        json_add(pair, number(curve[i].value));
        json_add(list, pair);
    }
    return list;
}
