# SPDX-License-Identifier: Apache-2.0
"""What test_spark.py runs in a process of its own: studies with executors that are processes of their own. Arguments: the
pass of the first study before which an executor is killed, then of each study its file, folder for results and shares."""

import os
import signal
import sys
from pathlib import Path

from pyspark.sql import SparkSession

import hearsay.spark


def executors():
    """Processes of executors that this session started."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            text = (folder / "cmdline").read_text()
        except (OSError, ValueError):
            continue
        if "CoarseGrainedExecutorBackend" in text and str(os.getpid()) in text:
            found.append(int(folder.name))
    return sorted(found)


def main(kill, *jobs):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.memory": "512m",
        "spark.driver.maxResultSize": "64m",
        "spark.executor.memory": "512m",
        "spark.executor.extraJavaOptions": f"-Dhearsay.test={os.getpid()}",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.showConsoleProgress": "false",
        "spark.local.dir": jobs[1] + ".spark",
    }
    builder = SparkSession.builder.master("local-cluster[2,1,768]").appName("test")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    killed = []

    def tell(what, done, total):
        if what == kill and not killed:
            killed.append(executors()[0])
            os.kill(killed[0], signal.SIGKILL)

    for study, out, shares in zip(jobs[0::3], jobs[1::3], jobs[2::3]):
        hearsay.spark.run(spark, study, out=out, partitions=int(shares), progress=tell)
        assert killed, "nothing was killed"
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
