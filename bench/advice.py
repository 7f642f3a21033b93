#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Advice beside a full grid: advice.py BUILD [demo|cabs...].

The grid is a study of 200 chains, each tried by all the study's adversaries on everybody and by its whole game of
membership; of those that keep to the limits the one with least MAE is the grid's best. `hearsay advise` has the same
study, limits and adversaries. Prints both choices, the seconds of all cores that both took, and what docs/advice.md
claims: what is chosen keeps to the limits by the upper ends of its own intervals, the advice is ten times as fast, and,
where the page says so, as good as the grid's best. The exit code is 1 where any of this does not hold. Needs the program
built in BUILD; the cabs where HEARSAY_CABS names their folder. The stages of the grid go to the standard error.
"""
import csv
import json
import os
import pathlib
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(sys.argv[1]).resolve()
DATA = BUILD / "advice"
ADVERSARY = 'priors = ["FREQ_ROI", "ROI_DAY"]\nattacks = ["BAYES", "MAX_ROI", "TILT"]\n[results]\nusers = "none"\n'
# The 97.5% quantile of Student's t by number of targets.
STUDENT = {12: 2.201, 30: 2.045}
EPSILONS = "0.02|0.05|0.1|0.2|0.5|1|2|5"
# Own loss, membership, MAE, and the budget in seconds.
DEMO = [(0.02, 0.65, 2, 60), (0.01, 0.8, 1.5, 60), (0.001, 0.62, 4, 60), (0.001, 0.62, 4, 120)]
CABS = [(0.005, 0.7, 12, 60), (0.002, 0.95, 12, 60), (0.01, 0.85, 12, 60), (0.01, 0.85, 12, 100)]
# Of these the page says that the best takes more than this budget to find.
TOO_SHORT = {DEMO[2], CABS[2]}
TIMES_AS_FAST = 10


def grid(coarse):
    """200 chains: geometry, noise, threshold; presets."""
    chains = []
    for geometry in [[]] + [[step] for step in coarse]:
        for noise in ("LAPLACE", "GAUSSIAN"):
            for threshold in ([], ["SUPPRESS(at_most=9)"], ["ROUND(base=10)"]):
                chains.append(geometry + [f"{noise}(epsilon={EPSILONS},unit=event)"] + threshold)
    releases = "".join(f"[[release]]\nsteps = {json.dumps(steps)}\n" for steps in chains)
    releases += "".join(f'[[release]]\npreset = "{name}"\n' for name in
                        ("google-mobility", "google-flows", "meta-range", "meta-distribution", "ine-spain", "flowminder"))
    releases += '[[release]]\nsteps = ["EFPA(epsilon=3|10,unit=event)"]\n'
    return releases, 48 * (1 + len(coarse)) + 8


def demo():
    folder = DATA / "demo"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "trips.parquet").exists():
        run("generate", "commuters", "--users", 10000, "--out", folder / "trips.parquet", "--quiet")
    text = (ROOT / "examples/demo/study.toml").read_text().split("# Section 5")[0]
    game = "[membership]\ngroups = [100, 1000]\ntargets = 12\ntrials = 30\naudit_trials = 0\n"
    return folder, text, game, ["EPOCHS(of=3)", "EPOCHS(of=6)", "EPOCHS(of=24)"], DEMO


def cabs():
    folder = DATA / "cabs"
    folder.mkdir(parents=True, exist_ok=True)
    text = (ROOT / "examples/cabs/study.toml").read_text()
    text = text.replace('path = "cabspottingdata"', f'path = "{os.environ["HEARSAY_CABS"]}"')
    game = "[membership]\ngroups = [100]\ntargets = 30\ntrials = 50\naudit_trials = 0\n"
    return folder, text, game, ["PLACES(of=2)", "EPOCHS(of=3)", "EPOCHS(of=24)"], CABS


def run(*arguments, errors=subprocess.PIPE):
    ran = subprocess.run([BUILD / "hearsay", *map(str, arguments)], stdout=subprocess.PIPE, stderr=errors, text=True)
    if ran.returncode not in (0, 3):
        sys.exit(ran.stderr or ran.returncode)
    return ran.stdout


def now():
    """Seconds of all cores that programs run so far took: other work on the machine does not count."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rows(file):
    with open(file, newline="") as table:
        return list(csv.DictReader(table))


def grid_figures(out):
    """By release and parameter: MAE, own loss and membership as advice has them, and the upper end of the last."""
    found = {}
    for row in rows(out / "utility.csv"):
        if row["kind"] == "defence":
            found[row["release"], row["parameter"]] = [float(row["mae"]), 0.0, 0.0, 0.0]
    for row in rows(out / "best.csv"):
        one = found.get((row["release"], row["parameter"]))
        if one and row["own_part"]:
            one[1] = max(one[1], float(row["own_part"]) / float(row["without"]))
    for row in rows(out / "membership.csv"):
        one = found.get((row["release"], row["parameter"]))
        if one:
            people = int(row["count"])
            half = STUDENT[people] * float(row["auc_sd"]) / (people - 1) ** 0.5
            one[2], one[3] = max(one[2], float(row["auc_mean"])), max(one[3], float(row["auc_mean"]) + half)
    return found


def shown(value):
    return f"{value['mean']:.4g} ({value['low']:.4g} to {value['high']:.4g})" if value else ""


def advise(study, limits):
    """What was chosen or is nearest, and the seconds it took."""
    start = now()
    flags = [word for name, limit in zip(("own-loss", "membership", "mae", "budget"), limits) for word in (f"--{name}", limit)]
    advice = json.loads(run("advise", study, *flags, "--json", "--quiet"))
    seconds = now() - start
    print(f"  limits {limits}: advise {seconds:.0f} s, rungs {advice['rungs']}, cut short: {advice['cut_short']}")
    kind = "nearest" if advice["chosen"] is None else "chosen"
    one = advice["frontier"][advice[kind]]
    print(f"    {kind}: {one['label']}: MAE {shown(one['mae'])}, own loss {shown(one['own_loss'])}, "
          f"membership {shown(one['membership'])}", flush=True)
    return one if kind == "chosen" else None, seconds


def keeps_to(limits, chosen):
    """Whether the upper end of everything that a limit binds is within it."""
    return all(chosen[name] and chosen[name]["high"] <= limit for name, limit in zip(("own_loss", "membership", "mae"), limits))


def judge(limits, chosen, advised, figures, gridded):
    """The grid's best beside what was chosen: as good where the interval of its MAE begins at or below it. Gives what is
    claimed and does not hold."""
    own_loss, membership, mae, _ = limits
    within = sorted((one, label) for label, one in figures.items()
                    if one[0] <= mae and one[1] <= own_loss and one[3] <= membership)
    good = not within or (chosen is not None and chosen["mae"]["low"] <= within[0][0][0])
    claims = {"keeps to the limits": chosen is None or keeps_to(limits, chosen),
              "names one where the grid has one": chosen is not None or not within,
              "is as good": good or limits in TOO_SHORT,
              f"is {TIMES_AS_FAST} times as fast": gridded >= TIMES_AS_FAST * advised}
    failures = [claim for claim, holds in claims.items() if not holds]
    print(f"  limits {limits}: {len(within)} of the grid keep to them; advice is {'' if good else 'NOT '}as good, and took "
          f"1/{gridded / advised:.1f} of the grid's time")
    for one, label in within[:3]:
        print(f"    {' '.join(label)}: MAE {one[0]:.4g}, own loss {one[1]:.4g}, membership {one[2]:.4g} (to {one[3]:.4g})")
    for claim in failures:
        print(f"    does NOT hold: advice {claim}")
    return failures


def compare(name, place):
    folder, text, game, coarse, all_limits = place
    study, out = folder / "study.toml", folder / "grid"
    releases, number = grid(coarse)
    study.write_text(text + ADVERSARY + game)
    (folder / "grid.toml").write_text(text + ADVERSARY + game + releases)
    print(f"\n{name}", flush=True)
    found = [advise(study, limits) for limits in all_limits]
    start = now()
    run("study", folder / "grid.toml", "--out", out, "--set", 'study.goals=["profiling","localization","membership"]', errors=None)
    gridded = now() - start
    figures = grid_figures(out)
    assert len(figures) >= 200, len(figures)
    print(f"  grid of {number}: {gridded:.0f} s")
    return [failure for limits, (chosen, advised) in zip(all_limits, found)
            for failure in judge(limits, chosen, advised, figures, gridded)]


PLACES = {"demo": demo, "cabs": cabs}

if __name__ == "__main__":
    failed = False
    for name in sys.argv[2:] or PLACES:
        if name != "cabs" or os.environ.get("HEARSAY_CABS"):
            failed = bool(compare(name, PLACES[name]())) or failed
    sys.exit(1 if failed else 0)
