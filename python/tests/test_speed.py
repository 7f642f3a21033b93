# SPDX-License-Identifier: Apache-2.0
"""What makes reading frames fast: values are handed over as they lie in memory, once, and only where they are needed.
bench/python.py measures what that comes to."""

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from conftest import GRID, PERIOD, make_events

import hearsay as hs
from hearsay import _frames

READ = {"tz": "UTC", "rois": GRID, **PERIOD}


@pytest.fixture(scope="module")
def numbers():
    events = make_events(5000, 30)
    return events.assign(uid=events.uid.str[1:].astype("int64"), note="not read")


@pytest.fixture
def handed_over(monkeypatch):
    """The tables that reading hands to the engine."""
    tables = []
    read = hs._reading._core.read

    def kept(toml, name, folder, overrides, table, *more):
        tables.append(table)
        return read(toml, name, folder, overrides, table, *more)

    monkeypatch.setattr(hs._reading, "_core", _CoreWith(kept))
    return tables


class _CoreWith:
    """The engine with another function that reads."""

    def __init__(self, read):
        self.read = read


def addresses(table):
    """Where the values of each column lie."""
    return {name: [chunk.buffers()[1].address for chunk in table[name].chunks] for name in table.column_names}


def test_numbers_and_times_of_pandas_are_not_copied(numbers, handed_over):
    hs.read_events(numbers, **READ)
    (table,) = handed_over
    assert addresses(table) == {name: [numbers[name].to_numpy().ctypes.data] for name in ("uid", "datetime", "lat", "lng")}


def test_only_the_columns_that_a_study_needs_are_handed_over(numbers, handed_over):
    for frame in (numbers, pl.from_pandas(numbers), pa.Table.from_pandas(numbers)):
        hs.read_events(frame, **READ)
    needed = {"uid", "datetime", "lat", "lng"}
    assert [set(getattr(table, "column_names", None) or table.columns) for table in handed_over] == [needed] * 3


def test_arrow_tables_are_handed_over_as_they_are(numbers, handed_over):
    given = pa.Table.from_pandas(numbers, preserve_index=False)
    hs.read_events(given, **READ)
    (table,) = handed_over
    expected = addresses(given)
    assert addresses(table) == {name: expected[name] for name in table.column_names}


class Counted:
    """A table of another library, which counts how often it is asked for its values."""

    def __init__(self, frame):
        self.table = pa.Table.from_pandas(frame)
        self.asked = 0

    def __arrow_c_stream__(self, requested_schema=None):
        self.asked += 1
        return self.table.__arrow_c_stream__(requested_schema)


def test_a_table_is_asked_for_its_values_once(numbers):
    counted = Counted(numbers)
    data = hs.read_events(counted, **READ)
    assert counted.asked == 1
    np.testing.assert_array_equal(data.aggregates(), hs.read_events(numbers, **READ).aggregates())


def test_a_table_that_is_made_of_a_frame_holds_nothing_else(numbers):
    """What is left over in memory would show with every frame that is read."""
    before = pa.total_allocated_bytes()
    made = _frames.table(numbers[["uid", "lat", "lng", "datetime"]])
    assert pa.total_allocated_bytes() == before
    assert made.num_rows == len(numbers)
