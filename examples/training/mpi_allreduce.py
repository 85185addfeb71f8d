#!/usr/bin/env python3
"""Sums vectors over all ranks of an MPI job with mpi4py, and checks every sum.

Needs mpi4py for the MPI that mpirun belongs to (Debian: python3-mpi4py). In each step every rank contributes a vector that
only it and the step decide, so the right sum is known beforehand; it is compared exactly. Without mpirun there is one rank.

With --checkpoint-seconds a rank that gets SIGTERM lets the others know in the next sum. All of them stop after the same step,
save a checkpoint each, wait for each other (mpirun would end those that are slower), and end with 143.
"""

import argparse
import array
import collections
import json
import os
import signal
import sys
import time

from mpi4py import MPI


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=20, help="sums over all ranks")
    parser.add_argument("--elements", type=int, default=10000, help="length of each rank's vector")
    parser.add_argument("--step-delay", type=float, default=0.0, help="seconds that every step takes longer")
    parser.add_argument("--checkpoint-seconds", type=float, help="on SIGTERM save a checkpoint, which takes so long")
    return parser.parse_args()


def contribution(rank, step, elements):
    return array.array("q", (rank * 1000 + step + index for index in range(elements)))


def right_sum(ranks, step, elements):
    of_ranks = 1000 * ranks * (ranks - 1) // 2
    return array.array("q", (of_ranks + ranks * (step + index) for index in range(elements)))


class Stop:
    """Whether this rank has got SIGTERM."""

    wanted = False

    def on_signal(self, _signal, _frame):
        self.wanted = True


def save(rank, step, seconds):
    """Writes the checkpoint; it has its name only when it is complete."""
    time.sleep(seconds)
    name = "checkpoint-rank-%d.json" % rank
    with open(name + ".part", "w") as file:
        json.dump({"rank": rank, "step": step}, file)
    os.replace(name + ".part", name)


def train(world, options, stop):
    """Returns after which step the ranks were told to stop, None when they were not."""
    rank, ranks = world.Get_rank(), world.Get_size()
    for step in range(1, options.steps + 1):
        total = array.array("q", bytes(8 * options.elements))
        world.Allreduce(contribution(rank, step, options.elements), total, op=MPI.SUM)
        if total != right_sum(ranks, step, options.elements):
            sys.exit("rank %d: wrong: step %d has another sum than %d ranks should have" % (rank, step, ranks))
        if world.allreduce(stop.wanted, op=MPI.LOR):
            return step
        time.sleep(options.step_delay)
    return None


def report(world, options):
    host = MPI.Get_processor_name()
    print("rank %d: ok: %d right sums on %s" % (world.Get_rank(), options.steps, host), flush=True)
    hosts = world.gather(host)
    if hosts:
        placed = ", ".join("%d on %s" % (count, name) for name, count in sorted(collections.Counter(hosts).items()))
        print("job: ok: %d ranks: %s" % (len(hosts), placed), flush=True)


def main():
    options = arguments()
    stop = Stop()
    if options.checkpoint_seconds is not None:
        signal.signal(signal.SIGTERM, stop.on_signal)
    world = MPI.COMM_WORLD
    stopped_after = train(world, options, stop)
    if stopped_after is None:
        report(world, options)
        return
    save(world.Get_rank(), stopped_after, options.checkpoint_seconds)
    world.Barrier()
    print("rank %d: saved step %d" % (world.Get_rank(), stopped_after), flush=True)
    # Else mpirun takes the end of one rank for a crash, and ends the others.
    MPI.Finalize()
    sys.exit(128 + signal.SIGTERM)


if __name__ == "__main__":
    main()
