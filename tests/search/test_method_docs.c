// test_method_docs.c - every method has a page, and the page has its options as they are.
#include <stdio.h>
#include <string.h>

#include "search/task_run.h"

static char *read_page(const char *name, SlArena *arena) {
    char path[512];
    char *text = NULL;
    size_t n = 0;
    SlError err;
    snprintf(path, sizeof path, "%s/docs/methods/%s.md", SL_SOURCE_DIR, name);
    if (sl_file_read(path, 1 << 20, arena, &text, &n, &err) != SL_OK) fail_msg("%s", err.text);
    return text;
}

// a row of the page's table: "| `plan` | 64 | 1 to 4096 | points of a plan ... |"
static bool has_row(const char *page, const SlOption *option) {
    const char *fallback = option->fallback;
    if (!fallback) fallback = option->kind == SL_OPTION_FLAG ? "false" : "";
    char begin[128];
    snprintf(begin, sizeof begin, "| `%s` | %s |", option->name, fallback);
    const char *row = strstr(page, begin);
    const char *help = row ? strstr(row, option->help) : NULL;
    return help && help < row + strcspn(row, "\n");
}

static void every_tuner_has_a_page_with_its_options(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    const char *index = read_page("README", &arena);
    for (int t = 0; sl_search_methods[t]; t++) {
        const SlMethod *tuner = sl_search_methods[t];
        const char *page = read_page(tuner->name, &arena);
        char title[64], link[128];
        snprintf(title, sizeof title, "# %s\n", tuner->name);
        snprintf(link, sizeof link, "[%s](%s.md)", tuner->name, tuner->name);
        if (strncmp(page, title, strlen(title)) != 0) fail_msg("%s.md: its title", tuner->name);
        if (!strstr(index, link)) fail_msg("README.md does not link %s", tuner->name);
        for (const SlOption *option = tuner->options; option->name; option++)
            if (!has_row(page, option)) fail_msg("%s.md: %s", tuner->name, option->name);
    }
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tuner_has_a_page_with_its_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
