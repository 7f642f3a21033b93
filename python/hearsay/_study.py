# SPDX-License-Identifier: Apache-2.0
"""A study: which adversaries, against which releases."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _core, _frames
from ._chain import Step, name_of, named, steps_of
from ._core import Dataset, Mechanism
from ._frames import is_path
from ._look import look
from ._progress import Progress, Report
from ._results import Results
from ._toml import study_text
from ._warnings import warn_of

Named = Sequence[Any] | None


def release(
    mechanism: Any, *, repeats: int = 1, post_process: bool | str = "nonnegative", **settings: Any
) -> dict[str, Any]:
    """A defence to attack: the name of a mechanism or a class of your own, and its parameters. A parameter may be a
    list; every choice is tried. Or the steps of a chain, [hs.step(Mine, at_most=20), "GAUSSIAN(epsilon=1)"]. `priors`,
    `attacks` and `goals` narrow what it is tried against. `post_process`: none, round, nonnegative (what `hearsay
    release` publishes), projected or paper."""
    several = isinstance(mechanism, Sequence) and not isinstance(mechanism, str)
    if isinstance(mechanism, (Step, Mechanism)) or (isinstance(mechanism, str) and "(" in mechanism):
        mechanism, several = [mechanism], True
    lost = [key for key in settings if key not in ("priors", "attacks", "goals")]
    if several and lost:
        raise TypeError(f"parameters belong to the steps, as in hearsay.step(MECHANISM, {lost[0]}=...): {lost}")
    chosen = {"steps": list(mechanism)} if several else {"mechanism": mechanism}
    return {**chosen, **settings, "repeats": repeats, "post_process": post_process}


class _Own:
    """The classes of one study, each once, and their names in the place of them."""

    def __init__(self, given: Iterable[Any]) -> None:
        self.classes = list(given)

    def names(self, given: Named) -> list[str] | None:
        if given is None:
            return None
        if isinstance(given, (str, type)) or not isinstance(given, Iterable):
            given = [given]
        given = list(given)
        for item in given:
            if isinstance(item, _core.Inference):
                raise _core.ConfigError(
                    f"study.attacks: holds what an attack found; name the attack itself, as in attacks=[\"{item.name}\"]"
                )
            if named(item) is None and item not in self.classes:
                self.classes.append(item)
        return [name_of(item) for item in given]

    def release(self, given: Any) -> dict[str, Any]:
        settings = dict(given) if isinstance(given, Mapping) else release(given)
        if "mechanism" in settings:
            settings["mechanism"] = (self.names([settings["mechanism"]]) or [""])[0]
        if "steps" in settings:
            settings["steps"], own = steps_of(settings["steps"])
            self.names(own)
        for key in ("priors", "attacks", "goals"):
            if key in settings:
                settings[key] = self.names(settings[key])
        return settings


def expect_data(given: Any, *, or_file: bool = False) -> None:
    """Says how a study is made of what is no data set and, with `or_file`, no path of a study file either."""
    if isinstance(given, Dataset) or (or_file and isinstance(given, (str, os.PathLike))):
        return
    if is_path(given):
        how = "hearsay.Study.from_toml(path) runs a study file; hearsay.read_events or read_trips reads a file of data"
    else:
        how = (
            "read it first, as in hearsay.Study(hearsay.read_events(frame, ...)); hearsay.Study.guess(frame) guesses how"
        )
    raise TypeError(f"a Study is made of a Dataset, not of a {type(given).__name__}: {how}")


class Study:
    """Attacks the raw counts of a data set, and every release, with every prior, attack and goal.

    data: what read_events, read_trips or read_cabs gave.
    priors, attacks, goals: names as `hearsay list` has them, or classes of your own; all where None.
    decisions: how predictions are read off beliefs, as `hearsay list` has them; all where None.
    releases: defences, each made by hearsay.release, or one such as hearsay.mechanisms.SCM(epsilon=1).
    control: whether everybody's errors on counts that leave that person out are measured too; control_sample: on how
    many people, where it cannot be done for everybody.
    log_base, seed: study.* of docs/study.md. users, show_users, least_people: results.* of it.
    delta: the old spelling of decisions=["POP(delta=...)"].
    membership: the keys of [membership] in docs/study.md, such as {"groups": [100], "knows": ["trace", "habits"]};
    asks for the goals membership and audit.
    trajectories: the keys of [trajectories] in docs/study.md, such as {"days": 7}; asks for the goal of that name.
    population: people in all, seen or not, as declared; KRR promises nothing without it.
    own: classes of your own to run besides, where priors or attacks is None.
    """

    def __init__(
        self,
        data: Dataset,
        *,
        priors: Named = None,
        attacks: Named = None,
        goals: Named = None,
        decisions: Sequence[str] | None = None,
        releases: Sequence[Any] = (),
        log_base: float | str = 2,
        delta: float | None = None,
        seed: int = 1,
        control: bool = True,
        control_sample: int = 10,
        membership: Mapping[str, Any] | None = None,
        trajectories: Mapping[str, Any] | None = None,
        population: int | None = None,
        users: str | int = "auto",
        show_users: bool = False,
        least_people: int = 10,
        own: Iterable[Any] = (),
    ) -> None:
        expect_data(data)
        classes = _Own(own)
        study = {
            "priors": classes.names(priors),
            "attacks": classes.names(attacks),
            "goals": classes.names(goals),
            "decisions": [decisions] if isinstance(decisions, str) else decisions,
            "log_base": log_base,
            "delta": delta,
            "seed": seed,
            "control": control,
            "control_sample": control_sample,
        }
        alone = isinstance(releases, (str, Mapping, Step, Mechanism))
        defences = [classes.release(given) for given in ([releases] if alone else releases)]
        shown = {"users": users, "show_users": show_users, "least_people": least_people}
        sections = {**data._sections, "study": study, "results": shown}
        if membership is not None:
            sections["membership"] = dict(membership)
        if trajectories is not None:
            sections["trajectories"] = dict(trajectories)
        if population is not None:
            sections["data"] = {**sections.get("data", {}), "population": population}
        self._data: Dataset | None = data
        self._name = "study"
        self._parts: tuple[str, str, str, list[str], list[Any]]
        self._parts = (study_text(sections, defences), "", "", [], classes.classes)
        self._text = _core.StudyText(*self._parts)
        self._warn_of_old()

    @classmethod
    def guess(cls, source: Any, *, threads: int = 0, progress: bool | Report = False, **settings: Any) -> Study:
        """A study of data that nothing is known about: files or a data frame, read as hearsay.look guesses. `settings`
        are those of Study. What was guessed is in the warnings; hearsay.look says more."""
        seen = look(source, threads=threads)
        if seen.problem is not None:
            raise _core.InputError(seen.problem)
        warn_of(f"guessed {setting}: {why}" for setting, why in seen["guesses"].items())
        table = None if is_path(source) else _frames.table(source)
        with Progress(progress) as report:
            data = _core.read(seen.study, "", os.getcwd(), [], table, None, threads, report)
        warn_of(data.warnings)
        sections = dict(seen._settings)
        guessed = sections.pop("study", {})  # such as the priors that data of a day or two allow
        data._sections = sections
        return cls(data, **{**guessed, **settings})

    @classmethod
    def from_toml(
        cls, path: str | os.PathLike[str], *, overrides: Mapping[str, Any] | None = None, own: Iterable[Any] = ()
    ) -> Study:
        """The study of a file. `overrides` change settings by dotted key, as --set does; `own` are classes of yours
        that the file may name."""
        study = cls.__new__(cls)
        file = Path(path)
        try:
            text = file.read_text(encoding="utf-8")
        except OSError as error:
            raise _core.InputError(f"{file}: no such study file") from error
        study._data = None
        study._name = file.name
        changes = [f"{key}={_override(value)}" for key, value in (overrides or {}).items()]
        study._parts = (text, str(file), str(file.parent), changes, list(own))
        study._text = _core.StudyText(*study._parts)
        study._warn_of_old()
        return study

    def __reduce_ex__(self, protocol: Any) -> Any:
        if self._data is not None:
            raise TypeError(
                "a Study of data in memory cannot be pickled: pickle its results, or a Study.from_toml, which reads the "
                "data where it runs"
            )
        return super().__reduce_ex__(protocol)

    def __copy__(self) -> Study:
        return self

    def __deepcopy__(self, memo: Any) -> Study:
        return self

    def _warn_of_old(self) -> None:
        for text in self._text.deprecated:
            warnings.warn(text, FutureWarning, stacklevel=3)

    def _knowing(self, own: Sequence[Any]) -> _core.StudyText:
        """The same text, where it may name these classes too."""
        toml, name, folder, changes, known = self._parts
        more = [given for given in own if given not in known]
        return _core.StudyText(toml, name, folder, changes, [*known, *more]) if more else self._text

    @property
    def toml(self) -> str:
        """The study as a file would have it."""
        return self._text.toml

    def run(
        self, *, out: str | os.PathLike[str] | None = None, threads: int = 0, progress: bool | Report = False
    ) -> Results:
        """Runs the study. `out` keeps the result folder, the same as the command line's; without it, the folder lives
        as long as the results. threads: 0 uses every core. Ctrl-C stops it."""
        parent = None if out is not None else tempfile.TemporaryDirectory(prefix="hearsay-")
        folder = os.fspath(out) if parent is None else os.path.join(parent.name, "results")
        with Progress(progress) as report:
            found = self._text.run(self._data, folder, self._name, threads, report)
        if self._data is None:
            warn_of(found["warnings"])
        return Results(Path(folder), found["findings"], parent)


def _override(value: Any) -> str:
    line = study_text({"x": {"value": value}}).splitlines()[2]
    return line.partition(" = ")[2]


