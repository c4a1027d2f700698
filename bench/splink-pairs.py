# Asks Splink for the pairs of one person in a labelled set (a JSON file of the fields as the product
# normalizes them), trained by EM on that set alone, and prints the F1 at each threshold. Needs
# `pip install "splink<5"`; `npm run bench` runs it where HOLDFAST_BENCH_PYTHON names such a Python.
import json
import sys

import pandas as pd
import splink.comparison_library as cl
from splink import DuckDBAPI, Linker, SettingsCreator, block_on

file, thresholds = sys.argv[1], [float(text) for text in sys.argv[2:]]
frame = pd.DataFrame(json.load(open(file))).rename(columns={"id": "unique_id"})
frame = frame.replace("", None)
person = dict(zip(frame["unique_id"], frame["person"]))
frame = frame.drop(columns=["person"])

NAMES = ["given", "surname", "street", "place", "city"]
DIGITS = ["birth", "tax", "zip", "phone", "house"]
told = [name for name in NAMES + DIGITS if frame[name].notna().sum() > len(frame) * 0.05]
comparisons = [
    cl.JaroWinklerAtThresholds(name, [0.92, 0.82]) if name in NAMES
    else cl.DamerauLevenshteinAtThresholds(name, [1])
    for name in told
]
for one, name in zip(comparisons, told):
    one.configure(term_frequency_adjustments=True)

# One field that agrees is enough: no pair of a true person is lost before it is weighed.
RULES = [("birth",), ("tax",), ("phone",), ("given", "surname"), ("surname", "zip"),
         ("given", "zip"), ("street", "zip"), ("street", "city"), ("surname", "street"),
         ("given", "street"), ("surname", "city"), ("given", "city"), ("surname", "house"),
         ("given", "house"), ("zip", "house"), ("city", "house"), ("place", "zip"),
         ("place", "surname"), ("place", "given")]
rules = [block_on(*rule) for rule in RULES if all(name in told for name in rule)]
settings = SettingsCreator(
    link_type="dedupe_only",
    comparisons=comparisons,
    blocking_rules_to_generate_predictions=rules,
)
linker = Linker(frame, settings, DuckDBAPI())
known = [block_on("given", "surname", "birth")]
linker.training.estimate_probability_two_random_records_match(
    known + [block_on("birth", "tax")] if "tax" in told else known, recall=0.8)
linker.training.estimate_u_using_random_sampling(max_pairs=2e6, seed=1)
for rule in (block_on("birth"), block_on("given", "surname")):
    linker.training.estimate_parameters_using_expectation_maximisation(rule)

pairs = linker.inference.predict(threshold_match_probability=0.01).as_pandas_dataframe()
truth = sum(n * (n - 1) // 2 for n in pd.Series(list(person.values())).value_counts())


def f1_at(least):
    found = pairs[pairs["match_probability"] >= least]
    right = sum(person[a] == person[b]
                for a, b in zip(found["unique_id_l"], found["unique_id_r"]))
    if right == 0:
        return 0.0
    precision, recall = right / len(found), right / truth
    return 2 * precision * recall / (precision + recall)


print(json.dumps([round(f1_at(least), 4) for least in thresholds]))
