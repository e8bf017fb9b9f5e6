// processor.c - the name of this processor, from Linux's list.
#include "starling/core/processor.h"

#include <stdio.h>
#include <string.h>

const char *sl_processor_name(size_t n, char *out) {
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    out[0] = '\0';
    while (file && !out[0] && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (!colon || strncmp(line, "model name", 10) != 0) continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(out, n, "%.*s", (int)strcspn(colon, "\n"), colon);
    }
    if (file) fclose(file);
    return out;
}

const char *sl_processor_sets(size_t n, char *out) {
    if (n > 0) out[0] = '\0';
#if defined(__x86_64__)
    const struct {
        int has;
        const char *name;
    } sets[] = {{__builtin_cpu_supports("avx2"), "AVX2"},
                {__builtin_cpu_supports("fma"), "FMA"},
                {__builtin_cpu_supports("avx512f"), "AVX-512"}};
    size_t used = 0;
    for (size_t i = 0; i < sizeof sets / sizeof *sets && used < n; i++)
        if (sets[i].has)
            used += (size_t)snprintf(out + used, n - used, "%s%s", used ? ", " : "", sets[i].name);
#endif
    return out;
}
