#!/usr/bin/env python3
"""Runs Muster and another boot program side by side, each as a node of a ModelArts job. See README.md beside this file."""

import argparse
import glob
import json
import os
import random
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = os.path.join(ROOT, "distribution", "target", "muster-linux-" + os.uname().machine, "bin", "muster")
GENERIC = os.path.join(ROOT, "distribution", "target", "muster", "bin", "muster")
JAR = os.path.join(ROOT, "distribution", "target", "muster.jar")
MARK = "COMPARE_RUN"
RANKS = 8
DEADLINE_SECONDS = 60

# Each measure: its unit, and the bar and the goal for each way to start Muster. Ratios are Muster / peer.
MEASURES = {
    "whole job": ("ms", {"package": (0.20, 0.10), "generic": (0.20, 0.10), "jar": (0.60, 0.30)}),
    "first rank": ("ms", {"package": (4.0, 2.5)}),
    "failure": ("ms", {"package": (0.10, 0.02)}),
    "peak memory": ("MB", {"package": (64, 48)}),
}
ABSOLUTE = {"peak memory"}  # its bar is for Muster's own figure


class Void(Exception):
    """A contestant did not do the work, so its time means nothing."""


class Scenario:
    """One run: a new directory with the files that ModelArts gives to a node with eight cards."""

    def __init__(self, parent):
        self.directory = tempfile.mkdtemp(dir=parent)
        self.logs = os.path.join(self.directory, "mount", "log")
        self.output = os.path.join(self.directory, "output.txt")
        self.mark = os.path.basename(self.directory) + str(os.getpid())
        config = os.path.join(self.directory, "config")
        os.makedirs(self.logs)
        os.makedirs(config)
        devices = [{"device_id": str(i), "device_ip": "127.0.0.%d" % (i + 1)} for i in range(RANKS)]
        instance = {"pod_name": "job-0", "server_id": "127.0.0.1", "devices": devices}
        group = {"group_name": "worker", "device_count": str(RANKS), "instance_count": "1", "instance_list": [instance]}
        with open(os.path.join(config, "jobstart_hccl.json"), "w") as table:
            json.dump({"status": "completed", "group_count": "1", "group_list": [group]}, table)
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("MA_", "VC_", "VK_", "MUSTER_", "RANK_", "DEVICE_", "ASCEND_",
                                                 "PET_"))}
        self.environment.update({
            "MA_VJ_NAME": "ma-job-compare", "MA_CURRENT_INSTANCE_NAME": "job-0", "MA_CURRENT_HOST_IP": "127.0.0.1",
            "MA_MOUNT_PATH": os.path.join(self.directory, "mount"), "RANK_TABLE_FILE": config, MARK: self.mark})

    def run(self, command):
        """Starts the command and waits for it. Returns exit code, start and end (ns), peak memory of its largest process."""
        actions = [(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
                   (os.POSIX_SPAWN_OPEN, 1, self.output, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600),
                   (os.POSIX_SPAWN_DUP2, 1, 2)]
        signal.alarm(DEADLINE_SECONDS)
        start = time.time_ns()
        pid = os.posix_spawnp(command[0], command, self.environment, file_actions=actions)
        _, status, usage = os.wait4(pid, 0)
        end = time.time_ns()
        signal.alarm(0)
        return os.waitstatus_to_exitcode(status), start, end, usage.ru_maxrss / 1024

    def rank_logs(self):
        """The output of each rank. Waits a moment until all of it is written."""
        deadline = time.monotonic() + 2
        while True:
            logs = [read(path) for path in glob.glob(os.path.join(self.logs, "*proc-rank-*"))]
            if len(logs) == RANKS or time.monotonic() > deadline:
                return logs
            time.sleep(0.005)

    def leftovers(self):
        """The processes of this run that still run. A variable marks them."""
        found = []
        for directory in glob.glob("/proc/[0-9]*"):
            if ("%s=%s" % (MARK, self.mark)) in read(os.path.join(directory, "environ")).split("\0"):
                found.append(int(os.path.basename(directory)))
        return found

    def close(self):
        for pid in self.leftovers():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        shutil.rmtree(self.directory)


def read(path):
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def require(fact, problem):
    if not fact:
        raise Void(problem)


def whole_job(scenario, start_of, _delay):
    """Eight ranks that do nothing: from the start of the launcher to its end."""
    code, start, end, memory = scenario.run(start_of(["/bin/true"]))
    require(code == 0, "exit code %d" % code)
    logs = scenario.rank_logs()
    require(len(logs) == RANKS, "%d ranks left a log" % len(logs))
    return {"whole job": (end - start) / 1e6, "peak memory": memory}


def first_rank(scenario, start_of, _delay):
    """Eight ranks that print the time: from the start of the launcher to the earliest of them, read from the ranks' logs."""
    code, start, _, _ = scenario.run(start_of(["/bin/date", "+%s%N"]))
    require(code == 0, "exit code %d" % code)
    deadline = time.monotonic() + 2
    stamps = []
    while len(stamps) < RANKS and time.monotonic() < deadline:
        stamps = [int(log) for log in scenario.rank_logs() if len(log) == len("1000000000000000000\n")]
    require(len(stamps) == RANKS, "%d ranks logged the time" % len(stamps))
    return {"first rank": (min(stamps) - start) / 1e6}


def failure(scenario, start_of, delay):
    """One rank fails while the others sleep: from its end to the end of the launcher."""
    rank = 'if [ "$RANK_ID" = 3 ]; then sleep %.3f; date +%%s%%N; exit 3; fi; exec sleep 60' % delay
    code, _, end, _ = scenario.run(start_of(["/bin/sh", "-c", rank]))
    left = scenario.leftovers()
    require(code == 3, "exit code %d instead of 3" % code)
    logs = scenario.rank_logs()
    require(len(logs) == RANKS, "%d ranks left a log" % len(logs))
    return {"failure": (end - int("".join(logs))) / 1e6, "left behind": len(left)}


def measure(contestants, rounds, place, runs=(whole_job, first_rank, failure), scenario_in=Scenario):
    """All rounds, the first of which warms up. In each round all contestants run each scenario, in random order."""
    figures = []
    for number in range(rounds + 1):
        figures.append({name: {} for name in sorted(contestants)})
        delay = random.uniform(0.3, 1.3)  # the same for all contestants: one that polls once a second may notice it sooner or later
        for run in runs:
            for name in random.sample(sorted(contestants), len(contestants)):
                scenario = scenario_in(place)
                try:
                    figures[-1][name].update(run(scenario, contestants[name], delay))
                except Void as problem:
                    sys.exit("%s, %s: %s. It printed:\n%s" % (name, run.__name__, problem, read(scenario.output)))
                finally:
                    scenario.close()
        print("round %d of %d%s" % (number, rounds, "" if number else " (warm-up)"), file=sys.stderr)
    return figures[1:]


def spread(values, form):
    return "%s [%s .. %s]" % tuple(form % value for value in (statistics.median(values), min(values), max(values)))


def row(*cells):
    print("{:<15} {:<8} {:<20} {:<20} {:<25} {:>5} {:>5}  {}".format(*cells).rstrip())


def report(figures, measures=MEASURES):
    """Medians with the least and the greatest value. A ratio compares values of the same round."""
    row("", "", "peer", "Muster", "Muster / peer", "bar", "goal", "")
    for way in sorted(set(figures[0]) - {"peer"}, reverse=True):
        for name, (unit, bars) in measures.items():
            mine = [each[way][name] for each in figures]
            peers = [each["peer"][name] for each in figures]
            ratios = [one / other for one, other in zip(mine, peers)]
            bar, goal = bars.get(way, (None, None))
            decisive = statistics.median(mine if name in ABSOLUTE else ratios)
            verdict = "" if bar is None else "goal met" if decisive <= goal else "bar met" if decisive <= bar else "bar MISSED"
            row("%s, %s" % (name, unit), way, spread(peers, "%.0f"), spread(mine, "%.0f"), spread(ratios, "%.3f"),
                bar or "", goal or "", verdict)
    for name in [each for each in figures[0] if "left behind" in figures[0][each]]:
        print("processes left behind by %s in %d rounds: %d" % (
            name, len(figures), sum(each[name]["left behind"] for each in figures)))


def keep(path, name, figures):
    """Writes the raw figures, by default into a file in target/."""
    raw = path or os.path.join(ROOT, "target", "%s-%s.json" % (name, time.strftime("%Y%m%d-%H%M%S")))
    os.makedirs(os.path.dirname(os.path.abspath(raw)), exist_ok=True)
    with open(raw, "w") as file:
        json.dump(figures, file, indent=1)
    print("raw figures: " + raw)


def version_of(launcher):
    return subprocess.run(launcher + ["--version"], stdout=subprocess.PIPE, check=True).stdout.decode().strip()


def load():
    return read("/proc/loadavg").split()[0]


def expired(_signal, _frame):
    raise Void("did not end within %d s" % DEADLINE_SECONDS)


def options_of(name, description):
    """The options of every comparison with another boot program. The file of raw figures has the comparison's name."""
    options = argparse.ArgumentParser(description=description)
    options.add_argument("--peer", required=True, metavar="COMMAND", help="the other boot program, as a shell would split it")
    options.add_argument("--muster", default=shlex.quote(PACKAGE), metavar="COMMAND", help="the packaged launcher")
    options.add_argument("--rounds", type=int, default=9)
    options.add_argument("--raw", metavar="FILE", help="where the raw figures go (target/%s-TIME.json)" % name)
    return options


def peer_of(options, chosen):
    """The words of the peer's command, if that program exists."""
    peer = shlex.split(chosen.peer)
    if not shutil.which(peer[0]):
        options.error("--peer: there is no program " + peer[0])
    return peer


def main():
    options = options_of("compare", __doc__)
    options.add_argument("--generic", action="store_true", help="also: the package without a Java of its own")
    options.add_argument("--jar", action="store_true", help="also: java -jar muster.jar")
    chosen = options.parse_args()
    peer = peer_of(options, chosen)
    ways = {"package": shlex.split(chosen.muster)}
    if chosen.generic:
        ways["generic"] = [GENERIC]
    if chosen.jar:
        java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if os.environ.get("JAVA_HOME") else "java"
        ways["jar"] = [java, "-jar", JAR]
    contestants = {name: (lambda job, way=way: way + ["--engine", "ascend", "--"] + job) for name, way in ways.items()}
    contestants["peer"] = lambda job: peer + job
    version = version_of(ways["package"])
    signal.signal(signal.SIGALRM, expired)
    before = load()
    with tempfile.TemporaryDirectory(prefix="compare-") as place:
        figures = measure(contestants, chosen.rounds, place)
    print("%s; %d ranks, %d rounds, %d cores, load %s before and %s after; peer: %s" % (
        version, RANKS, chosen.rounds, len(os.sched_getaffinity(0)), before, load(), chosen.peer))
    report(figures)
    keep(chosen.raw, "compare", {"version": version, "peer": peer, "muster": ways, "rounds": figures})


if __name__ == "__main__":
    main()
