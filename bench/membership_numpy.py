#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The membership game as a dense NumPy program: the likelihood ratio with the target's trace and nothing known of the
crowd, cell by cell, as docs/membership.md has it. Says how long a score takes.

    membership_numpy.py TRIPS.csv STATIONS.csv GROUP TARGETS TRIALS

Prints one JSON object.
"""
import json
import sys
import time

import numpy as np

from dense_numpy import OBSERVE, read


def score(counts, group, target):
    chances = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0, keepdims=True) / counts.sum() / group
    chances = np.minimum(chances, group / (group + 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        there = np.where(target, counts / (group * chances), (group - counts) / (group * (1 - chances)))
        return np.log(np.where(chances == 0, ~target, there)).sum()


def main():
    trips, stations, group, targets, trials = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
    visited = read(trips, stations)[OBSERVE:, :, :-1].transpose(1, 2, 0).copy()  # user, place, epoch
    random = np.random.default_rng(1)
    active = np.flatnonzero(visited.any(axis=(1, 2)))
    areas, scores, start = [], 0, time.perf_counter()
    for target in random.choice(active, targets, replace=False):
        told = np.zeros((2, trials))
        for trial in range(trials):
            others = random.choice(len(visited) - 1, group, replace=False)
            others += others >= target
            for within in (0, 1):
                people = np.append(others[:-1], target) if within else others
                told[within, trial] = score(visited[people].sum(axis=0, dtype=np.float64), group, visited[target])
                scores += 1
        areas.append((told[1][:, None] > told[0]).mean() + (told[1][:, None] == told[0]).mean() / 2)
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds_a_score": seconds / scores, "median": float(np.median(areas))}))


if __name__ == "__main__":
    main()
