/* The law that a run with find-law has found. */
#include "host/library/internal.h"
#include "host/run/outcome.h"

#include <math.h>

/* Of the run's outcome, which hands a law out once: the next one looks at other programs. */
static gr_status find_law(grampus_run *run, gr_error *error) {
    gr_outcome outcome;
    gr_status status = run->looked ? GR_OK : gr_outcome_collect(run->run, &outcome, error);
    if (status || run->looked)
        return status;
    run->looked = 1;
    gr_law_keep(&run->law, &outcome.law);
    gr_outcome_free(&outcome);
    return GR_OK;
}

grampus_status grampus_run_law(grampus_run *run, grampus_law *law, grampus_error *error) {
    gr_error inner;
    *law = (grampus_law){.infix = NULL, .rmse = {NAN, NAN}, .largest = {NAN, NAN}};
    if (!gr_run_problem(run->run)->find_law)
        return gr_refuse(error, GR_BAD_INPUT, "a run without find-law; expected one with it");
    locale_t callers = gr_library_locale();
    gr_status status = find_law(run, &inner);
    uselocale(callers);
    if (!status && run->law.text) {
        law->infix = run->law.text;
        law->nodes = run->law.nodes;
        law->exact = run->law.exact;
        law->rounded = run->law.rounded;
        for (int which = 0; which < 2 && run->law.cases[which]; which++) {
            law->rmse[which] = run->law.rmse[which];
            law->largest[which] = run->law.largest[which];
        }
    }
    return gr_pass(status, &inner, error);
}
