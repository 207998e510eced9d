"""What random run files (run_files.py) name: tables, grammars, given programs, below one folder."""
import gzip
import os

from draws import Draw

GRAMMARS = {
    "infix": "<e> ::= (<e> <op> <e>) | pdiv(<e>, <e>) | <f>(<e>) | x<i> | x<i> | 1.0\n"
             "<op> ::= + | - | *\n<f> ::= sin | cos | exp | rlog\n<i> ::= GE_RANGE:dataset_n_vars\n",
    "values": "<e> ::= (<e> <op> <e>) | (<e> if <c> else <e>) | np.multiply(<e>, <e>) | <v> | x<i> | x<i>\n"
              "<c> ::= <e> '<' <e> | greater_than_or_equal(<e>, <e>) | not <c>\n<op> ::= + | - | * | /\n"
              "<v> ::= <GECodonValue[-1.0,1.0]> | <GECodonValue-0+9> | <GECodonValue{0.5,2,-3}>\n"
              "<i> ::= GE_RANGE:dataset_n_vars\n",
    "digits": "<s> ::= <e>\n<e> ::= <e>+<e> | <e>*<e> | aq(<e>, <e>) | square(<e>) | x<i> | x<i> | <k> | -<k>\n"
              "<k> ::= <d>.<d><d> | <d><k> | .<d>\n<d> ::= GE_RANGE:10\n<i> ::= GE_RANGE:dataset_n_vars\n",
    "prefix": "<e> ::= ( <op> <e> <e> ) | ( <op> <e> <e> ) | <v>\n<op> ::= + | - | * | min | max\n"
              "<v> ::= <w>\n<w> ::= x0 | 1.0 | x0\n",
    "postfix": "<e> ::= ( <e> <e> <op> ) | <v>\n<op> ::= + | - | * | /\n<v> ::= x0 | 1.0 | 0.5\n",
    "choices": "<e> ::= (<e> <op> <e>) | if(<b>, <e>, <e>) | x<i> | x<i> | <d>\n"
               "<b> ::= (<e> <cmp> <e>) | and(<b>, <b>) | or(<b>, <b>)\n<op> ::= + | - | * | /\n"
               "<cmp> ::= '<' | '>' | '=='\n<i> ::= GE_RANGE:dataset_n_vars\n<d> ::= GE_RANGE:10 | -3 | 0.1\n",
    "invalid": "<e> ::= <p> <op> <p> | (<e>) | sin(<e>) | x0\n<p> ::= x0 | <k> | <e> | -<e>\n"
               "<k> ::= <d> | <d><k> | .<k>\n<op> ::= ** | - | /\n<d> ::= GE_RANGE:4\n",
}
WORDS = {
    "calls": "<b> ::= and(<b>, <b>) | or(<b>, <b>) | nand(<b>, <b>) | nor(<b>, <b>) | not(<b>) | x<i> | x<i>\n"
             "<i> ::= GE_RANGE:dataset_n_vars\n",
    "signs": "<b> ::= (<b> <op> <b>) | ~<b> | x<i> | x<i>\n<op> ::= & | '|' | ^\n<i> ::= GE_RANGE:dataset_n_vars\n",
}
SENTENCES = {  # of a grammar, or of trees
    "infix": ["(x0 * x0)", "sin((x0 - 1.0))", "pdiv(x0, (x0 + x0))"],
    "prefix": ["( + x0 ( * x0 x0 ) )", "( min 1.0 x0 )"],
    "digits": ["x0*0.25", "square(x0)+-1.00"],
    "choices": ["if((x0 > 3), x0, (x0 * 7))", "(x0 / 0.1)"],
    "calls": ["and(x0, not(x1))", "nor(x0, or(x1, x2))"],
    "tree": ["x0 * x0 + x0", "x0 * (x0 + x0 * x0)"],
    "word-tree": ["nor(x0, x1)", "nor(x0, nor(x2, x1))"],
}
FOLDERS = {  # PonyGE2's form
    "one.txt": "Phenotype:\n(x0 * x0)\n\nGenotype:\n[0, 3, 0, 2, 4, 0]\n",
    "two.txt": "Phenotype:\nexp((x0 + 1.0))\n",
}


def table_text(name, delimiter, header, columns, rows, target):
    d = Draw("table", name)
    lines = [delimiter.join(f"c{i}" for i in range(columns)) + delimiter + "answer"] if header else []
    for _ in range(rows):
        x = [d.real(-3, 3) for _ in range(columns)]
        u, v = float(x[0]), float(x[1])
        y = {"real": "%.6g" % (u * v + 0.5 * u - 2), "binary": str(int(u * v > 0.2)),
             "classes": str(int(u > -0.5) + int(v > u)), "words": ("low", "middle", "high")[int(u > -1) + int(v > u)]}
        if target == "words":
            x[-1] = d.one(("red", "green", "red", "blue"))
        lines.append(delimiter.join(x + [y[target]]))
    return "\n".join(lines) + "\n"


TABLE_FORMS = [("real.csv", ",", True, 3, 150, "real"), ("real.tsv", "\t", True, 2, 90, "real"),
               ("plain.txt", " ", False, 4, 60, "real"), ("real.csv.gz", ";", True, 3, 1100, "real"),
               ("colon.txt", ":", False, 2, 80, "binary"),
               ("pairs.txt", ":", False, 3, 70, "real"), ("binary.csv", ",", True, 3, 200, "binary"),
               ("classes.csv", ";", True, 3, 160, "classes"), ("words.csv", ",", True, 3, 120, "words")]
LONG_ROWS = 4000
DELIMITERS = {",": "comma", "\t": "tab", " ": "space", ";": "semicolon", ":": "colon"}


def fasta(name, count):
    d = Draw("fasta", name)
    lines = []
    for k in range(count):
        positive = d.chance(0.4)
        lines.append(f">protein {k} {'nuclear' if positive else 'cytoplasmic'}")
        letters = "ACDEFGHIKLMNPQRSTVWYBZX" + ("KKRRSS" if positive else "LLIIVV")
        lines.append("".join(d.one(letters) for _ in range(d.whole(30, 90))))
    return "\n".join(lines) + "\n"


def write_tables(folder):
    def save(name, content):
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        opener = gzip.open if name.endswith(".gz") else open
        with opener(path, "wt") as out:
            out.write(content)

    for name, grammar in {**GRAMMARS, **WORDS}.items():
        save(f"grammars/{name}.bnf", grammar)
    for name, sentences in SENTENCES.items():
        save(f"seeds/{name}.txt", "\n".join(sentences) + "\n")
    for name, content in FOLDERS.items():
        save(f"seeds/folder/{name}", content)
    for form in TABLE_FORMS:
        save(f"tables/{form[0]}", table_text(*form))
        save(f"tables/test-{form[0]}", table_text("test-" + form[0], *form[1:4], 70, form[5]))
        save(f"tables/long-{form[0]}", table_text("long-" + form[0], *form[1:4], LONG_ROWS, form[5]))
    d = Draw("series")
    save("tables/series.txt", "".join(f"{d.real(0, 100)}\n" for _ in range(300)))
    save("tables/train.fasta", fasta("train", 80))
    save("tables/test.fasta", fasta("test", 40))
