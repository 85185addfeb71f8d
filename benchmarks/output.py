#!/usr/bin/env python3
"""Measures the output of eight busy ranks through Muster and through another boot program. See README.md beside this file."""

import glob
import os
import shlex
import signal
import sys
import tempfile

import compare

# Times as a ratio Muster / peer. The bar is six tenths of the peer's throughput, the goal is the same throughput.
MEASURES = {"output": ("ms", {"package": (1.67, 1.0)})}
LINE = "x" * 99


def printing(megabytes):
    """A rank's command: it prints so many bytes in lines of 100 bytes, at most 64 KB per write, and notes begin and end beside its log."""
    script = ("import os, time\n"
              "block = ('%s\\n' * 655).encode()\n"
              "left = %d * 1000000\n"
              "begin = time.time_ns()\n"
              "while left > 0:\n"
              "    left -= os.write(1, block[:left])\n"
              "with open(os.environ['%s'] + '/' + str(os.getpid()), 'w') as note:\n"
              "    note.write('%%d %%d' %% (begin, time.time_ns()))\n") % (LINE, megabytes, "COMPARE_NOTES")
    return [sys.executable, "-S", "-c", script]


def run_of(megabytes):
    def output(scenario, start_of, _delay):
        """The time from the first byte of the first rank to the last byte of the last one. Every byte must be in the logs."""
        notes = os.path.join(scenario.directory, "notes")
        os.mkdir(notes)
        scenario.environment["COMPARE_NOTES"] = notes
        code, _, _, _ = scenario.run(start_of(printing(megabytes)))
        compare.require(code == 0, "exit code %d" % code)
        stamps = [[int(stamp) for stamp in compare.read(note).split()] for note in glob.glob(os.path.join(notes, "*"))]
        compare.require(len(stamps) == compare.RANKS, "%d ranks have ended" % len(stamps))
        logs = [len(log) for log in scenario.rank_logs()]
        compare.require(logs == [megabytes * 1000000] * compare.RANKS, "logs of %s bytes" % logs)
        return {"output": (max(end for _, end in stamps) - min(begin for begin, _ in stamps)) / 1e6}
    return output


def main():
    options = compare.options_of("output", __doc__)
    options.add_argument("--megabytes", type=int, default=50, help="of each of the %d ranks" % compare.RANKS)
    chosen = options.parse_args()
    peer, muster = compare.peer_of(options, chosen), shlex.split(chosen.muster)
    contestants = {"package": lambda job: muster + ["--engine", "ascend", "--"] + job, "peer": lambda job: peer + job}
    version = compare.version_of(muster)
    signal.signal(signal.SIGALRM, compare.expired)
    before = compare.load()
    with tempfile.TemporaryDirectory(prefix="output-", dir="/dev/shm") as place:
        figures = compare.measure(contestants, chosen.rounds, place, (run_of(chosen.megabytes),))
    print("%s; %d ranks of %d MB, %d rounds, %d cores, load %s before and %s after; peer: %s" % (
        version, compare.RANKS, chosen.megabytes, chosen.rounds, len(os.sched_getaffinity(0)), before, compare.load(), chosen.peer))
    compare.report(figures, MEASURES)
    compare.keep(chosen.raw, "output", {"version": version, "peer": peer, "muster": muster, "rounds": figures})


if __name__ == "__main__":
    main()
