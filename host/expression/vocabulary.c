/* The table of operations, from ops.def. */
#include "host/expression/vocabulary.h"

#include <string.h>

typedef enum domain { LEAF, NUMBERS, WORDS } domain;

typedef struct operation {
    const char *names; /* the printed name and its aliases, separated by blanks */
    const char *symbol;
    domain domain;
} operation;

static const operation operations[GR_OP_COUNT] = {
    {"constant", "", LEAF},
    {"input", "", LEAF},
#define GR_OP1(id, names, class, exact, fast) {names, "", NUMBERS},
#define GR_OP2(id, names, symbol, class, exact, fast) {names, symbol, NUMBERS},
#define GR_OP3(id, names, class, exact, fast) {names, "", NUMBERS},
#define GR_WORD1(id, names, symbol, expression) {names, symbol, WORDS},
#define GR_WORD2C(id, names, symbol, expression) {names, symbol, WORDS},
#include "gpu/core/base/ops.def"
};

/* The printed name alone, cut off at the first blank when this file is compiled: a name must be a
 * string of its own, and there is no place to cut it at run time without a variable that outlives
 * the call. */
#define CHAR(s, i) ((s "\0\0\0\0\0\0\0\0\0\0\0\0")[i])
#define UP1(s) (CHAR(s, 1) != ' ')
#define UP2(s) (UP1(s) && CHAR(s, 2) != ' ')
#define UP3(s) (UP2(s) && CHAR(s, 3) != ' ')
#define UP4(s) (UP3(s) && CHAR(s, 4) != ' ')
#define UP5(s) (UP4(s) && CHAR(s, 5) != ' ')
#define UP6(s) (UP5(s) && CHAR(s, 6) != ' ')
#define UP7(s) (UP6(s) && CHAR(s, 7) != ' ')
#define UP8(s) (UP7(s) && CHAR(s, 8) != ' ')
#define UP9(s) (UP8(s) && CHAR(s, 9) != ' ')
#define UP10(s) (UP9(s) && CHAR(s, 10) != ' ')
#define KEEP(s, i) (char)(UP##i(s) ? CHAR(s, i) : '\0')
#define NAME(s)                                                                                    \
    {{CHAR(s, 0), KEEP(s, 1), KEEP(s, 2), KEEP(s, 3), KEEP(s, 4), KEEP(s, 5), KEEP(s, 6),          \
      KEEP(s, 7), KEEP(s, 8), KEEP(s, 9), KEEP(s, 10), '\0'}},

static const struct {
    char text[12];
} printed[GR_OP_COUNT] = {
    {"constant"},
    {"input"},
#define GR_OP1(id, names, class, exact, fast) NAME(names)
#define GR_OP2(id, names, symbol, class, exact, fast) NAME(names)
#define GR_OP3(id, names, class, exact, fast) NAME(names)
#define GR_WORD1(id, names, symbol, expression) NAME(names)
#define GR_WORD2C(id, names, symbol, expression) NAME(names)
#include "gpu/core/base/ops.def"
};

const char *gr_operation_name(uint32_t op) {
    return op < GR_OP_COUNT ? printed[op].text : "";
}

const char *gr_operation_symbol(uint32_t op) {
    if (op == GR_XOR) /* its '^' is not read between all operands (caret.h) */
        return "";
    return op < GR_OP_COUNT ? operations[op].symbol : "";
}

/* Whether `names` has `name` among its blank-separated words. */
static int has_name(const char *names, const char *name, size_t length) {
    while (*names) {
        size_t word = strcspn(names, " ");
        if (word == length && memcmp(names, name, length) == 0)
            return 1;
        names += word + (names[word] == ' ');
    }
    return 0;
}

/* What other systems call an operation: numpy, Python's operator module, GRAPE, and upper case. */
static const struct {
    const char *alias, *name;
} aliases[] = {
    {"absolute", "abs"},    {"negative", "neg"},
    {"subtract", "sub"},    {"multiply", "mul"},
    {"divide", "div"},      {"true_divide", "div"},
    {"truediv", "div"},     {"float_power", "pow"},
    {"reciprocal", "inv"},  {"bitwise_and", "and"},
    {"bitwise_or", "or"},   {"bitwise_xor", "xor"},
    {"bitwise_not", "not"}, {"invert", "not"},
    {"and_", "and"},        {"or_", "or"},
    {"not_", "not"},        {"xor_", "xor"},
    {"nand_", "nand"},      {"nor_", "nor"},
    {"if_", "if"},          {"max_", "max"},
    {"min_", "min"},        {"psin", "sin"},
    {"pcos", "cos"},        {"protected_div", "pdiv"},
    {"dilator", "sqrt"},    {"concentrator", "square"},
    {"less_than", "lt"},    {"less_than_or_equal", "le"},
    {"greater_than", "gt"}, {"greater_than_or_equal", "ge"},
    {"if_then_else", "if"}, {"AND", "and"},
    {"OR", "or"},           {"NOT", "not"},
    {"NAND", "nand"},       {"NOR", "nor"},
    {"XOR", "xor"},         {"IF", "if"},
};

int gr_find_operation(const char *name, size_t length, int packed) {
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (strlen(aliases[i].alias) == length && memcmp(aliases[i].alias, name, length) == 0) {
            name = aliases[i].name;
            length = strlen(name);
            break;
        }
    for (int op = 0; length && op < GR_OP_COUNT; op++)
        if (operations[op].domain == (packed ? WORDS : NUMBERS) &&
            has_name(operations[op].names, name, length))
            return op;
    return -1;
}

int gr_find_symbol(const char *symbol, size_t length, int packed) {
    for (int op = 0; length && op < GR_OP_COUNT; op++)
        if (operations[op].domain == (packed ? WORDS : NUMBERS) &&
            strlen(operations[op].symbol) == length &&
            memcmp(operations[op].symbol, symbol, length) == 0)
            return op;
    return -1;
}
