// episodes.c - play recorded episodes by our rules, in doubles, and say how far apart they end up.
// The format: docs/formats/episodes.md.
#include "episodes.h"

#include <math.h>
#include <string.h>

#include "particle_inside.h"

enum { MAX_BYTES = 1 << 29 };
static const double most = 1e9; // of any number

// What is read, and by which rules it is played.
typedef struct {
    const char *name;
    SlParticleRules rules;
    SlArena *scratch;
    SlDeviation *out;
} Reader;

// An episode while it is played; both worlds of a pair are the same.
typedef struct {
    ParticleWorld world;
    double *state;   // (n_state, PARTICLE_PAIR)
    double *force;   // (2 n_movers, PARTICLE_PAIR)
    double *rewards; // (n_movers, PARTICLE_PAIR)
    double *row;     // (n_state)
    double *seen;    // what one mover sees
    SlDeviation *out;
} Player;

// ---- lists of numbers ----

// a list of n things: "pos: expected 4 values, got 3"
static SlStatus expect_list(const SlNode *node, const char *what, int n, SlError *err) {
    SlStatus status = sl_node_expect(node, SL_NODE_LIST, what, err);
    if (status != SL_OK || node->n == n) return status;
    return sl_node_fail(node, err, "%s: expected %d values, got %d", what, n, node->n);
}

static SlStatus read_numbers(const SlNode *node, const char *what, int n, double *out,
                             SlError *err) {
    SlStatus status = expect_list(node, what, n, err);
    if (status != SL_OK) return status;
    const SlNode *item = node->first;
    for (int i = 0; i < n && status == SL_OK; i++, item = item->next)
        status = sl_node_real(item, -most, most, &out[i], err);
    return status;
}

// two rows of the state, from a list [x, y]
static SlStatus read_pair(const SlNode *map, const char *key, double *rows, SlError *err) {
    const SlNode *node = NULL;
    double pair[2];
    SlStatus status = sl_node_need(map, key, &node, err);
    if (status == SL_OK) status = read_numbers(node, key, 2, pair, err);
    for (int i = 0; i < 2 * PARTICLE_PAIR && status == SL_OK; i++)
        rows[i] = pair[i / PARTICLE_PAIR];
    return status;
}

// ---- the start ----

// a constant of the rules, which a recording may state or leave out (null)
static SlStatus check_constant(const SlNode *map, const char *key, double ours, SlError *err) {
    const SlNode *node = sl_node_get(map, key);
    double value = 0;
    if (!node || (node->kind == SL_NODE_SCALAR && strcmp(node->text, "null") == 0)) return SL_OK;
    SlStatus status = sl_node_real(node, -most, most, &value, err);
    if (status != SL_OK || fabs(value - ours) < 1e-9) return status;
    if (isinf(ours)) return sl_node_fail(node, err, "%s: expected null, without a limit", key);
    return sl_node_fail(node, err, "%s: expected %g by the rules, got %g", key, ours, value);
}

static SlStatus check_flag(const SlNode *map, const char *key, bool ours, SlError *err) {
    const SlNode *node = sl_node_get(map, key);
    bool value = ours;
    SlStatus status = node ? sl_node_bool(node, &value, err) : SL_OK;
    if (status != SL_OK || value == ours) return status;
    return sl_node_fail(node, err, "%s: expected %s by the rules", key, ours ? "true" : "false");
}

static SlStatus read_mover(Player *player, const SlNode *map, int i, SlError *err) {
    static const char *const known[] = {"adversary", "size", "accel", "max_speed",
                                        "pos",       "vel",  NULL};
    const ParticleWorld *world = &player->world;
    const ParticleBody *body = sl_particle_body(world, i);
    double *at = player->state + (size_t)(2 * i) * PARTICLE_PAIR;
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, "agents", err);
    if (status == SL_OK) status = sl_node_check_keys(map, known, err);
    if (status == SL_OK) status = check_flag(map, "adversary", body->adversary, err);
    if (status == SL_OK) status = check_constant(map, "size", body->size, err);
    if (status == SL_OK) status = check_constant(map, "accel", body->accel, err);
    if (status == SL_OK) status = check_constant(map, "max_speed", body->max_speed, err);
    if (status == SL_OK) status = read_pair(map, "pos", at, err);
    if (status != SL_OK || !sl_node_get(map, "vel")) return status;
    return read_pair(map, "vel", at + (size_t)(2 * world->n_movers) * PARTICLE_PAIR, err);
}

static SlStatus read_landmark(Player *player, const SlNode *map, int k, SlError *err) {
    static const char *const known[] = {"size", "collide", "pos", NULL};
    const ParticleWorld *world = &player->world;
    const ParticleBody *body = &world->kind->row->facts->landmark;
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, "landmarks", err);
    if (status == SL_OK) status = sl_node_check_keys(map, known, err);
    if (status == SL_OK) status = check_constant(map, "size", body->size, err);
    if (status == SL_OK) status = check_flag(map, "collide", body->pushes, err);
    if (status != SL_OK) return status;
    return read_pair(map, "pos",
                     player->state + (size_t)(4 * world->n_movers + 2 * k) * PARTICLE_PAIR, err);
}

// the landmark that is the goal, where a world has one
static SlStatus read_goal(Player *player, const SlNode *episode, SlError *err) {
    const ParticleWorld *world = &player->world;
    const SlNode *node = sl_node_get(episode, "goal");
    double *landmarks = player->state + (size_t)(4 * world->n_movers) * PARTICLE_PAIR;
    int64_t goal = 0;
    if (!world->kind->row->facts->has_goal)
        return node ? sl_node_fail(node, err, "goal: %s has none", world->kind->name) : SL_OK;
    SlStatus status = sl_node_need(episode, "goal", &node, err);
    if (status == SL_OK && world->n_landmarks == 0)
        return sl_node_fail(node, err, "goal: expected a landmark");
    if (status == SL_OK) status = sl_node_int(node, 0, world->n_landmarks - 1, &goal, err);
    if (status != SL_OK) return status;
    memcpy(landmarks + (ptrdiff_t)(2 * world->n_landmarks) * PARTICLE_PAIR,
           landmarks + 2 * goal * PARTICLE_PAIR, 2 * PARTICLE_PAIR * sizeof *landmarks);
    return SL_OK;
}

// "tag", "simple_tag"
static SlStatus read_world(const SlNode *episode, const SlWorld **world, SlError *err) {
    static const char prefix[] = "simple_";
    const SlNode *node;
    int choice = 0;
    SlStatus status = sl_node_need(episode, "scenario", &node, err);
    if (status != SL_OK) return status;
    SlNode name = *node;
    if (name.kind == SL_NODE_SCALAR && strncmp(name.text, prefix, sizeof prefix - 1) == 0)
        name.text += sizeof prefix - 1;
    status = sl_node_choice(&name, sl_world_names, &choice, err);
    *world = sl_worlds[choice];
    return status;
}

// as many movers and landmarks as a world may have
static SlStatus check_counts(const ParticleWorld *world, const SlNode *agents,
                             const SlNode *landmarks, SlError *err) {
    const int n = world->n_agents;
    const int last = n + (world->kind->row->n_scripted ? SL_PARTICLE_MAX_AGENTS : 0);
    if (agents->n < n || agents->n > last)
        return sl_node_fail(agents, err, "agents: expected %d to %d values, got %d", n, last,
                            agents->n);
    if (landmarks->n > SL_PARTICLE_MAX_AGENTS)
        return sl_node_fail(landmarks, err, "landmarks: expected at most %d values, got %d",
                            SL_PARTICLE_MAX_AGENTS, landmarks->n);
    return SL_OK;
}

// how many there are of everything
static SlStatus read_counts(const SlNode *episode, SlParticleRules rules, ParticleWorld *world,
                            SlError *err) {
    const SlNode *agents, *landmarks, *n;
    int64_t n_agents = 0;
    *world = (ParticleWorld){.rules = rules};
    SlStatus status = read_world(episode, &world->kind, err);
    if (status == SL_OK) status = sl_node_need(episode, "n", &n, err);
    if (status == SL_OK) status = sl_node_need(episode, "agents", &agents, err);
    if (status == SL_OK) status = sl_node_need(episode, "landmarks", &landmarks, err);
    if (status == SL_OK) status = sl_node_int(n, 1, SL_PARTICLE_MAX_AGENTS, &n_agents, err);
    if (status == SL_OK) status = sl_node_expect(agents, SL_NODE_LIST, "agents", err);
    if (status == SL_OK) status = sl_node_expect(landmarks, SL_NODE_LIST, "landmarks", err);
    if (status != SL_OK) return status;
    world->n_agents = (int)n_agents;
    world->n_scripted = agents->n - world->n_agents;
    world->n_landmarks = landmarks->n;
    sl_particle_count(world);
    return check_counts(world, agents, landmarks, err);
}

static SlStatus make_player(Player *player, SlArena *scratch, SlError *err) {
    const ParticleWorld *world = &player->world;
    player->state = SL_NEW(scratch, world->n_state * PARTICLE_PAIR, double);
    player->force = SL_NEW(scratch, 2 * world->n_movers * PARTICLE_PAIR, double);
    player->rewards = SL_NEW(scratch, world->n_movers * PARTICLE_PAIR, double);
    player->row = SL_NEW(scratch, world->n_state, double);
    player->seen = SL_NEW(scratch, sl_particle_n_observed(world, 0), double);
    if (player->state && player->force && player->rewards && player->row && player->seen)
        return SL_OK;
    return sl_fail(err, SL_ENOMEM, "not enough memory to play an episode");
}

static SlStatus read_start(Player *player, const SlNode *episode, SlError *err) {
    SlStatus status = SL_OK;
    int i = 0;
    for (const SlNode *item = sl_node_get(episode, "agents")->first; item && status == SL_OK;
         item = item->next)
        status = read_mover(player, item, i++, err);
    i = 0;
    for (const SlNode *item = sl_node_get(episode, "landmarks")->first; item && status == SL_OK;
         item = item->next)
        status = read_landmark(player, item, i++, err);
    return status == SL_OK ? read_goal(player, episode, err) : status;
}

// ---- a step ----

// the forces that the recorded actions are; prey choose theirs too
static SlStatus read_actions(Player *player, const SlNode *step, SlError *err) {
    const ParticleWorld *world = &player->world;
    const double sign = world->rules == SL_RULES_OPENAI ? 1 : -1;
    const SlNode *list = NULL;
    SlStatus status = sl_node_need(step, "actions", &list, err);
    if (status == SL_OK) status = expect_list(list, "actions", world->n_movers, err);
    if (status != SL_OK) return status;
    const SlNode *item = list->first;
    for (int i = 0; i < world->n_movers && status == SL_OK; i++, item = item->next) {
        const double accel = sign * sl_particle_body(world, i)->accel;
        double a[SL_PARTICLE_ACTIONS] = {0};
        double *to = player->force + (size_t)(2 * i) * PARTICLE_PAIR;
        status = read_numbers(item, "actions", SL_PARTICLE_ACTIONS, a, err);
        for (int l = 0; l < PARTICLE_PAIR; l++) {
            to[l] = accel * (a[1] - a[2]);
            to[PARTICLE_PAIR + l] = accel * (a[3] - a[4]);
        }
    }
    return status;
}

static void widen(double *deviation, double recorded, double ours) {
    *deviation = fmax(*deviation, fabs(recorded - ours)); // numbers up to `most` never make NaN
}

// every mover's n numbers of one kind; nothing if they were not recorded
static SlStatus compare(const Player *player, const SlNode *step, const char *key,
                        const double *ours, double *deviation, SlError *err) {
    const SlNode *list = sl_node_get(step, key);
    SlStatus status = list ? expect_list(list, key, player->world.n_movers, err) : SL_OK;
    const SlNode *item = list ? list->first : NULL;
    for (; item && status == SL_OK; item = item->next, ours += 2) {
        double pair[2] = {0};
        status = read_numbers(item, key, 2, pair, err);
        for (int i = 0; i < 2 && status == SL_OK; i++) widen(deviation, pair[i], ours[i]);
    }
    return status;
}

static SlStatus compare_seen(const Player *player, const SlNode *step, SlError *err) {
    const ParticleWorld *world = &player->world;
    const SlNode *list = sl_node_get(step, "obs");
    SlStatus status = list ? expect_list(list, "obs", world->n_movers, err) : SL_OK;
    const SlNode *row = list && status == SL_OK ? list->first : NULL;
    for (int i = 0; row && status == SL_OK; i++, row = row->next) {
        status = expect_list(row, "obs", sl_particle_n_observed(world, i), err);
        if (status != SL_OK) return status;
        world->kind->row->codes->exact.observe(world, player->row, i, i + 1, player->seen);
        const double *ours = player->seen;
        for (const SlNode *item = row->first; item && status == SL_OK; item = item->next) {
            double recorded = 0;
            status = sl_node_real(item, -most, most, &recorded, err);
            widen(&player->out->obs, recorded, *ours++);
        }
    }
    return status;
}

static SlStatus compare_rewards(const Player *player, const SlNode *step, SlError *err) {
    const ParticleWorld *world = &player->world;
    const SlNode *list = sl_node_get(step, "reward");
    SlStatus status = list ? expect_list(list, "reward", world->n_movers, err) : SL_OK;
    const SlNode *item = list && status == SL_OK ? list->first : NULL;
    for (int i = 0; item && status == SL_OK; i++, item = item->next) {
        double recorded = 0;
        status = sl_node_real(item, -most, most, &recorded, err);
        widen(&player->out->reward, recorded, player->rewards[i * PARTICLE_PAIR]);
    }
    return status;
}

static SlStatus play_step(Player *player, const SlNode *step, SlError *err) {
    static const char *const known[] = {"actions", "pos", "vel", "reward", "obs", NULL};
    const ParticleWorld *world = &player->world;
    SlStatus status = sl_node_expect(step, SL_NODE_MAP, "steps", err);
    if (status == SL_OK) status = sl_node_check_keys(step, known, err);
    if (status == SL_OK) status = read_actions(player, step, err);
    if (status != SL_OK) return status;
    const ParticleExact *exact = &world->kind->row->codes->exact;
    exact->move(world, player->state, player->force);
    exact->reward(world, player->state, player->rewards);
    if (world->n_scripted > 0) exact->reward_scripted(world, player->state, player->rewards);
    for (int r = 0; r < world->n_state; r++) player->row[r] = player->state[r * PARTICLE_PAIR];
    status = compare(player, step, "pos", player->row, &player->out->pos, err);
    if (status == SL_OK)
        status =
            compare(player, step, "vel", player->row + 2 * world->n_movers, &player->out->vel, err);
    if (status == SL_OK) status = compare_seen(player, step, err);
    if (status == SL_OK) status = compare_rewards(player, step, err);
    player->out->steps += status == SL_OK;
    return status;
}

// ---- episodes ----

static SlStatus play_episode(const Reader *reader, const SlNode *episode, SlError *err) {
    static const char *const known[] = {"scenario", "n",     "agents", "landmarks",
                                        "goal",     "steps", NULL};
    Player player = {.out = reader->out};
    const SlNode *steps = NULL;
    SlStatus status = sl_node_check_keys(episode, known, err);
    if (status == SL_OK) status = read_counts(episode, reader->rules, &player.world, err);
    if (status == SL_OK) status = sl_node_need(episode, "steps", &steps, err);
    if (status == SL_OK) status = sl_node_expect(steps, SL_NODE_LIST, "steps", err);
    if (status == SL_OK) status = make_player(&player, reader->scratch, err);
    if (status == SL_OK) status = read_start(&player, episode, err);
    const SlNode *step = status == SL_OK ? steps->first : NULL;
    for (; step && status == SL_OK; step = step->next) status = play_step(&player, step, err);
    reader->out->episodes += status == SL_OK;
    return status;
}

// one line: an episode, or at the beginning {"source": ...}
static SlStatus play_line(const Reader *reader, int line, const char *text, size_t n,
                          SlError *err) {
    const SlNode *root = NULL;
    SlStatus status = sl_tree_parse(reader->name, text, n, reader->scratch, &root, err);
    if (status == SL_OK) status = sl_node_expect(root, SL_NODE_MAP, "a line", err);
    const bool head = status == SL_OK && line == 1 && sl_node_get(root, "source");
    if (status == SL_OK && !head) status = play_episode(reader, root, err);
    if (status != SL_OK && err) err->line = line;
    return status;
}

static bool is_blank(const char *text, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r') return false;
    return true;
}

SlStatus sl_episodes_play_text(const char *name, const char *text, size_t n, SlParticleRules rules,
                               SlArena *scratch, SlDeviation *out, SlError *err) {
    const Reader reader = {name, rules, scratch, out};
    SlStatus status = SL_OK;
    *out = (SlDeviation){0};
    for (size_t line = 1, at = 0; at < n && status == SL_OK; line++) {
        const char *stop = memchr(text + at, '\n', n - at);
        const size_t length = stop ? (size_t)(stop - (text + at)) : n - at;
        const size_t mark = sl_arena_mark(scratch);
        if (!is_blank(text + at, length))
            status = play_line(&reader, (int)line, text + at, length, err);
        sl_arena_rewind(scratch, mark);
        at += length + 1;
    }
    if (status == SL_OK && out->episodes == 0)
        return sl_fail_at(err, SL_EINPUT, name, 0, 0, "expected episodes, one JSON object a line");
    return status;
}

SlStatus sl_episodes_play(const char *path, SlParticleRules rules, SlArena *scratch,
                          SlDeviation *out, SlError *err) {
    size_t mark = sl_arena_mark(scratch), n = 0;
    char *text = NULL;
    SlStatus status = sl_file_read_gzip(path, MAX_BYTES, scratch, &text, &n, err);
    if (status == SL_OK) status = sl_episodes_play_text(path, text, n, rules, scratch, out, err);
    sl_arena_rewind(scratch, mark);
    return status;
}
