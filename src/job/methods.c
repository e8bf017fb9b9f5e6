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
    if (!plugin) return "exports no sl_plugin_method";
    if (plugin->version != SL_METHOD_VERSION || plugin->row_bytes != sizeof(SlMethod))
        return "was built for another version of Starling: build it again";
    const SlMethod *row = plugin->method;
    if (!row || !row->name || !row->title || !row->source || !row->options)
        return "has a row without name, title, source or options";
    return row->make && row->ask && row->tell ? NULL : "has a row without make, ask or tell";
}

SlStatus sl_method_load(const char *path, const SlMethod **method, SlError *err) {
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object) return sl_fail_at(err, SL_EINPUT, path, 0, 0, "cannot be loaded: %s", dlerror());
    const SlMethodPlugin *plugin = dlsym(object, "sl_plugin_method");
    const char *fault = plugin_fault(plugin);
    if (fault) {
        dlclose(object);
        return sl_fail_at(err, SL_EINPUT, path, 0, 0, "%s", fault);
    }
    *method = plugin->method;
    return SL_OK;
}

SlStatus sl_method_open(const char *name, const SlMethod **method, SlError *err) {
    if (strchr(name, '/')) return sl_method_load(name, method, err);
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
