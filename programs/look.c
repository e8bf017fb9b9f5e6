// look.c - how the terminal is written to, by the environment (no-color.org, POSIX COLUMNS).
#include "look.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int columns(void) {
    const char *given = getenv("COLUMNS");
    int64_t n = 0;
    struct winsize size;
    if (given && sl_parse_int(given, 1, 1000000, &n, NULL) == SL_OK) return (int)n;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return SL_WIDTH_USUAL;
}

static bool has_colour(void) {
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    if (no && *no) return false;
    return isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

SlTextLook look_of_output(void) {
    int width = columns();
    if (width < SL_WIDTH_LEAST) width = SL_WIDTH_LEAST;
    if (width > SL_WIDTH_MOST) width = SL_WIDTH_MOST;
    return (SlTextLook){.width = width,
                        .colour = has_colour(),
                        .ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0};
}
