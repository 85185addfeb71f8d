#!/usr/bin/env python3
"""Data-parallel linear regression: a small but real distributed training job.

Plain Python 3.7 or newer, nothing to install. Every rank has its own shard of the data, the
gradients are averaged over TCP after each step, and so all ranks keep the same weights. At the end
they check that this is so, and that the loss fell.

The environment says who takes part: RANK_ID, RANK_SIZE, JOB_ID and the rank table's path in
RANK_TABLE_FILE (MINDSPORE_HCCL_CONFIG_PATH for a lab table). Without them the script trains alone.
"""

import argparse
import hashlib
import itertools
import json
import os
import random
import signal
import socket
import sys
import time

# What training should find: four features and, as the last weight, the bias.
TRUE_WEIGHTS = (1.5, -2.0, 0.75, 3.0, 0.5)
NOISE = 0.1

HANDSHAKE_SECONDS = 2.0


class Failure(Exception):
    """The job cannot go on; the text is the one line that the user sees."""


class Stop(Exception):
    """The job shall end early and save a checkpoint first."""


# --- Who takes part: environment and rank table ---------------------------------------------------
def read_world(environment):
    """This rank, the number of ranks, a digest that only this job has, and all ranks' addresses."""
    paths = [environment.get(n, "") for n in ("RANK_TABLE_FILE", "MINDSPORE_HCCL_CONFIG_PATH")]
    path = next(filter(os.path.isfile, paths), None)
    rank, size = environment.get("RANK_ID"), environment.get("RANK_SIZE")
    if path is None and (rank, size) in ((None, None), ("0", "1")):
        return 0, 1, "", []
    if not (rank and size and path):
        raise Failure("RANK_ID, RANK_SIZE and RANK_TABLE_FILE (naming a file) must all be set")
    rank, size = int(rank), int(size)
    members = read_table(path)
    if rank not in [member[0] for member in members]:
        raise Failure(f"rank {rank} is not in the rank table {path}")
    if len(members) != size:
        raise Failure(f"RANK_SIZE is {size}, but the rank table {path} has {len(members)} ranks")
    # Not the bytes of the table: each node may have written its own copy.
    job = json.dumps([environment.get("JOB_ID", ""), members])
    return rank, size, hashlib.sha256(job.encode()).hexdigest(), choose_addresses(members, rank)


def read_table(path):
    """Reads a rank table: (rank, device address or None, server address), sorted by rank."""
    try:
        with open(path, encoding="utf-8") as file:
            table = json.load(file)
        families = {"server_list": server_table, "rank_list": level_table, "group_list": lab_table}
        members = [m for key, family in families.items() if key in table for m in family(table)]
        return sorted(members, key=lambda member: member[0])
    except (OSError, LookupError, TypeError, ValueError) as problem:
        raise Failure(f"the rank table {path} cannot be used: {problem!r}") from None


def server_table(table):
    """Versions 1.0 and 1.2; a device address may be a list, or missing in a superpod."""
    for server in table["server_list"]:
        for device in server["device"]:
            address = device.get("device_ip", "").split(",")[0] or None
            yield int(device["rank_id"]), address, server.get("host_ip") or server["server_id"]


def level_table(table):
    """Version 2.0: addresses lie in levels, need not be IP addresses, and servers have no name."""
    for rank in table["rank_list"]:
        addresses = [a for level in rank["level_list"] for a in level["rank_addr_list"]]
        ip_addresses = [a["addr"] for a in addresses if a["addr_type"] == "IP"]
        yield int(rank["rank_id"]), next(iter(ip_addresses), None), "127.0.0.1"


def lab_table(table):
    """The lab table of early MindSpore: one device per instance."""
    for group in table["group_list"]:
        for instance in group["instance_list"]:
            device = instance["devices"][0]
            yield int(instance["rank_id"]), device["device_ip"], instance["server_id"]


def choose_addresses(members, rank):
    """Device addresses, or the servers' where hosts have no access to them (as with real cards)."""
    try:
        listen(members[rank][1] or "", [0]).close()
        return [device or server for _, device, server in members]
    except Failure:
        return [server for _, _, server in members]


# --- The ring -------------------------------------------------------------------------------------
class Ring:
    """All ranks in a circle: each one hears the previous rank and speaks to the following one."""

    def __init__(self, rank, size, job, addresses):
        self.rank, self.size, self.job, self.addresses = rank, size, job, addresses
        self.previous = None  # A stream to read from, after join().
        self.following = socket.socket()  # To write to; before join() nobody listens.

    def join(self, timeout):
        """Rank 0 calls rank 1, which then calls rank 2, until the last rank calls rank 0."""
        deadline = time.monotonic() + timeout
        listener = listen(self.addresses[self.rank], candidate_ports(self.job, self.rank))
        if self.rank == 0:
            self._call_following(deadline)
        # A bit longer: whoever calls a missing rank knows best which one it is.
        self._await_previous(listener, deadline + 1.0)
        listener.close()
        if self.rank != 0:
            self._call_following(deadline)

    def combine(self, values, operation):
        """Combines all ranks' values in rank order; a second round spreads the result."""
        if self.size == 1:
            return values
        self.tell(values=values if self.rank == 0 else operation(self._hear(), values))
        result = self._hear()
        if self.rank < self.size - 1:
            self.tell(values=result)
        return result

    def average(self, values):
        """The mean of all ranks' values, the same to the last bit on every rank."""
        total = self.combine(values, lambda left, right: [a + b for a, b in zip(left, right)])
        return [value / self.size for value in total]

    def tell(self, **message):
        """Sends a message to the following rank."""
        try:
            self.following.sendall(json.dumps(message).encode() + b"\n")
        except OSError:
            pass  # It is lost. The rank after it notices too, and the news comes round the ring.

    def _hear(self):
        """The values that the previous rank sends; bad news is handed on."""
        try:
            message = json.loads(self.previous.readline())
        except (OSError, ValueError):  # The last line is cut off, or there is none.
            message = {"lost": (self.rank - 1) % self.size}
        if "lost" in message:
            self.tell(**message)
            raise Failure(f"lost rank {message['lost']} (Connection closed by peer)")
        if "stop" in message:
            request_stop()
        return message["values"]

    def _await_previous(self, listener, deadline):
        caller = (self.rank - 1) % self.size
        words = f"{self.job}: rank {caller} calls rank {self.rank}\n".encode()
        complaint = f"rank {caller} did not call: it or one before it is missing"
        self.previous = retry(lambda: answer(listener, words), deadline, complaint)

    def _call_following(self, deadline):
        called = (self.rank + 1) % self.size
        address = self.addresses[called]
        ports = itertools.cycle(candidate_ports(self.job, called))
        words = f"{self.job}: rank {self.rank} calls rank {called}\n".encode()
        complaint = f"lost rank {called}: no answer at {address}"
        self.following = retry(lambda: call((address, next(ports)), words), deadline, complaint)


def retry(action, deadline, complaint):
    """Repeats the action until there is no OSError or it is too late."""
    while time.monotonic() < deadline:
        try:
            return action()
        except OSError:
            time.sleep(0.02)
    raise Failure(complaint)


def candidate_ports(job, rank):
    """Where a rank may listen, known to all; below the ports that systems take for own calls."""
    return random.Random(f"{job} {rank}").sample(range(20000, 30000), 8)


def listen(address, ports):
    """A socket that listens at the first port that is free."""
    for port in ports:
        listener = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((address, port))
            listener.listen()
            listener.settimeout(1.0)
            return listener
        except OSError as problem:
            reason = problem.strerror
    raise Failure(f"cannot listen on {address}: {reason}")


def call(address, words):
    """A socket to write to; OSError unless the right rank of the right job answers."""
    connection = socket.create_connection(address, HANDSHAKE_SECONDS)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.sendall(words)
    expect(connection.makefile("rb"), hashlib.sha256(words).digest())
    connection.sendall(words)
    connection.settimeout(None)
    return connection


def answer(listener, words):
    """A stream to read from; OSError unless the right rank of the right job calls."""
    connection, _ = listener.accept()
    connection.settimeout(HANDSHAKE_SECONDS)
    stream = connection.makefile("rb")
    expect(stream, words)
    connection.sendall(hashlib.sha256(words).digest())
    expect(stream, words)  # Once more: a caller that has lost patience will call again instead.
    connection.settimeout(None)
    return stream


def expect(stream, words):
    """Reads the words, or raises OSError."""
    if stream.read(len(words)) != words:
        raise OSError("somebody else")


# --- Training -------------------------------------------------------------------------------------
def train(ring, model, options):
    """All steps from the model's on; returns the loss before the very first and after the last one."""
    rows, targets = make_shard(ring.rank, options.samples)
    first = model.pop("first", None)
    for step in range(model["step"], options.steps + 1):
        loss, gradient = loss_and_gradient(rows, targets, model["weights"])
        loss, *gradient = ring.average([loss] + gradient)
        first = loss if first is None else first
        if ring.rank == 0 and (step == options.steps or step % max(1, options.steps // 6) == 0):
            print(f"rank 0: step {step} of {options.steps}, loss {loss:.6g}", flush=True)
        if step < options.steps:
            time.sleep(options.step_delay)
            weights = [w - options.learning_rate * g for w, g in zip(model["weights"], gradient)]
            # A single call: SIGTERM may come at any moment, and a checkpoint needs a whole step.
            model.update(step=step + 1, weights=weights)
            if ring.rank == 0 and options.checkpoint and (step + 1) % options.checkpoint_every == 0:
                write(options.checkpoint, {**model, "first": first})
    return first, loss


def make_shard(rank, samples):
    """Random rows of features, each ending with a constant for the bias, and noisy targets."""
    source = random.Random(f"shard {rank}")
    rows = [[source.uniform(-1, 1) for _ in TRUE_WEIGHTS[1:]] + [1.0] for _ in range(samples)]
    return rows, [dot(row, TRUE_WEIGHTS) + source.gauss(0.0, NOISE) for row in rows]


def dot(left, right):
    """The scalar product."""
    return sum(a * b for a, b in zip(left, right))


def loss_and_gradient(rows, targets, weights):
    """Mean squared error over the shard, and its gradient."""
    errors = [dot(row, weights) - target for row, target in zip(rows, targets)]
    gradient = [2.0 * dot(errors, column) / len(rows) for column in zip(*rows)]
    return dot(errors, errors) / len(rows), gradient


def check(ring, model, first, last):
    """Fails unless all ranks hold the same weights and the loss fell."""
    digest = hashlib.sha256(repr(model["weights"]).encode()).hexdigest()
    equal = ring.combine([digest], lambda left, right: left + right).count(digest)
    summary = f"same weights on {equal} of {ring.size} ranks, loss {first:.6g} -> {last:.6g}"
    if equal < ring.size or not last < first:
        raise Failure(f"check failed: {summary}")
    print(f"rank {ring.rank}: ok: {summary}", flush=True)


def save_checkpoint(rank, model, seconds):
    """Takes its time as with a big model; the file appears only when it is complete."""
    name = f"checkpoint-rank-{rank}.json"
    print(f"rank {rank}: saving step {model['step']}, which takes {seconds:g} s", flush=True)
    write(name, {"rank": rank, **model}, seconds)
    print(f"rank {rank}: checkpoint saved: {name}", flush=True)


def write(name, content, seconds=0.0):
    """Writes a file that has its name only when it is complete, whenever this process is killed."""
    with open(name + ".tmp", "w", encoding="utf-8") as file:
        json.dump(content, file)
        time.sleep(seconds)
    os.replace(name + ".tmp", name)


def resume(rank, path, model):
    """Goes on where the checkpoint is, if there is one; before any rank of this run can write another."""
    if path and os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            model.update(json.load(file))
        print(f"rank {rank}: goes on at step {model['step']}", flush=True)


# --- Command line ---------------------------------------------------------------------------------
def request_stop(*_):
    """Leaves whatever is going on, also a wait for other ranks, to save a checkpoint in peace."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise Stop()


def parse_options():
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Trains a linear regression on one or many ranks.")
    for name, kind, default, text in (
        ("--steps", int, 60, "steps of gradient descent"),
        ("--samples", int, 200, "samples in each rank's shard"),
        ("--learning-rate", float, 0.3, "size of a step"),
        ("--step-delay", float, 0.0, "seconds by which each step is made slower"),
        ("--connect-timeout", float, 120.0, "seconds to wait for ranks that start late"),
        ("--checkpoint-seconds", float, None, "on SIGTERM save a checkpoint, which takes N"),
        ("--checkpoint-every", int, 10, "steps from one checkpoint of the whole job to the next"),
    ):
        text += f" (default: {default})"
        parser.add_argument(name, type=kind, default=default, metavar="N", help=text)
    parser.add_argument("--checkpoint", metavar="FILE", help="save the job's state there, and go on from it if it is there")
    return parser.parse_args()


def main():
    """The whole job of one rank; returns the exit code."""
    options = parse_options()
    model = {"step": 0, "weights": [0.0] * len(TRUE_WEIGHTS)}
    try:
        ring = Ring(*read_world(os.environ))
        if options.checkpoint_seconds is not None:
            signal.signal(signal.SIGTERM, request_stop)
        resume(ring.rank, options.checkpoint, model)
        if ring.size > 1:
            ring.join(options.connect_timeout)
        check(ring, model, *train(ring, model, options))
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # Nothing is left to save.
        return 0
    except Stop:
        # A rank that SIGTERM has not reached yet shall not take us for lost. It hands this on.
        ring.tell(stop=True)
        save_checkpoint(ring.rank, model, options.checkpoint_seconds or 0.0)
        return 128 + signal.SIGTERM
    except Failure as failure:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print(f"rank {os.environ.get('RANK_ID', '?')}: {failure}", file=sys.stderr, flush=True)
        return 1


if __name__ == "__main__":
    sys.exit(main())
