#!/usr/bin/env python3
"""Linear regression with PyTorch's DistributedDataParallel: a small job that knows whether it worked.

Needs PyTorch 1.13 or newer and no card: the processes talk with gloo and compute on the CPU. How they
come to be is the launcher's choice:

* Under torchrun, or with its variables (RANK, WORLD_SIZE, MASTER_ADDR, ...), this is one process of the job.
* Else this is one node of the job: it starts --nprocs processes itself. A launcher gives --init_method,
  and where there are several nodes --rank (of this node) and --world_size (nodes).

All processes together see every sample once in each step, so their number changes no more of the result than its
last digits.
"""

import argparse
import datetime
import os
import sys
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel

# What training should find: four features and the bias.
TRUE_WEIGHTS = (1.5, -2.0, 0.75, 3.0)
TRUE_BIAS = 0.5
NOISE = 0.1
SAMPLES = 960  # Every number of processes up to 6, and 8, 10, 12 and so on, gets shards of the same size.

# The noise alone is a loss of NOISE squared; what is far above it has not learned.
LOSS_BOUND = 1.5 * NOISE**2


def make_shard(rank, world_size):
    """This process's share of the data. All processes draw the same data first."""
    source = torch.Generator().manual_seed(2718)
    features = torch.rand(SAMPLES, len(TRUE_WEIGHTS), generator=source) * 2 - 1
    noise = torch.randn(SAMPLES, generator=source) * NOISE
    targets = features @ torch.tensor(TRUE_WEIGHTS) + TRUE_BIAS + noise
    return features[rank::world_size], targets[rank::world_size]


def load(path):
    """The step and the weights of the last checkpoint, if there is one."""
    return torch.load(path) if path and os.path.exists(path) else {"step": 0}


def save(path, step, model):
    """The file has its name only when it is complete, whenever this process is killed."""
    torch.save({"step": step, "weights": model.state_dict()}, path + ".tmp")
    os.replace(path + ".tmp", path)


def train(rank, world_size, options, saved):
    """All steps in a process group that is up; returns the model and the loss over all samples."""
    torch.manual_seed(rank)  # DistributedDataParallel gives everybody the weights of rank 0.
    linear = torch.nn.Linear(len(TRUE_WEIGHTS), 1)
    if saved["step"] > 0:
        linear.load_state_dict(saved["weights"])
        print(f"rank {rank}: goes on at step {saved['step']}", flush=True)
    model = DistributedDataParallel(linear)
    optimizer = torch.optim.SGD(model.parameters(), lr=options.learning_rate)
    features, targets = make_shard(rank, world_size)
    for step in range(saved["step"], options.steps):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(features).squeeze(1), targets)
        loss.backward()
        optimizer.step()
        if rank == 0 and step % max(1, options.steps // 5) == 0:
            print(f"step {step} of {options.steps}, loss {loss.item():.6f}", flush=True)
        if rank == 0 and options.checkpoint and (step + 1) % options.checkpoint_every == 0:
            save(options.checkpoint, step + 1, linear)
        time.sleep(options.step_delay)
    with torch.no_grad():
        errors = ((model(features).squeeze(1) - targets) ** 2).sum()
    dist.all_reduce(errors)
    return model, errors.item() / SAMPLES


def check(model, loss, world_size):
    """Why the result is wrong, or nothing: every process must hold the same weights, and they must be good."""
    weights = torch.cat([parameter.detach().flatten() for parameter in model.parameters()])
    everybodys = [torch.empty_like(weights) for _ in range(world_size)]
    dist.all_gather(everybodys, weights)
    equal = sum(torch.equal(weights, other) for other in everybodys)
    if equal < world_size:
        return f"only {equal} of {world_size} ranks have the weights of this one"
    if not loss < LOSS_BOUND:
        return f"the loss is {loss:.6f}, which is not below {LOSS_BOUND:.6f}"
    return ""


def run(rank, world_size, init_method, options):
    """The whole life of one process of the job; ends it with 1 when the result is wrong."""
    saved = load(options.checkpoint)  # Before all have met: until then nobody can save another one.
    limit = datetime.timedelta(seconds=options.timeout)
    dist.init_process_group("gloo", init_method=init_method, rank=rank, world_size=world_size, timeout=limit)
    model, loss = train(rank, world_size, options, saved)
    problem = check(model, loss, world_size)
    if problem:
        print(f"rank {rank}: check failed: {problem}", file=sys.stderr)
        leave(1)
    if rank == 0:
        print(f"final loss {loss:.6f}, same weights on {world_size} ranks")
    dist.barrier()  # Rank 0 is where all meet: it must not leave first.
    leave(0)


def leave(code):
    """Ends this process at once, without taking the process group apart.

    In PyTorch 1.13 that can hang for ever: the main thread waits for gloo's thread and keeps the lock of
    the interpreter meanwhile, which gloo's thread needs to free the last tensor.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def run_local(local_rank, options):
    """One of the processes that a node has started itself."""
    rank = options.rank * options.nprocs + local_rank
    run(rank, options.world_size * options.nprocs, options.init_method, options)


def parse_options():
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Trains a linear regression with DistributedDataParallel.")
    parser.add_argument("--init_method", metavar="URL", help="where the processes meet: tcp://HOST:PORT")
    parser.add_argument("--rank", type=int, default=0, metavar="N", help="which node this is")
    parser.add_argument("--world_size", type=int, default=1, metavar="N", help="how many nodes there are")
    parser.add_argument("--nprocs", type=int, default=1, metavar="N", help="processes of each node, unless RANK is set")
    parser.add_argument("--steps", type=int, default=100, metavar="N", help="steps of gradient descent")
    parser.add_argument("--learning-rate", type=float, default=0.3, metavar="X", help="size of a step")
    parser.add_argument("--step-delay", type=float, default=0.0, metavar="S", help="makes each step slower, in seconds")
    parser.add_argument("--checkpoint", metavar="FILE", help="save the job there, and go on from it if it is there")
    parser.add_argument("--checkpoint-every", type=int, default=10, metavar="N", help="steps between checkpoints")
    parser.add_argument("--timeout", type=float, default=120.0, metavar="S", help="how long to wait for each other")
    return parser.parse_args()


def main():
    """One process of the job, or a node that starts some."""
    options = parse_options()
    if "RANK" in os.environ:
        run(int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"]), "env://", options)
    elif options.init_method is None:
        sys.exit("where shall the processes meet? Give --init_method tcp://HOST:PORT, or start this under torchrun")
    else:
        mp.spawn(run_local, args=(options,), nprocs=options.nprocs)


if __name__ == "__main__":
    main()
