#!/usr/bin/env python3
"""Starts Muster and another boot program with a rank table of very many cards. See README.md beside this file."""

import json
import os
import shlex
import signal
import sys
import tempfile

import compare

# A ratio Muster / peer.
BAR, GOAL = 0.25, 0.20


def table(cards):
    """Template 2, as the platform writes it: pods of eight cards."""
    instances = []
    for pod in range(cards // compare.RANKS):
        devices = [{"device_id": str(card), "device_ip": address(10, pod * compare.RANKS + card)}
                   for card in range(compare.RANKS)]
        instances.append({"pod_name": "job-%d" % pod, "server_id": address(172, pod), "devices": devices})
    group = {"group_name": "worker", "device_count": str(cards), "instance_count": str(len(instances)),
             "instance_list": instances}
    return {"status": "completed", "group_count": "1", "group_list": [group]}


def address(first, number):
    return "%d.%d.%d.%d" % (first, number >> 16, number >> 8 & 255, number & 255)


def scenario_with(cards):
    """A class of scenarios with a table of so many cards. This node is the pod in the middle."""
    content = json.dumps(table(cards))

    class BigTable(compare.Scenario):
        def __init__(self, parent):
            super().__init__(parent)
            with open(os.path.join(self.environment["RANK_TABLE_FILE"], "jobstart_hccl.json"), "w") as file:
                file.write(content)
            pod = cards // compare.RANKS // 2
            self.environment.update(MA_CURRENT_INSTANCE_NAME="job-%d" % pod, MA_CURRENT_HOST_IP=address(172, pod))

    return BigTable


def main():
    options = compare.options_of("tables", __doc__)
    options.add_argument("--cards", type=int, default=100000, help="a multiple of %d" % compare.RANKS)
    options.add_argument("--link", default="auto", metavar="MODE", help="Muster's link between the nodes")
    chosen = options.parse_args()
    peer = compare.peer_of(options, chosen)
    if chosen.cards < compare.RANKS or chosen.cards % compare.RANKS:
        options.error("--cards: %d is no multiple of %d" % (chosen.cards, compare.RANKS))
    muster = shlex.split(chosen.muster)
    contestants = {"package": lambda job: muster + ["--engine", "ascend", "--link", chosen.link, "--"] + job,
                   "peer": lambda job: peer + job}
    version = compare.version_of(muster)
    signal.signal(signal.SIGALRM, compare.expired)
    before = compare.load()
    with tempfile.TemporaryDirectory(prefix="tables-") as place:
        figures = compare.measure(contestants, chosen.rounds, place, (compare.first_rank,), scenario_with(chosen.cards))
    print("%s; %d cards, %d rounds, %d cores, load %s before and %s after; peer: %s" % (
        version, chosen.cards, chosen.rounds, len(os.sched_getaffinity(0)), before, compare.load(), chosen.peer))
    compare.report(figures, {"first rank": ("ms", {"package": (BAR, GOAL)})})
    compare.keep(chosen.raw, "tables", {"version": version, "peer": peer, "muster": muster, "rounds": figures})


if __name__ == "__main__":
    sys.exit(main())
