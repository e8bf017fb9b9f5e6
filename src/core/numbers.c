// numbers.c - read whole and real numbers without ever rounding, overflowing or guessing.
//
// Reals go through strtod, so LC_NUMERIC must be "C" as it is at program start.
#include "numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// A decimal number taken apart: value * 10^exponent, value without trailing zeros.
typedef struct {
    bool negative, too_large;
    uint64_t value;
    int64_t exponent;
} Decimal;

// value = value * factor + digit, noting what does not fit
static void grow(Decimal *d, uint64_t factor, uint64_t digit) {
    if (d->value > (UINT64_MAX - digit) / factor)
        d->too_large = true;
    else
        d->value = d->value * factor + digit;
}

// the digits of `text` from *at on; zeros wait in *zeros until a digit follows. Underscores may
// stand between digits. Returns the number of digits
static int64_t take_digits(const char *text, size_t n, size_t *at, Decimal *d, int64_t *zeros) {
    int64_t taken = 0;
    for (; *at < n; (*at)++) {
        char c = text[*at];
        bool between =
            taken > 0 && *at + 1 < n && is_digit(text[*at - 1]) && is_digit(text[*at + 1]);
        if (c == '_' && between) continue;
        if (!is_digit(c)) break;
        taken++;
        if (c == '0') {
            (*zeros)++;
            continue;
        }
        for (; *zeros > 0 && d->value > 0 && !d->too_large; (*zeros)--) grow(d, 10, 0);
        grow(d, 10, (uint64_t)(c - '0'));
        *zeros = 0;
    }
    return taken;
}

// the part behind "e": a sign and digits; more than 9999 is as good as 9999
static bool take_exponent(const char *text, size_t n, size_t *at, int64_t *exponent) {
    bool negative = *at < n && text[*at] == '-';
    if (*at < n && (text[*at] == '-' || text[*at] == '+')) (*at)++;
    size_t first = *at;
    for (*exponent = 0; *at < n && is_digit(text[*at]); (*at)++) {
        if (*exponent < 9999) *exponent = 10 * *exponent + (text[*at] - '0');
    }
    if (negative) *exponent = -*exponent;
    return *at > first;
}

static bool scan_decimal(const char *text, size_t n, Decimal *d) {
    *d = (Decimal){.negative = n > 0 && text[0] == '-'};
    size_t at = n > 0 && (text[0] == '-' || text[0] == '+');
    int64_t zeros = 0, fraction = 0, exponent = 0;
    int64_t whole = take_digits(text, n, &at, d, &zeros);
    if (at < n && text[at] == '.') {
        at++;
        fraction = take_digits(text, n, &at, d, &zeros);
    }
    if (whole + fraction == 0) return false;
    if (at < n && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        if (!take_exponent(text, n, &at, &exponent)) return false;
    }
    d->exponent = exponent - fraction + zeros;
    return at == n;
}

bool sl_scan_int(const char *text, size_t n, int64_t unit, int64_t *out) {
    Decimal d;
    if (!scan_decimal(text, n, &d)) return false;
    grow(&d, (uint64_t)unit, 0);
    for (; d.exponent > 0 && !d.too_large; d.exponent--) grow(&d, 10, 0);
    for (; d.exponent < 0 && d.value % 10 == 0; d.exponent++) d.value /= 10;
    uint64_t largest = (uint64_t)INT64_MAX + d.negative;
    if (d.too_large || d.exponent < 0 || d.value > largest) return false;
    *out = (int64_t)(d.negative ? 0 - d.value : d.value);
    return true;
}

bool sl_scan_bytes(const char *text, int64_t *out) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", NULL};
    size_t n = strlen(text), digits = n;
    while (digits > 0 && !is_digit(text[digits - 1]) && text[digits - 1] != '.') digits--;
    const char *name = text + digits;
    while (digits < n && *name == ' ') name++;
    int i = *name ? sl_choice_find(name, units) : 0;
    return i >= 0 && sl_scan_int(text, digits, (int64_t)1 << (10 * i), out);
}

bool sl_scan_real(const char *text, double *out) {
    const char *word = text + (text[0] == '-' || text[0] == '+');
    if (strcmp(word, "inf") == 0 || strcmp(word, ".inf") == 0) {
        *out = text[0] == '-' ? -INFINITY : INFINITY;
        return true;
    }
    Decimal checked;
    if (!scan_decimal(text, strlen(text), &checked)) return false;
    // strtod knows no underscores
    char plain[128];
    size_t used = 0;
    for (; *text && used < sizeof plain - 1; text++) {
        if (*text != '_') plain[used++] = *text;
    }
    plain[used] = '\0';
    double value = strtod(plain, NULL);
    if (*text || !isfinite(value)) return false;
    *out = value;
    return true;
}

bool sl_scan_bool(const char *text, bool *out) {
    static const char *const words[] = {"false", "true", "no", "yes", "off", "on", NULL};
    int i = sl_choice_find(text, words);
    if (i >= 0) *out = i % 2;
    return i >= 0;
}

const char *sl_range_int(int64_t lo, int64_t hi, char out[static SL_RANGE_ROOM]) {
    long long a = lo, b = hi;
    out[0] = '\0';
    if (lo != INT64_MIN && hi != INT64_MAX)
        snprintf(out, SL_RANGE_ROOM, " from %lld to %lld", a, b);
    else if (lo != INT64_MIN)
        snprintf(out, SL_RANGE_ROOM, " of at least %lld", a);
    else if (hi != INT64_MAX)
        snprintf(out, SL_RANGE_ROOM, " of at most %lld", b);
    return out;
}

const char *sl_range_real(double lo, double hi, char out[static SL_RANGE_ROOM]) {
    out[0] = '\0';
    if (isfinite(lo) && isfinite(hi))
        snprintf(out, SL_RANGE_ROOM, " from %.10g to %.10g", lo, hi);
    else if (isfinite(lo))
        snprintf(out, SL_RANGE_ROOM, " of at least %.10g", lo);
    else if (isfinite(hi))
        snprintf(out, SL_RANGE_ROOM, " of at most %.10g", hi);
    return out;
}

SlStatus sl_parse_int(const char *text, int64_t lo, int64_t hi, int64_t *out, SlError *err) {
    int64_t value = 0;
    size_t n = strlen(text), sign = text[0] == '-' || text[0] == '+';
    bool digits = n > sign && strspn(text + sign, "0123456789") == n - sign;
    if (digits && sl_scan_int(text, n, 1, &value) && value >= lo && value <= hi) {
        *out = value;
        return SL_OK;
    }
    char got[SL_QUOTE_ROOM], range[SL_RANGE_ROOM];
    return sl_fail(err, SL_EINPUT, "expected a whole number%s, got %s", sl_range_int(lo, hi, range),
                   sl_quote(text, got));
}

SlStatus sl_parse_real(const char *text, double lo, double hi, double *out, SlError *err) {
    double value = 0;
    if (sl_scan_real(text, &value) && value >= lo && value <= hi) {
        *out = value;
        return SL_OK;
    }
    char got[SL_QUOTE_ROOM], range[SL_RANGE_ROOM];
    return sl_fail(err, SL_EINPUT, "expected a number%s, got %s", sl_range_real(lo, hi, range),
                   sl_quote(text, got));
}
