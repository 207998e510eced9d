/* Any bytes as a genome: what is read can be printed and read again, and mapped under a grammar. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/derivation/codons.h"
#include "host/derivation/phenotype.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition) {
    if (!condition)
        abort();
}

static void read_again(const uint32_t *codons, uint32_t count) {
    char *text = malloc(12 * (size_t)count + 8);
    size_t at = (size_t)sprintf(text, "[");
    uint32_t *again, count_again;
    gr_error error;
    for (uint32_t k = 0; k < count; k++)
        at += (size_t)sprintf(text + at, "%s%u", k ? ", " : "", codons[k]);
    at += (size_t)sprintf(text + at, "]\r\n");
    require(gr_read_codons(text, at, "again:1", &again, &count_again, &error) == GR_OK);
    require(count_again == count && memcmp(again, codons, count * sizeof *codons) == 0);
    free(again);
    free(text);
}

static void map(const uint32_t *codons, uint32_t count) {
    static const char text[] = "<e> ::= <e><o><e> | (<e>) | x | y\n<o> ::= + | *\n";
    static const gr_grammar_context context;
    static gr_grammar *grammar;
    gr_phenotype p;
    gr_error error;
    require(grammar ||
            gr_grammar_parse(text, sizeof text - 1, "g", &context, &grammar, &error) == GR_OK);
    require(gr_derive_phenotype(grammar, codons, count, 1, 30, &p, &error) == GR_OK);
    require((p.text != NULL) == (p.validity == GR_VALID));
    require(!p.text || (p.length == strlen(p.text) && strspn(p.text, "xy+*()") == p.length));
    gr_phenotype_free(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint32_t *codons, count;
    gr_error error = {GR_OK, ""};
    gr_status status =
        gr_read_codons((const char *)data, size, "genomes:1", &codons, &count, &error);
    if (status) {
        require(status == GR_BAD_INPUT && !codons && !count);
        require(strncmp(error.text, "genomes:1: ", 11) == 0 && !strchr(error.text, '\n'));
        return 0;
    }
    read_again(codons, count);
    map(codons, count);
    free(codons);
    return 0;
}
