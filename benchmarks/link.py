#!/usr/bin/env python3
"""Measures costs and benefits of the link between the launchers of a job, on test hosts. See README.md beside this."""

import argparse
import json
import os
import random
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import compare
import mpi

NODES = 3
MEMBERS = 1000
USUAL = {"failure": 100, "start": 20, "one-node": 20}

# A rank that ends in one of three ways, and notes the time of its end. All processes of a machine share the clock.
RANK = r"""
import os, signal, sys, time
place, victim, delay = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
rank = os.environ["RANK"]
def note(name):
    path = os.path.join(place, name + "-" + rank)
    with open(path + ".part", "w") as file:
        file.write(str(time.monotonic_ns()))
    os.rename(path + ".part", path)
def told(*_):
    note("told")
    os._exit(0)
signal.signal(signal.SIGTERM, told)
note("up")
if int(rank) != victim:
    signal.pause()
while not all(os.path.exists(os.path.join(place, "up-%d" % other)) for other in range(int(os.environ["WORLD_SIZE"]))):
    time.sleep(0.01)
time.sleep(delay)
note("died")
os.kill(os.getpid(), signal.SIGKILL)
"""


class Hosts(mpi.Site):
    """Test hosts for several jobs, one after another. Each job has a directory that all hosts see."""

    def __init__(self, parent, count):
        super().__init__(parent)
        self.make(count, sys.base_prefix)
        self.jobs = 0

    def place(self):
        self.jobs += 1
        path = os.path.join(self.directory, "job-%d" % self.jobs)
        os.mkdir(path)
        return path

    def launch(self, launcher, place, options, command):
        """Starts a launcher on every host. Returns the launchers with the times of their starts."""
        count = len(self.hosts)
        names = ",".join("%s-worker-%d" % (mpi.JOB, host) for host in range(count))
        started = []
        for host in range(count):
            nodes = ["--nodes", str(count), "--node-index", str(host), "--hosts", names] if count > 1 else []
            words = launcher + ["--engine", "pytorch-gpu", "-o", "processes=per-card", "--cards", "1", "--platform", "none",
                                "--job-id", os.path.basename(self.directory) + "-%d" % self.jobs] + nodes + options
            environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root",
                           "LANG": "C.UTF-8"}
            if os.environ.get("JAVA_HOME"):
                environment["JAVA_HOME"] = os.environ["JAVA_HOME"]
            with open(os.path.join(place, "out-%d" % host), "w") as output:
                at = time.time_ns()
                started.append((at, subprocess.Popen(self.on(host, words + ["--"] + command, place), env=environment,
                                                     stdin=subprocess.DEVNULL, stdout=output, stderr=output)))
        return started

    def require(self, fact, place, problem):
        printed = "".join(compare.read(os.path.join(place, "out-%d" % host)) for host in range(len(self.hosts)))
        compare.require(fact, problem + ". It printed:\n" + printed)


def times(place, name):
    """The notes of the ranks, by rank."""
    notes = [entry for entry in os.listdir(place) if entry.startswith(name + "-") and not entry.endswith(".part")]
    return {int(entry.rpartition("-")[2]): int(compare.read(os.path.join(place, entry))) for entry in notes}


def end_all(hosts, place, started, wanted):
    codes = [mpi.end_of(process) for _, process in started]
    hosts.require(codes == [wanted] * len(codes), place, "exit codes %s" % codes)


def failure(place, launcher, rounds):
    """The time from the kill of a rank on one node until the ranks of other nodes get SIGTERM."""
    hosts = Hosts(place, NODES)
    try:
        figures = []
        for number in range(rounds + 1):
            victim, job = number % NODES, hosts.place()
            command = [sys.executable, "-c", RANK, job, str(victim), "%.3f" % random.uniform(0.3, 1.3)]
            end_all(hosts, job, hosts.launch(launcher, job, ["--link", "required"], command), 128 + 9)
            told, died = times(job, "told"), times(job, "died")
            hosts.require(len(told) == NODES - 1 and list(died) == [victim], job, "notes %s %s" % (told, died))
            figures.append([(each - died[victim]) / 1e6 for each in told.values()])
        return [each for some in figures[1:] for each in some]
    finally:
        hosts.close()


def first_ranks(hosts, launcher, options):
    """The times from the start of a launcher to the start of its rank, and to its end, as the average of the nodes."""
    job = hosts.place()
    started = hosts.launch(launcher, job, options, ["/bin/sh", "-c", 'exec date +%s%N > "$0-$RANK"', job + "/up"])
    end_all(hosts, job, started, 0)
    end = time.time_ns()
    up = times(job, "up")
    hosts.require(len(up) == len(started), job, "ranks that started: %s" % sorted(up))
    return {"rank": statistics.mean((up[node] - started[node][0]) / 1e6 for node in up),
            "job": (end - started[0][0]) / 1e6}


def pairs(place, count, ways, rounds):
    """Rounds of both variants in random order, after a round that warms up."""
    hosts = Hosts(place, count)
    try:
        figures = []
        for _ in range(rounds + 1):
            figures.append({way: first_ranks(hosts, *ways[way]) for way in random.sample(sorted(ways), len(ways))})
        return figures[1:]
    finally:
        hosts.close()


def jvm_of(ancestor):
    """The pid of the Java process: the process itself, or one of its descendants."""
    end = time.monotonic() + compare.DEADLINE_SECONDS
    while time.monotonic() < end:
        found = [ancestor]
        for pid in found:
            if os.path.basename(os.path.realpath("/proc/%d/exe" % pid)) == "java":
                return pid
            found += [int(child) for child in compare.read("/proc/%d/task/%d/children" % (pid, pid)).split()]
        time.sleep(0.005)
    raise compare.Void("no launcher has been started")


def members(place, launcher):
    """A leader with a thousand members. One program plays all members. Returns what that program has measured."""
    hosts = Hosts(place, 1)
    try:
        job, port = "link-%d" % os.getpid(), "29998"
        # Only the leader's address matters: all members connect from the same machine.
        names = ",".join(["%s-worker-0" % mpi.JOB] + ["10.78.%d.%d" % (node // 250, node % 250 + 1) for node in range(MEMBERS)])
        command = launcher + ["--engine", "pytorch-gpu", "-o", "processes=per-card", "--cards", "1", "--platform", "none",
                              "--job-id", job, "--nodes", str(MEMBERS + 1), "--node-index", "0", "--hosts", names,
                              "--link", "required", "--link-port", port, "--", "sleep", "600"]
        where = hosts.place()
        with open(os.path.join(where, "out-0"), "w") as output:
            leader = subprocess.Popen(hosts.on(0, command, where), stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        try:
            load = [sys.executable, os.path.join(compare.ROOT, "benchmarks", "link_members.py"), "--job-id", job,
                    "--members", str(MEMBERS), "--port", port, "--host", "10.77.0.10", "--leader-pid", str(jvm_of(leader.pid))]
            done = subprocess.run(["nsenter", "--target", hosts.hosts[0], "--net"] + load, stdout=subprocess.PIPE, text=True,
                                  check=False)
            hosts.require(done.returncode == 0, where, done.stdout)
            return json.loads(done.stdout)
        finally:
            leader.terminate()
            leader.wait()
    finally:
        hosts.close()


def report_members(found):
    row("%d members: all are welcome" % MEMBERS, "s", [found["welcome_seconds"]], 3)
    row("%d members: a failure reaches all" % MEMBERS, "ms", [found["stop_milliseconds"]], 1000)
    row("%d members: the leader when nothing happens" % MEMBERS, "% of a core", [found["leader_cpu_percent"]], 5)
    row("%d members: the leader's memory (heap and all else)" % MEMBERS, "MB", [found["leader_rss_mb"]])


def verdict(value, bar):
    return "" if bar is None else "met" if value <= bar else "MISSED"


def row(name, unit, values, bar=None, decisive=None):
    value = statistics.median(values) if decisive is None else decisive
    print("{:<52} {:<28} {:>6}  {}".format(name + ", " + unit, compare.spread(values, "%.1f"), bar or "",
                                           verdict(value, bar)).rstrip())


def differences(name, figures, one, other, bar):
    for what, limit in (("rank", bar), ("job", None)):
        each = [figure[one][what] - figure[other][what] for figure in figures]
        row("%s to the %s: %s" % (name, what, one), "ms", [figure[one][what] for figure in figures])
        row("%s to the %s: %s" % (name, what, other), "ms", [figure[other][what] for figure in figures])
        row("%s to the %s: the difference in each round" % (name, what), "ms", each, limit)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--muster", default=shlex.quote(compare.PACKAGE), metavar="COMMAND", help="the packaged launcher")
    options.add_argument("--before", metavar="COMMAND", help="the launcher of a build without the link")
    options.add_argument("--only", choices=["failure", "start", "one-node", "members"], help="one of the measures")
    options.add_argument("--rounds", type=int, help="of each measure (failure 100, else 20)")
    options.add_argument("--raw", metavar="FILE", help="where the raw figures go (target/link-TIME.json)")
    chosen = options.parse_args()
    for program in ["ip", "unshare", "nsenter"]:
        if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
            options.error("there is no program " + program)
    if os.geteuid() != 0:
        options.error("only root can make test hosts")
    launcher = shlex.split(chosen.muster)
    version = compare.version_of(launcher)
    mpi.signal.signal(mpi.signal.SIGALRM, compare.expired)
    print("%s; %d cores, load %s" % (version, len(os.sched_getaffinity(0)), compare.load()))
    figures = {}
    with tempfile.TemporaryDirectory(prefix="link-") as place:
        os.chmod(place, 0o755)

        def measure(name, run):
            if chosen.only in (None, name):
                figures[name] = run(chosen.rounds or USUAL[name])
            return figures.get(name)

        told = measure("failure", lambda rounds: failure(place, launcher, rounds))
        if told:
            row("a rank dies to SIGTERM on other nodes: median", "ms", told, 50)
            row("a rank dies to SIGTERM on other nodes: worst", "ms", told, 250, max(told))
        ways = {"with the link": (launcher, []), "--link off": (launcher, ["--link", "off"])}
        start = measure("start", lambda rounds: pairs(place, 2, ways, rounds))
        if start:
            differences("two nodes", start, "with the link", "--link off", 15)
        if chosen.before:
            ways = {"now": (launcher, []), "before": (shlex.split(chosen.before), [])}
            one = measure("one-node", lambda rounds: pairs(place, 1, ways, rounds))
            if one:
                differences("one node", one, "now", "before", None)
        if chosen.only in (None, "members"):
            figures["members"] = members(place, launcher)
            report_members(figures["members"])
    compare.keep(chosen.raw, "link", {"version": version, "muster": launcher, **figures})


if __name__ == "__main__":
    sys.exit(main())
