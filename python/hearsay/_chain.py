# SPDX-License-Identifier: Apache-2.0
"""Steps of a defence, built-in ones and classes of the user."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from . import _core
from ._core import Mechanism
from ._toml import plain


# What hearsay.priors, attacks, mechanisms and metrics hold: functions that stand for the entry of their name.
_BUILT_IN = {
    id(getattr(entries, name)): name.lower() if entries is _core.metrics else name
    for entries in (_core.priors, _core.attacks, _core.mechanisms, _core.metrics)
    for name in dir(entries)
    if name.isupper()
}


def named(given: Any) -> str | None:
    """The name of a built-in entry, given as text, as the function of that name, or as a prior made by one; None for
    anything else, such as a class of the user."""
    if isinstance(given, str):
        return str(given)
    return given.name if isinstance(given, _core.Prior) else _BUILT_IN.get(id(given))


def name_of(given: Any) -> str:
    """The name under which a study knows an entry or a class."""
    known = named(given)
    if known is not None:
        return known
    return str(getattr(given, "name", None) or getattr(given, "__name__", type(given).__name__))


def text_of(name: str, value: Any) -> str:
    """A parameter's value as a study file writes it. Throws ConfigError for several values."""
    value = plain(value)
    if isinstance(value, (list, tuple)):
        raise _core.ConfigError(
            f"{name} = {value}: must be one value; hearsay.release tries every value of a list, as in "
            f"hearsay.release(MECHANISM, {name}=[...])"
        )
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Step:
    """A step of a defence with its parameters; prints as a study file has it."""

    text: str
    own: Any = None  # the class it names, where that is the user's

    def __str__(self) -> str:
        return self.text


def step(mechanism: Any, **parameters: Any) -> Step:
    """One step of a chain: the name of a mechanism or a class of your own, and its parameters. In a list it may stand
    beside text such as "GAUSSIAN(epsilon=1)", to hearsay.release, hearsay.publish and hearsay.chain."""
    given = ",".join(f"{name}={text_of(name, value)}" for name, value in parameters.items() if value is not None)
    known = named(mechanism)
    text = (known or name_of(mechanism)) + (f"({given})" if given else "")
    return Step(text, None if known is not None else mechanism)


def steps_of(given: Iterable[Any]) -> tuple[list[str], list[Any]]:
    """The text of steps, and the classes that they name."""
    texts: list[str] = []
    own: list[Any] = []
    for item in given:
        if isinstance(item, Mechanism):
            steps, classes = list(item._steps), list(item._own)
        else:
            one = item if isinstance(item, Step) else Step(item) if isinstance(item, str) else step(item)
            steps, classes = [one.text], [] if one.own is None else [one.own]
        texts += steps
        own += [given for given in classes if given not in own]
    return texts, own


def chain_of(texts: list[str], own: list[Any]) -> Mechanism:
    """The defence of these steps, which may name these classes: what a pickled one is made of."""
    return _core.choose_steps(texts, own)


def chain(*steps: Any) -> Mechanism:
    """A defence of several steps, as text, classes of your own or hearsay.step: for perturb and guarantee."""
    return chain_of(*steps_of(steps))
