# SPDX-License-Identifier: Apache-2.0
"""Steps of a defence, built-in ones and classes of the user."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from . import _core
from ._core import Mechanism


def name_of(given: Any) -> str:
    """The name under which a study knows an entry or a class."""
    if isinstance(given, str):
        return given
    return str(getattr(given, "name", None) or getattr(given, "__name__", type(given).__name__))


def text_of(value: Any) -> str:
    """A parameter's value as a study file writes it."""
    if hasattr(value, "item") and not isinstance(value, str):  # a NumPy scalar
        value = value.item()
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
    given = ",".join(f"{name}={text_of(value)}" for name, value in parameters.items() if value is not None)
    text = name_of(mechanism) + (f"({given})" if given else "")
    return Step(text, None if isinstance(mechanism, str) else mechanism)


def steps_of(given: Iterable[Any]) -> tuple[list[str], list[Any]]:
    """The text of steps, and the classes that they name."""
    steps = [one if isinstance(one, Step) else Step(one) if isinstance(one, str) else step(one) for one in given]
    own: list[Any] = []
    for one in steps:
        if one.own is not None and one.own not in own:
            own.append(one.own)
    return [one.text for one in steps], own


def chain(*steps: Any) -> Mechanism:
    """A defence of several steps, as text, classes of your own or hearsay.step: for perturb and guarantee."""
    texts, own = steps_of(steps)
    return _core.choose_steps(texts, own)
