// particle_world.c - what follows from the row of a world: setups, counts, and what is seen of it.
#include <assert.h>

#include "particle_inside.h"

const char *const sl_particle_rules_names[SL_N_PARTICLE_RULES + 1] = {"openai", "mpe2", NULL};

// ---- setups ----

const SlOption sl_particle_options[] = {
    SL_OPT_WHOLE(SlParticleSetup, "agents", n_agents, "3", 1, SL_PARTICLE_MAX_AGENTS, "N",
                 "learning agents; memory of their networks grows with the cube of their number"),
    SL_OPT_WHOLE(SlParticleSetup, "landmarks", n_landmarks, NULL, 0, SL_PARTICLE_MAX_AGENTS, "N",
                 "landmarks (obstacles in tag); 0 = the environment's usual number"),
    SL_OPT_WHOLE(SlParticleSetup, "steps", episode_steps, "25", 1, 1000000, "N",
                 "steps per episode"),
    SL_OPT_WHOLE(SlParticleSetup, "envs", n_envs, "1", 1, 65536, "N",
                 "environments stepped in parallel"),
    SL_OPT_CHOICE(SlParticleSetup, "rules", rules, NULL, sl_particle_rules_names, "NAME",
                  "rules: openai (the original environments) or mpe2 (their successor)"),
    {0},
};

void sl_world_init(const SlWorld *world, SlParticleSetup *setup) {
    *setup = (SlParticleSetup){.world = world, .script = SL_SCRIPT_RANDOM};
    sl_options_init(sl_particle_options, setup);
    sl_options_init(world->options, setup);
}

// whether the world has a name for the script
static bool knows_script(const SlParticleSetup *setup) {
    if (setup->script < 0) return false;
    for (int s = 0; s <= setup->script; s++)
        if (!setup->world->scripts[s]) return false;
    return true;
}

// NULL, or what is wrong with those that learn beside the agents
static const char *check_second(const SlParticleSetup *setup) {
    if (setup->script != SL_SCRIPT_LEARN) return NULL;
    const ParticleWorld world = sl_particle_world(setup);
    if (world.n_choosers <= SL_PARTICLE_MAX_AGENTS) return NULL;
    return "expected at most 256 that learn, of both teams together";
}

const char *sl_particles_check(const SlParticleSetup *setup) {
    if (!setup->world) return "world: expected a row of sl_worlds";
    if ((unsigned)setup->rules >= SL_N_PARTICLE_RULES) return "rules: expected openai or mpe2";
    if (!knows_script(setup)) return "script: expected one of the world's";
    if (setup->n_agents < 1 || setup->n_agents > SL_PARTICLE_MAX_AGENTS)
        return "n_agents: expected 1 to 256";
    if (setup->n_scripted < 0 || setup->n_scripted > SL_PARTICLE_MAX_AGENTS)
        return "n_scripted: expected 0 to 256";
    if (setup->n_scripted > 0 && !setup->world->row->n_scripted)
        return "n_scripted: in this world everybody chooses";
    if (setup->n_landmarks < 0 || setup->n_landmarks > SL_PARTICLE_MAX_AGENTS)
        return "n_landmarks: expected 0 to 256";
    if (setup->n_envs < 1 || setup->n_envs > SL_PARTICLE_MAX_ENVS)
        return "n_envs: expected 1 to 1,048,576";
    if (setup->episode_steps < 1 || setup->episode_steps > 1000000)
        return "episode_steps: expected 1 to 1,000,000";
    if (!(setup->shaping >= 0) || (setup->shaping > 0 && !setup->world->row->codes->plain.shape))
        return "shaping: expected 0 or more, and a world that has it";
    return check_second(setup);
}

// ---- how many ----

void sl_particle_count(ParticleWorld *world) {
    world->n_movers = world->n_agents + world->n_scripted;
    world->n_choosers = world->script == SL_SCRIPT_LEARN ? world->n_movers : world->n_agents;
    world->n_fixed = 2 * (world->n_landmarks + world->kind->row->facts->has_goal);
    world->n_state = 4 * world->n_movers + world->n_fixed;
}

ParticleWorld sl_particle_world(const SlParticleSetup *setup) {
    const SlWorldRow *row = setup->world->row;
    const int n = (int)setup->n_agents;
    ParticleWorld world = {.kind = setup->world,
                           .rules = (SlParticleRules)setup->rules,
                           .script = (SlScript)setup->script,
                           .n_agents = n,
                           .n_scripted = (int)setup->n_scripted,
                           .n_landmarks = (int)setup->n_landmarks};
    if (world.n_scripted == 0 && row->n_scripted) world.n_scripted = row->n_scripted(n);
    if (world.n_landmarks == 0) world.n_landmarks = row->n_landmarks(n);
    sl_particle_count(&world);
    return world;
}

const ParticleBody *sl_particle_body(const ParticleWorld *world, int mover) {
    const ParticleFacts *facts = world->kind->row->facts;
    return mover < world->n_agents ? &facts->agent : &facts->scripted;
}

// ---- the code ----

const ParticleCode *sl_particle_code(const SlWorld *world) {
    const ParticleCodes *codes = world->row->codes;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return &codes->wide;
#endif
    return &codes->plain;
}

// ---- what is seen ----

int sl_particle_n_observed(const ParticleWorld *world, int mover) {
    int n = 0;
    for (const ParticleSight *part = world->kind->row->facts->sight; *part; part++) {
        const ParticleSpan span = particle_span(world, *part, mover);
        n += 2 * (span.n - (span.skip >= 0));
    }
    return n;
}

// two numbers, x and y, of pair `plus` minus those of pair `minus`
static SlObserved *observe_pair(SlObserved *to, int plus, int minus) {
    for (int i = 0; i < 2; i++)
        *to++ = (SlObserved){(int16_t)(plus < 0 ? -1 : 2 * plus + i),
                             (int16_t)(minus < 0 ? -1 : 2 * minus + i)};
    return to;
}

static SlObserved *observe_span(const ParticleSpan *span, int mover, SlObserved *to) {
    for (int i = span->first; i < span->first + span->n; i++) {
        if (span->silent)
            to = observe_pair(to, -1, -1);
        else if (i != span->skip)
            to = observe_pair(to, i, span->relative ? mover : -1);
    }
    return to;
}

void sl_particle_map(const SlWorld *world, const SlParticleShape *shape, SlObserved *map) {
    ParticleWorld counts = {.kind = world,
                            .n_agents = shape->n_team,
                            .n_scripted = shape->n_movers - shape->n_team,
                            .n_landmarks = shape->n_landmarks};
    sl_particle_count(&counts);
    SlObserved *to = map;
    for (int a = 0; a < shape->n_agents; a++) {
        for (const ParticleSight *part = world->row->facts->sight; *part; part++) {
            const ParticleSpan span = particle_span(&counts, *part, a);
            to = observe_span(&span, a, to);
        }
        SlObserved *next = map + (ptrdiff_t)(a + 1) * shape->n_observed;
        while (to < next) *to++ = (SlObserved){-1, -1};
        assert(to == next);
    }
}
