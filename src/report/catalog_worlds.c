// catalog_worlds.c - particle worlds and their sizes, as a document.
#include "doc_inside.h"
#include "starling/report/catalog.h"
#include "starling/task/particle.h"

// a row: for machines in the table of the world, for people in that of all worlds
static void add_size(const SlWorld *world, int n_agents, SlDoc *doc) {
    SlArena *arena = sl_doc_arena(doc);
    SlParticleSetup setup;
    sl_world_init(world, &setup);
    setup.n_agents = n_agents;
    size_t mark = sl_arena_mark(arena);
    const SlParticles *particles = sl_doc_need(doc, sl_particles_make(&setup, arena));
    if (!particles) return;
    SlParticleShape shape = *sl_particles_shape(particles);
    sl_arena_rewind(arena, mark);
    sl_doc_row(doc);
    sl_doc_string(doc, NULL, "env", world->name);
    sl_doc_number(doc, "agents", NULL, SL_UNIT_COUNT, shape.n_agents);
    sl_doc_number(doc, "prey", NULL, SL_UNIT_COUNT, shape.n_movers - shape.n_agents);
    sl_doc_number(doc, "landmarks", NULL, SL_UNIT_COUNT, shape.n_landmarks);
    sl_doc_number(doc, "observed", NULL, SL_UNIT_COUNT, shape.n_observed);
    sl_doc_number(doc, NULL, "actions", SL_UNIT_COUNT, SL_PARTICLE_ACTIONS);
    sl_doc_number(doc, "state", NULL, SL_UNIT_COUNT, shape.n_state);
}

static void add_sizes(const SlWorld *world, SlDoc *doc) {
    for (int n = 3; n <= 48; n *= 2) add_size(world, n, doc);
}

static void add_worlds(SlDoc *doc) {
    static const SlColumn columns[] = {SL_COLUMN("name", NULL), SL_COLUMN("title", NULL),
                                       SL_COLUMN("actions", NULL)};
    sl_doc_table(doc, "envs", NULL, sizeof columns / sizeof *columns, columns);
    for (int w = 0; sl_worlds[w]; w++) {
        sl_doc_row(doc);
        sl_doc_string(doc, "name", NULL, sl_worlds[w]->name);
        sl_doc_string(doc, "title", NULL, sl_worlds[w]->title);
        sl_doc_number(doc, "actions", NULL, SL_UNIT_COUNT, SL_PARTICLE_ACTIONS);
        sl_doc_table(doc, "shapes", NULL, 0, NULL);
        add_sizes(sl_worlds[w], doc);
        sl_doc_close(doc);
    }
    sl_doc_close(doc);
}

SlDoc *sl_report_worlds(SlArena *arena) {
    static const SlColumn columns[] = {
        SL_COLUMN(NULL, "env"),
        SL_COLUMN("agents", "agents"),
        SL_COLUMN("prey", "scripted"),
        SL_COLUMN("landmarks", "landmarks"),
        SL_COLUMN("observed", "an agent sees"),
        SL_COLUMN(NULL, "actions"),
        SL_COLUMN("state", "world state"),
    };
    SlDoc *doc = sl_doc_make(arena, "envs", 1);
    if (!doc) return NULL;
    add_worlds(doc);
    for (int w = 0; sl_worlds[w]; w++)
        sl_doc_string(doc, NULL, sl_worlds[w]->name, sl_worlds[w]->title);
    sl_doc_words(doc, "Sizes by number of agents, 1 to %d:", SL_PARTICLE_MAX_AGENTS);
    sl_doc_table(doc, NULL, NULL, sizeof columns / sizeof *columns, columns);
    for (int w = 0; sl_worlds[w]; w++) add_sizes(sl_worlds[w], doc);
    sl_doc_close(doc);
    return doc;
}
