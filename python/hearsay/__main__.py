# SPDX-License-Identifier: Apache-2.0
from hearsay_program import main

main()
