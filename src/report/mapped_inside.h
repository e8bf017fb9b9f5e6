// mapped_inside.h - inside report: the parts of the document of a mapped network.
//
// What differs from evaluator to evaluator (costs, columns, words) is in SlMappedKind. A new one is
// a row there (mapped_kinds.c).
#pragma once

#include "doc_inside.h"
#include "starling/report/mapped_doc.h"

// A row per kind of task that prices mappings. Functions marked * may be NULL.
typedef struct {
    const SlTaskKind *kind;
    const char *costs; // heading of what it says of costs; NULL = those of the native model
    SlGoal floor;      // of which multiples of the floor are shown; no weights = the goal
    const char *note;  // last line of a page
    // In the table of layers, behind the shape; one without key and label is that of the goal.
    int n_columns;
    const SlColumn *columns;
    const char *legend; // what they mean
    // Of layers.csv, behind those of an evaluation.
    int n_csv;
    const SlColumn *csv;

    void (*describe)(const SlMapped *mapped, SlText *out);    // *among the settings
    void (*add_values)(SlDoc *doc, const SlMapped *mapped);   // *before all other results
    void (*add_facts)(SlDoc *doc, const SlMapped *mapped);    // *of the only layer
    void (*add_numbers)(SlDoc *doc, const SlMappedLayer *it); // *a group of a layer
    void (*add_totals)(SlDoc *doc, const SlMapped *mapped);   // *the same of the sums
} SlMappedKind;

const SlMappedKind *sl_mapped_kind(const SlMapped *mapped);
bool sl_mapped_learns(const SlMapped *mapped); // the method has agents

// --- What was asked for (mapped_setup.c)

void sl_mapped_add_head(SlDoc *doc, const SlMapped *mapped); // for machines and for people
// What certificates are compared with: the lists of a space that constraints narrowed, else null.
void sl_mapped_add_lists(SlDoc *doc, const SlMapped *mapped, const SlMappedLayer *layer);

// --- What comes first (mapped_verdict.c): what it costs, how good that is, what binds, what next

void sl_mapped_add_verdict(SlDoc *doc, const SlMapped *mapped);
void sl_mapped_add_outlook(SlDoc *doc, const SlMapped *mapped); // facts below it

// --- What else could be (mapped_variants.c)

// "1.23 × over nvdla-, 10.1 × over eyeriss-style"; "" where nothing was compared.
void sl_mapped_variants_words(const SlMapped *mapped, SlText *out);
// The resource of the machine that changes most, "twice the DRAM bandwidth: −11 % EDP"; "" = none.
void sl_mapped_resource_words(const SlMapped *mapped, SlText *out);
void sl_mapped_add_compared(SlDoc *doc, const SlMapped *mapped);
void sl_mapped_add_sensitivity(SlDoc *doc, const SlMapped *mapped);

// Is the ratio of two costs more than what proofs leave open? Of a layer, or the network (NULL).
bool sl_mapped_differs(const SlMapped *mapped, const SlMappedLayer *layer, double ratio);
void sl_mapped_add_gain(SlDoc *doc, const SlMapped *mapped, const SlMappedLayer *layer,
                        const char *key, double gain);

// --- Sums, on cards; objectives beside what they are compared with (mapped_sums.c)

void sl_mapped_add_totals(SlDoc *doc, const SlMapped *mapped);
void sl_mapped_add_objectives(SlDoc *doc, const SlMapped *mapped); // facts of the only layer, too

// --- What is proven (mapped_proofs.c)

// Members "lower_bound", "gap", "proof" and "certificate" of a layer.
void sl_mapped_add_proof(SlDoc *doc, const SlMappedLayer *layer);
void sl_mapped_add_gap_card(SlDoc *doc, const SlMapped *mapped); // the largest one
void sl_mapped_add_proven(SlDoc *doc, const SlMapped *mapped);   // sentences
void sl_mapped_add_proof_table(SlDoc *doc, const SlMapped *mapped);
// In the table of layers; NULL = of the network.
void sl_mapped_add_proof_cell(SlDoc *doc, const SlMapped *mapped, const SlMappedLayer *layer);

// --- How it was approached (mapped_curves.c): a line, a picture, a cell in the table of layers

void sl_mapped_add_curve(SlDoc *doc, const SlMapped *mapped);
void sl_mapped_add_curve_figure(SlDoc *doc, const SlMapped *mapped);
void sl_mapped_add_spark(SlDoc *doc, const SlMappedLayer *layer);
