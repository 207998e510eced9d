"""A run file: lines `key: value`, and what keys that are left out mean."""
from arithmetic import single

DEFAULTS = {
    "genotype": "grammar", "mapping": "depth-first", "codon-consumption": "eager", "max-wraps": 0, "max-nodes": 1000,
    "max-genome-length": 500, "codon-size": 100000, "initialisation": "ramped", "population": 100, "generations": 10,
    "seed": 1, "runs": 1, "data-seed": 1, "precision": "single", "tournament": 2, "selection": "tournament", "rank-pressure": 2.0, "truncation": 0.5,
    "parsimony": "none", "replacement": "generational", "children-per-step": 2, "topology": "panmictic",
    "crossover-within-used": True, "mutation-within-used": True, "invalid": "worst", "children": "pair",
    "function-points": "auto", "operators": {}, "codon-mutation": "auto", "mutation-events": 0,
    "codon-duplication": 0, "codon-deletion": 0, "point-mutation": 0.1, "subtree-mutation-growth": "grow",
    "constant-mutation": 0, "hoist-mutation": 0, "shrink-mutation": 0, "insert-mutation": 0, "multi-point-mutation": 0,
    "multi-point-rate": 0.05, "tries": 10, "tolerance": 0.01, "class-rule": "nearest", "thresholds": [],
    "case-sampling": "none", "sample-cases": 0, "sample-every": 1, "linear-scaling": False, "target-fitness": "none",
    "constant-probability": 0, "constant-min": -1, "constant-max": 1, "constants": [], "ephemeral": 0, "unique": False, "mutate-duplicates": False,
    "boolean": "", "functions": "auto", "stagnation": "none", "restart-after": "none", "validation-fraction": 0, "islands": 1, "migration-every": 10, "migration-size": 0.05,
    "migration-topology": "ring", "migrants": "best", "migrants-replace": "worst", "epsilon": "semi-dynamic", "lexicase-cases": "auto", "lexicase-batch": 1,
    "objectives": [], "archive": "none", "niches": 512, "niche-share": 0.25,
    "typed": False, "types": "", "targets": [], "target-scaling": "deviation",
}
STRENGTH = {"none": 0, "covariant": 0, "coefficient": 0.001, "tarpeian": 0.3, "double-tournament": 1.4}


def value_of(key, text):
    if key == "operators":
        return {name: float(share) for name, share in (item.split() for item in text.split(","))}
    if key == "functions":
        return [f.strip() for f in text.split(",")] if text != "auto" else text
    if key in ("thresholds", "constants", "objectives", "targets"):
        return [f.strip() for f in text.split(",")]
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def read(text):
    given = {}
    for line in text.splitlines():
        key, value = line.split(": ", 1)
        given[key] = value_of(key, value.strip('"'))
    s = {**DEFAULTS, **given}
    tree = s["genotype"] == "tree"

    def auto(key, value):
        if s.get(key, "auto") == "auto":
            s[key] = value

    if s["objectives"] and "selection" not in given:
        s["selection"] = "nsga2"
    if s["selection"] == "nsga2":
        s["objectives"] = s["objectives"] or ["error", "nodes"]
    if s["topology"] == "torus" or s["objectives"]:
        auto("elites", 0)
    auto("max-depth", 17 if tree else 90)
    auto("genome-length", min(200, s["max-genome-length"]))
    if tree and s["initialisation"] in ("ptc2", "sized"):
        auto("init-max-depth", s["max-depth"])
    auto("init-max-depth", min(max(6 if tree else 10, given.get("init-min-depth", 0)), s["max-depth"]))
    auto("init-min-depth", min(2 if tree else 1, s["init-max-depth"]))
    auto("init-min-nodes", 1)
    auto("init-max-nodes", 50)
    auto("crossover", {"tree": "subtree", "grammar": "variable-onepoint", "structured": "lists"}[s["genotype"]])
    auto("crossover-probability", 0.9 if tree else 0.75)
    auto("subtree-mutation", 0.1 if tree else 0)
    auto("subtree-mutation-depth", 4 if tree else s["max-depth"])
    auto("parsimony-strength", STRENGTH[s["parsimony"]])
    auto("metric", "boolean-hits" if s["boolean"] else "rmse")
    auto("functions", ["and", "or", "nand", "nor"] if s["boolean"] else ["+", "-", "*", "/"])
    if s["replacement"] == "steady-state":
        s["elites"] = s["population"] - s["children-per-step"]
    auto("elites", min(max(1, (s["population"] + 50) // 100), s["population"] - 1))
    if s["operators"]:
        s["crossover-probability"] = s["operators"].get("crossover", 0)
        for kind in ("point", "subtree"):
            s[kind + "-mutation"] = given.get(kind + "-mutation", 0)
    s["ephemeral"] = int("ephemeral" in s["constants"])
    s["constants"] = sorted(single(float(c)) for c in s["constants"] if c != "ephemeral")
    s["thresholds"] = [single(float(t)) for t in s["thresholds"]]
    s["one-child"] = s["children"] == "one" and s["topology"] != "torus"
    s["steps"] = -(-s["population"] // s["children-per-step"]) if s["replacement"] == "steady-state" else 1
    return s
