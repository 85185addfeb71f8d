"""Meets the other processes of its job by what its launcher gave to it, and says "joined KIND RANK of COUNT".

KIND is torch, tf or mpi. What else it does, TRAIN says:
  fail=CODE        ends with CODE after it has joined
  fail-once=CODE   rank 0 makes /state/failed and ends with CODE, while the others train until SIGTERM; if that is there, all end
  wait[=SECONDS]   trains until SIGTERM, then takes SECONDS for a checkpoint, says "checkpoint saved" and ends with 143
"""

import argparse
import json
import os
import pathlib
import signal
import socket
import sys
import threading
import time

PATIENCE = 120


def connected(host, port):
    """Names of pods appear in the DNS some time after the pods."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return socket.create_connection((host, port), 5)
        except OSError as problem:
            if time.monotonic() > end:
                sys.exit(f"no connection to {host}:{port}: {problem}")
            time.sleep(0.1)


def listener(port):
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(("", port))
    server.listen(64)
    server.settimeout(PATIENCE)
    return server


def torch(address, port, rank, count):
    """Rank 0 hears from all others, then tells them so."""
    if rank:
        with connected(address, port) as link:
            link.sendall(f"{rank}\n".encode())
            assert link.makefile().readline() == f"{count}\n", "rank 0 of another job"
    else:
        links, ranks = [], {0}
        with listener(port) as server:
            while len(ranks) < count:
                link, _ = server.accept()
                links.append(link)
                ranks.add(int(link.makefile().readline()))
        assert ranks == set(range(count)), ranks
        for link in links:
            link.sendall(f"{count}\n".encode())
    print(f"joined torch {rank} of {count}", flush=True)


def tensorflow(config):
    """Everyone reaches everyone. A ps serves until it is stopped, as TensorFlow's does."""
    task, cluster = config["task"], config["cluster"]
    members = [(role, index, at) for role, all in cluster.items() for index, at in listed(all)]
    own = [at for role, index, at in members if (role, index) == (task["type"], int(task["index"]))]
    if own:
        serve(listener(int(own[0].rsplit(":", 1)[1])))
    for role, index, at in members:
        if [at] != own and role != "evaluator":
            host, port = at.rsplit(":", 1)
            connected(host, int(port)).close()
    print(f"joined tf {task['type']}-{task['index']} of {len(members)}", flush=True)
    if task["type"] == "ps":
        signal.pause()
    # The others want to find this one, too.
    time.sleep(3)


def listed(addresses):
    return ((int(index), at) for index, at in addresses.items()) if isinstance(addresses, dict) else enumerate(addresses)


def serve(server):
    def loop():
        server.settimeout(None)
        while True:
            server.accept()[0].close()

    threading.Thread(target=loop, daemon=True).start()


def mpi():
    from mpi4py import MPI

    world = MPI.COMM_WORLD
    assert world.allreduce(1) == world.size
    print(f"joined mpi {world.rank} of {world.size}", flush=True)


def join():
    parser = argparse.ArgumentParser()
    for name in ("init_method", "rank", "world_size"):
        parser.add_argument(f"--{name}")
    given, _ = parser.parse_known_args()
    variable = os.environ.get
    if variable("OMPI_COMM_WORLD_SIZE"):
        mpi()
    elif variable("TF_CONFIG"):
        tensorflow(json.loads(os.environ["TF_CONFIG"]))
    elif given.init_method:
        address, port = given.init_method.removeprefix("tcp://").rsplit(":", 1)
        torch(address, int(port), int(given.rank or 0), int(given.world_size or 1))
    elif variable("MASTER_ADDR"):
        torch(variable("MASTER_ADDR"), int(variable("MASTER_PORT")), int(variable("RANK")), int(variable("WORLD_SIZE")))
    else:
        print("joined alone 0 of 1", flush=True)
    return int(variable("RANK") or given.rank or 0)


def wait(seconds):
    def checkpoint(*_):
        print("checkpoint begins", flush=True)
        time.sleep(seconds)
        print("checkpoint saved", flush=True)
        os._exit(143)

    signal.signal(signal.SIGTERM, checkpoint)
    print("training", flush=True)
    while True:
        signal.pause()


def main():
    what, _, value = os.environ.get("TRAIN", "").partition("=")
    failed = pathlib.Path("/state/failed")
    again = failed.exists()
    rank = join()
    if what == "wait":
        wait(float(value or 0))
    if what == "fail-once" and not again:
        if rank != 0:
            wait(0)
        failed.touch()
    if what == "fail" or what == "fail-once" and not again:
        print(f"failing with {value}", flush=True)
        sys.exit(int(value))


main()
