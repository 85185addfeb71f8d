"""What happens to a job when JVM, inner or outer are killed, suspended or signalled."""

import os
import signal
import socket
import time

from launch import LaunchCase, suspend


class DeathTest(LaunchCase):
    def run_of_two(self, launch):
        launch.start_worker(name="rank0", term=0.5, children=[{"name": "loader"}])
        launch.start_worker(name="rank1", term=0.5, daemons=[{"name": "daemon", "term": 0.5}])

    def assert_all_had_their_grace(self, launch):
        for name in ("rank0", "rank1", "daemon"):
            self.assertEqual(1, len(launch.lines(name, "TERM")), name)
            self.assertEqual(1, len(launch.lines(name, "end")), name)

    def test_the_jvm_is_killed(self):
        launch = self.begun()
        self.run_of_two(launch)
        launch.kill_jvm()
        self.assert_ends(launch, 70, "exit 70", "SIGKILL")
        self.assert_all_had_their_grace(launch)

    def test_the_jvm_ends(self):
        launch = self.begun()
        self.run_of_two(launch)
        launch.order("name", text="com.example.Plugin")
        launch.end_jvm()
        self.assert_ends(launch, 70, "exit 70", "com.example.Plugin")
        self.assert_all_had_their_grace(launch)

    def test_the_jvm_is_killed_and_a_rank_takes_too_long(self):
        launch = self.begun(grace=1000)
        launch.start_worker(name="rank", term=60)
        launch.kill_jvm()
        began = time.monotonic()
        self.assert_ends(launch, 70)
        self.assertLess(time.monotonic() - began, 10)

    def test_the_jvm_dies_before_it_has_begun(self):
        launch = self.launch().meet()
        launch.kill_jvm()
        self.assert_ends(launch, 70, "before")

    def test_outer_is_killed(self):
        launch = self.begun()
        self.run_of_two(launch)
        launch.process.kill()
        self.assertEqual(-9, launch.ended())
        launch.await_line("daemon", "end")
        self.assert_nothing_is_left(launch)
        self.assert_all_had_their_grace(launch)

    def test_inner_is_killed(self):
        launch = self.begun()
        self.run_of_two(launch)
        os.kill(launch.inner(), signal.SIGKILL)
        with self.assertRaises(AssertionError):
            while True:
                launch.next_event()
        launch.end_jvm()
        self.assert_ends(launch, 75, "exit 75")
        self.assert_all_had_their_grace(launch)

    def test_inner_and_jvm_are_killed(self):
        launch = self.begun()
        self.run_of_two(launch)
        suspend(launch.process.pid)
        os.kill(launch.inner(), signal.SIGKILL)
        launch.kill_jvm()
        os.kill(launch.process.pid, signal.SIGCONT)
        self.assert_ends(launch, 75)
        self.assert_all_had_their_grace(launch)

    def test_inner_is_killed_after_the_jvm(self):
        launch = self.begun()
        launch.start_worker(name="rank", term=2)
        launch.kill_jvm()
        launch.await_line("rank", "TERM")
        while os.path.exists(f"/proc/{launch.known['pid']}"):
            time.sleep(0.01)
        os.kill(launch.inner(), signal.SIGKILL)
        self.assert_ends(launch, 75)

    def test_outer_and_inner_are_killed(self):
        launch = self.begun()
        launch.start_worker(name="rank0", term=0.5)
        suspend(launch.process.pid, launch.inner())
        os.kill(launch.inner(), signal.SIGKILL)
        os.kill(launch.process.pid, signal.SIGKILL)
        launch.await_line("rank0", "TERM")
        launch.await_line("rank0", "end")
        self.assert_nothing_is_left(launch)


    def test_a_process_of_the_jvm_has_its_conversation(self):
        launch = self.begun()
        launch.start_worker(name="rank", term=0.2)
        # The test holds the socket, like a process that inherited the JVM's standard input from a plugin.
        os.kill(launch.known["pid"], signal.SIGKILL)
        self.assert_ends(launch, 70, "exit 70")


class SignalTest(LaunchCase):
    def test_signals_are_told(self):
        launch = self.begun()
        for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGQUIT, signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            launch.process.send_signal(number)
            told = launch.expect("signal")
            self.assertEqual(number, told.number)
            launch.order("taken")

    def test_a_stop_that_the_jvm_does_not_take_begins_without_it(self):
        launch = self.begun(grace=5000)
        launch.start_worker(name="rank", term=0.2)
        began = time.monotonic()
        launch.process.terminate()
        self.assertAlmostEqual(2.0, launch.await_line("rank", "TERM") - began, delta=0.7)
        launch.expect("ended")
        launch.order("verdict", code=9)
        launch.end_jvm()
        self.assert_ends(launch, 9)

    def test_the_grace_of_a_stop_goes_on_when_the_jvm_dies(self):
        launch = self.begun(grace=6000)
        launch.start_worker(name="rank", term=60)
        launch.process.terminate()
        launch.expect("signal")
        launch.order("taken")
        launch.order("stop", sequence=1, grace=6000)
        began = launch.await_line("rank", "TERM")
        time.sleep(4)
        launch.kill_jvm()
        self.assert_ends(launch, 143)
        self.assertLess(time.monotonic() - began, 9)

    def test_a_second_sigint_ends_all_at_once_where_the_jvm_is_dead(self):
        launch = self.begun(grace=600000)
        launch.start_worker(name="rank", term=60)
        launch.kill_jvm()
        launch.await_line("rank", "TERM")
        while launch.process.poll() is None:
            launch.process.send_signal(signal.SIGINT)
            time.sleep(0.05)
        self.assert_ends(launch, 130)
        self.assertIsNone(launch.line("rank", "end"))

    def test_a_stop_at_the_socket_has_a_grace_of_its_own(self):
        launch = self.begun(grace=60000)
        launch.start_worker(name="rank", term=60)
        launch.order("caught", number=15, grace=200)
        self.assertEqual(15, launch.expect("signal").number)
        launch.expect("killing")
        launch.expect("ended")
        launch.order("verdict", code=143)
        launch.end_jvm()
        self.assert_ends(launch, 143)

    def test_a_stop_that_is_taken_is_the_jvms_affair(self):
        launch = self.begun()
        launch.start_worker(name="rank")
        launch.process.terminate()
        launch.expect("signal")
        launch.order("taken")
        time.sleep(3)
        self.assertIsNone(launch.line("rank", "TERM"))

    def test_a_stop_and_then_the_jvm_dies(self):
        for number, code in [(signal.SIGTERM, 99), (signal.SIGINT, 130), (signal.SIGHUP, 129)]:
            launch = self.launch()
            launch.begin(code_after_term=99)
            launch.start_worker(name="rank")
            launch.process.send_signal(number)
            launch.expect("signal")
            launch.order("taken")
            launch.kill_jvm()
            self.assert_ends(launch, code)

    def test_a_stop_before_there_is_a_jvm_to_hear_it(self):
        launch = self.launch()
        time.sleep(0.1)
        launch.process.terminate()
        launch.begin()
        self.assertEqual(15, launch.expect("signal").number)

    def test_nohup_is_not_told(self):
        launch = self.begun(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        launch.process.send_signal(signal.SIGHUP)
        launch.process.send_signal(signal.SIGUSR1)
        self.assertEqual(signal.SIGUSR1, launch.expect("signal").number)

    def test_a_jvm_that_is_suspended_is_given_up(self):
        launch = self.begun(grace=5000)
        launch.start_worker(name="rank", term=0.2)
        suspend(launch.known["pid"])
        launch.process.terminate()
        launch.await_line("rank", "TERM")
        # Inner resumes the JVM once. The JVM does not react to the stop: java.py only waits.
        launch.conversation.close()
        self.assertIn(launch.ended(30), (143, 70))

    def test_the_first_failure_is_told_first(self):
        launch = self.begun()
        for rank in (0, 5):
            launch.start_worker(name=f"rank{rank}", term=0, code=rank + 1)
        # Outer would resume inner.
        suspend(launch.process.pid, launch.inner())
        for rank in (5, 0):
            os.kill(int(launch.line(f"rank{rank}", "start")), signal.SIGTERM)
            launch.await_line(f"rank{rank}", "end")
            time.sleep(0.2)
        launch.process.send_signal(signal.SIGCONT)
        os.kill(launch.inner(), signal.SIGCONT)
        self.assertEqual([6 << 8, 1 << 8], [launch.expect("ended").status for _ in range(2)])


class LockTest(LaunchCase):
    def lock(self, launch, name):
        path = self.place / "places" / name
        path.parent.mkdir(exist_ok=True)
        launch.order("lock", file=str(path))
        return path

    def test_one_launcher_at_a_time(self):
        first, second = self.begun(), self.begun()
        path = self.lock(first, "0")
        first.expect("locked")
        first.order("socket", text=str(self.place / "places/socket"))
        (self.place / "places/socket").write_text("")
        other = self.lock(second, "1")
        second.expect("locked")
        third = self.begun()
        self.lock(third, "0")
        third.expect("busy")
        self.assertTrue(path.exists())
        first.order("verdict", code=0)
        first.end_jvm()
        self.assertEqual(0, first.ended())
        self.assertEqual([other], list((self.place / "places").iterdir()))
        self.lock(third, "0")
        third.expect("locked")

    def test_a_rank_does_not_hold_the_lock(self):
        first = self.begun()
        self.lock(first, "0")
        first.expect("locked")
        first.start_worker(name="rank", term=0.2)
        for pid in (first.process.pid, first.inner()):
            os.kill(pid, signal.SIGSTOP)
        for pid in (first.inner(), first.process.pid, first.known["pid"]):
            os.kill(pid, signal.SIGKILL)
        second = self.begun()
        self.lock(second, "0")
        second.expect("locked")

    def test_where_none_can_be_made_nobody_is_kept_out(self):
        launch = self.begun()
        launch.order("lock", file="/nowhere/lock")
        launch.expect("locked")


class AttachedTest(LaunchCase):
    def test_a_jvm_that_was_there_before(self):
        server = socket.socket(socket.AF_UNIX)
        server.bind(str(self.place / "attached"))
        server.listen()
        launch = self.launch("--attached", str(self.place / "attached"), "run")
        launch.conversation, _ = server.accept()
        launch.known = {"pid": launch.process.pid}
        hello = launch.expect("hello")
        self.assertEqual([b"run"], hello.get_all("arg"))
        launch.order("ready", version=1)
        launch.order("settings", grace=5000, code=143)
        number = launch.start("/bin/sh", "-c", "exit 3")
        self.assertEqual(3 << 8, launch.expect("ended", id=number).status)
        launch.order("caught", number=15)
        self.assertEqual(15, launch.expect("signal").number)
        launch.order("taken")
        launch.start_worker(name="rank", term=0.2)
        launch.conversation.close()
        launch.conversation = None
        launch.await_line("rank", "end")
        launch.ended()
        self.assert_nothing_is_left(launch)
        server.close()
