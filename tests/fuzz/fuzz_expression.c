/* Any bytes as an expression: what reads must print, and read back to the same nodes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/core/program/expression.h"
#include "host/expression/reader.h"
#include "host/expression/tokens.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition) {
    if (!condition)
        abort();
}

/* Sizes add up and every constant is one that can be printed. */
static void check_nodes(const gr_node *nodes, uint32_t count, const gr_vocabulary *vocabulary) {
    require(count > 0 && count <= 65535 && GR_NODE_SIZE(nodes[count - 1]) == count);
    for (uint32_t i = 0; i < count; i++) {
        require(GR_NODE_OP(nodes[i]) < GR_OP_COUNT);
        if (GR_NODE_OP(nodes[i]) == GR_INPUT)
            require(nodes[i].operand < vocabulary->inputs);
        if (GR_NODE_OP(nodes[i]) == GR_CONSTANT && !vocabulary->packed)
            require((nodes[i].operand & 0x7f800000u) != 0x7f800000u);
    }
}

static void check(const char *text, const gr_vocabulary *vocabulary) {
    gr_node *nodes, *again;
    uint32_t count, count_again;
    gr_error error = {0};
    gr_status status = gr_read_expression(text, "fuzz", vocabulary, &nodes, &count, &error);
    if (status != GR_OK) {
        require(status == GR_BAD_INPUT && error.status == status && !nodes);
        require(strlen(error.text) > 0 && !strchr(error.text, '\n'));
        return;
    }
    check_nodes(nodes, count, vocabulary);
    char *printed = gr_print_expression(nodes, count, vocabulary);
    require(printed != NULL);
    status = gr_read_expression(printed, "again", vocabulary, &again, &count_again, &error);
    require(status == GR_OK && count == count_again);
    require(memcmp(nodes, again, count * sizeof *nodes) == 0);
    free(again);
    free(printed);
    free(nodes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"age", "x1", "log", "a b", "e", "nand", "x"};
    const gr_vocabulary vocabularies[] = {{NULL, 5, 0, 0, 0, 0},
                                          {names, 7, 0, 0, 0, 0},
                                          {NULL, 5, 1, 0, 0, 0},
                                          {names, 7, 1, 0, 0, 0}};
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    for (int i = 0; i < 4; i++) {
        gr_token_list tokens = {0};
        (void)gr_tokenise(text, size, "fuzz", 1, &vocabularies[i], &tokens, NULL); /* NULs too */
        gr_token_list_free(&tokens);
        check(text, &vocabularies[i]);
    }
    free(text);
    return 0;
}
