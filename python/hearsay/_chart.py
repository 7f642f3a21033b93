# SPDX-License-Identifier: Apache-2.0
"""How results look in a notebook: her error before and after the counts, and the same as a table."""

from __future__ import annotations

from html import escape
from typing import Any

_BAR = 14
_LEFT = 130
_WIDTH = 420
_COLORS = ("#2f5d8a", "#c4572e", "#4f8a3c", "#8a5fa3", "#b08a1e", "#555555")

Row = dict[str, Any]


def _distinct(rows: list[Row], key: str) -> list[str]:
    return list(dict.fromkeys(row[key] for row in rows))


def best(rows: list[Row], goal: str, prior: str, attack: str) -> Row | None:
    """Of all readings of an attack on the raw counts the one she would choose: the lowest error, then the lowest loss."""
    found = [
        row
        for row in rows
        if (row["release"], row["goal"], row["prior"], row["attack"]) == ("RAW", goal, prior, attack)
    ]
    return min(found, key=lambda row: (row["error_mean"], row["loss_mean"] or 0), default=None)


def _bars(rows: list[Row], goal: str, attacks: list[str], top: int) -> tuple[str, int]:
    parts = [f'<text x="0" y="{top + 12}" font-weight="bold">{escape(goal)}: her mean error</text>']
    y = top + 22
    for prior in _distinct(rows, "prior"):
        cells = [(attack, best(rows, goal, prior, attack)) for attack in attacks]
        shown = [(attack, row) for attack, row in cells if row is not None]
        middle = y + len(shown) * _BAR / 2 + 4
        parts.append(f'<text x="{_LEFT - 8}" y="{middle:.0f}" text-anchor="end">{escape(prior)}</text>')
        for attack, row in shown:
            color = _COLORS[attacks.index(attack) % len(_COLORS)]
            width = max(1.0, min(1.0, row["error_mean"]) * _WIDTH)
            title = f"{escape(prior)}, {escape(attack)}: {row['error_mean']:.3f}"
            parts.append(
                f'<rect x="{_LEFT}" y="{y}" width="{width:.1f}" height="{_BAR - 2}" fill="{color}">'
                f"<title>{title}</title></rect>"
                f'<text x="{_LEFT + width + 4:.1f}" y="{y + 10}">{row["error_mean"]:.2f}</text>'
            )
            y += _BAR
        y += 6
    return "".join(parts), y + 8


def chart(rows: list[Row]) -> str:
    """Bars by prior and attack, as a picture that needs nothing else."""
    attacks = _distinct(rows, "attack")
    legend = []
    for i, attack in enumerate(attacks):
        x = i * 110
        legend.append(
            f'<rect x="{x}" y="2" width="10" height="10" fill="{_COLORS[i % len(_COLORS)]}"/>'
            f'<text x="{x + 14}" y="11">{escape(attack)}</text>'
        )
    body, y = "", 22
    for goal in _distinct(rows, "goal"):
        part, y = _bars(rows, goal, attacks, y)
        body += part
    width = max(_LEFT + _WIDTH + 50, 110 * len(attacks))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{y}" viewBox="0 0 {width} {y}" role="img" '
        f'aria-label="Her mean error by prior and attack" font-family="sans-serif" font-size="11" '
        f'fill="currentColor">{"".join(legend)}{body}</svg>'
    )


def _cell(row: Row | None, blind: set[str]) -> str:
    if row is None:
        return "<td></td>"
    loss = "" if row["loss_mean"] is None or row["attack"] in blind else f" ({row['loss_mean']:.0%})"
    return f"<td>{row['error_mean']:.3f}{loss}</td>"


def summary_table(rows: list[Row], findings: list[str], blind: set[str]) -> str:
    """Her mean error, and how much of it the counts took away; `blind`: attacks that use no counts."""
    attacks = _distinct(rows, "attack")
    html = "".join(f"<p>{escape(text)}</p>" for text in findings)
    for goal in _distinct(rows, "goal"):
        head = "".join(f"<th>{escape(attack)}</th>" for attack in attacks)
        html += f"<table><thead><tr><th>{escape(goal)}</th>{head}</tr></thead><tbody>"
        for prior in _distinct(rows, "prior"):
            cells = "".join(_cell(best(rows, goal, prior, attack), blind) for attack in attacks)
            html += f"<tr><th>{escape(prior)}</th>{cells}</tr>"
        html += "</tbody></table>"
    return html + "<p>Her mean error (0: she knows all), and how much of it the counts took away from her.</p>"
