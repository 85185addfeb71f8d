#!/usr/bin/env python3
"""Plays many members of the link at once, with one real leader. Prints the measured times as one JSON object.

    link_members.py --job-id ID --members 1000 --port PORT [--host 127.0.0.1] [--secret TEXT]
                    [--first 1] [--leader-pid PID] [--idle 20] [--no-failure] [--patience 60]

The members are called node-1, node-2 and so on (--first: the first number), as in a job of members + 1 nodes that node-0 leads.
The leader makes its key from --secret. The default is the job's id, as without --link-secret. Without --port the program tries the
three ports of the job's id in turn. Give the leader the same --job-id and the number of nodes, for example

    muster --engine pytorch-gpu --nodes 1001 --node-index 0 --hosts 127.0.0.1,127.0.1.1,... --job-id ID -- sleep 600

The members connect, and only send heartbeats for --idle seconds. Then one of them reports a failure with exit code 3 (unless
--no-failure). All members answer the order to stop at once, and leave when the leader has decided the end. The program ends with 0.
If a step takes longer than --patience seconds, it ends with 1, and "error" has the reason.

Printed: "welcome_seconds" (from the first connection until the leader has welcomed the last member), "came_again" (connections that
members had to repeat), with --leader-pid "leader_cpu_percent" (of one core, idle) and "leader_rss_mb" (the most until then),
"stop_milliseconds" (from the failure until the last member has got the stop) with "stop_median_milliseconds",
"decided_milliseconds" likewise, and "exit_code", which the leader decided.
"""

import argparse
import hashlib
import hmac
import json
import os
import resource
import select
import socket
import statistics
import sys
import time

VERSION = 1
BEAT = 1.0
PAUSE = 0.25
SEAL = b',"mac":"'


class Failed(Exception):
    """A step did not happen in time, so there are no times to print."""


def fnv(data):
    value = 0x811C9DC5
    for byte in data:
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


def ports_of(job):
    first = 25000 + 3 * (fnv(job.encode()) % 1333)
    return [first, first + 1, first + 2]


def labelled(label, fields):
    """The text to sign: each field with its length before it."""
    return (label + "\n" + "".join("%d:%s\n" % (len(field), field) for field in fields)).encode()


def sign(key, data):
    return hmac.new(key, data, hashlib.sha256)


def fields_of(hello):
    return [str(hello["muster-link"]), hello["job"], hello["launcher"], hello["run"], hello["nonce"]]


def now_nanos():
    return time.monotonic_ns()


class Member:
    """One connection; states: hello, then talking, then closed."""

    def __init__(self, load, number, address):
        self.load = load
        self.name = "node-%d" % number
        self.run = os.urandom(8).hex()
        self.address = address
        self.session = None
        self.sent_number = 0
        self.facts = []
        self.first = 1
        self.seen = 0
        self.beat_at = 0.0
        self.again_at = None
        self.welcome_at = self.stop_at = self.decided_at = None
        self.exit_code = None
        self.closed = False
        self.open()

    def open(self):
        address = self.address
        self.socket = socket.socket(socket.AF_INET6 if ":" in address[0] else socket.AF_INET)
        self.socket.setblocking(False)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.connect_ex(address)
        self.received = b""
        self.unsent = b""

    def fileno(self):
        return self.socket.fileno()

    def connected(self):
        problem = self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if problem:
            raise Failed("%s cannot connect: %s" % (self.name, os.strerror(problem)))
        own = {"muster-link": VERSION, "job": self.load.job, "launcher": self.name, "run": self.run,
               "nonce": os.urandom(16).hex()}
        self.own = own
        self.write(json.dumps(own, separators=(",", ":")).encode() + b"\n")

    def answered(self, line):
        leader = json.loads(line)
        if "refused" in leader:
            raise Failed("the leader refuses %s: %s" % (self.name, line.decode()))
        both = fields_of(self.own) + fields_of(leader)
        expected = sign(self.load.key, labelled("muster link, proof of the leader", both)).hexdigest()
        if leader.get("proof") != expected:
            raise Failed("the leader does not prove that it knows the key")
        proof = sign(self.load.key, labelled("muster link, proof of the member", both)).hexdigest()
        self.write(b'{"proof":"%s"}\n' % proof.encode())
        self.session = sign(self.load.key, labelled("muster link, session of the member", both)).digest()
        self.tell({"is": "planned", "equal": {}, "command": self.load.command, "follows": False})
        self.send()

    def heard(self, line, now):
        content = json.loads(line)
        if "refused" in content:
            raise Failed("the leader turns %s away: %s" % (self.name, content["refused"]))
        if self.welcome_at is None:
            self.welcome_at = now
        if content["seen"] >= self.first:
            self.facts = self.facts[content["seen"] - self.first + 1:]
            self.first = content["seen"] + 1
        facts = content.get("facts", ())
        for number, fact in enumerate(facts, content["first"]):
            if number == self.seen + 1:
                self.seen = number
                self.fact(fact, now)
        if facts and not self.closed:
            self.send()

    def fact(self, fact, now):
        if fact["is"] == "stop" and self.stop_at is None:
            self.stop_at = now
            if self is not self.load.failing:
                self.tell({"is": "heeded"})
        elif fact["is"] == "decided" and self.decided_at is None:
            self.decided_at = now
            self.exit_code = fact["end"]["exitCode"]
            self.tell({"is": "left", "exitCode": self.exit_code})

    def tell(self, fact):
        self.facts.append(fact)

    def send(self):
        """Sends all facts that the leader has not confirmed, or a heartbeat if there are none."""
        self.sent_number += 1
        content = {"n": self.sent_number, "first": self.first, "facts": self.facts, "seen": self.seen}
        if not self.facts:
            del content["facts"]
        data = json.dumps(content, separators=(",", ":")).encode()[:-1]
        self.write(data + SEAL + sign(self.session, data).hexdigest()[:32].encode() + b'"}\n')
        self.beat_at = time.monotonic() + BEAT

    def write(self, data):
        try:
            count = 0 if self.unsent else self.socket.send(data)
        except BlockingIOError:
            count = 0
        self.unsent += data[count:]

    def readable(self, now):
        try:
            data = self.socket.recv(65536)
        except BlockingIOError:
            return
        except OSError as problem:
            data = b""
            self.load.note(problem)
        if not data:
            self.close()
            return
        *lines, self.received = (self.received + data).split(b"\n")
        for line in lines:
            if self.session is None:
                self.answered(line)
            else:
                self.heard(line, now)

    def close(self):
        """Closes the connection. A leader rejects some of many new connections; such a member connects again, as launchers do."""
        self.load.forget(self)
        self.socket.close()
        if self.welcome_at is None:
            self.session = None
            self.sent_number = 0
            self.facts = []
            self.again_at = time.monotonic() + PAUSE
        elif self.decided_at is None:
            raise Failed("the leader closed the connection of %s" % self.name)
        else:
            self.closed = True


class Load:
    def __init__(self, options):
        self.options = options
        secret = (options.secret or options.job_id).encode().rstrip(b"\r\n")
        self.key = sign(secret, labelled("muster link, key of a job", [options.job_id])).digest()
        self.job = hashlib.sha256(labelled("muster link, name of a job", [options.job_id])).hexdigest()[:32]
        self.command = sign(self.key, labelled("muster link, something to compare", ["load"])).hexdigest()
        self.poll = select.epoll()
        self.members = []
        self.connecting = set()
        self.by_descriptor = {}
        self.again = 0
        self.failing = None
        self.problem = None

    def note(self, problem):
        self.problem = problem

    def address(self):
        ports = [self.options.port] if self.options.port else ports_of(self.options.job_id)
        end = time.monotonic() + self.options.patience
        while True:
            for port in ports:
                try:
                    socket.create_connection((self.options.host, port), 2).close()
                    return self.options.host, port
                except OSError as problem:
                    if time.monotonic() > end:
                        raise Failed("nobody listens on ports %s: %s" % (ports, problem))
            time.sleep(0.1)

    def connect(self, address):
        for number in range(self.options.first, self.options.first + self.options.members):
            member = Member(self, number, address)
            self.members.append(member)
            self.watch(member)

    def watch(self, member):
        self.by_descriptor[member.fileno()] = member
        self.connecting.add(member)
        self.poll.register(member, select.EPOLLOUT)

    def forget(self, member):
        self.poll.unregister(member)
        self.connecting.discard(member)
        del self.by_descriptor[member.fileno()]

    def run_until(self, what, condition, patience):
        end = time.monotonic() + patience
        while not condition():
            now = time.monotonic()
            if now > end:
                raise Failed("%s did not happen within %g s%s" % (
                    what, patience, " (%s)" % self.problem if self.problem else ""))
            self.turn(0.02)

    def turn(self, timeout):
        for descriptor, event in self.poll.poll(timeout):
            member = self.by_descriptor.get(descriptor)
            if member is None:
                continue
            if member in self.connecting:
                self.connecting.remove(member)
                member.connected()
                self.poll.modify(member, select.EPOLLIN)
            elif not member.closed:
                member.readable(time.monotonic())
        now = time.monotonic()
        for member in self.members:
            if member.again_at and now >= member.again_at:
                member.again_at = None
                self.again += 1
                member.open()
                self.watch(member)
            elif member.session and not member.closed and now >= member.beat_at:
                member.send()

    def welcome(self):
        start = time.monotonic()
        self.connect(self.where)
        self.run_until("the welcome of all members", lambda: all(member.welcome_at for member in self.members),
                       self.options.patience)
        return max(member.welcome_at for member in self.members) - start

    def idle(self):
        # The traffic right after the welcome does not count as idle.
        self.run_for(2)
        before, start = self.leader_cpu(), time.monotonic()
        self.run_for(self.options.idle)
        if before is None:
            return None
        return 100 * (self.leader_cpu() - before) / (time.monotonic() - start)

    def run_for(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.turn(0.02)

    def leader_cpu(self):
        if not self.options.leader_pid:
            return None
        with open("/proc/%d/stat" % self.options.leader_pid) as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def leader_rss(self):
        with open("/proc/%d/status" % self.options.leader_pid) as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) / 1024
        raise Failed("the leader has ended")

    def fail(self):
        self.failing = self.members[len(self.members) // 2]
        start = time.monotonic()
        self.failing.tell({"is": "over", "at": now_nanos(), "end": {
            "kind": "failed", "launcher": self.failing.name, "exitCode": 3, "rank": 7, "pid": 71,
            "reason": "rank 7 (pid 71) ended with exit code 3 after 0.2 s"}})
        self.failing.send()
        others = [member for member in self.members if member is not self.failing]
        self.run_until("the stop of all members", lambda: all(member.stop_at for member in others),
                       self.options.patience)
        self.run_until("the decision", lambda: all(member.decided_at for member in self.members),
                       self.options.patience)
        stops = [1000 * (member.stop_at - start) for member in others]
        return {
            "stop_milliseconds": round(max(stops), 1),
            "stop_median_milliseconds": round(statistics.median(stops), 1),
            "decided_milliseconds": round(1000 * (max(member.decided_at for member in self.members) - start), 1),
            "exit_code": self.exit_code(),
        }

    def exit_code(self):
        codes = {member.exit_code for member in self.members}
        if len(codes) != 1:
            raise Failed("members were told different codes: %s" % sorted(codes))
        return codes.pop()

    def run(self):
        self.where = self.address()
        figures = {"members": self.options.members, "port": self.where[1]}
        figures["welcome_seconds"] = round(self.welcome(), 3)
        figures["came_again"] = self.again
        cpu = self.idle()
        if cpu is not None:
            figures["leader_cpu_percent"] = round(cpu, 2)
            figures["leader_rss_mb"] = round(self.leader_rss(), 1)
        if not self.options.no_failure:
            figures.update(self.fail())
            # The last messages are on their way.
            self.run_for(1)
        return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--job-id", required=True)
    parser.add_argument("--members", type=int, default=1000)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int)
    parser.add_argument("--secret")
    parser.add_argument("--leader-pid", type=int)
    parser.add_argument("--idle", type=float, default=20)
    parser.add_argument("--no-failure", action="store_true")
    parser.add_argument("--patience", type=float, default=60)
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        print(json.dumps(Load(options).run()))
    except Failed as problem:
        print(json.dumps({"error": str(problem)}))
        sys.exit(1)


if __name__ == "__main__":
    main()
