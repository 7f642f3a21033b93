# SPDX-License-Identifier: Apache-2.0
"""What published location counts give away about the individuals behind them.

Read events or trips, describe them, and run a study:

    import hearsay as hs
    data = hs.read_trips("trips.parquet", tz="Europe/London", rois=hs.Stations("stations.csv"),
                         start="2010-03-01", length="4 weeks", observe="3 weeks")
    results = hs.Study(data, priors=["FREQ_ROI"], attacks=["BAYES"]).run()
    results.summary.to_pandas()
    results.report("report.html")
"""

from . import attacks, mechanisms, metrics, priors
from ._advice import Advice, advise
from ._chain import Step, chain, step
from ._core import Beliefs, ConfigError, Dataset, InputError, Release, __version__, build_info
from ._look import Look, look
from ._places import Grid, Stations
from ._publish import Publication, publish
from ._reading import read_cabs, read_events, read_trips
from ._results import Results, Table, open_results
from ._study import Study, release
from ._synthetic import commuters
from ._visits import Visits
from ._warnings import DataWarning

for _error in (ConfigError, DataWarning, InputError):
    _error.__module__ = "hearsay"

__all__ = [
    "Advice",
    "Beliefs",
    "ConfigError",
    "DataWarning",
    "Dataset",
    "Grid",
    "InputError",
    "Look",
    "Publication",
    "Release",
    "Results",
    "Stations",
    "Step",
    "Study",
    "Table",
    "Visits",
    "__version__",
    "advise",
    "attacks",
    "build_info",
    "chain",
    "commuters",
    "look",
    "mechanisms",
    "metrics",
    "open_results",
    "priors",
    "publish",
    "read_cabs",
    "read_events",
    "read_trips",
    "release",
    "step",
]
