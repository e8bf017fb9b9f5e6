// study_files.c - what a study leaves for readers: the report in its forms, figures, tables.
#include <stdio.h>
#include <string.h>

#include "study_command.h"

SlStatus study_read(Study *study, SlError *err) {
    SlStatus status =
        sl_store_cells(study->store, study->arena, &study->n_records, &study->records, err);
    return status == SL_OK ? sl_store_digest(study->store, &study->digest, err) : status;
}

// tables/NAME.csv, figures/NAME.svg
static SlStatus write_blocks(const Study *study, const SlReport *report, SlError *err) {
    char figures[STUDY_PATH_ROOM], tables[STUDY_PATH_ROOM], file[FILE_NAME_ROOM + 8];
    snprintf(figures, sizeof figures, "%s/figures", study->dir);
    snprintf(tables, sizeof tables, "%s/tables", study->dir);
    SlStatus status = command_make_dir(figures, err);
    if (status == SL_OK) status = command_make_dir(tables, err);
    for (const SlBlock *block = report->first; block && status == SL_OK; block = block->next) {
        bool table = block->kind == SL_BLOCK_TABLE;
        if (!table && block->kind != SL_BLOCK_FIGURE) continue;
        size_t mark = sl_arena_mark(study->arena);
        SlText text;
        sl_text_init(&text, study->arena);
        if (table)
            sl_table_csv(block->table, &text);
        else
            sl_text_put(&text, block->svg, strlen(block->svg));
        snprintf(file, sizeof file, table ? "%.80s.csv" : "%.80s.svg", block->name);
        status = command_write(table ? tables : figures, file, &text, err);
        sl_arena_rewind(study->arena, mark);
    }
    return status;
}

static SlStatus write_files(const Study *study, const SlReport *report, SlError *err) {
    SlText page, markdown;
    sl_text_init(&page, study->arena);
    sl_text_init(&markdown, study->arena);
    sl_report_html(report, &page);
    sl_report_markdown(report, "figures", &markdown);
    if (report->failed || page.failed || markdown.failed) command_no_memory();
    SlStatus status = command_make_dir(study->dir, err);
    if (status == SL_OK) status = write_blocks(study, report, err);
    if (status == SL_OK) status = command_write(study->dir, "report.md", &markdown, err);
    return status == SL_OK ? command_write(study->dir, "report.html", &page, err) : status;
}

SlStatus study_deliver(const Study *study, int code, int *exit_code, SlError *err) {
    const CommonOptions *common = &study->options->common;
    SlResults results;
    SlReport report;
    SlText text;
    SlStatus status = sl_results_make(&study->plan, study->n_records, study->records, study->arena,
                                      &results, err);
    if (status != SL_OK) return status;
    sl_report_make(&report, study->plan.title, study->arena);
    status = sl_report_study(&study->plan, &results, &report, err);
    if (status == SL_OK) status = write_files(study, &report, err);
    if (status != SL_OK) return status;
    sl_text_init(&text, study->arena);
    if (common->json)
        status = sl_json_print(study_json(study, &results), &text, err);
    else
        sl_report_text(&report, &text);
    if (status != SL_OK) return status;
    if (text.failed) command_no_memory();
    *exit_code = command_print(text.data, text.n, code);
    command_note(common, "Written to %s: report.html, report.md, figures/, tables/, study.db",
                 study->dir);
    command_note(common, "Digest of the records: %016llx", (unsigned long long)study->digest);
    return SL_OK;
}
