// test_report_mapped.c - documents of mapped networks: what was asked for, found and proven.
#include <math.h>
#include <string.h>

#include "starling/job.h"
#include "starling/report/mapped_doc.h"
#include "support/check.h"
#include "support/mapped_help.h"

typedef struct {
    SlArena arena;
    SlMapped mapped;
} Room;

static int begin(void **state) {
    static Room room;
    room = (Room){0};
    sl_arena_init(&room.arena, 0);
    const char *layer = "conv:K=32,C=16,P=8,Q=8,R=3,S=3";
    mapped_plan(layer, &room.arena, &room.mapped);
    *state = &room;
    return 0;
}

static int end(void **state) {
    Room *room = *state;
    sl_job_close(room->mapped.job);
    sl_arena_free(&room->arena);
    return 0;
}

static const char *form(const SlDoc *doc, SlForm form, SlArena *arena) {
    SlText out;
    SlError err = {0};
    sl_text_init(&out, arena);
    assert_int_equal(sl_doc_write(doc, form, &out, &err), SL_OK);
    return out.data;
}

static void assert_has(const char *text, const char *piece) {
    if (!strstr(text, piece)) fail_msg("no '%s' in\n%s", piece, text);
}

static void machines_see_the_setup_and_the_layer(void **state) {
    Room *room = *state;
    mapped_run(&room->mapped);
    const char *json = form(sl_report_mapped(&room->mapped), SL_FORM_JSON, &room->arena);
    assert_has(json, "\"starling.map/1\"");
    assert_has(json, "\"objective\": \"edp\"");
    assert_has(json, "\"method\": \"local\"");
    assert_has(json, "\"samples\": 60");
    assert_has(json, "\"seed\": 3");
    assert_has(json, "\"interrupted\": false");
    assert_has(json, "\"prove\": null");
    assert_has(json, "\"certificate\": null");
}

static void people_see_what_was_found(void **state) {
    Room *room = *state;
    room->mapped.interrupted = true;
    mapped_run(&room->mapped);
    const char *text = form(sl_report_mapped(&room->mapped), SL_FORM_TEXT, &room->arena);
    assert_has(text, "edp by local, 60 samples, seed 3");
    assert_has(text, "INTERRUPTED");
    assert_has(text, "default mapping");
    assert_has(text, "loop nest");
    assert_null(strstr(text, "proven"));
}

static void a_proof_is_told_with_its_file(void **state) {
    Room *room = *state;
    room->mapped.setup.method = NULL;
    room->mapped.setup.prove = true;
    room->mapped.setup.epsilon = 0.02;
    assert_int_equal(sl_mapped_open(&room->mapped, NULL, NULL), SL_OK);
    room->mapped.layers[0].certificate = "certificates/conv.cert";
    assert_int_equal(sl_job_run(room->mapped.job, NULL, NULL, NULL, NULL, NULL), SL_OK);
    assert_int_equal(sl_mapped_finish(&room->mapped, NULL), SL_OK);
    const SlDoc *doc = sl_report_mapped(&room->mapped);
    const char *json = form(doc, SL_FORM_JSON, &room->arena);
    assert_has(json, "\"method\": \"exact\"");
    assert_has(json, "\"options\": {}");
    assert_has(json, "\"epsilon\": 0.02");
    assert_has(json, "\"certificate\": \"certificates/conv.cert\"");
    const char *text = form(doc, SL_FORM_TEXT, &room->arena);
    assert_has(text, "edp by exact, proven to 2 %, seed 3");
    assert_has(text, "proven (native sizes, all orders, ");
    assert_null(strstr(text, "samples"));
}

static void maestro_stands_beside_the_native_model(void **state) {
    Room *room = *state;
    room->mapped.setup.kind = &sl_kind_maestro;
    mapped_run(&room->mapped);
    const char *text = form(sl_report_mapped(&room->mapped), SL_FORM_TEXT, &room->arena);
    assert_has(text, "model maestro behind the strict guard");
    assert_has(text, "native model");
    assert_has(text, "as MAESTRO counts them");
    SlText csv;
    sl_text_init(&csv, &room->arena);
    assert_true(sl_doc_csv(sl_report_mapped_layers(&room->mapped), "layers", &csv));
    assert_has(csv.data, ",maestro_cycles,maestro_energy_pj,");
}

static void without_memory_there_is_no_document(void **state) {
    Room *room = *state;
    SlArena *arena = room->mapped.arena;
    mapped_run(&room->mapped);
    for (size_t limit = 1; limit < 1 << 20; limit *= 2) {
        SlText out;
        SlError err = {0};
        SlArena small;
        sl_arena_init(&small, limit);
        room->mapped.arena = room->mapped.eval.arena = &small;
        sl_text_init(&out, arena);
        const SlDoc *doc = sl_report_mapped(&room->mapped);
        SlStatus status = doc ? sl_doc_write(doc, SL_FORM_JSON, &out, &err) : SL_ENOMEM;
        assert_true(status == SL_OK || status == SL_ENOMEM);
        if (limit < 1024) assert_int_equal(status, SL_ENOMEM);
        sl_arena_free(&small);
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(machines_see_the_setup_and_the_layer), CASE(people_see_what_was_found),
        CASE(a_proof_is_told_with_its_file),        CASE(maestro_stands_beside_the_native_model),
        CASE(without_memory_there_is_no_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
