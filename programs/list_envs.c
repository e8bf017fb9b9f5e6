// list_envs.c - `starling list envs`: particle worlds and their shapes.
#include <jansson.h>

#include "list.h"
#include "starling/task/particle.h"
#include "text_table.h"

static json_t *shape_json(const SlParticleShape *shape) {
    json_t *to = command_need(json_object());
    json_put_number(to, "agents", shape->n_agents);
    json_put_number(to, "prey", shape->n_movers - shape->n_agents);
    json_put_number(to, "landmarks", shape->n_landmarks);
    json_put_number(to, "observed", shape->n_observed);
    json_put_number(to, "state", shape->n_state);
    return to;
}

static void add_shape(Listing *list, const SlWorld *world, int n, TextTable *table,
                      json_t *shapes) {
    SlParticleSetup setup;
    sl_world_init(world, &setup);
    setup.n_agents = n;
    size_t mark = sl_arena_mark(list->arena);
    SlParticleShape shape =
        *sl_particles_shape(command_need(sl_particles_make(&setup, list->arena)));
    sl_arena_rewind(list->arena, mark);
    table_row(table);
    table_cell(table, "%s", world->name);
    table_cell(table, "%d", shape.n_agents);
    table_cell(table, "%d", shape.n_movers - shape.n_agents);
    table_cell(table, "%d", shape.n_landmarks);
    table_cell(table, "%d", shape.n_observed);
    table_cell(table, "%d", SL_PARTICLE_ACTIONS);
    table_cell(table, "%d", shape.n_state);
    json_add(shapes, shape_json(&shape));
}

// a world with its shapes, for machines; rows for people
static json_t *world_json(Listing *list, const SlWorld *world, TextTable *table) {
    json_t *to = command_need(json_object()), *shapes = command_need(json_array());
    for (int n = 3; n <= 48; n *= 2) add_shape(list, world, n, table, shapes);
    json_put_text(to, "name", world->name);
    json_put_text(to, "title", world->title);
    json_put_number(to, "actions", SL_PARTICLE_ACTIONS);
    json_put(to, "shapes", shapes);
    return to;
}

SlStatus list_envs(Listing *list, SlError *err) {
    (void)err;
    TextTable table;
    list_begin(list, "envs", "envs");
    for (int w = 0; sl_worlds[w]; w++)
        sl_text_add(&list->text, "%-11s%s\n", sl_worlds[w]->name, sl_worlds[w]->title);
    sl_text_add(&list->text, "\nNumbers by the number of agents, 1 to %d:\n\n",
                SL_PARTICLE_MAX_AGENTS);
    table_init(&table, list->arena,
               "<env|agents|scripted|landmarks|an agent sees|actions|world state");
    for (int w = 0; sl_worlds[w]; w++)
        json_add(list->items, world_json(list, sl_worlds[w], &table));
    table_draw(&table, &list->text);
    return SL_OK;
}
