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
} Fixture;

static int begin(void **state) {
    static Fixture fixture;
    fixture = (Fixture){0};
    sl_arena_init(&fixture.arena, 0);
    const char *layer = "conv:K=32,C=16,P=8,Q=8,R=3,S=3";
    mapped_plan(layer, &fixture.arena, &fixture.mapped);
    *state = &fixture;
    return 0;
}

static int end(void **state) {
    Fixture *fixture = *state;
    sl_job_close(fixture->mapped.job);
    sl_arena_free(&fixture->arena);
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
    Fixture *fixture = *state;
    mapped_run(&fixture->mapped);
    const char *json = form(sl_report_mapped(&fixture->mapped), SL_FORM_JSON, &fixture->arena);
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
    Fixture *fixture = *state;
    fixture->mapped.interrupted = true;
    mapped_run(&fixture->mapped);
    const char *text = form(sl_report_mapped(&fixture->mapped), SL_FORM_TEXT, &fixture->arena);
    assert_has(text, "edp by local, 60 samples, seed 3");
    assert_has(text, "INTERRUPTED");
    assert_has(text, "default mapping");
    assert_has(text, "loop nest");
    assert_has(text, "; not proven.");
    assert_null(strstr(text, "proven to"));
}

static void a_proof_is_told_with_its_file(void **state) {
    Fixture *fixture = *state;
    fixture->mapped.setup.method = NULL;
    fixture->mapped.setup.prove = true;
    fixture->mapped.setup.epsilon = 0.02;
    assert_int_equal(sl_mapped_open(&fixture->mapped, NULL, NULL), SL_OK);
    fixture->mapped.layers[0].certificate = "certificates/conv.cert";
    assert_int_equal(sl_job_run(fixture->mapped.job, NULL, NULL, NULL, NULL, NULL), SL_OK);
    assert_int_equal(sl_mapped_finish(&fixture->mapped, NULL), SL_OK);
    const SlDoc *doc = sl_report_mapped(&fixture->mapped);
    const char *json = form(doc, SL_FORM_JSON, &fixture->arena);
    assert_has(json, "\"method\": \"exact\"");
    assert_has(json, "\"options\": {}");
    assert_has(json, "\"epsilon\": 0.02");
    assert_has(json, "\"certificate\": \"certificates/conv.cert\"");
    const char *text = form(doc, SL_FORM_TEXT, &fixture->arena);
    assert_has(text, "edp by exact, proven to 2 %, seed 3");
    assert_has(text, "of the best mapping in the search space");
    assert_has(text, "native sizes, all orders, ");
    assert_null(strstr(text, "samples"));
}

static void maestro_stands_beside_the_native_model(void **state) {
    Fixture *fixture = *state;
    fixture->mapped.setup.kind = &sl_kind_maestro;
    mapped_run(&fixture->mapped);
    const char *text = form(sl_report_mapped(&fixture->mapped), SL_FORM_TEXT, &fixture->arena);
    assert_has(text, "MAESTRO's model with impossible results rejected");
    assert_has(text, "native model");
    assert_has(text, "as MAESTRO counts them");
    SlText csv;
    sl_text_init(&csv, &fixture->arena);
    assert_true(sl_doc_csv(sl_report_mapped_layers(&fixture->mapped), "layers", &csv));
    assert_has(csv.data, ",maestro_cycles,maestro_energy_pj,");
}

static void without_memory_there_is_no_document(void **state) {
    Fixture *fixture = *state;
    SlArena *arena = fixture->mapped.arena;
    mapped_run(&fixture->mapped);
    for (size_t limit = 1; limit < 1 << 20; limit *= 2) {
        SlText out;
        SlError err = {0};
        SlArena small;
        sl_arena_init(&small, limit);
        fixture->mapped.arena = fixture->mapped.eval.arena = &small;
        sl_text_init(&out, arena);
        const SlDoc *doc = sl_report_mapped(&fixture->mapped);
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
