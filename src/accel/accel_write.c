// accel_write.c - an accelerator as the YAML that reads back as the same one.
#include <math.h>
#include <string.h>

#include "starling/accel.h"

static const char *const dim_letters[] = {"N", "G", "K", "C", "P", "Q", "R", "S", NULL};
static const char *const tensor_letters[] = {"W", "I", "O", NULL};

static void put_real(SlText *out, const char *key, double value) {
    if (isinf(value))
        sl_text_add(out, ", %s: inf", key);
    else
        sl_text_add(out, ", %s: %.17g", key, value);
}

static void put_set(SlText *out, const char *key, const char *const *letters, unsigned set) {
    const char *between = "";
    sl_text_add(out, ", %s: [", key);
    for (int i = 0; letters[i]; i++) {
        if (!(set >> i & 1)) continue;
        sl_text_add(out, "%s%s", between, letters[i]);
        between = ", ";
    }
    sl_text_add(out, "]");
}

static void put_fanout(SlText *out, const SlFanout *fanout) {
    if (fanout->n_axes == 0) return;
    const SlAxis *axis = fanout->axes;
    bool flexible = fanout->n_axes == 1 && strcmp(axis->name, "clusters") == 0;
    sl_text_add(out, ", fanout: {");
    if (flexible) {
        sl_text_add(out, "clusters: %lld", (long long)axis->size);
        put_set(out, "spread", dim_letters, axis->dims);
    } else {
        sl_text_add(out, "grid: {");
        for (int a = 0; a < fanout->n_axes; a++, axis++) {
            sl_text_add(out, "%s\"%s\": {size: %lld", a ? ", " : "", axis->name,
                        (long long)axis->size);
            put_set(out, "spread", dim_letters, axis->dims);
            sl_text_add(out, "}");
        }
        sl_text_add(out, "}");
    }
    sl_text_add(out, ", multicast: %s, reduction: %s}", fanout->multicast ? "true" : "false",
                fanout->reduction ? "true" : "false");
}

static void put_level(SlText *out, const SlAccel *accel, int l) {
    const SlLevel *level = &accel->levels[l];
    sl_text_add(out, "  - {name: \"%s\"", level->name);
    if (l > 0) {
        sl_text_add(out, ", capacity: %lld", (long long)level->capacity_bytes);
        put_set(out, "keep", tensor_letters, level->keep);
        sl_text_add(out, ", buffering: %s, link: {energy: %.17g",
                    sl_buffering_names[level->buffering], level->link_pj);
        put_real(out, "words", level->link_words);
        sl_text_add(out, "}");
        put_real(out, "area_um2_per_byte", level->area_um2_per_byte);
    }
    put_real(out, "port", level->port_words);
    put_real(out, "read", level->read_pj);
    put_real(out, "write", level->write_pj);
    put_fanout(out, &accel->fanouts[l]);
    sl_text_add(out, "}\n");
}

void sl_accel_write(const SlAccel *accel, SlText *out) {
    sl_text_add(out,
                "accel: \"%s\"\nclock_mhz: %.17g\nword_bytes: {W: %.17g, I: %.17g, O: %.17g}\n",
                accel->name, accel->clock_mhz, accel->word_bytes[0], accel->word_bytes[1],
                accel->word_bytes[2]);
    sl_text_add(out, "mac: {energy: %.17g, area_um2: %.17g}\nlevels:\n", accel->mac_pj,
                accel->mac_area_um2);
    for (int l = 0; l < accel->n_levels; l++) put_level(out, accel, l);
}
