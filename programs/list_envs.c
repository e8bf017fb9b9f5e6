// list_envs.c - `starling list envs`: particle worlds and their shapes.
#include <jansson.h>

#include "list.h"
#include "starling/task/particle.h"
#include "text_table.h"

static const char *const titles[SL_N_SCENARIOS] = {
    "predators after prey, around obstacles; prey are part of the environment",
    "agents that spread over landmarks without touching each other",
};

static json_t *shape_json(const SlParticleShape *shape) {
    json_t *to = command_need(json_object());
    json_put_number(to, "agents", shape->n_agents);
    json_put_number(to, "prey", shape->n_movers - shape->n_agents);
    json_put_number(to, "landmarks", shape->n_landmarks);
    json_put_number(to, "observed", shape->n_observed);
    json_put_number(to, "state", shape->n_state);
    return to;
}

static void add_shape(Listing *list, SlScenario scenario, int n, TextTable *table, json_t *shapes) {
    const SlParticleSetup setup = {
        .scenario = scenario, .n_agents = n, .n_envs = 1, .episode_steps = 25};
    size_t mark = sl_arena_mark(list->arena);
    SlParticleShape shape =
        *sl_particles_shape(command_need(sl_particles_make(&setup, list->arena)));
    sl_arena_rewind(list->arena, mark);
    table_row(table);
    table_cell(table, "%s", sl_scenario_names[scenario]);
    table_cell(table, "%d", shape.n_agents);
    table_cell(table, "%d", shape.n_movers - shape.n_agents);
    table_cell(table, "%d", shape.n_landmarks);
    table_cell(table, "%d", shape.n_observed);
    table_cell(table, "%d", SL_PARTICLE_ACTIONS);
    table_cell(table, "%d", shape.n_state);
    json_add(shapes, shape_json(&shape));
}

SlStatus list_envs(Listing *list, SlError *err) {
    (void)err;
    TextTable table;
    list_begin(list, "envs", "envs");
    for (int s = 0; s < SL_N_SCENARIOS; s++)
        sl_text_add(&list->text, "%-8s%s\n", sl_scenario_names[s], titles[s]);
    sl_text_add(&list->text, "\nNumbers by the number of agents, 1 to %d:\n\n",
                SL_PARTICLE_MAX_AGENTS);
    table_init(&table, list->arena, "<env|agents|prey|landmarks|an agent sees|actions|world state");
    for (int s = 0; s < SL_N_SCENARIOS; s++) {
        json_t *to = command_need(json_object()), *shapes = command_need(json_array());
        for (int n = 3; n <= 48; n *= 2) add_shape(list, (SlScenario)s, n, &table, shapes);
        json_put_text(to, "name", sl_scenario_names[s]);
        json_put_text(to, "title", titles[s]);
        json_put_number(to, "actions", SL_PARTICLE_ACTIONS);
        json_put(to, "shapes", shapes);
        json_add(list->items, to);
    }
    table_draw(&table, &list->text);
    return SL_OK;
}
