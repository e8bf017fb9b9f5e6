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
