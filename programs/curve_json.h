// curve_json.h - best-so-far curves as JSON: [[sample, value], ...].
#pragma once

#include "starling/job.h"

struct json_t;

// `number` makes a value: sl_json_number, or one that keeps all digits. A new reference.
struct json_t *curve_json(int n, const SlCurvePoint *curve, struct json_t *(*number)(double));
