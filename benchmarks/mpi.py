#!/usr/bin/env python3
"""Runs Muster's engine "mpi" and another boot program for MPI jobs side by side, on test hosts. See README.md beside this."""

import argparse
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import compare

MAKER = os.path.join(compare.ROOT, "distribution", "src", "test", "hosts", "hosts.sh")
MEASURES = {
    "many hosts": ("ms", {"package": (0.10, 0.05)}),
    "whole job": ("ms", {"package": (0.35, 0.20)}),
}
JOB = "job-bench"
PORT = "36666"
HOME = "/home/ma-user"
USER = ["setpriv", "--reuid", "1000", "--regid", "100", "--clear-groups"]
MANY = 64

# The image's files for the peer: an sshd_config in which it replaces the port, and permission to use ping. Muster uses neither.
IMAGE = r"""
mkdir -p etc/ssh bin
cat > etc/ssh/sshd_config <<END
Port {{MY_SSHD_PORT}}
ListenAddress $1
HostKey $PWD/.ssh/id_rsa
AuthorizedKeysFile $PWD/.ssh/authorized_keys
PidFile none
UsePAM no
StrictModes no
UseDNS no
MaxStartups 500
END
sysctl -q -w net.ipv4.ping_group_range="0 2147483647"
printf 'Host *\nPort 36666\nStrictHostKeyChecking no\nUserKnownHostsFile /dev/null\nLogLevel ERROR\n' > .ssh/config
chown -R 1000:100 .
"""

# An mpirun that starts nothing. It notes the time of its first start, and the hostfile.
FAKE_MPIRUN = r"""#!/bin/sh
now=$(date +%s%N)
[ "$1" != --version ] || { echo "mpirun (Open MPI) 4.1.4"; exit; }
[ ! -e "$HOME/started" ] || exit 0
until [ "$1" = -hostfile ] || [ "$1" = --hostfile ] || [ $# = 0 ]; do shift; done
cp "$2" "$HOME/hosts"
echo "$now" > "$HOME/started"
"""


class Site:
    """New test hosts with the files of a ModelArts container."""

    def __init__(self, parent):
        self.directory = tempfile.mkdtemp(dir=parent)
        os.chmod(self.directory, 0o755)
        self.output = os.path.join(self.directory, "output.txt")
        self.maker = None
        self.hosts = []

    def make(self, count, *paths):
        """Makes the hosts, which see these paths too, and stores the pid of each host's process 1."""
        kept = [self.directory, compare.ROOT, *paths] + [home for home in [os.environ.get("JAVA_HOME")] if home]
        with open(self.output, "a") as problems:
            self.maker = subprocess.Popen([MAKER, str(count), JOB] + kept, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                          stderr=problems, text=True)
        found = {}
        while len(found) < count:
            words = self.maker.stdout.readline().split()
            compare.require(words and words[0] == "host", "no test hosts: %s" % words)
            found[int(words[1])] = words[2]
        self.hosts = [found[index] for index in range(count)]

    def on(self, host, command, directory=HOME):
        """A command that runs another one on a host."""
        return ["nsenter", "--target", self.hosts[host], "--mount", "--uts", "--ipc", "--net", "--pid", "/bin/sh", "-c",
                'cd -- "$0" && exec "$@"', directory] + command

    def shell(self, host, script, *arguments):
        subprocess.run(self.on(host, ["/bin/sh", "-ec", script, "sh"] + list(arguments)), check=True)

    def path(self, host, name):
        """The path of a host's file on this machine."""
        return "/proc/%s/root%s/%s" % (self.hosts[host], HOME, name)

    def start(self, host, command, count, slots):
        """Starts a boot program in a container of ModelArts."""
        environment = {
            "PATH": HOME + "/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": HOME, "LANG": "C.UTF-8",
            "LD_LIBRARY_PATH": HOME + "/lib", "MY_SSHD_PORT": PORT, "MA_HOME": HOME, "MA_MOUNT_PATH": HOME + "/modelarts",
            "MA_NUM_HOSTS": str(count), "MA_NUM_GPUS": str(slots), "MA_VJ_NAME": JOB, "MA_TASK_NAME": "worker",
            "MA_CURRENT_INSTANCE_NAME": "%s-worker-%d" % (JOB, host), "VC_TASK_INDEX": str(host), "VK_TASK_INDEX": str(host)}
        if os.environ.get("JAVA_HOME"):
            environment["JAVA_HOME"] = os.environ["JAVA_HOME"]
        output = os.open(self.output, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            return subprocess.Popen(self.on(host, USER + command), env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                    stderr=output)
        finally:
            os.close(output)

    def processes(self):
        """The number of processes on all hosts, without the first process of each."""
        listings = [os.listdir("/proc/%s/root/proc" % pid) for pid in self.hosts]
        return sum(name.isdigit() for names in listings for name in names) - len(self.hosts)

    def close(self):
        if self.maker:
            self.maker.stdin.close()
            self.maker.wait()
        shutil.rmtree(self.directory)


def end_of(process):
    """Waits for a process and gives its exit code."""
    signal.alarm(4 * compare.DEADLINE_SECONDS)
    code = process.wait()
    signal.alarm(0)
    return code


def whole_job(site, start_of, _delay):
    """Two ranks that do nothing on each of three hosts: from the start of the launchers to the end of node 0's launcher."""
    site.make(3)
    for host in range(3):
        site.shell(host, IMAGE, "0.0.0.0")
    start = time.time_ns()
    launchers = [site.start(host, start_of(["/bin/true"]), 3, 2) for host in range(3)]
    code = end_of(launchers[0])
    end = time.time_ns()
    codes = [code] + [end_of(launcher) for launcher in launchers[1:]]
    compare.require(codes == [0, 0, 0], "exit codes %s" % codes)
    return {"whole job": (end - start) / 1e6, "left behind": site.processes()}


def many_hosts(site, start_of, _delay):
    """
    Many hosts with an sshd: from the start of the only launcher to the start of mpirun, which does nothing. If Muster uses its own sshd,
    each host has a launcher.
    """
    site.make(1)
    addresses = ["127.0.1.%d" % (index + 1) for index in range(MANY)]
    serve_on(site, addresses)
    with open(site.path(0, "bin/mpirun"), "w") as program:
        program.write(FAKE_MPIRUN)
    os.chmod(site.path(0, "bin/mpirun"), 0o755)
    names = ["%s-worker-%d.%s" % (JOB, index, JOB) for index in range(MANY)]
    with open(site.path(0, "hostfile"), "w") as given:
        given.writelines(name + " slots=1\n" for name in names)
    start = time.time_ns()
    code = end_of(site.start(0, start_of(["/bin/true"], "-o", "sshd=none", "--hostfile", HOME + "/hostfile"), MANY, 1))
    compare.require(code == 0, "exit code %d" % code)
    lines = compare.read(site.path(0, "hosts")).splitlines()
    wanted = [[host + " slots=1" for host in hosts] for hosts in (names, addresses)]
    compare.require(lines in wanted, "another hostfile: %s" % lines)
    return {"many hosts": (int(compare.read(site.path(0, "started"))) - start) / 1e6}


def serve_on(site, addresses):
    """Gives the only host the names of all hosts, and an sshd that accepts the job's key on all addresses but the first."""
    with open("/proc/%s/root/etc/hosts" % site.hosts[0], "w") as names:
        names.write("127.0.0.1 localhost\n")
        names.writelines("%s %s-worker-%d.%s\n" % (address, JOB, index, JOB) for index, address in enumerate(addresses))
    site.shell(0, IMAGE, addresses[0])
    others = r"""
sed -e 's/{{.*}}/'"$1"'/' -e 's/^ListenAddress.*//' etc/ssh/sshd_config > "others-$2"
echo 'ForceCommand case $SSH_ORIGINAL_COMMAND in release*) ;; *) eval "$SSH_ORIGINAL_COMMAND" ;; esac' >> "others-$2"
file="$PWD/others-$2"
shift
printf 'ListenAddress %s\n' "$@" >> "$file"
exec /usr/sbin/sshd -f "$file"
"""
    # An sshd listens on at most 16 addresses.
    for first in range(1, len(addresses), 16):
        some = addresses[first:first + 16]
        subprocess.run(site.on(0, USER + ["/bin/sh", "-ec", others, "sh", PORT] + some), check=True)


RUNS = {"whole-job": whole_job, "many-hosts": many_hosts}


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--peer", required=True, metavar="COMMAND", help="the other boot program, as a shell would split it")
    options.add_argument("--muster", default=shlex.quote(compare.PACKAGE), metavar="COMMAND", help="the packaged launcher")
    options.add_argument("--only", choices=sorted(RUNS), help="one of the two measures")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--raw", metavar="FILE", help="where the raw figures go (target/mpi-TIME.json)")
    chosen = options.parse_args()
    for program in ["ip", "unshare", "nsenter", "setpriv", "sshd", "mpirun", "ping", "netstat"]:
        if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
            options.error("there is no program " + program)
    if os.geteuid() != 0:
        options.error("only root can make test hosts")
    peer, launcher = shlex.split(chosen.peer), shlex.split(chosen.muster)
    contestants = {"package": lambda job, *options: launcher + ["--engine", "mpi", *options, "--"] + job,
                   "peer": lambda job, *_options: peer + job}
    version = compare.version_of(launcher)
    signal.signal(signal.SIGALRM, compare.expired)
    before = compare.load()
    runs = [RUNS[chosen.only]] if chosen.only else list(RUNS.values())
    with tempfile.TemporaryDirectory(prefix="mpi-") as place:
        os.chmod(place, 0o755)
        figures = compare.measure(contestants, chosen.rounds, place, runs, Site)
    print("%s; %d rounds, %d cores, load %s before and %s after; peer: %s" % (
        version, chosen.rounds, len(os.sched_getaffinity(0)), before, compare.load(), chosen.peer))
    measured = {name: MEASURES[name] for name in MEASURES if name in figures[0]["peer"]}
    compare.report(figures, measured)
    compare.keep(chosen.raw, "mpi", {"version": version, "peer": peer, "muster": launcher, "rounds": figures})


if __name__ == "__main__":
    sys.exit(main())
