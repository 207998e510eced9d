/* The comparison as text: a line for every cell, then the pairs that differ, then the ranks. */
#include "host/experiment/compare.h"

#include <math.h>
#include <string.h>

enum { MOST_PAIRS = 40, LABEL = 200, WHY = 1024 };

static double number_of(sqlite3_stmt *row, int column) {
    return sqlite3_column_type(row, column) == SQLITE_NULL ? (double)NAN
                                                           : sqlite3_column_double(row, column);
}

static const char *text_in(sqlite3_stmt *row, int column) {
    const char *text = (const char *)sqlite3_column_text(row, column);
    return text ? text : "";
}

/* A text for a terminal. */
static const char *text_of(sqlite3_stmt *row, int column, char out[LABEL]) {
    gr_escape(text_in(row, column), out, LABEL);
    return out;
}

/* "83.0 % (75.4 to 88.6)", "-" without a target */
static void print_rate(FILE *out, sqlite3_stmt *row, int column) {
    char rate[64] = "-";
    if (sqlite3_column_type(row, column) != SQLITE_NULL)
        snprintf(rate, sizeof rate, "%.1f %% (%.1f to %.1f)", 100.0 * number_of(row, column),
                 100.0 * number_of(row, column + 1), 100.0 * number_of(row, column + 2));
    fprintf(out, "  %-24s", rate);
}

static void print_number(FILE *out, int width, double value) {
    char number[32] = "-";
    if (!isnan(value))
        snprintf(number, sizeof number, "%.5g", value);
    fprintf(out, "  %*s", width, number);
}

static gr_status count_rows(void *context, sqlite3_stmt *row, gr_error *error) {
    (void)error;
    *(int *)context = sqlite3_column_int(row, 0);
    return GR_OK;
}

/* What the lines of cells are printed to, and how wide their letters are. */
typedef struct listing {
    FILE *out;
    int letters;
} listing;

static gr_status print_cell(void *context, sqlite3_stmt *row, gr_error *error) {
    const listing *to = context;
    FILE *out = to->out;
    char label[LABEL], letters[LABEL], state[LABEL], why[WHY];
    (void)error;
    fprintf(out, "%5d", sqlite3_column_int(row, 0));
    text_of(row, 1, state);
    if (strcmp(state, "done") != 0) {
        fprintf(out, "  %-70s%s", state, text_of(row, 2, label));
        gr_escape(strcmp(state, "failed") == 0 ? text_in(row, 15) : "", why, sizeof why);
        fprintf(out, "%s%s\n", *why ? ": " : "", why);
        return GR_OK;
    }
    fprintf(out, "  %6d", sqlite3_column_int(row, 3));
    print_rate(out, row, 4);
    for (int k = 7; k < 12; k++)
        print_number(out, 10, number_of(row, k));
    fprintf(out, "  %-*s", to->letters, text_of(row, 12, letters));
    print_number(out, 11, number_of(row, 13));
    print_number(out, 11, number_of(row, 14));
    fprintf(out, "  %s\n", text_of(row, 2, label));
    return GR_OK;
}

static gr_status print_cells(gr_tables *tables, FILE *out, gr_error *error) {
    listing to = {out, 0};
    gr_status status = gr_tables_query(
        tables, "SELECT max(7, ifnull(max(length(letters)), 0)) FROM outcomes WHERE ?1 = 0", 0,
        count_rows, &to.letters, error);
    if (status)
        return status;
    fprintf(out, "%5s  %6s  %-24s  %10s  %10s  %10s  %10s  %10s  %-*s  %11s  %11s  %s\n", "cell",
            "runs", "solved (95 %)", "median", "from", "to (95 %)", "quartile", "quartile",
            to.letters, "letters", "evaluations", "effort", "label");
    return gr_tables_query(
        tables,
        "SELECT c.place, c.state, c.label, c.runs, s.rate, s.rate_low, s.rate_high, o.median, "
        "o.median_low, o.median_high, o.lower_quartile, o.upper_quartile, o.letters, "
        "s.expected_evaluations, s.effort, c.error FROM cells c LEFT JOIN success s ON s.cell = "
        "c.cell LEFT "
        "JOIN outcomes o ON o.cell = c.cell AND o.measure = 'fitness' ORDER BY c.place",
        0, print_cell, &to, error);
}

static gr_status print_pair(void *context, sqlite3_stmt *row, gr_error *error) {
    FILE *out = context;
    char a[LABEL], b[LABEL], measure[LABEL];
    (void)error;
    text_of(row, 0, measure);
    fprintf(out, "%-13s", measure);
    print_number(out, 10, number_of(row, 3));
    print_number(out, 10, number_of(row, 4));
    print_number(out, 10, number_of(row, 5));
    fprintf(out, "  %s | %s\n", text_of(row, 1, a), text_of(row, 2, b));
    return GR_OK;
}

static gr_status print_pairs(gr_tables *tables, FILE *out, gr_error *error) {
    int count = 0;
    gr_status status =
        gr_tables_query(tables, "SELECT count(*) FROM comparisons", 0, count_rows, &count, error);
    if (status || !count)
        return status;
    fprintf(out, "\nPairs: Mann-Whitney with A12, the probability that a run of the first is "
                 "better; solved: Fisher with the odds ratio\n");
    fprintf(out, "%-13s  %10s  %10s  %10s\n", "measure", "effect", "p", "p (Holm)");
    status = gr_tables_query(
        tables,
        "SELECT measure, a.label, b.label, effect, p, p_holm FROM comparisons c JOIN cells a ON "
        "a.cell = c.a JOIN cells b ON b.cell = c.b ORDER BY p_holm, p, measure, a.place, b.place "
        "LIMIT ?1",
        MOST_PAIRS, print_pair, out, error);
    if (count > MOST_PAIRS)
        fprintf(out, "... and %d more, in the table `comparisons`\n", count - MOST_PAIRS);
    return status;
}

static gr_status print_rank_test(void *context, sqlite3_stmt *row, gr_error *error) {
    FILE *out = context;
    char measure[LABEL];
    (void)error;
    fprintf(out,
            "\n%s: Friedman, %d treatments in %d blocks: chi2 %.5g, p %.4g; Iman and Davenport: F "
            "%.5g, p %.4g\n",
            text_of(row, 0, measure), sqlite3_column_int(row, 2), sqlite3_column_int(row, 1),
            number_of(row, 3), number_of(row, 4), number_of(row, 5), number_of(row, 6));
    return GR_OK;
}

/* In place of the tests that there are not. */
static gr_status print_why_none(gr_tables *tables, FILE *out, gr_error *error) {
    gr_no_ranks none;
    gr_status status = gr_why_no_ranks(tables, &none, error);
    for (int m = 0; !status && m < 2; m++)
        if (*none.why[m])
            fprintf(out, "\n%s: no Friedman test: %s\n", none.measure[m], none.why[m]);
    return status;
}

static gr_status print_rank(void *context, sqlite3_stmt *row, gr_error *error) {
    FILE *out = context;
    char label[LABEL], measure[LABEL];
    (void)error;
    fprintf(out, "%-13s  mean rank %-8.4g %s\n", text_of(row, 0, measure), number_of(row, 2),
            text_of(row, 1, label));
    return GR_OK;
}

static gr_status print_rank_pair(void *context, sqlite3_stmt *row, gr_error *error) {
    FILE *out = context;
    char a[LABEL], b[LABEL], measure[LABEL];
    (void)error;
    fprintf(out, "%-13s  z %-8.4g p %.4g, Holm %.4g, Shaffer %.4g  %s | %s\n",
            text_of(row, 0, measure), number_of(row, 3), number_of(row, 4), number_of(row, 5),
            number_of(row, 6), text_of(row, 1, a), text_of(row, 2, b));
    return GR_OK;
}

gr_status gr_print_comparison(gr_tables *tables, FILE *out, gr_error *error) {
    gr_status status = print_cells(tables, out, error);
    if (!status)
        status = print_pairs(tables, out, error);
    if (!status)
        status = gr_tables_query(tables, "SELECT * FROM rank_tests ORDER BY measure", 0,
                                 print_rank_test, out, error);
    if (!status)
        status = print_why_none(tables, out, error);
    if (!status)
        status = gr_tables_query(tables, "SELECT * FROM ranks ORDER BY measure, mean_rank LIMIT ?1",
                                 MOST_PAIRS, print_rank, out, error);
    if (!status)
        status = gr_tables_query(
            tables, "SELECT * FROM rank_comparisons ORDER BY measure, p_shaffer, p LIMIT ?1",
            MOST_PAIRS, print_rank_pair, out, error);
    return status;
}
