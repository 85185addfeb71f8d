"""worker.py SPEC: a process of a job. SPEC is a dictionary: name; term (seconds that it needs after SIGTERM, or "default", or "ignore");
code (of its end); lives (seconds); wrapper (words before its command); children and daemons (SPECs; a daemon has a session of its own, no parent and no environment).
It writes a file of its name: "start PID", "TERM TIME", "end TIME"."""

import ast
import os
import signal
import sys
import time

text = sys.argv[1]
spec = ast.literal_eval(text)
log = os.open(os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), spec["name"]), os.O_WRONLY | os.O_CREAT | os.O_APPEND)


def note(word, value):
    os.write(log, f"{word} {value}\n".encode())


def execute(child, environment):
    command = [*child.get("wrapper", []), sys.executable, "-IS", sys.argv[0], repr(child)]
    os.execve(command[0], command, environment)


def on_term(number, frame):
    note("TERM", time.monotonic())
    if spec.get("term") != "ignore":
        time.sleep(spec.get("term", 0))
        note("end", time.monotonic())
        os._exit(spec.get("code", 0))


if spec.get("term") == "ignore":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
elif spec.get("term") != "default":
    signal.signal(signal.SIGTERM, on_term)
for child in spec.get("children", []):
    if os.fork() == 0:
        execute(child, dict(os.environ))
for daemon in spec.get("daemons", []):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            execute(daemon, {})
        os._exit(0)
    os.wait()
note("start", os.getpid())
ends = time.monotonic() + spec.get("lives", 60)
while time.monotonic() < ends:
    time.sleep(max(0, min(1, ends - time.monotonic())))
note("end", time.monotonic())
sys.exit(spec.get("code", 0))
