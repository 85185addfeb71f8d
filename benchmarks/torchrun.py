#!/usr/bin/env python3
"""Runs Muster's ranks per card and the real torchrun side by side, each with eight times /bin/true. See README.md beside this."""

import argparse
import os
import random
import shlex
import shutil
import signal
import tempfile

import compare

MEASURES = {"whole job": ("ms", {"package": (0.20, 0.10)})}  # the bar: five times faster
JOB = ["/bin/true"]
CARDS = str(compare.RANKS)
# Redirects only a rank that does not exist. Without it, torchrun of PyTorch 1 cannot start on Python 3.11.
NONE = CARDS + ":1"


def whole_job(scenario, start, _delay):
    """Eight ranks that do nothing: from the start of the launcher to its end."""
    code, begin, end, memory = start(scenario)
    left = scenario.leftovers()
    compare.require(code == 0, "exit code %d" % code)
    return {"whole job": (end - begin) / 1e6, "peak memory": memory, "left behind": len(left)}


def muster(launcher, scenario):
    outcome = scenario.run(launcher + [
        "--engine", "pytorch-gpu", "--platform", "none", "--log-dir", scenario.logs, "--workdir", scenario.directory,
        "-o", "processes=per-card", "--cards", CARDS, "--"] + JOB)
    logs = len(scenario.rank_logs())
    compare.require(outcome[0] != 0 or logs == compare.RANKS, "%d ranks left a log" % logs)
    return outcome


def torchrun(program, scenario):
    scenario.environment.update({"PET_REDIRECTS": NONE, "PET_TEE": NONE})
    port = str(random.randint(10000, 29999))
    return scenario.run(program + ["--nproc_per_node", CARDS, "--master_port", port, "--no_python"] + JOB)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--torchrun", default="torchrun", metavar="COMMAND", help="as a shell would split it")
    options.add_argument("--muster", default=shlex.quote(compare.PACKAGE), metavar="COMMAND", help="the packaged launcher")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--raw", metavar="FILE", help="where the raw figures go (target/torchrun-TIME.json)")
    chosen = options.parse_args()
    peer, launcher = shlex.split(chosen.torchrun), shlex.split(chosen.muster)
    if not shutil.which(peer[0]):
        options.error("--torchrun: there is no program " + peer[0])
    contestants = {"package": lambda scenario: muster(launcher, scenario), "peer": lambda scenario: torchrun(peer, scenario)}
    version = compare.version_of(launcher)
    signal.signal(signal.SIGALRM, compare.expired)
    before = compare.load()
    with tempfile.TemporaryDirectory(prefix="torchrun-") as place:
        figures = compare.measure(contestants, chosen.rounds, place, [whole_job])
    print("%s; %d ranks, %d rounds, %d cores, load %s before and %s after; peer: %s" % (
        version, compare.RANKS, chosen.rounds, len(os.sched_getaffinity(0)), before, compare.load(), chosen.torchrun))
    compare.report(figures, MEASURES)
    compare.keep(chosen.raw, "torchrun", {"version": version, "peer": peer, "muster": launcher, "rounds": figures})


if __name__ == "__main__":
    main()
