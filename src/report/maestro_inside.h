// maestro_inside.h - inside report: parts of the document of MAESTRO's numbers.
#pragma once

#include "doc_inside.h"
#include "starling/report/maestro_doc.h"

// What MAESTRO says of layer i: the columns of its CSV, then what only its screen shows.
void sl_maestro_columns(SlDoc *doc, const SlMaestroEvaluation *eval, int i);

// The one layer that is shown, for people: its list, its nest, whether it is physical, and every
// quantity side by side.
void sl_maestro_one(SlDoc *doc, const SlMaestroEvaluation *eval);

// "TemporalMap(2,2) K"
void sl_maestro_directive(const SlDirective *directive, SlText *out);

void sl_maestro_rows(const SlMaestroEvaluation *eval, int i,
                     SlMaestroQuantity rows[SL_AT_LEAST(SL_N_ROWS)]);

// A number of either model, for people: whole numbers as counts, others with six digits as MAESTRO
// has. And the ratio of two, "=" where they are equal.
void sl_maestro_value(SlDoc *doc, const char *label, double value);
void sl_maestro_ratio(SlDoc *doc, double maestro, double exact);
bool sl_maestro_are_equal(double maestro, double exact);

// Rules of the guard, in the order they are told.
enum { SL_MAESTRO_N_RULES = 4 };
extern const SlGuardRule sl_maestro_rules[SL_MAESTRO_N_RULES];
bool sl_maestro_breaks(const SlMaestroComparison *priced, int rule);
