// oracle_compare.c - see oracle_compare.h.
#include "oracle_compare.h"

#include <stdio.h>
#include <string.h>

#include "count_fields.h"
#include "machine.h"
#include "oracle.h"

// "why: nest" in `out`
static const char *explain(const char *why, const Case *c, size_t n, char *out) {
    char nest[CASE_TEXT_MAX];
    snprintf(out, n, "%s: %s", why, case_text(c, sizeof nest, nest));
    return out;
}

const char *oracle_differs(const Case *c, size_t n, char *out) {
    SlCounts got, want;
    char why[256];
    memset(&got, 0x55, sizeof got); // what is not written shows
    oracle_count(&c->layer, c->net, &c->mapping, &want);
    sl_counts_eval(&c->layer, c->net, &c->mapping, &got);
    if (!counts_differ(&got, &want, false, sizeof why, why)) return NULL;
    return explain(why, c, n, out);
}

const char *machine_differs(const Case *c, SlRng *rng, size_t n, char *out) {
    SlCounts moved, want;
    char text[256];
    const char *why = machine_run(&c->layer, c->net, &c->mapping, rng, &moved);
    if (why) return explain(why, c, n, out);
    oracle_count(&c->layer, c->net, &c->mapping, &want);
    why = counts_differ(&moved, &want, true, sizeof text, text);
    return why ? explain(why, c, n, out) : NULL;
}
