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
static SlStatus write_file(void *context, const char *file, const SlText *bytes, SlError *err) {
    const Study *study = context;
    char folder[STUDY_PATH_ROOM];
    bool picture = strcmp(file + strlen(file) - 4, ".svg") == 0;
    snprintf(folder, sizeof folder, "%s/%s", study->dir, picture ? "figures" : "tables");
    SlStatus status = folder_make(folder, err);
    return status == SL_OK ? folder_write(folder, file, bytes, err) : status;
}

static SlStatus write_files(const Study *study, const SlDoc *doc, SlError *err) {
    SlText page, markdown;
    sl_text_init(&page, study->arena);
    sl_text_init(&markdown, study->arena);
    SlStatus status = sl_doc_write(doc, SL_FORM_HTML, &page, err);
    if (status == SL_OK) status = sl_doc_markdown(doc, "figures", &markdown, err);
    if (status == SL_OK) status = folder_make(study->dir, err);
    if (status == SL_OK) status = sl_doc_files(doc, write_file, (void *)study, err);
    if (status == SL_OK) status = folder_write(study->dir, "report.md", &markdown, err);
    return status == SL_OK ? folder_write(study->dir, "report.html", &page, err) : status;
}

SlStatus study_deliver(const Study *study, int code, int *exit_code, SlError *err) {
    SlResults results;
    SlStatus status = sl_results_make(&study->plan, study->n_records, study->records, study->arena,
                                      &results, err);
    if (status != SL_OK) return status;
    SlDoc *doc = sl_doc_make(study->arena, "study", 1);
    sl_doc_text(doc, "digest", NULL, "%016llx", (unsigned long long)study->digest);
    sl_doc_number(doc, "records", NULL, SL_UNIT_COUNT, study->n_records);
    status = sl_report_study(&study->plan, &results, doc, err);
    if (status == SL_OK) status = write_files(study, doc, err);
    if (status != SL_OK) return status;
    *exit_code = call_show(study->call, doc, code);
    call_note(study->call, "Written to %s: report.html, report.md, figures/, tables/, study.db",
              study->dir);
    call_note(study->call, "Digest of the records: %016llx", (unsigned long long)study->digest);
    return SL_OK;
}
