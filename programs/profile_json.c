// profile_json.c - `starling profile` as a JSON document (docs/formats/profile-json.md).
#include <jansson.h>
#include <math.h>

#include "profile.h"

static json_t *object(void) {
    return command_need(json_object());
}

static json_t *time_json(const ProfileTime *time) {
    json_t *to = object();
    json_put_number(to, "median_ms", time->median);
    json_put_number(to, "low_ms", time->low);
    json_put_number(to, "high_ms", time->high);
    return to;
}

static json_t *phases_json(const ProfileCase *one) {
    json_t *to = object();
    double sum = 0;
    for (int p = 0; p < SL_N_PHASES; p++) sum += one->phases[p].median;
    for (int p = 0; p < SL_N_PHASES; p++) {
        json_t *phase = time_json(&one->phases[p]);
        json_put_number(phase, "share", one->phases[p].median / sum);
        json_put(to, sl_phase_names[p], phase);
    }
    return to;
}

static json_t *counters_json(const ProfileCase *one) {
    json_t *to = object();
    for (int c = 0; c < SL_N_COUNTERS; c++) {
        if (isnan(one->counts[c]))
            json_put_text(to, sl_counter_names[c], "unavailable");
        else
            json_put_number(to, sl_counter_names[c], one->counts[c]);
    }
    return to;
}

// null without a case of twice the agents
static json_t *growth_json(const Profile *profile, const ProfileCase *one) {
    const ProfileCase *twice = profile_find(profile, one, 2 * one->agents, one->sampling);
    if (!twice) return json_null();
    json_t *to = object();
    json_put_number(to, "all", twice->all.median / one->all.median);
    for (int p = 0; p < SL_N_PHASES; p++)
        json_put_number(to, sl_phase_names[p], twice->phases[p].median / one->phases[p].median);
    return to;
}

static json_t *case_json(const Profile *profile, const ProfileCase *one) {
    json_t *to = object();
    json_put_text(to, "env", one->env->name);
    json_put(to, "agents", json_integer(one->agents));
    json_put_text(to, "algo", sl_algo_names[one->algo]);
    json_put_text(to, "mode", sl_engine_mode_names[one->mode]);
    json_put_text(to, "layout", sl_replay_layout_names[one->layout]);
    json_put_text(to, "sampling", sl_sampling_names[one->sampling]);
    json_put(to, "rows", json_integer(one->rows));
    json_put(to, "row_bytes", json_integer((json_int_t)one->row_bytes));
    json_put(to, "all", time_json(&one->all));
    json_put_number(to, "update_ms", profile_update(one));
    json_put(to, "phases", phases_json(one));
    json_put(to, "growth", growth_json(profile, one));
    json_put(to, "sampling_counters", counters_json(one));
    return to;
}

json_t *profile_json(const Profile *profile) {
    const ProfileOptions *options = profile->options;
    json_t *document = command_need(sl_json_document("profile", 1));
    json_t *list = command_need(json_array());
    json_put(document, "steps", json_integer(100));
    json_put(document, "updates", json_integer(1));
    json_put(document, "rounds", json_integer(options->rounds));
    json_put(document, "batch", json_integer(options->batch));
    json_put(document, "hidden", json_integer(options->hidden));
    json_put(document, "neighbors", json_integer(options->neighbors));
    json_put(document, "threads", json_integer(options->threads));
    json_put(document, "seed", json_integer(options->seed));
    json_put(document, "fill", json_integer(options->fill));
    json_put(document, "memory_mb", json_integer(options->memory));
    for (int i = 0; i < profile->n; i++) json_add(list, case_json(profile, &profile->cases[i]));
    json_put(document, "cases", list);
    return document;
}
