#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The paper's grid as a dense NumPy program, written straight from the formulas: what Hearsay's speed is measured
against. Works on a few epochs of the inference period and says how long one takes.

    dense_numpy.py TRIPS.csv STATIONS.csv EPOCHS.csv SAMPLE

EPOCHS.csv is Hearsay's result for the same trips: the mean errors of the epochs worked on must agree with it.
Prints one JSON object.
"""
import csv
import datetime
import json
import sys
import time

import numpy as np

HOURS, OBSERVE, DAY, WEEK = 672, 504, 24, 168
START = datetime.datetime(2010, 3, 1)
PRIORS = ["FREQ_ROI", "ROI_DAY", "ROI_DAY_WEEK", "TIME_DAY", "TIME_DAY_WEEK", "LAST_WEEK", "LAST_DAY", "LAST_HOUR"]
ATTACKS = ["PRIOR", "AGGREGATES", "BAYES", "MAX_ROI", "MAX_USER"]


def read(trips, stations):
    """visited[epoch, user, ROI], null last; users by id."""
    with open(stations, newline="") as file:
        rois = {row["roi"]: i for i, row in enumerate(csv.DictReader(file))}
    users, events = {}, []
    with open(trips, newline="") as file:
        for row in csv.DictReader(file):
            user = users.setdefault(row["uid"], len(users))
            for side in ("start", "end"):
                when = datetime.datetime.fromisoformat(row[side + "_time"]) - START
                epoch = when.days * DAY + when.seconds // 3600
                if 0 <= epoch < HOURS:
                    events.append((epoch, user, rois[row[side + "_roi"]]))
    visited = np.zeros((HOURS, len(users), len(rois) + 1), dtype=bool)
    visited[tuple(np.array(events).T)] = True
    ids = list(users)
    order = sorted(range(len(ids)), key=lambda u: ids[u])
    for epoch in range(HOURS):
        visited[epoch] = visited[epoch][order]
    visited[:, :, -1] = ~visited[:, :, :-1].any(axis=2)
    return visited


def normalized(counts):
    """Rows divided by their sums; a row of zeros is null."""
    totals = counts.sum(axis=1, keepdims=True)
    rows = np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)
    rows[totals[:, 0] == 0, -1] = 1
    return rows


def seasonal(visited, epoch, season):
    return visited[epoch % season : OBSERVE : season].sum(axis=0, dtype=np.float64)


def make_prior(name, visited, epoch, frequencies):
    if name == "FREQ_ROI":
        return normalized(frequencies)
    if name in ("ROI_DAY", "ROI_DAY_WEEK"):
        return normalized(seasonal(visited, epoch, DAY if name == "ROI_DAY" else WEEK))
    if name in ("TIME_DAY", "TIME_DAY_WEEK"):
        active = seasonal(visited, epoch, DAY if name == "TIME_DAY" else WEEK)[:, :-1].any(axis=1)
        rows = np.zeros(visited.shape[1:])
        rows[active, :-1] = 1 / (rows.shape[1] - 1)
        rows[~active, -1] = 1
        return rows
    return visited[epoch - {"LAST_WEEK": WEEK, "LAST_DAY": DAY, "LAST_HOUR": 1}[name]].astype(np.float64)


def max_roi(prior, counts):
    predicted = np.zeros(prior.shape, dtype=bool)
    order = np.argsort(-prior, axis=0, kind="stable")
    for roi, count in enumerate(counts):
        predicted[order[:count, roi], roi] = True
    return or_null(predicted)


def max_user(prior, counts, order):
    """Users in `order`, most reports first."""
    possible = prior > 0
    predicted = np.zeros(prior.shape, dtype=bool)
    predicted[order] = possible[order] & (np.cumsum(possible[order], axis=0) <= counts)
    return or_null(predicted)


def or_null(predicted):
    predicted[~predicted.any(axis=1), -1] = True
    return predicted


def infer(attack, prior, counts, order):
    if attack == "PRIOR":
        return prior
    if attack == "AGGREGATES":
        return np.broadcast_to(counts / counts.sum(), prior.shape)
    if attack == "BAYES":
        return normalized(prior * counts)
    return max_roi(prior, counts) if attack == "MAX_ROI" else max_user(prior, counts, order)


def profiling(truth, inferred):
    p, q = normalized(truth.astype(np.float64)), normalized(inferred.astype(np.float64))
    m = (p + q) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        left = np.where(p > 0, p * np.log(p / m), 0).sum(axis=1)
        right = np.where(q > 0, q * np.log(q / m), 0).sum(axis=1)
    return np.sqrt(np.maximum(0, (left + right) / 2))


def localization(truth, predicted):
    both = predicted.sum(axis=1) + truth.sum(axis=1)
    return 1 - 2 * (predicted & truth).sum(axis=1) / both


def decisions(inferred, binary):
    if binary:
        return {"ASSIGNED": or_null(inferred > 0)}
    # Two places with half the weight each stay at the threshold, however their shares were rounded.
    return {"ALL": or_null(inferred > 0), "POP": or_null(inferred >= 0.5 - 1e-12)}


def attack_epoch(visited, epoch, frequencies, order):
    truth = visited[epoch]
    counts = truth.sum(axis=0)
    errors = {}
    for name in PRIORS:
        prior = make_prior(name, visited, epoch, frequencies)
        for attack in ATTACKS:
            inferred = infer(attack, prior, counts, order)
            errors["profiling", name, attack, ""] = profiling(truth, inferred).mean()
            binary = attack.startswith("MAX") or (attack == "PRIOR" and name.startswith("LAST"))
            for decision, predicted in decisions(inferred, binary).items():
                errors["localization", name, attack, decision] = localization(truth, predicted).mean()
    return errors


def worst_difference(errors, file, epoch):
    worst = 0.0
    found = 0
    with open(file, newline="") as rows:
        for row in csv.DictReader(rows):
            key = row["goal"], row["prior"], row["attack"], row["decision"]
            if row["release"] != "RAW" or int(row["epoch"]) != epoch - OBSERVE or key not in errors:
                continue
            worst = max(worst, abs(errors[key] - float(row["error"])))
            found += 1
    if found != len(errors):
        raise SystemExit(f"dense_numpy: {file} has {found} of {len(errors)} combinations")
    return worst


def main():
    trips, stations, results, sample = sys.argv[1:]
    visited = read(trips, stations)
    start = time.perf_counter()
    frequencies = visited[:OBSERVE].sum(axis=0, dtype=np.float64)
    order = np.argsort(-frequencies[:, :-1].sum(axis=1), kind="stable")
    once = time.perf_counter() - start
    epochs = np.linspace(OBSERVE + 8, HOURS - 8, int(sample)).astype(int)
    start = time.perf_counter()
    errors = [attack_epoch(visited, epoch, frequencies, order) for epoch in epochs]
    each = (time.perf_counter() - start) / len(epochs)
    worst = max(worst_difference(found, results, epoch) for found, epoch in zip(errors, epochs))
    if worst > 1e-9:
        raise SystemExit(f"dense_numpy: differs from Hearsay by {worst}")
    print(json.dumps({"users": visited.shape[1], "epochs": len(epochs), "seconds_once": once, "seconds_an_epoch": each,
                      "seconds": once + each * (HOURS - OBSERVE), "worst_difference": worst}))


if __name__ == "__main__":
    main()
