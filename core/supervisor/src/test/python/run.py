#!/usr/bin/env python3
"""run.py PROGRAM [NAME...]: tests the native program from outside. The last line counts passed and failed tests."""

import os
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent


def main():
    os.environ["MUSTER_PROGRAM"] = os.path.abspath(sys.argv[1])
    sys.path.insert(0, str(HERE))
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{name}*" for name in sys.argv[2:]] or None
    suite = loader.discover(str(HERE), "test_*.py")
    result = unittest.TextTestRunner(verbosity=int(os.environ.get("MUSTER_VERBOSITY", "1"))).run(suite)
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
