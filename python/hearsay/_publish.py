# SPDX-License-Identifier: Apache-2.0
"""Protected counts for publication."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _core
from ._chain import Step, name_of, named, steps_of, text_of
from ._core import Dataset
from ._progress import Progress, Report
from ._study import Study, expect_data
from ._warnings import warn_of


@dataclass(frozen=True)
class Publication:
    """What was published, and what its account has spent."""

    file: Path
    guarantee_file: Path
    counts: int
    epsilon: float | None  # None: without a guarantee
    delta: float  # the chance that epsilon does not hold for
    unit: str
    note: str
    a_year: str  # what the guarantee comes to where every such period is published for a year
    unsafe: list[str]  # why there is no guarantee
    account: str
    spent: float  # math.inf: without bound, since something without a guarantee was published
    budget: float
    ledger: Path
    standing: str
    expected_error: float  # of a published count, on average; from the true counts: for your eyes, not for publication
    typical_count: float  # the mean of the true counts above 0, as far as the defence keeps them; likewise

    def __repr__(self) -> str:
        promise = "no guarantee" if self.epsilon is None else f"epsilon {self.epsilon:g} for {self.unit}"
        if self.delta > 0:
            promise += f", but for a chance of {self.delta:g}"
        spent = "without bound" if math.isinf(self.spent) else f"{self.spent:g}"
        return f"<Publication {self.file}: {promise}; account {self.account} has spent {spent} of {self.budget:g}>"


def publish(
    source: Dataset | Study | str | os.PathLike[str],
    mechanism: Any,
    *,
    out: str | os.PathLike[str],
    account: str | None = None,
    budget: float | None = None,
    ledger: str | os.PathLike[str] | None = None,
    new_data: bool = False,
    mix_units: bool = False,
    unsafe: bool = False,
    accept_noise: bool = False,
    allow_large_delta: bool = False,
    post_process: str = "nonnegative",
    population: int | None = None,
    threads: int = 0,
    progress: bool | Report = False,
    **parameters: Any,
) -> Publication:
    """Writes counts with secure noise, never seeded, and their guarantee beside them, as `hearsay release` does.

    source: a data set, a study, or the path of a study file. Its inference period is counted.
    mechanism, parameters: the defence as `hearsay list` names it, and its parameters: epsilon=0.5, bound=20. Or a defence
        with its parameters, hs.mechanisms.SCM(epsilon=0.5), or the steps of a chain,
        ["BOUND(at_most=20)", "GAUSSIAN(epsilon=0.5)"], or the name of a preset. Steps before the noise may
        be classes of your own with `keep`: hs.step(Mine, at_most=20).
    out: the file of counts, .parquet or .csv; never replaced.
    account: whose budget it spends, where the study does not say (data.account).
    budget: total epsilon of the account; needed with its first release, and can only be lowered.
    ledger: folder of the ledger; your state folder by default, the same as the command line's.
    new_data: data that the account has not seen belongs to it: the same, changed or grown.
    mix_units: adds up another unit than the budget's; the sum then holds for the smallest only.
    unsafe: publishes also what has no sound guarantee, and says so in the file.
    accept_noise: publishes also counts that are mostly noise.
    allow_large_delta: publishes also where delta, of this release or of all of the account, is above 1e-5 or 1 / people.
    post_process: what becomes of noisy counts: none, round, nonnegative or projected (docs/defences.md).
    population: people in all, seen or not, as declared in advance, where the study does not say (data.population); KRR
        needs it.
    """
    data = source if isinstance(source, Dataset) else None
    if isinstance(source, Study):
        if population is not None:
            raise ValueError("population belongs to the Study: Study(..., population=...)")
        study = source
    elif data is not None:
        study = Study(data, priors=["FREQ_ROI"], attacks=["PRIOR"], population=population)
    else:
        expect_data(source, or_file=True)
        overrides = {} if population is None else {"data.population": population}
        study = Study.from_toml(source, overrides=overrides)  # type: ignore[arg-type]
    request = _core.PublicationRequest()
    own: list[Any] = []
    if isinstance(mechanism, (Step, _core.Mechanism)):
        mechanism = [mechanism]
    if isinstance(mechanism, Sequence) and not isinstance(mechanism, str):
        if parameters:
            raise TypeError(f"parameters belong to the steps: {list(parameters)}")
        request.steps, own = steps_of(mechanism)
    elif mechanism in _core.PRESETS:
        request.preset = mechanism
    else:
        request.mechanism = name_of(mechanism)
        own = [] if named(mechanism) is not None else [mechanism]
    request.parameters = [f"{name}={text_of(name, value)}" for name, value in parameters.items() if value is not None]
    request.out = os.fspath(out)
    request.account = account or ""
    request.ledger = "" if ledger is None else os.fspath(ledger)
    request.budget = budget
    request.new_data = new_data
    request.mix_units = mix_units
    request.unsafe = unsafe
    request.accept_noise = accept_noise
    request.allow_large_delta = allow_large_delta
    request.post_process = post_process
    with Progress(progress) as report:
        made = study._knowing(own).publish(study._data, request, threads, report)
    told = made.pop("warnings")
    if study._data is None:
        warn_of(told)
    for name in ("file", "guarantee_file", "ledger"):
        made[name] = Path(made[name])
    return Publication(**made)
