#!/usr/bin/env python3
"""Data-parallel linear regression over MPI, which goes on from its last checkpoint when it is started again.

Needs mpi4py for the MPI that mpirun belongs to (Debian: python3-mpi4py). Every rank has its own shard of the data and all keep
the same weights: gradients are gathered and added up in the order of the ranks, so the result is the same to the last bit,
whether or not the job was interrupted.
"""

import argparse
import json
import os
import random
import sys
import time

from mpi4py import MPI

# What training should find: three features and, as the last weight, the bias.
TRUE_WEIGHTS = (1.5, -2.0, 0.75, 0.5)
NOISE = 0.1


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=60, help="steps of gradient descent")
    parser.add_argument("--samples", type=int, default=100, help="samples in each rank's shard")
    parser.add_argument("--learning-rate", type=float, default=0.3)
    parser.add_argument("--step-delay", type=float, default=0.0, help="seconds that every step takes longer")
    parser.add_argument("--checkpoint", help="a file: save the job there, and go on from it if it is there")
    parser.add_argument("--checkpoint-every", type=int, default=10, help="steps between checkpoints")
    return parser.parse_args()


def shard(rank, samples):
    source = random.Random("shard %d" % rank)
    rows = [[source.uniform(-1, 1) for _ in TRUE_WEIGHTS[1:]] + [1.0] for _ in range(samples)]
    return rows, [dot(row, TRUE_WEIGHTS) + source.gauss(0.0, NOISE) for row in rows]


def dot(left, right):
    return sum(a * b for a, b in zip(left, right))


def loss_and_gradient(rows, targets, weights):
    errors = [dot(row, weights) - target for row, target in zip(rows, targets)]
    return [dot(errors, errors) / len(rows)] + [2.0 * dot(errors, column) / len(rows) for column in zip(*rows)]


def load(path):
    """The last checkpoint; must be read before any rank of this run can write another, which takes a step of all."""
    if path and os.path.exists(path):
        with open(path) as file:
            return json.load(file)
    return {"step": 0, "weights": [0.0] * len(TRUE_WEIGHTS)}


def save(path, model):
    """The file has its name only when it is complete, whenever this process is killed."""
    with open(path + ".part", "w") as file:
        json.dump(model, file)
    os.replace(path + ".part", path)


def train(world, options, model):
    """Returns the loss after the last step."""
    rows, targets = shard(world.Get_rank(), options.samples)
    while True:
        shares = world.allgather(loss_and_gradient(rows, targets, model["weights"]))
        loss, *gradient = [sum(column) / len(shares) for column in zip(*shares)]
        if model["step"] >= options.steps:
            return loss
        model["weights"] = [w - options.learning_rate * g for w, g in zip(model["weights"], gradient)]
        model["step"] += 1
        if world.Get_rank() == 0 and options.checkpoint and model["step"] % options.checkpoint_every == 0:
            save(options.checkpoint, model)
        time.sleep(options.step_delay)


def main():
    options = arguments()
    model = load(options.checkpoint)
    world = MPI.COMM_WORLD
    rank = world.Get_rank()
    if model["step"] > 0:
        print("rank %d: goes on at step %d" % (rank, model["step"]), flush=True)
    loss = train(world, options, model)
    equal = world.allgather(model["weights"]).count(model["weights"])
    # "not <" and not ">=": a loss that is no number is wrong, too.
    if equal < world.Get_size() or not loss < 2 * NOISE**2:
        sys.exit("rank %d: wrong: loss %.6g, the same weights on %d of %d ranks" % (rank, loss, equal, world.Get_size()))
    if rank == 0:
        print("job: ok: %d ranks, loss %r after %d steps" % (equal, loss, model["step"]), flush=True)


if __name__ == "__main__":
    main()
