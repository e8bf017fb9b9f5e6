// rows.c - measured nests of a CSV file, one lesson per distinct layer.
//
// The file is read twice: first to check every row and count the rows of each layer, then to see
// the nests.
#include "starling/job/rows.h"

#include <float.h>
#include <string.h>

#include "starling/cost/nest_table.h"

enum { MAX_BYTES = 1 << 30 };

// One layer of the file and how many rows it has.
typedef struct {
    SlLayer layer;
    SlSpace space;
    int n, line; // the first of its rows
} Group;

typedef struct {
    const SlRowsSetup *setup;
    SlGoal goal;
    SlNestTable table;
    int value; // column
    SlArena *arena;
    int n_groups, room;
    Group **groups;
} Reader;

static SlStatus no_memory(SlError *err) {
    return sl_fail(err, SL_ENOMEM, "not enough memory for the measured rows");
}

// ---- values ----

static bool is_number(const char *text) {
    double value;
    return sl_parse_real(text, -DBL_MAX, DBL_MAX, &value, NULL) == SL_OK;
}

static bool is_of_nest(const Reader *reader, int column) {
    for (int c = 0; c < SL_NEST_N_COLUMNS; c++)
        if (reader->table.columns[c] == column) return true;
    return false;
}

// the last column of the current row that holds a number and is none of a nest's; -1 = none
static int last_number(const Reader *reader) {
    const SlCsv *csv = &reader->table.csv;
    for (int c = csv->n_columns - 1; c >= 0; c--)
        if (!is_of_nest(reader, c) && is_number(csv->cells[c])) return c;
    return -1;
}

// once the first row is there
static SlStatus find_column(Reader *reader, SlError *err) {
    const SlNestTable *table = &reader->table;
    const char *name = reader->setup->column;
    reader->value = name ? sl_csv_column(&table->csv, name) : last_number(reader);
    if (reader->value >= 0) return SL_OK;
    if (name)
        return sl_fail_at(err, SL_EINPUT, table->name, 0, 0,
                          "no column '%s', expected one with the measured values", name);
    return sl_fail_at(err, SL_EINPUT, table->name, table->csv.line, 0,
                      "expected a column with the measured values");
}

static SlStatus read_value(const Reader *reader, double *value, SlError *err) {
    const SlCsv *csv = &reader->table.csv;
    if (sl_parse_real(csv->cells[reader->value], DBL_MIN, DBL_MAX, value, NULL) == SL_OK)
        return SL_OK;
    return sl_fail_at(err, SL_EINPUT, csv->file, csv->line, 0,
                      "%s: expected a finite number above 0, got '%.80s'",
                      csv->header[reader->value], csv->cells[reader->value]);
}

// ---- layers ----

static bool same_layer(const SlLayer *a, const SlLayer *b) {
    return memcmp(a->dims, b->dims, sizeof a->dims) == 0 &&
           memcmp(a->stride, b->stride, sizeof a->stride) == 0 &&
           memcmp(a->dilation, b->dilation, sizeof a->dilation) == 0;
}

static int find_group(const Reader *reader, const SlLayer *layer) {
    for (int g = reader->n_groups - 1; g >= 0; g--)
        if (same_layer(&reader->groups[g]->layer, layer)) return g;
    return -1;
}

static bool make_room(Reader *reader) {
    if (reader->n_groups < reader->room) return true;
    int room = reader->room > 0 ? 2 * reader->room : 64;
    Group **groups = SL_NEW(reader->arena, room, Group *);
    if (!groups) return false;
    for (int g = 0; g < reader->n_groups; g++) groups[g] = reader->groups[g];
    reader->groups = groups;
    reader->room = room;
    return true;
}

// a layer not seen before: the choices of its mappings
static SlStatus add_group(Reader *reader, const SlLayer *layer, SlError *err) {
    const SlSpaceOptions options = {.preset = SL_SPACE_NATIVE};
    const SlCsv *csv = &reader->table.csv;
    SlError why;
    Group *group = make_room(reader) ? SL_NEW(reader->arena, 1, Group) : NULL;
    if (!group) return no_memory(err);
    group->layer = *layer;
    group->line = csv->line;
    SlStatus status = sl_space_make(&group->layer, reader->setup->accel, &options, reader->arena,
                                    &group->space, &why);
    if (status == SL_EINPUT)
        return sl_fail_at(err, status, csv->file, csv->line, 0, "the layer has no place on %s: %s",
                          reader->setup->accel->name, why.text);
    if (status != SL_OK) return no_memory(err);
    reader->groups[reader->n_groups++] = group;
    return SL_OK;
}

static SlStatus count_row(Reader *reader, const SlNestRow *row, SlError *err) {
    double value;
    SlStatus status = read_value(reader, &value, err);
    if (status != SL_OK) return status;
    int at = find_group(reader, &row->layer);
    if (at < 0) {
        status = add_group(reader, &row->layer, err);
        at = reader->n_groups - 1;
    }
    if (status == SL_OK) reader->groups[at]->n++;
    return status;
}

// ---- the file, twice ----

static SlStatus count_rows(Reader *reader, SlRows *rows, SlError *err) {
    SlNestRow row;
    bool more = true;
    SlStatus status = sl_nest_table_open(&reader->table, reader->arena, err);
    while (status == SL_OK) {
        status = sl_nest_table_next(&reader->table, &more, &row, err);
        if (status != SL_OK || !more) break;
        if (rows->n_rows++ == 0) status = find_column(reader, err);
        if (status == SL_OK) status = count_row(reader, &row, err);
    }
    if (status == SL_OK && rows->n_rows == 0)
        return sl_fail_at(err, SL_EINPUT, reader->table.name, reader->table.csv.line, 0,
                          "no rows, expected at least one measured nest");
    return status;
}

static SlStatus make_tasks(Reader *reader, SlRows *rows, SlError *err) {
    rows->tasks = SL_NEW(reader->arena, reader->n_groups, SlTask *);
    rows->lessons = SL_NEW(reader->arena, reader->n_groups, SlLesson);
    if (!rows->tasks || !rows->lessons) return no_memory(err);
    for (int g = 0; g < reader->n_groups; g++) {
        const Group *group = reader->groups[g];
        const SlTaskSetup setup = {.space = &group->space, .goal = reader->goal};
        SlError why;
        SlStatus status = sl_task_make(&setup, reader->arena, &rows->tasks[g], &why);
        if (status == SL_EINPUT)
            return sl_fail_at(err, status, reader->table.name, group->line, 0, "%s", why.text);
        if (status != SL_OK) return no_memory(err);
        rows->n_tasks++;
        if (!sl_lesson_make(rows->tasks[g], group->n, reader->arena, &rows->lessons[g]))
            return no_memory(err);
    }
    return SL_OK;
}

static SlStatus add_rows(Reader *reader, SlRows *rows, SlError *err) {
    SlNestRow row;
    bool more = true;
    double value;
    SlStatus status = sl_nest_table_open(&reader->table, reader->arena, err);
    while (status == SL_OK) {
        status = sl_nest_table_next(&reader->table, &more, &row, err);
        if (status != SL_OK || !more) break;
        status = read_value(reader, &value, err);
        if (status != SL_OK) break;
        sl_lesson_add_nest(&rows->lessons[find_group(reader, &row.layer)], &row.mapping, value);
    }
    return status;
}

static SlStatus read_rows(Reader *reader, SlRows *rows, SlError *err) {
    SlNestTable *table = &reader->table;
    char *text = NULL;
    SlStatus status =
        sl_file_read_gzip(table->name, MAX_BYTES, reader->arena, &text, &table->n, err);
    table->text = text;
    if (status == SL_OK) status = sl_nest_table_check(table, reader->arena, err);
    if (status == SL_OK) status = count_rows(reader, rows, err);
    if (status == SL_OK) status = make_tasks(reader, rows, err);
    if (status == SL_OK) status = add_rows(reader, rows, err);
    if (status == SL_OK) rows->column = table->csv.header[reader->value];
    return status;
}

SlStatus sl_rows_read(const SlRowsSetup *setup, SlArena *arena, SlRows *rows, SlError *err) {
    Reader reader = {.setup = setup,
                     .goal = setup->goal,
                     .table = {.name = setup->path, .accel = setup->accel},
                     .arena = arena};
    bool given = false;
    for (int o = 0; o < SL_N_OBJECTIVES; o++) given |= setup->goal.weight[o] > 0;
    if (!given) reader.goal.weight[SL_LATENCY] = 1;
    *rows = (SlRows){0};
    SlStatus status = read_rows(&reader, rows, err);
    if (status != SL_OK) sl_rows_close(rows);
    return status;
}

void sl_rows_close(SlRows *rows) {
    for (int k = 0; k < rows->n_tasks; k++) sl_task_close(rows->tasks[k]);
    *rows = (SlRows){0};
}
