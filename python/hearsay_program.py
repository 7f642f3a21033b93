# SPDX-License-Identifier: Apache-2.0
"""The command `hearsay`: the program that comes with the package.

It stands outside the package, so that the command does not import it.
"""

import os
import sys


def main():
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hearsay", "bin", "hearsay")
    os.execv(program, ["hearsay", *sys.argv[1:]])
