#!/usr/bin/env python3
"""Speaks with a job's leader as launchers do, or as they never would. Tests call it: peer.py DEED HOST PORT JOB SECRET [ARGUMENT]

Prints "ready" when the deed begins, and at the end one word: how the leader took it.
"""

import hashlib
import hmac
import json
import os
import random
import resource
import signal
import socket
import sys
import time

VERSION = 1
PATIENCE = 20


def seal(key, data):
    return hmac.new(key, data, hashlib.sha256)


def labelled(label, fields):
    """Unambiguous: each field with its length in front."""
    return (label + "\n" + "".join("%d:%s\n" % (len(field), field) for field in fields)).encode()


class Peer:
    """A connection to the leader, or to a member's place, with a key that may be the right one."""

    def __init__(self, host, port, job, secret, launcher="node-2", version=VERSION):
        self.host, self.port, self.launcher, self.version = host, port, launcher, version
        self.job = hashlib.sha256(labelled("muster link, name of a job", [job])).hexdigest()[:32]
        self.key = seal(secret.encode(), labelled("muster link, key of a job", [job])).digest()
        self.run = "%032x" % random.getrandbits(128)
        self.socket = None
        self.lines = None
        self.sent = 0

    def connect(self):
        """Connects as soon as somebody listens there."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.socket = socket.create_connection((self.host, self.port), PATIENCE)
                self.lines = self.socket.makefile("rb")
                return self
            except ConnectionRefusedError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def hello(self):
        nonce = "%064x" % random.getrandbits(256)
        fields = [str(self.version), self.job, self.launcher, self.run, nonce]
        line = {"muster-link": self.version, "job": self.job, "launcher": self.launcher, "run": self.run, "nonce": nonce}
        return fields, line

    def say(self, text):
        self.socket.sendall(text.encode())

    def line(self):
        """The next line that comes; None when the other side has closed."""
        try:
            line = self.lines.readline()
        except OSError:
            return None
        return json.loads(line) if line else None

    def greet(self):
        """The whole handshake of a member. Gives what the leader says first when it refuses, else None."""
        fields, hello = self.hello()
        self.say(json.dumps(hello) + "\n")
        answer = self.line()
        if answer is None or "nonce" not in answer:
            return answer or {"refused": "closed"}
        both = fields + [str(answer["muster-link"]), answer["job"], answer["launcher"], answer["run"], answer["nonce"]]
        self.say(json.dumps({"proof": self.proof("member", both)}) + "\n")
        if answer["proof"] != self.proof("leader", both):
            return {"refused": "key"}
        if answer["muster-link"] != self.version:
            return {"refused": "version %d" % answer["muster-link"]}
        if self.line() is None:
            return {"refused": "closed"}
        self.session = seal(self.key, labelled("muster link, session of the member", both)).digest()
        return None

    def proof(self, role, both):
        return seal(self.key, labelled("muster link, proof of the " + role, both)).hexdigest()

    def beat(self):
        self.sent += 1
        content = json.dumps({"n": self.sent, "first": 1, "seen": 0})[:-1]
        self.say('%s,"mac":"%s"}\n' % (content, seal(self.session, content.encode()).hexdigest()[:32]))


def told(answer):
    return "welcome" if answer is None else answer.get("refused", "something")


def introduce(peer, _argument):
    """Says hello, as far as the key goes."""
    return told(peer.connect().greet())


def endless(peer, megabytes):
    """One line that never ends, of so many megabytes if somebody took it."""
    peer.connect()
    piece = b"x" * (1 << 20)
    try:
        for _ in range(int(megabytes)):
            peer.socket.sendall(piece)
    except OSError:
        return "closed"
    return "taken"


def noise(peer, seconds):
    """Random bytes over connection after connection."""
    end = time.monotonic() + float(seconds)
    count = 0
    while time.monotonic() < end:
        try:
            peer.connect()
            peer.socket.sendall(random.randbytes(random.randrange(1, 8192)))
            if random.random() < 0.5:
                peer.socket.settimeout(0.05)
                peer.socket.recv(100)
        except OSError:
            pass
        finally:
            if peer.socket:
                peer.socket.close()
        count += 1
    return "sent-%s" % ("some" if count else "nothing")


def silent(peer, count):
    """So many connections that say nothing, until somebody kills this."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, int(count) + 100), hard))
    held = []
    for _ in range(int(count)):
        try:
            held.append(socket.create_connection((peer.host, peer.port), 2))
        except OSError:
            pass
    return "made-%s" % ("all" if len(held) == int(count) else len(held))


def deaf(peer, seconds):
    """A member with the right key that beats and reads nothing."""
    peer.connect()
    peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    refusal = peer.greet()
    if refusal:
        return told(refusal)
    print("ready", flush=True)
    end = time.monotonic() + float(seconds)
    try:
        while time.monotonic() < end:
            peer.beat()
            time.sleep(0.2)
    except OSError:
        return "closed"
    return "kept"


def lead(peer, _argument):
    """Listens where a leader would, and speaks another version."""
    listener = socket.create_server((peer.host, peer.port))
    print("ready", flush=True)
    peer.launcher = "node-0"
    listener.settimeout(PATIENCE)
    while True:
        member, _ = listener.accept()
        with member:
            theirs = json.loads(member.makefile("rb").readline())
            fields, hello = peer.hello()
            both = [str(theirs[field]) for field in ("muster-link", "job", "launcher", "run", "nonce")] + fields
            member.sendall((json.dumps(dict(hello, proof=peer.proof("leader", both))) + "\n").encode())


def relay(peer, target):
    """Stands between a member and the leader at TARGET, and then says to the leader again what the member has said."""
    listener = socket.create_server((peer.host, peer.port))
    print("ready", flush=True)
    member, _ = listener.accept()
    peer.host = target
    leader = peer.connect().socket
    recorded = b""
    member.settimeout(0.02)
    leader.settimeout(0.02)
    replays = 0
    while True:
        for source, sink in ((member, leader), (leader, member)):
            try:
                data = source.recv(65536)
            except socket.timeout:
                continue
            except OSError:
                return "ended"
            if not data:
                return "ended"
            sink.sendall(data)
            if source is member:
                recorded += data
        if replays < 5 and recorded.count(b"\n") > 3 + replays:
            replays += 1
            with socket.create_connection((target, peer.port), PATIENCE) as again:
                again.sendall(recorded)
            print("replayed", replays, flush=True)


DEEDS = {deed.__name__: deed for deed in (introduce, endless, noise, silent, deaf, lead, relay)}


def main():
    deed, host, port, job, secret = sys.argv[1:6]
    argument = sys.argv[6] if len(sys.argv) > 6 else ""
    version = int(os.environ.get("PEER_VERSION", VERSION))
    peer = Peer(host, int(port), job, secret, os.environ.get("PEER_LAUNCHER", "node-2"), version)
    if deed not in ("deaf", "lead", "relay"):
        print("ready", flush=True)
    print("done", DEEDS[deed](peer, argument), flush=True)
    if deed == "silent":
        signal.pause()


if __name__ == "__main__":
    main()
