"""The records between supervisor and JVM, and the start of processes."""

import errno
import os
import pathlib
import signal
import socket
import subprocess
import time

import protocol
from launch import PYTHON, LaunchCase, status_of

SHELL = "/bin/sh"


class HelloTest(LaunchCase):
    def test_tells_arguments_and_environment_byte_for_byte(self):
        strange = {b"a.b": b"1", b"not UTF-8": b"\xff\xfe", b"lines": b"1\n2=3", b"EMPTY": b""}
        launch = self.launch(b"\xff", "", "two words", environment={os.fsdecode(k): os.fsdecode(v) for k, v in strange.items()})
        hello = launch.begin()
        self.assertEqual([b"\xff", b"", b"two words"], hello.get_all("arg"))
        for name, value in strange.items():
            self.assertIn(name + b"=" + value, hello.get_all("env"))
        self.assertEqual(os.getcwdb(), hello.dir)
        self.assertEqual((1, launch.process.pid), (hello.version, hello.pid))

    def test_jvm_has_a_clean_environment_and_a_session_of_its_own(self):
        launch = self.launch(environment={"JAVA_TOOL_OPTIONS": "-version", "TZ": "UTC", "LD_PRELOAD": ""}).meet()
        home = launch.place / "home"
        known = launch.known
        ours = {"MUSTER_HOME": str(home), "MUSTER_DIRECTORY": os.getcwd()}
        self.assertEqual({"LC_ALL": "C.UTF-8", "TZ": "UTC", **ours}, known["environment"])
        self.assertEqual(str(home / "lib"), known["cwd"])
        self.assertEqual(known["pid"], known["session"])

    def test_jvm_gets_the_flags_of_the_file(self):
        arguments = self.launch().meet().known["arguments"]
        self.assertEqual("@jvm.options", arguments[0])
        self.assertEqual(["-cp", "muster.jar:start.jar", "dev.muster.Start"], arguments[-3:])

    def test_class_data_of_this_java_is_named(self):
        launch = self.launch()
        data = launch.place / "home/lib/cds"
        # Only a second launch of the same package leaves time enough between start and check.
        data.mkdir()
        (data / "Test-17.0.1_1-x86_64-abc.jsa").write_bytes(b"x")
        (data / "Test-17.0.1+1-x86_64-abc.jsa").write_bytes(b"x")
        launch.meet()
        again = subprocess.Popen([launch.place / "home/bin/muster"], env={"JAVA_HOME": str(launch.java_home)}, stderr=launch.err)
        try:
            launch.meet()
            arguments = launch.known["arguments"]
            self.assertIn("-XX:SharedArchiveFile=cds/Test-17.0.1+1-x86_64-abc.jsa", arguments)
            self.assertIn("-Dmuster.classdata=cds/Test-17.0.1+1-x86_64-abc.jsa", arguments)
        finally:
            again.kill()
            again.wait()

    def test_no_java_is_69(self):
        launch = self.launch(java=False, environment={"PATH": str(self.place)})
        self.assert_ends(launch, 69, "Java 17 or newer", "JAVA_HOME")
        self.assertEqual(1, launch.messages().count("\n"))

    def test_old_java_is_69_and_named(self):
        old = self.place / "old"
        (old / "bin").mkdir(parents=True)
        (old / "bin/java").write_text("#!/bin/sh\necho never\n")
        (old / "bin/java").chmod(0o755)
        (old / "release").write_text('JAVA_VERSION="11.0.2"\n')
        launch = self.launch(java=False, environment={"PATH": str(self.place), "JAVA_HOME": str(old)})
        self.assert_ends(launch, 69, "11.0.2")
        self.assertEqual(b"", launch.output())


class StartTest(LaunchCase):
    def status_of_end(self, launch, *command, **fields):
        number = launch.start(*command, **fields)
        return launch.expect("ended", id=number)

    def test_statuses_are_exact(self):
        launch = self.begun()
        for script, status in [("exit 0", 0), ("exit 3", 3 << 8), ("exit 137", 137 << 8), ("kill -KILL $$", 9), ("kill -TERM $$", 15)]:
            ended = self.status_of_end(launch, SHELL, "-c", script)
            self.assertEqual(status, ended.status, script)
            self.assertGreater(ended.memory, 100)
            self.assertLess(abs(ended.time - time.monotonic_ns()), 10**10)

    def test_started_tells_the_process(self):
        launch = self.begun()
        number = launch.start("/bin/sleep", "60")
        started = launch.expect("started", id=number)
        while "sleep" not in pathlib.Path(f"/proc/{started.pid}/cmdline").read_text():
            time.sleep(0.01)
        stat = pathlib.Path(f"/proc/{started.pid}/stat").read_text().rsplit(")", 1)[1].split()
        self.assertEqual(str(started.pid), stat[3], "the session")

    def refused(self, launch, *command, **fields):
        number = launch.start(*command, **fields)
        return launch.expect("failed", id=number).error

    def test_what_cannot_be_started_is_told(self):
        launch = self.begun()
        (self.place / "data").write_text("text")
        self.assertEqual(errno.ENOENT, self.refused(launch, "/nowhere/program"))
        self.assertEqual(errno.EACCES, self.refused(launch, str(self.place / "data")))
        self.assertEqual(-errno.ENOENT, self.refused(launch, SHELL, dir="/nowhere"))
        self.assertEqual(errno.E2BIG, self.refused(launch, SHELL, "-c", ":", "x" * 200_000))
        self.assertEqual(0, self.status_of_end(launch, SHELL, "-c", ":").status)

    def test_a_script_without_interpreter_is_the_shells(self):
        launch = self.begun()
        (self.place / "script").write_text("exit $((5 + $#))\n")
        (self.place / "script").chmod(0o755)
        self.assertEqual(7 << 8, self.status_of_end(launch, str(self.place / "script"), "a", "b").status)

    def test_changes_of_the_environment(self):
        launch = self.begun(environment={"a.b": "1", "GONE": "1", "KEPT": "\udcff", "CHANGED": "1"})
        read, number, _ = launch.pipe()
        self.status_of_end(launch, PYTHON, "-ISc", "import os; print(os.environb)", out=number, set=["CHANGED=2", "NEW=a=b"],
                           unset=["GONE", "NEVER_THERE"])
        launch.close(number)
        environment = read.read()
        for word in (b"b'a.b': b'1'", b"b'KEPT': b'\\xff'", b"b'CHANGED': b'2'", b"b'NEW': b'a=b'"):
            self.assertIn(word, environment)
        self.assertNotIn(b"GONE", environment)
        self.assertEqual(1, environment.count(b"CHANGED"))

    def test_output_goes_to_the_pipe_and_errors_where_they_are_told(self):
        launch = self.begun()
        out, out_number, _ = launch.pipe()
        err, err_number, _ = launch.pipe()
        self.status_of_end(launch, SHELL, "-c", "echo out; echo err >&2", out=out_number)
        self.status_of_end(launch, SHELL, "-c", "echo out; echo err >&2", out=out_number, err=err_number)
        launch.close(out_number)
        launch.close(err_number)
        self.assertEqual(b"out\nerr\nout\n", out.read())
        self.assertEqual(b"err\n", err.read())

    def test_output_goes_to_a_socket(self):
        launch = self.begun()
        server = socket.socket(socket.AF_UNIX)
        server.bind(str(self.place / "out"))
        server.listen()
        launch.start(SHELL, "-c", "echo hello", out=str(self.place / "out"))
        connection, _ = server.accept()
        self.assertEqual(b"hello\n", connection.recv(100))
        self.assertEqual(b"", connection.recv(100))
        server.close()
        connection.close()

    def test_input_is_the_callers_or_none(self):
        read, write = os.pipe()
        os.write(write, b"line\n")
        launch = self.begun(stdin=read)
        self.assertEqual(1 << 8, self.status_of_end(launch, SHELL, "-c", "read line").status)
        self.assertEqual(0, self.status_of_end(launch, SHELL, "-c", 'read line; [ "$line" = line ]', input=1).status)
        os.close(read)
        os.close(write)

    def test_input_is_a_pipe_of_the_jvm(self):
        launch = self.begun()
        _, write, read = launch.pipe()
        self.status_of_end(launch, SHELL, "-c", "echo line", out=write)
        self.assertEqual(0, self.status_of_end(launch, SHELL, "-c", 'read line; [ "$line" = line ]', input=read).status)

    def test_signals_are_the_callers_and_no_descriptor_leaks(self):
        launch = self.begun(preexec_fn=lambda: signal.signal(signal.SIGUSR1, signal.SIG_IGN))
        number = launch.start("/bin/sleep", "60")
        pid = launch.expect("started", id=number).pid
        while "sleep" not in (pathlib.Path(f"/proc/{pid}/cmdline").read_text()):
            time.sleep(0.01)
        ignored = int(status_of(pid, "SigIgn"), 16)
        self.assertEqual(1 << (signal.SIGUSR1 - 1), ignored & 0x7FFFFFFF)
        self.assertEqual(status_of("self", "SigBlk"), status_of(pid, "SigBlk"))
        end = time.monotonic() + 10
        while len(os.listdir(f"/proc/{pid}/fd")) > 3 and time.monotonic() < end:
            time.sleep(0.01)  # the program still loads its libraries
        self.assertEqual({"0", "1", "2"}, set(os.listdir(f"/proc/{pid}/fd")))

    def test_a_thousand_processes(self):
        launch = self.begun()
        numbers = {launch.start("/bin/true") for _ in range(1000)}
        while numbers:
            event = launch.expect("ended", patience=60)
            numbers.discard(event.id)


class RecordsTest(LaunchCase):
    def test_orders_may_come_byte_by_byte(self):
        launch = self.begun()
        for byte in protocol.order("start", id=1, arg=[SHELL, "-c", "exit 4"], dir="/", out=-1):
            launch.conversation.sendall(bytes([byte]))
            time.sleep(0.001)
        self.assertEqual(4 << 8, launch.expect("ended", id=1).status)

    def assert_ends_the_conversation(self, nonsense):
        launch = self.begun(grace=5000)
        launch.start_worker(name="rank", term=0.3)
        launch.conversation.sendall(nonsense)
        launch.conversation.shutdown(socket.SHUT_WR)
        launch.await_line("rank", "TERM")
        launch.await_line("rank", "end")
        self.assert_ends(launch, 70, "exit 70")

    def test_an_unknown_order(self):
        self.assert_ends_the_conversation(protocol.order("restart"))

    def test_an_event_is_no_order(self):
        self.assert_ends_the_conversation(protocol.order("hello"))

    def test_an_empty_record(self):
        self.assert_ends_the_conversation(b"\0")

    def test_an_empty_field(self):
        self.assert_ends_the_conversation(b"name\0\0text=x\0\0")

    def test_half_a_record(self):
        self.assert_ends_the_conversation(protocol.order("name", text="plugin")[:-1])

    def test_random_bytes(self):
        self.assert_ends_the_conversation(b"GET / HTTP/1.1\r\n\r\n" * 100)

    def test_nothing_at_all(self):
        self.assert_ends_the_conversation(b"")


class VerdictTest(LaunchCase):
    def test_the_code_is_the_jvms(self):
        for code in (0, 3, 75, 255):
            launch = self.begun()
            launch.order("verdict", code=code)
            launch.end_jvm()
            self.assert_ends(launch, code)

    def test_what_is_left_is_ended(self):
        launch = self.begun()
        launch.start_worker(name="rank", term="ignore", daemons=[{"name": "daemon", "term": "ignore"}])
        launch.order("verdict", code=5)
        launch.end_jvm()
        self.assert_ends(launch, 5)
