# SPDX-License-Identifier: Apache-2.0
"""Settings as the text of a study file, so that the engine checks them as it checks a file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any


def _length(value: timedelta) -> str:
    """Whole seconds as a study file has them; the engine refuses the rest by the name of the setting."""
    seconds = value.total_seconds()
    return json.dumps(f"{seconds:.0f} s" if seconds.is_integer() else str(value))


def plain(value: Any) -> Any:
    """A value of NumPy or pandas, one or several, as Python has it; any other value as it is."""
    if type(value).__name__ == "timedelta64":  # of NumPy: its item() may be a bare number
        return value.astype("timedelta64[us]").item()
    if type(value).__name__ == "datetime64":  # likewise
        return str(value.astype("datetime64[s]"))
    if hasattr(value, "tolist") and not isinstance(value, str):  # an array, a series, or a NumPy scalar
        return value.tolist()
    return value


def _value(value: Any) -> str:
    value = plain(value)
    if isinstance(value, timedelta):  # pandas.Timedelta is one too
        return _length(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(str(k))} = {_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    # JSON's strings are TOML's but for one character.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def _lines(settings: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {_value(value)}" for key, value in settings.items() if value is not None]


def study_text(sections: Mapping[str, Mapping[str, Any]], releases: Sequence[Mapping[str, Any]] = ()) -> str:
    """The study file with these sections and releases; what is None is left out."""
    lines = ["schema = 1"]
    for name, settings in sections.items():
        lines += [f"[{name}]", *_lines(settings)]
    for settings in releases:
        lines += ["[[release]]", *_lines(settings)]
    return "\n".join(lines) + "\n"
