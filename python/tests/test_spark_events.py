# SPDX-License-Identifier: Apache-2.0
"""Events that become shares on Spark: the same visits, words and errors as on one machine."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from conftest import ROOT, make_events

import hearsay as hs
from hearsay import _core

pytest.importorskip("pyspark", reason="pyspark is not installed")

from hearsay.spark import kernels, make_shares  # noqa: E402

GRID_STUDY = """
[data]
path = "{path}"
timezone = "{zone}"
bad_rows = "{bad_rows}"
{more}
[rois]
{rois}
[period]
start = 2024-01-01
length = "3 weeks"
observe = "2 weeks"
"""
GRID = "kind = 'grid'\nsouth = 50.0\nnorth = 50.4\nwest = 8.0\neast = 8.5\nrows = 4\ncols = 5"


def write_study(folder, path="events.csv", zone="Europe/Berlin", bad_rows="stop", more="", rois=GRID):
    text = GRID_STUDY.format(path=path, zone=zone, bad_rows=bad_rows, more=more, rois=rois)
    file = Path(folder) / "study.toml"
    file.write_text(text, encoding="utf-8")
    return file


def write_parquet(frame, path):
    """Spark reads no nanoseconds."""
    frame.to_parquet(path, index=False, coerce_timestamps="us")


def read_here(study, table=None):
    """The same study read on one machine."""
    return _core.read(study.read_text(encoding="utf-8"), str(study), str(study.parent), [], table, None, 1, None)


def visits_of(data):
    epochs, users, places = (array.astype(np.uint64) for array in data._visits())
    keys = epochs << np.uint64(32) | places
    ids = data.user_ids
    order = np.lexsort((keys, users))
    users, keys = users[order], keys[order]
    return {ids[user]: keys[users == user] for user in np.unique(users)}


def check_shares(shares, data, partitions):
    expected = visits_of(data)
    found = shares.frame.selectExpr("spark_partition_id() AS share", "*").collect()
    assert [row.uid for row in found] == sorted(expected, key=str.encode)
    shares_of_rows = [row.share for row in found]
    assert shares_of_rows == sorted(shares_of_rows)
    assert len(shares.users) <= partitions
    assert shares.users == [shares_of_rows.count(share) for share in range(len(shares.users))]
    for row in found:
        keys = np.frombuffer(row.visits, dtype="<u8")
        np.testing.assert_array_equal(keys, expected[row.uid])
        assert row.reports == len(keys)
        assert row.observed == int((keys >> np.uint64(32) < data.observe).sum())
    assert sum(shares.reports) == sum(map(len, expected.values()))
    assert sum(shares.observed) == sum(row.observed for row in found)
    assert shares.places.positions == data._positions
    said = data.describe()["input"]
    for key in ("rows", "events", "first_event", "last_event"):
        if key in said:
            assert shares.tally[key] == said[key], key
    assert sum(shares.tally["bad_rows"].values()) == said["bad_rows"]
    odd = [text for text in shares.tally["warnings"] if text not in data.warnings]
    assert odd == []


def check(spark, study, events=None, table=None, partitions=3):
    shares = make_shares(spark, study, events, partitions)
    check_shares(shares, read_here(study, table), partitions)
    shares.close()
    return shares


@pytest.fixture(scope="module")
def trips(tmp_path_factory):
    """The demo's city with few people: trips of Parquet, stations of a list."""
    folder = tmp_path_factory.mktemp("city")
    hs.commuters(300, folder=folder)
    text = (ROOT / "examples" / "demo" / "study.toml").read_text(encoding="utf-8")
    study = folder / "study.toml"
    study.write_text(text.replace('path = "demo"', 'path = "trips.parquet"'), encoding="utf-8")
    return study


@pytest.mark.parametrize("partitions", [1, 2, 7, 64])
def test_shares_have_the_visits_of_one_machine(spark, trips, partitions):
    check(spark, trips, str(trips.parent / "trips.parquet"), partitions=partitions)


def test_more_shares_than_people(spark, tmp_path):
    events = make_events(300, 5)
    events.to_csv(tmp_path / "events.csv", index=False)
    shares = check(spark, write_study(tmp_path), partitions=64)
    assert sum(shares.users) == 5


def test_trips_of_the_study(spark):
    check(spark, ROOT / "examples" / "small" / "study.toml", partitions=2)


def test_fixes_on_a_grid(spark):
    check(spark, ROOT / "examples" / "gps" / "study.toml", partitions=2)


@pytest.mark.parametrize("kind", ["csv", "parquet", "json", "folder", "frame", "table"])
def test_every_input_gives_the_same(spark, tmp_path, kind):
    events = make_events(3000, 25)
    name = {"csv": "events.csv", "json": "events.jsonl", "folder": "events"}.get(kind, "events.parquet")
    given = None
    if kind == "csv":
        events.to_csv(tmp_path / name, index=False)
    elif kind == "json":
        lines = events.assign(datetime=events.datetime.astype(str)).to_dict("records")
        (tmp_path / name).write_text("\n".join(map(json.dumps, lines)))
    elif kind == "folder":
        (tmp_path / name).mkdir()
        for number in range(3):
            events[number::3].to_csv(tmp_path / name / f"{number}.csv", index=False)
        (tmp_path / name / "_SUCCESS").write_text("")
    else:
        write_parquet(events, tmp_path / name)
    if kind in ("frame", "table"):
        given = spark.read.parquet(str(tmp_path / name)).repartition(5)
    if kind == "table":
        given.createOrReplaceTempView("fixes")
        given = "fixes"
    study = write_study(tmp_path, "events/*.csv" if kind == "folder" else name)
    shares = make_shares(spark, study, str(tmp_path / name) if kind == "folder" else given, 3)
    check_shares(shares, read_here(study), 3)


def test_several_parts_in_a_task(tmp_path):
    """Parts are numbered on their own; what they share is told apart again."""
    events = make_events(2000, 15).assign(roi=lambda frame: (frame.lat * 50).round().astype(int).astype(str))
    study = write_study(tmp_path, rois="kind = 'ids'")
    task = kernels.Task((study.read_text(), str(study), str(tmp_path), [], []), [], None, "events")
    data = read_here(study, pa.Table.from_pandas(events))

    def visits(rows):
        batches = pa.Table.from_pandas(events).to_batches(max_chunksize=rows)
        placed = [b for batch in batches for b in kernels.Place(task, True)(iter([batch]))]
        ids = [b.select(["ids"]) for b in placed if b.column(2).null_count == 0]
        (places,) = kernels.list_places(iter(ids))
        rows = [b.select(["uid", "visits", "ids"]) for b in placed if b.column(3).null_count > 0]
        numbered = kernels.Renumber(places.column(0).to_pylist())(iter(rows))
        (gathered,) = kernels.Gather(336)(numbered)
        (facts,) = kernels.add_facts(b.select(["facts"]) for b in placed if b.column(3).null_count == 0)
        return gathered.to_pylist(), places.to_pylist(), facts.to_pylist()

    whole = visits(2000)
    assert visits(77) == whole
    expected = visits_of(data)
    assert {row["uid"]: row["visits"] for row in whole[0]} == {uid: keys.tobytes() for uid, keys in expected.items()}


def test_places_seen_of_events_and_ids_in_byte_order(spark, tmp_path):
    names = ["Zoo", "apple", "Éclair", "éclair", "東京", "😀", "ﬀ", "z", "~"]
    events = make_events(2000, len(names))
    events["uid"] = [names[int(uid[1:])] for uid in events.uid]
    events["roi"] = [names[number] for number in (events.lat * 1000).astype(int) % len(names)]
    events.to_csv(tmp_path / "events.csv", index=False)
    shares = check(spark, write_study(tmp_path, rois="kind = 'ids'"), partitions=4)
    assert shares.places.ids == sorted(names, key=str.encode)


def test_a_list_of_places_leaves_others_out(spark, tmp_path):
    events = make_events(1000, 12).assign(roi=lambda frame: ((frame.lat - 50) * 20).astype(int).astype(str))
    write_parquet(events, tmp_path / "events.parquet")
    (tmp_path / "places.csv").write_text("roi,name,lat,lng\n3,three,50.1,8.1\n1,one,50.2,8.2\n")
    shares = check(spark, write_study(tmp_path, "events.parquet", rois="kind = 'ids'\nlist = 'places.csv'"))
    assert shares.places.ids == ["3", "1"] and shares.tally["outside_rois"] > 0


def test_trips_name_and_place_what_is_seen(spark, tmp_path):
    random = np.random.default_rng(3)
    rows = 999
    start = pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 20 * 86400, rows), unit="s")
    ends = {end: random.integers(0, 9, rows) for end in ("start", "end")}
    frame = pd.DataFrame({"uid": random.integers(0, 40, rows), "start_time": start})
    frame["end_time"] = frame.start_time + pd.Timedelta("20min")
    for end, places in ends.items():
        frame[f"{end}_roi"] = places
        frame[f"{end}_name"] = [f"Place {place} {'new' * (i % 7 == 0)}" for i, place in enumerate(places)]
        frame[f"{end}_lat"] = 50 + places / 100 + random.normal(0, 1e-4, rows)
        frame[f"{end}_lng"] = np.where(random.random(rows) < 0.1, 0, 8 + places / 100 + random.normal(0, 1e-4, rows))
    frame.loc[frame.start_lng == 0, "start_lat"] = 0
    write_parquet(frame, tmp_path / "trips.parquet")
    study = write_study(tmp_path, "trips.parquet", more="format = 'trips'", rois="kind = 'ids'")
    shares = check(spark, study, partitions=3)
    assert all(lat is not None for _, _, lat, _ in shares.places.positions)
    flows = write_study(tmp_path, "trips.parquet", more="format = 'trips'", rois="kind = 'flows'")
    check(spark, flows, partitions=3)


def test_numbers_as_ids_and_unix_times(spark, tmp_path):
    events = make_events(1500, 120)
    events["uid"] = events.uid.str[1:].astype(int)
    events["datetime"] = events.datetime.astype("datetime64[s]").astype("int64")
    write_parquet(events, tmp_path / "events.parquet")
    shares = check(spark, write_study(tmp_path, "events.parquet"), partitions=5)
    assert sum(shares.users) == events.uid.nunique()


def test_times_with_a_zone_are_absolute(spark, tmp_path):
    events = make_events(500, 8)
    events["datetime"] = events.datetime.dt.tz_localize("UTC")
    write_parquet(events, tmp_path / "events.parquet")
    check(spark, write_study(tmp_path, "events.parquet"))


def write_local_times(folder, suffix=""):
    """Events of local times as text, some of them in the hour that New York's clocks skip."""
    events = make_events(2000, 12)
    events["datetime"] += pd.Timedelta("68D")  # the clocks of New York skip an hour on 2024-03-10
    events.assign(datetime=events.datetime.astype(str) + suffix).to_csv(folder / "events.csv", index=False)
    study = write_study(folder)
    study.write_text(study.read_text().replace("2024-01-01", "2024-03-09"))
    return study


def read_times(spark, folder, **options):
    return spark.read.csv(str(folder / "events.csv"), header=True, inferSchema=True, **options)


@pytest.mark.parametrize("suffix", ["", "+05:30"], ids=["local", "offset"])
@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame,
        lambda frame: frame.where("lat > 0").withColumnRenamed("datetime", "timestamp"),
    ],
    ids=["read", "renamed"],
)
def test_text_that_spark_makes_times_of_is_on_the_clock_of_the_study(spark, tmp_path, suffix, change):
    study = write_local_times(tmp_path, suffix)
    frame = change(read_times(spark, tmp_path))
    assert dict(frame.dtypes).items() & {("datetime", "timestamp"), ("timestamp", "timestamp")}
    check(spark, study, frame)
    assert spark.conf.get("spark.sql.session.timeZone") == "America/New_York"


def test_times_without_a_zone_in_a_frame_are_taken_as_written(spark, tmp_path):
    study = write_local_times(tmp_path)
    frame = spark.read.csv(str(tmp_path / "events.csv"), header=True)
    check(spark, study, frame.withColumn("datetime", frame.datetime.cast("timestamp_ntz")))


def test_times_made_by_another_clock_are_instants_and_said_to_be(spark, tmp_path):
    study = write_local_times(tmp_path)
    text = spark.read.csv(str(tmp_path / "events.csv"), header=True)
    made = text.withColumn("datetime", text.datetime.cast("timestamp"))
    instants = read_here(study).describe()["input"]["first_event"]
    with_cast = make_shares(spark, study, made, 2)
    (said,) = (text for text in with_cast.tally["warnings"] if "TIMESTAMP" in text)
    assert said.startswith("data frame: column datetime: is a TIMESTAMP, so it is studied as the instant")
    assert "session is in America/New_York and the study in Europe/Berlin" in said
    shift = pd.Timestamp(with_cast.tally["first_event"]) - pd.Timestamp(instants)
    assert shift == pd.Timedelta("6h")  # from New York to Berlin in winter
    with_cast.close()
    local = spark.createDataFrame(make_events(50, 3))
    made_here = make_shares(spark, write_study(tmp_path), local, 2)
    assert any("column datetime: is a TIMESTAMP" in text for text in made_here.tally["warnings"])
    made_here.close()


@pytest.mark.parametrize("form", ["%d/%m/%Y %H:%M:%S", "%m/%d/%Y %I:%M %p"])
def test_odd_times_are_surveyed_once_for_all(spark, tmp_path, form):
    events = make_events(1200, 20)
    events["datetime"] = events.datetime.dt.strftime(form)
    events = events.sort_values("uid")
    events.to_csv(tmp_path / "events.csv", index=False)
    shares = check(spark, write_study(tmp_path))
    assert shares.patterns == [form]
    assert any(form in text for text in shares.tally["warnings"])


def with_bad_rows(events):
    events = events.astype({"lat": object, "lng": object, "datetime": str})
    events.loc[17, "lat"] = "north"
    events.loc[40, "lng"] = 200
    events.loc[41, "lng"] = 201
    events.loc[90, "datetime"] = "yesterday"
    events.loc[95, "uid"] = None
    return events


def test_bad_rows_are_counted_by_reason(spark, tmp_path):
    with_bad_rows(make_events(400, 9)).to_csv(tmp_path / "events.csv", index=False)
    with (tmp_path / "events.csv").open("a") as file:
        file.write("u1,50.1,8.1\nu1,50.1,8.1,2024-01-02 03:04:05,more\n")
    shares = check(spark, write_study(tmp_path, bad_rows="skip"))
    assert shares.tally["bad_rows"] == {
        "bad datetime": 1,
        "bad lat": 1,
        "lng out of range": 2,
        "missing uid": 1,
        "too few columns": 1,
        "too many columns": 1,
    }


def test_the_first_bad_row_stops(spark, tmp_path):
    with_bad_rows(make_events(400, 9)).to_csv(tmp_path / "events.csv", index=False)
    study = write_study(tmp_path)
    with pytest.raises(hs.InputError) as here:
        read_here(study)
    with pytest.raises(hs.InputError) as there:
        make_shares(spark, study, None, 2)
    _, _, problem = str(here.value).partition(": ")
    assert problem.startswith("column lat: ")
    assert str(there.value).startswith(f"file://{tmp_path}/events.csv: {problem} (the row: ")
    assert "lat = north" in str(there.value)


def test_a_bad_row_of_a_frame_is_named_by_its_values(spark, tmp_path):
    events = make_events(100, 3)
    events.loc[4, "lng"] = 200
    with pytest.raises(hs.InputError, match=r'^data frame: column lng: "200.0" is out of range.*lng = 200.0'):
        make_shares(spark, write_study(tmp_path), spark.createDataFrame(events), 2)


def test_a_short_line_stops(spark, tmp_path):
    make_events(50, 3).to_csv(tmp_path / "events.csv", index=False)
    with (tmp_path / "events.csv").open("a") as file:
        file.write("u1,50.1\n")
    with pytest.raises(hs.InputError, match="events.csv: too few columns"):
        make_shares(spark, write_study(tmp_path), None, 2)


def swapped(events):
    return events.rename(columns={"lat": "lng", "lng": "lat"})


@pytest.mark.parametrize(
    "change, settings",
    [
        (lambda events: events[:0], {}),
        (lambda events: events.assign(lat="x"), {"bad_rows": "skip"}),
        (lambda events: events.assign(datetime=events.datetime + pd.Timedelta("900D")), {}),
        (lambda events: events[events.datetime < "2024-01-05"], {}),
        (lambda events: events.assign(lat=events.lat + 10), {}),
        (swapped, {}),
        (lambda events: events.assign(lat=events.lat + 100), {}),
        (lambda events: events.assign(roi="x"), {"rois": "kind = 'ids'\nlist = 'places.csv'"}),
        (lambda events: events.drop(columns="lat"), {}),
        (lambda events: events.assign(datetime="03/04/2024 10:00"), {}),
        (lambda events: events, {"zone": "Mars/Base"}),
    ],
    ids="empty bad period short box swapped beyond list column months zone".split(),
)
def test_what_is_wrong_with_all_is_said_as_on_one_machine(spark, tmp_path, change, settings):
    (tmp_path / "places.csv").write_text("roi\na\nb\n")
    write_parquet(change(make_events(300, 6)), tmp_path / "events.parquet")
    study = write_study(tmp_path, "events.parquet", **settings)
    with pytest.raises((hs.InputError, hs.ConfigError)) as here:
        read_here(study)
    with pytest.raises((hs.InputError, hs.ConfigError)) as there:
        make_shares(spark, study, None, 2)
    assert type(there.value) is type(here.value)
    assert str(there.value) == str(here.value)


def test_a_wrong_type_is_named(spark, tmp_path):
    frame = spark.createDataFrame(make_events(10, 2)).selectExpr("uid", "lat > 50 AS lat", "lng", "datetime")
    with pytest.raises(hs.InputError, match=r"data frame: column lat: has type BOOLEAN; expected numbers"):
        make_shares(spark, write_study(tmp_path), frame, 2)


def test_times_that_spark_does_not_read_are_told_of(spark, tmp_path):
    make_events(10, 2).to_parquet(tmp_path / "events.parquet")
    with pytest.raises(hs.InputError, match="events.parquet: cannot be read: .*NANOS.*; write times in microseconds"):
        make_shares(spark, write_study(tmp_path, "events.parquet"), None, 2)


def test_what_needs_whole_files_is_refused(spark, tmp_path):
    (tmp_path / "study.toml").write_text((ROOT / "examples/cabs/study.toml").read_text())
    with pytest.raises(hs.ConfigError, match="data.format = cabs: .* cannot be read on a cluster; write the points"):
        make_shares(spark, tmp_path / "study.toml", None, 2)
    with pytest.raises(hs.ConfigError, match="data.columns.polyline .* cannot be read on a cluster"):
        make_shares(spark, write_study(tmp_path, more="format = 'porto'"), None, 2)
    with pytest.raises(hs.ConfigError, match="data.user"):
        make_shares(spark, write_study(tmp_path, more="format = 'geolife'"), None, 2)
    with pytest.raises(hs.InputError, match="no such file"):
        make_shares(spark, write_study(tmp_path), None, 2)
    with pytest.raises(hs.ConfigError, match="partitions = 0"):
        make_shares(spark, write_study(tmp_path), None, 0)


@pytest.mark.parametrize("feed", ["gowalla", "tsmc"])
def test_text_without_names_of_columns(spark, tmp_path, feed):
    events = make_events(400, 7)
    frame = pd.DataFrame({1: events.uid, 2: events.datetime.dt.strftime("%Y-%m-%dT%H:%M:%SZ")})
    frame = frame.assign(lat=events.lat, lng=events.lng, place=1)
    if feed == "tsmc":
        when = events.datetime.dt.strftime("%a %b %d %H:%M:%S +0000 %Y")
        frame = pd.DataFrame({1: events.uid, 2: "v", 3: "c", 4: "Café", 5: events.lat, 6: events.lng, 7: 60, 8: when})
    frame.to_csv(tmp_path / "rows.txt", sep="\t", header=False, index=False, encoding="latin-1")
    check(spark, write_study(tmp_path, "rows.txt", more=f"format = '{feed}'"))
