// methods.c - every method by name: the rows of search, then those of learn; rows of shared objects
// from outside.
#include <dlfcn.h>
#include <string.h>

#include "starling/job.h"

static const SlMethod *const *const tables[] = {sl_search_methods, sl_learn_methods};
enum { N_TABLES = sizeof tables / sizeof tables[0] };

const SlMethod *sl_method_at(int i) {
    for (int t = 0; t < N_TABLES; t++) {
        for (const SlMethod *const *row = tables[t]; *row; row++) {
            if (i-- == 0) return *row;
        }
    }
    return NULL;
}

const SlMethod *sl_method_find(const char *name) {
    const SlMethod *method = NULL;
    for (int i = 0; (method = sl_method_at(i)) != NULL; i++) {
        if (strcmp(method->name, name) == 0) return method;
    }
    return NULL;
}

// ---- from outside ----

static const char *plugin_fault(const SlMethodPlugin *plugin) {
    if (!plugin) return "exports no " SL_METHOD_ENTRY;
    if (plugin->version != SL_METHOD_VERSION || plugin->row_bytes != sizeof(SlMethod))
        return "was built for another version of Starling: build it again";
    const SlMethod *row = plugin->method;
    if (!row || !row->name || !row->title || !row->source || !row->options)
        return "has a row without name, title, source or options";
    return row->make && row->ask && row->tell ? NULL : "has a row without make, ask or tell";
}

static SlStatus load(const char *path, const SlMethod **method, SlError *err) {
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object) return sl_fail_at(err, SL_EINPUT, path, 0, 0, "cannot be loaded: %s", dlerror());
    const SlMethodPlugin *plugin = dlsym(object, SL_METHOD_ENTRY);
    const char *fault = plugin_fault(plugin);
    if (fault) {
        dlclose(object);
        return sl_fail_at(err, SL_EINPUT, path, 0, 0, "%s", fault);
    }
    *method = plugin->method;
    return SL_OK;
}

SlStatus sl_method_open(const char *name, const SlMethod **method, SlError *err) {
    if (strchr(name, '/')) return load(name, method, err);
    *method = sl_method_find(name);
    if (*method) return SL_OK;
    const char *names[64];
    int n = 0;
    for (const SlMethod *row; n < 63 && (row = sl_method_at(n)) != NULL;) names[n++] = row->name;
    names[n] = NULL;
    const char *near = sl_nearest_name(name, names);
    return sl_fail(err, SL_EINPUT, "unknown method '%.40s'%s%s%s; see 'starling list methods'",
                   name, near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

// ---- options ----

bool sl_method_has_option(const SlMethod *method, const char *name) {
    for (const SlOption *option = method->options; option->name; option++)
        if (strcmp(option->name, name) == 0) return true;
    return false;
}

static SlStatus fail_option(const SlMethod *method, const char *name, SlError *err) {
    const char *names[64];
    int n = 0;
    for (const SlOption *option = method->options; option->name && n < 63; option++)
        names[n++] = option->name;
    names[n] = NULL;
    const char *near = sl_nearest_name(name, names);
    return sl_fail(err, SL_EINPUT, "%s has no option '%.40s'%s%s%s; see 'starling list methods %s'",
                   method->name, name, near ? " (did you mean '" : "", near ? near : "",
                   near ? "'?)" : "", method->name);
}

// "NAME=VALUE"
static SlStatus set_one(const SlMethod *method, char *pair, void *options, SlError *err) {
    char *equals = strchr(pair, '=');
    SlError inside;
    if (!equals)
        return sl_fail(err, SL_EINPUT, "expected NAME=VALUE[,NAME=VALUE...], got '%.60s'", pair);
    *equals = '\0';
    if (!sl_method_has_option(method, pair)) return fail_option(method, pair, err);
    SlStatus status = sl_options_set(method->options, options, pair, equals + 1, &inside);
    if (status == SL_OK) return SL_OK;
    // tables speak of --NAME
    const char *text = strncmp(inside.text, "--", 2) == 0 ? inside.text + 2 : inside.text;
    return sl_fail(err, status, "%s", text);
}

SlStatus sl_method_options(const SlMethod *method, const char *set, SlArena *arena, void **options,
                           SlError *err) {
    *options = sl_arena_alloc(arena, 1, method->options_bytes + 1);
    char *list = sl_arena_text(arena, set ? set : "", set ? strlen(set) : 0);
    if (!*options || !list) return sl_fail(err, SL_ENOMEM, "not enough memory for the options");
    sl_options_init(method->options, *options);
    SlStatus status = SL_OK;
    while (*list && status == SL_OK) {
        size_t n = strcspn(list, ",");
        bool more = list[n] == ',';
        list[n] = '\0';
        status = set_one(method, list, *options, err);
        list += n + more;
    }
    return status;
}

// ---- settings ----

const char *sl_method_settings(const SlMethod *method, const void *options, SlArena *arena) {
    SlText text;
    sl_text_init(&text, arena);
    sl_options_json(method->options, options, &text);
    return text.failed ? NULL : text.data;
}
