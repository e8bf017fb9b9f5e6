// test_method_docs.c - every method has a page, and the page has its options as they are.
#include <stdio.h>
#include <string.h>

#include "search/task_run.h"
#include "starling/learn.h"

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

// Pages whose tables are those of the options, word by word.
static bool is_literal(const char *name) {
    static const char *const names[] = {"random",     "grid",  "autotvm",
                                        "autotvm-ga", "draft", "oracle"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static void check_options(const char *page, const SlMethod *method) {
    for (const SlOption *option = method->options; option->name; option++) {
        char word[64];
        snprintf(word, sizeof word, "`%s`", option->name);
        if (!strstr(page, word)) fail_msg("%s.md: no %s", method->name, option->name);
        if (is_literal(method->name) && !has_row(page, option))
            fail_msg("%s.md: %s", method->name, option->name);
    }
}

static void every_method_has_a_page_with_its_options(void **state) {
    (void)state;
    SlArena arena;
    sl_arena_init(&arena, 0);
    const char *index = read_page("README", &arena);
    for (int t = 0; sl_search_methods[t]; t++) {
        const SlMethod *method = sl_search_methods[t];
        const char *page = read_page(method->name, &arena);
        char title[64], link[128];
        snprintf(title, sizeof title, "# %s\n", method->name);
        snprintf(link, sizeof link, "[%s](%s.md)", method->name, method->name);
        if (strncmp(page, title, strlen(title)) != 0) fail_msg("%s.md: its title", method->name);
        if (!strstr(index, link)) fail_msg("README.md does not link %s", method->name);
        check_options(page, method);
    }
    sl_arena_free(&arena);
}

// "| [gamma](gamma.md) | mappings |": the second column is what the row of the method needs
static void the_table_of_methods_says_what_each_one_needs(void **state) {
    (void)state;
    static const char *const words[] = {"", "mappings", "a draft", "",       "floors",
                                        "", "",         "",        "a flock"};
    SlArena arena;
    sl_arena_init(&arena, 0);
    const char *index = read_page("README", &arena);
    const SlMethod *const *tables[] = {sl_search_methods, sl_learn_methods};
    for (int t = 0; t < 2; t++)
        for (int i = 0; tables[t][i]; i++) {
            const SlMethod *method = tables[t][i];
            char begin[128];
            assert_in_range(method->needs, 0, 8);
            snprintf(begin, sizeof begin, "\n| [%s](", method->name);
            const char *row = strstr(index, begin), *needs = row ? strstr(row, ") | ") : NULL;
            if (!needs) fail_msg("README.md has no row of %s", method->name);
            needs += strlen(") | ");
            if (strncmp(needs, words[method->needs], strlen(words[method->needs])) != 0 ||
                (method->needs == 0 && *needs != '|'))
                fail_msg("README.md: %s needs %.20s", method->name, needs);
        }
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_has_a_page_with_its_options),
        cmocka_unit_test(the_table_of_methods_says_what_each_one_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
