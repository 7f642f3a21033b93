#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures every mechanism and preset on the demo's city and the San Francisco cabs, and prints the tables of
docs/defences.md: defences.py BUILD [demo|cabs|sweep...].

Needs the program built in BUILD; the cabs where HEARSAY_CABS names their folder. At matched guarantee every mechanism
has the same epsilon for its unit; at matched utility the epsilon at which its mean absolute error is nearest to a given
one, found among the EPSILONS of a sweep. The sweep of 100 chains is timed by itself.
"""
import csv
import json
import math
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(sys.argv[1]).resolve()
DATA = BUILD / "defences"
EPSILONS = [0.01 * 10 ** (i / 4) for i in range(17)]  # to 100
ADVERSARY = 'priors = ["FREQ_ROI", "ROI_DAY"]\nattacks = ["BAYES", "MAX_ROI", "TILT"]\n'
GAME = "[membership]\ngroups = {groups}\ntargets = {targets}\ntrials = {trials}\naudit_trials = {audits}\n"

# Chains with a place for epsilon, by the unit that they hide. C: visits kept of a user.
UNITS = {
    "one event": [
        "LAPLACE(epsilon={e},unit=event)",
        "GAUSSIAN(epsilon={e},unit=event)",
        "TREE(noise=gaussian,epsilon={e},unit=event)",
        "SQUARE_ROOT(epsilon={e},unit=event)",
        "EFPA(epsilon={e},unit=event)",
        "PEGASUS(epsilon={e},unit=event)",
    ],
    "a user in one ROI": [
        "LAPLACE(epsilon={e},unit=user_place)",
        "GAUSSIAN(epsilon={e},unit=user_place)",
        "EFPA(epsilon={e})",
        "FPA(form=sound,k=20,epsilon={e})",
    ],
    "a user in one epoch": [
        "BOUND(at_most=1,per=epoch) LAPLACE(epsilon={e},unit=user_epoch)",
        "BOUND(at_most=1,per=epoch) W_EVENT(epsilon={e},w=1)",
        "BOUND(at_most=1,per=epoch) KRR(p={krr})",
        "BOUND(at_most=1,per=epoch) OUE(epsilon={e})",
        "BOUND(at_most=1,per=epoch) SUBSET(epsilon={e})",
    ],
    "a user": [
        "BOUND(at_most={c}) LAPLACE(epsilon={e})",
        "BOUND(at_most={c}) GAUSSIAN(epsilon={e})",
        "BOUND(at_most=20) TREE(noise=gaussian,epsilon={e})",
        "BOUND(at_most=20) SQUARE_ROOT(epsilon={e})",
        "BOUND(at_most=20) PEGASUS(epsilon={e})",
        "BOUND(at_most=20) EPOCHS(of=24) GAUSSIAN(epsilon={e})",
        "SAMPLE(rate=0.5) BOUND(at_most=20) GAUSSIAN(epsilon={e})",
    ],
}
# Without an epsilon to choose.
RULES = ["SUPPRESS(at_most=9)", "ROUND(base=10)", "TOP_CODE(at_least=100)", "SAMPLE(rate=0.1)", "EPOCHS(of=24)", "SPOTME(p=0.5)"]
PRESETS = ["google-mobility", "google-flows", "meta-range", "meta-distribution", "ine-spain", "flowminder"]


class Place:
    """A data set: its study without releases, people, visits kept of a user, and the error at which utility is matched."""

    def __init__(self, name, text, people, bounds, error, extra, control_sample, **game):
        self.name, self.text, self.people, self.bounds, self.error = name, text, people, bounds, error
        self.extra, self.control_sample, self.game = extra, control_sample, game
        self.groups = game["groups"]
        self.folder = DATA / name


def city():
    folder = DATA / "demo"
    if not (folder / "trips.parquet").exists():
        folder.mkdir(parents=True, exist_ok=True)
        run("generate", "commuters", "--users", 10000, "--out", folder / "trips.parquet", "--quiet")
    text = (ROOT / "examples/demo/study.toml").read_text().split("# Section 5")[0]
    return Place("demo", text, 10000, [20, 100], 1, [], 10, groups=[100, 1000], targets=12, trials=30, audits=500)


def cabs():
    text = (ROOT / "examples/cabs/study.toml").read_text()
    text = text.replace('path = "cabspottingdata"', f'path = "{os.environ["HEARSAY_CABS"]}"')
    return Place("cabs", text, 534, [20, 100, 1300], 10, ["PLACES(of=2)"], 30, groups=[100], targets=30, trials=50, audits=1000)


def run(*arguments):
    ran = subprocess.run([BUILD / "hearsay", *map(str, arguments)], capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(ran.stderr)
    return ran.stdout


def chain(template, epsilon, bound, people_places):
    """The steps of a template, with KRR's p such that its report has that epsilon."""
    krr = people_places / (math.exp(epsilon) - 1 + people_places)
    return template.format(e=f"{epsilon:.6g}", c=bound, krr=f"{krr:.9g}").split()


def release(steps, **settings):
    lines = [f"steps = {json.dumps(steps)}"] + [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
    return "[[release]]\n" + "\n".join(lines) + "\n"


def rows(file):
    with open(file, newline="") as table:
        return list(csv.DictReader(table))


def study(place, name, releases, *, game, adversary=ADVERSARY, control=True):
    """The tables of a study of a place with these releases, and its seconds."""
    place.folder.mkdir(parents=True, exist_ok=True)
    file, out = place.folder / f"{name}.toml", place.folder / name
    data, _, settings = place.text.partition("[study]\n")
    data = data.replace("[rois]", f"population = {place.people}\n[rois]", 1)
    text = data + "[study]\n" + settings + adversary + f"control_sample = {place.control_sample}\n" + '[results]\nusers = "none"\n'
    if game:
        text += GAME.format(**place.game)
    file.write_text(text + "".join(releases))
    run("study", file, "--out", out, "--quiet", "--set", f"study.control={str(control).lower()}")
    manifest = json.loads((out / "manifest.json").read_text())
    tables = {table: rows(out / f"{table}.csv") for table in ("utility", "best", "membership", "audit")
              if (out / f"{table}.csv").exists()}
    tables["seconds"] = sum(stage["seconds"] for stage in manifest["stages"] if stage["name"] not in ("ingest", "dataset"))
    return tables


def key(row):
    return row["release"], row["parameter"]


def places_of(place):
    return 101 if place.name == "cabs" else 583


def candidates(place):
    """(unit, template, bound) of every mechanism."""
    for unit, templates in UNITS.items():
        for template in templates:
            for bound in place.bounds if "{c}" in template else [0]:
                yield unit, template, bound


def matched(place):
    """For each candidate the epsilon whose error is nearest to the place's, or none where that is out of reach."""
    releases, asked = [], []
    quick = 'priors = ["FREQ_ROI"]\nattacks = ["AGGREGATES"]\ngoals = ["profiling"]\n'
    for candidate in candidates(place):
        for epsilon in EPSILONS:
            steps = chain(candidate[1], epsilon, candidate[2], places_of(place))
            releases.append(release(steps))
            asked.append((candidate, epsilon))
    tables = study(place, "sweep", releases, game=False, adversary=quick, control=False)
    draws = [row for row in tables["utility"] if row["kind"] == "defence"]
    best = {}
    for (candidate, epsilon), row in zip(asked, draws, strict=True):
        distance = abs(math.log(max(float(row["mae"]), 1e-9) / place.error))
        if candidate not in best or distance < best[candidate][0]:
            best[candidate] = distance, epsilon
    print(f"{len(releases)} chains in {tables['seconds']:.0f} s\n", file=sys.stderr)
    return {candidate: epsilon for candidate, (distance, epsilon) in best.items() if distance < math.log(1.34)}


def number(value, digits=3):
    return "" if value in ("", None) else f"{float(value):.{digits}g}"


def own_part(table, name):
    """What being counted costs most, of the goals and priors tried, by goal; and half its interval where it was a sample."""
    parts = []
    for goal in ("profiling", "localization"):
        found = [row for row in table if key(row) == name and row["goal"] == goal and row["own_part"]]
        if not found:
            parts.append("")
            continue
        strongest = min(found, key=lambda row: float(row["with"]))
        width = float(strongest["without_half_width"] or 0)
        parts.append(f"{float(strongest['own_part']):.4f}" + (f" ± {width:.4f}" if width > 0 else ""))
    return parts


def auc(table, name, group):
    found = [row for row in table if key(row) == name and row["group"] == str(group)]
    return f"{float(found[0]['auc_p50']):.2f}" if found else ""


def table(place, title, tables, names):
    groups = place.groups
    print(f"\n**{place.name}, {title}**\n")
    head = ["release", "epsilon", "hides", "MRE", "MAE", "top 10", "own part, habits", "own part, places"]
    head += [f"AUC {group}" for group in groups] + ["epsilon found", "worse than"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    utility = {key(row): row for row in tables["utility"]}
    audits = {key(row): row for row in tables.get("audit", [])}
    for label, name in [("raw counts", ("RAW", "")), *names]:
        row = utility.get(name, {})
        cells = [label, number(row.get("epsilon", "")), row.get("unit", "").replace("none", ""), number(row.get("mre", "0")),
                 number(row.get("mae", "0")), number(row.get("top10_overlap", "1"), 2)]
        cells += own_part(tables["best"], name)
        cells += [auc(tables["membership"], name, group) for group in groups]
        cells += [number(audits.get(name, {}).get("found_mean", ""), 2), row.get("worse_than", "").lower()]
        print("| " + " | ".join(cells) + " |", flush=True)
    for row in tables["utility"]:
        if row["kind"] == "baseline":
            cells = [f"baseline {row['release']}", "", "", number(row["mre"]), number(row["mae"]), number(row["top10_overlap"], 2)]
            print("| " + " | ".join(cells + [""] * (len(head) - len(cells))) + " |")
    print(f"\n{tables['seconds']:.0f} s", flush=True)


def label(steps):
    return "`" + " ".join(step.replace("|", "\\|") for step in steps) + "`"


def measured(place, title, chosen, presets=()):
    """`chosen`: steps of each chain."""
    releases = [release(steps) for steps in chosen] + [f'[[release]]\npreset = "{name}"\n' for name in presets]
    tables = study(place, title.split()[1], releases, game=True)
    seen = []
    for row in tables["utility"]:
        if row["kind"] == "defence" and key(row) not in seen:
            seen.append(key(row))
    labels = [label(steps) for steps in chosen] + [f"preset `{name}`" for name in presets]
    table(place, title, tables, list(zip(labels, seen, strict=True)))


def compare(place):
    print(f"\n### {place.name}")
    guarantee = [chain(template, 1, bound, places_of(place)) for _, template, bound in candidates(place)]
    measured(place, "at guarantee epsilon 1", guarantee)
    rules = [[rule] for rule in RULES + place.extra]
    measured(place, "by rules and presets", rules, PRESETS)
    nearest = matched(place)
    measured(place, f"at utility MAE {place.error}",
             [chain(template, epsilon, bound, places_of(place)) for (_, template, bound), epsilon in nearest.items()])


def sweep():
    """100 chains against somebody who knows habits, on the demo: at most 60 s."""
    place = city()
    bounds, epsilons = "10|20|50|100|200", "0.1|0.3|1|3|10"
    releases = [release([f"BOUND(at_most={bounds})", f"{noise}(epsilon={epsilons})"]) for noise in ("LAPLACE", "GAUSSIAN")]
    releases += [release([f"BOUND(at_most={bounds})", f"GAUSSIAN(epsilon={epsilons})", f"SUPPRESS(at_most={least})"])
                 for least in (4, 9)]
    adversary = 'priors = ["ROI_DAY"]\nattacks = ["TILT"]\n'
    tables = study(place, "hundred", releases, game=False, adversary=adversary)
    draws = [row for row in tables["utility"] if row["kind"] == "defence"]
    print(f"{len(draws)} chains on the demo, TILT on ROI_DAY with the control: {tables['seconds']:.1f} s (60 wanted)")


PARTS = {"demo": lambda: compare(city()), "cabs": lambda: compare(cabs()) if os.environ.get("HEARSAY_CABS") else None,
         "sweep": sweep}

if __name__ == "__main__":
    for part in sys.argv[2:] or PARTS:
        PARTS[part]()
