"""A launcher of the program under test. The test plays its JVM: java.py passes the socket to inner on to the test."""

import ast
import contextlib
import glob
import os
import pathlib
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import protocol

HERE = pathlib.Path(__file__).parent
PROGRAM = os.environ.get("MUSTER_PROGRAM", "")
# Words before the program that run it for another architecture, for example "qemu-aarch64".
EMULATOR = os.environ.get("MUSTER_EMULATOR", "").split()
PYTHON = os.path.realpath(sys.executable)
# Sanitizers and emulators are slow.
PATIENCE = 15.0
LONGEST = 90


class Launch:
    """One launcher. java.py makes and closes descriptors in the JVM. The test sends all orders itself."""

    def __init__(self, case, *arguments, environment=None, before=(), java=True, stdin=subprocess.DEVNULL, **options):
        self.place = case.place / f"launch-{len(case.launches)}"
        case.launches.append(self)
        self.make_package()
        self.java_home = self.make_java() if java else self.place / "none"
        usual = {"PATH": os.environ["PATH"], "JAVA_HOME": str(self.java_home)}
        usual |= {name: value for name, value in os.environ.items() if name == "ASAN_OPTIONS"}
        self.out, self.err = (open(self.place / name, "wb+") for name in ("out", "err"))
        self.process = subprocess.Popen(
            [*before, *EMULATOR, str(self.place / "home/bin/muster"), *arguments],
            env=usual | (environment or {}), stdin=stdin, stdout=self.out, stderr=self.err, start_new_session=True, **options)
        self.events = protocol.Events()
        self.seen = []
        self.conversation = None
        self.next_id = 0

    def make_package(self):
        home = self.place / "home"
        (home / "bin").mkdir(parents=True)
        (home / "lib").mkdir()
        shutil.copy(PROGRAM, home / "bin/muster")
        (home / "lib/muster.jar").write_bytes(b"PK\3\4")
        shutil.copy(HERE.parents[4] / "distribution/src/package/lib/jvm.options", home / "lib")

    def make_java(self):
        home = self.place / "java"
        (home / "bin").mkdir(parents=True)
        (home / "release").write_text('JAVA_VERSION="17.0.1"\nIMPLEMENTOR="Test"\nJAVA_RUNTIME_VERSION="17.0.1+1"\nOS_ARCH="x86_64"\n')
        (home / "bin/java").write_text(f"#!{PYTHON} -IS\n" + (HERE / "java.py").read_text())
        (home / "bin/java").chmod(0o755)
        self.rendezvous = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.rendezvous.bind(str(home / "rendezvous"))
        self.rendezvous.listen(1)
        return home

    # Actions of the JVM.

    def meet(self):
        """Waits for the JVM."""
        self.rendezvous.settimeout(PATIENCE)
        self.jvm, _ = self.rendezvous.accept()
        message, descriptors, _, _ = socket.recv_fds(self.jvm, 1 << 20, 1)
        self.known = ast.literal_eval(message.decode())
        self.conversation = socket.socket(fileno=descriptors[0])
        return self

    def begin(self, grace=10000, code_after_term=143, **settings):
        """Waits for the JVM and sends the first orders of every launcher. Returns the hello."""
        self.meet()
        self.hello = self.expect("hello")
        self.order("ready", version=1)
        self.order("settings", grace=grace, code=code_after_term, **settings)
        return self.hello

    def order(self, name, **fields):
        self.conversation.sendall(protocol.order(name, **fields))

    def start(self, *command, **fields):
        """Orders a start. Returns the id."""
        self.next_id += 1
        fields = {"dir": str(self.place), "out": -1} | fields
        self.order("start", id=self.next_id, arg=list(command), **fields)
        return self.next_id

    def start_worker(self, **spec):
        """Starts worker.py and waits until it and all its descendants run. "order" has more fields of the order."""
        fields = spec.pop("order", {})
        number = self.start(*self.worker(spec), **fields)
        self.expect("started", id=number)
        for name in names_of(spec):
            self.await_line(name, "start")
        return number

    def worker(self, spec):
        script = self.place / "worker.py"
        if not script.exists():
            shutil.copy(HERE / "worker.py", script)
        return [PYTHON, "-IS", str(script), repr(spec)]

    def pipe(self):
        """Makes a pipe in the JVM. Returns a file to read from and the number of the other end."""
        self.jvm.send(b"pipe")
        message, descriptors, _, _ = socket.recv_fds(self.jvm, 4096, 1)
        number, read = (int(word) for word in message.split())
        return os.fdopen(descriptors[0], "rb"), number, read

    def close(self, number):
        self.jvm.send(f"close {number}".encode())
        self.jvm.recv(10)

    def kill_jvm(self, number=signal.SIGKILL):
        self.conversation.close()
        os.kill(self.known["pid"], number)

    def end_jvm(self):
        self.conversation.close()
        self.jvm.close()

    # Events and results of the launcher.

    def next_event(self, patience=PATIENCE):
        end = time.monotonic() + patience
        while True:
            event = self.events.next()
            if event:
                self.seen.append(event)
                return event
            ready, _, _ = select.select([self.conversation], [], [], max(0, end - time.monotonic()))
            data = self.conversation.recv(1 << 16) if ready else b""
            if not data:
                raise AssertionError(f"{'the end' if ready else 'nothing'} after {self.seen[-5:]}; it said: {self.messages()!r}")
            self.events.add(data)

    def expect(self, name, patience=PATIENCE, **fields):
        """The next event of this kind with these values. It skips other events, which are in seen."""
        end = time.monotonic() + patience
        while True:
            event = self.next_event(max(0, end - time.monotonic()))
            if event.name == name and all(getattr(event, key) == value for key, value in fields.items()):
                return event

    def messages(self):
        return (self.place / "err").read_bytes().decode(errors="replace")

    def output(self):
        return (self.place / "out").read_bytes()

    def ended(self, patience=PATIENCE):
        """The exit code."""
        return self.process.wait(patience)

    def inner(self):
        return self.known["parent"]

    # Notes of workers.

    def await_line(self, name, word, patience=PATIENCE):
        end = time.monotonic() + patience
        while time.monotonic() < end:
            value = self.line(name, word)
            if value is not None:
                return value
            time.sleep(0.01)
        raise AssertionError(f"no {word} of {name}; {self.seen[-5:]}; it said: {self.messages()!r}")

    def lines(self, name, word):
        with contextlib.suppress(FileNotFoundError):
            found = [line.split() for line in (self.place / name).read_text().splitlines()]
            return [float(line[1]) for line in found if line[0] == word]
        return []

    def line(self, name, word):
        found = self.lines(name, word)
        return found[0] if found else None

    def processes(self):
        """Pids of all workers of this launch: processes with its directory in their command, but not outer, inner and JVM."""
        found = []
        for file in glob.glob("/proc/[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                command = pathlib.Path(file).read_bytes()
                if bytes(self.place) in command and b"worker.py" in command:
                    found.append(int(file.split("/")[2]))
        return found

    def clean(self):
        """Kills all workers that are left. Returns their names."""
        left = {pid: read_name(pid) for pid in self.processes()}
        for pid in [*left, self.process.pid]:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if self.conversation:
            self.conversation.close()
            with contextlib.suppress(OSError):
                os.kill(self.known["pid"], signal.SIGKILL)
        self.process.wait()
        self.out.close()
        self.err.close()
        return left


class LaunchCase(unittest.TestCase):
    """A test with launchers. After the test all launchers and their processes are killed."""

    def setUp(self):
        signal.signal(signal.SIGALRM, self.take_too_long)
        signal.alarm(LONGEST)
        self.addCleanup(signal.alarm, 0)
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="mt-"))
        self.launches = []
        self.addCleanup(shutil.rmtree, self.place, ignore_errors=True)
        self.addCleanup(self.clean)

    def take_too_long(self, number, frame):
        raise AssertionError(f"the test takes more than {LONGEST} s")

    def clean(self):
        for launch in self.launches:
            launch.clean()

    def launch(self, *arguments, **options):
        return Launch(self, *arguments, **options)

    def begun(self, *arguments, grace=10000, **options):
        launch = self.launch(*arguments, **options)
        launch.begin(grace=grace)
        return launch

    def assert_nothing_is_left(self, launch, patience=2.0):
        end = time.monotonic() + patience
        while launch.processes() and time.monotonic() < end:
            time.sleep(0.02)
        self.assertEqual([], [read_name(pid) for pid in launch.processes()])

    def assert_ends(self, launch, code, *words):
        self.assertEqual(code, launch.ended(), launch.messages())
        for word in words:
            self.assertIn(word, launch.messages())
        self.assert_nothing_is_left(launch)


def names_of(spec):
    yield spec["name"]
    for other in [*spec.get("children", []), *spec.get("daemons", [])]:
        yield from names_of(other)


def read_name(pid):
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return str(pid)


def status_of(pid, name):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return line.split(None, 1)[1]
    return None


def suspend(*pids):
    """Suspends processes. Returns when all are suspended."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
        end = time.monotonic() + PATIENCE
        while not status_of(pid, "State").startswith("T"):
            assert time.monotonic() < end, f"{pid} is not suspended"
            time.sleep(0.01)
