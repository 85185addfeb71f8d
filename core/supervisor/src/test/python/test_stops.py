"""Which process gets SIGTERM and SIGKILL in a stop, and when."""

import os
import pathlib
import signal
import time

from launch import PYTHON, LaunchCase


class StopTest(LaunchCase):
    def stop(self, launch, grace, sequence=1, **fields):
        began = time.monotonic()
        launch.order("stop", sequence=sequence, grace=grace, **fields)
        return began

    def stopped(self, launch, sequence=1):
        launch.expect("stopped", sequence=sequence)
        self.assert_nothing_is_left(launch)

    def test_leader_first_and_the_rest_when_it_has_ended(self):
        launch = self.begun()
        launch.start_worker(name="leader", term=1.0, children=[{"name": "loader"}])
        began = self.stop(launch, 30000)
        self.stopped(launch)
        self.assertGreaterEqual(launch.line("loader", "TERM"), launch.line("leader", "end"))
        self.assertLess(launch.line("loader", "TERM") - began, 15, "long before two thirds of the grace")

    def test_all_at_once(self):
        for name, grace, start, stop in [
            ("wrapper", 30000, {"wrapper": "*"}, {}),
            ("shell", 30000, {"wrapper": os.path.basename(os.path.realpath(PYTHON))}, {}),
            ("short", 3000, {}, {}),
            ("told", 30000, {}, {"all": 1}),
        ]:
            with self.subTest(name):
                launch = self.begun()
                launch.start_worker(name="leader", term=1.0, children=[{"name": "child", "term": 0.5}], order=start)
                self.stop(launch, grace, **stop)
                self.stopped(launch)
                self.assertLess(launch.line("child", "TERM"), launch.line("leader", "end"))
                self.assertEqual(1, len(launch.lines("child", "TERM")))
                self.assertEqual(1, len(launch.lines("leader", "TERM")))

    def test_a_shell_that_has_become_its_command_is_none(self):
        launch = self.begun()
        launch.start_worker(name="leader", term=1.0, children=[{"name": "loader"}], order={"wrapper": "sh"})
        self.stop(launch, 30000)
        self.stopped(launch)
        self.assertGreaterEqual(launch.line("loader", "TERM"), launch.line("leader", "end"))

    def test_daemons_hear_when_leaders_have_ended(self):
        launch = self.begun()
        launch.start_worker(name="first", term=0.5, daemons=[{"name": "daemon"}])
        launch.start_worker(name="last", term=1.0)
        self.stop(launch, 30000)
        self.stopped(launch)
        self.assertGreaterEqual(launch.line("daemon", "TERM"), launch.line("last", "end"))

    def test_a_shell_hears_before_its_command(self):
        """If its command got SIGTERM first, the shell would start the next command, and would not save."""
        launch = self.begun()
        ready, told = self.place / "ready", self.place / "told"
        command = f"sh -c 'echo > {ready}; exec sleep 600'"
        launch.start("/bin/sh", "-c", f"trap 'echo told >> {told}' TERM\nfor i in $(seq 300); do sleep 600 & done\n"
                     f"while :; do {command}; done\n")
        while not ready.exists():
            time.sleep(0.01)
        self.stop(launch, 500, all=1)
        launch.expect("stopped", sequence=1)
        self.assertEqual("told\n", told.read_text() if told.exists() else "")

    def test_a_leader_that_ignores_it_keeps_it_from_nobody(self):
        launch = self.begun()
        launch.start_worker(name="leader", term="ignore", lives=2, children=[{"name": "child"}])
        self.stop(launch, 30000)
        self.stopped(launch)
        self.assertLess(launch.line("child", "TERM"), launch.line("leader", "end"))

    def test_the_rest_has_a_third_of_the_grace(self):
        launch = self.begun()
        launch.start_worker(name="leader", term=5.5, children=[{"name": "child", "term": 0.1}])
        began = self.stop(launch, 6000)
        self.stopped(launch)
        self.assertGreaterEqual(launch.line("child", "TERM") - began, 4.0)
        self.assertLess(launch.line("child", "TERM"), launch.line("leader", "end"))
        self.assertEqual(1, len(launch.lines("child", "TERM")))

    def test_kill_at_the_end_of_the_grace(self):
        launch = self.begun()
        number = launch.start_worker(name="leader", term=60, children=[{"name": "child", "term": 60}],
                                     daemons=[{"name": "daemon", "term": 60}])
        began = self.stop(launch, 1000)
        launch.expect("killing", id=number)
        self.assertGreaterEqual(time.monotonic() - began, 1.0)
        self.assertEqual(9, launch.expect("ended", id=number).status)
        self.stopped(launch)
        self.assertEqual(3, sum(event.count for event in launch.seen if event.name == "killing"))

    def test_a_second_stop_counts_from_now(self):
        launch = self.begun()
        launch.start_worker(name="leader", term=60)
        began = self.stop(launch, 20000)
        launch.await_line("leader", "TERM")
        self.stop(launch, 0, sequence=2)
        launch.expect("stopped", sequence=2)
        self.assertLess(time.monotonic() - began, 15)
        self.assertEqual(1, len(launch.lines("leader", "TERM")))
        self.assertIn(1, [event.sequence for event in launch.seen if event.name == "stopped"] or [launch.expect("stopped").sequence])

    def test_a_second_stop_may_give_more(self):
        launch = self.begun()
        launch.start_worker(name="leader", term=2.0)
        self.stop(launch, 1000)
        self.stop(launch, 10000, sequence=2)
        self.stopped(launch, 2)
        self.assertIsNotNone(launch.line("leader", "end"), "it had its time")

    def test_only_these(self):
        launch = self.begun()
        numbers = [launch.start_worker(name=f"rank{i}") for i in range(3)]
        self.stop(launch, 5000, only=numbers[1])
        launch.expect("stopped", sequence=1)
        self.assertEqual([[], [1], []], [[1 for _ in launch.lines(f"rank{i}", "TERM")] for i in range(3)])
        self.stop(launch, 5000, sequence=2)
        self.stopped(launch, 2)

    def test_nothing_to_stop_is_stopped(self):
        launch = self.begun()
        self.stop(launch, 5000)
        launch.expect("stopped", sequence=1)
        self.stop(launch, 5000, sequence=2, only=77)
        launch.expect("stopped", sequence=2)

    def test_daemons_of_the_dead_are_found(self):
        launch = self.begun()
        number = launch.start_worker(name="leader", lives=0.2, daemons=[{"name": "daemon", "daemons": [{"name": "of daemon"}]}])
        launch.expect("ended", id=number)
        self.stop(launch, 5000)
        self.stopped(launch)
        self.assertEqual(1, len(launch.lines("daemon", "TERM")))
        self.assertEqual(1, len(launch.lines("of daemon", "TERM")))

    def test_a_thousand_daemons(self):
        launch = self.begun()
        script = ("import os, time\nfor i in range(1000):\n  if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: time.sleep(60)\n"
                  "    os._exit(0)\n  os.wait()\n" f"open('{self.place}/all', 'w')\ntime.sleep(60)")
        launch.start(PYTHON, "-ISc", script)
        while not (self.place / "all").exists():
            time.sleep(0.05)
        began = self.stop(launch, 20000)
        launch.expect("stopped", sequence=1)
        self.assertLess(time.monotonic() - began, 15)

    def test_loops_of_forks_are_ended(self):
        """A process that forks and exits in a loop: once in one process group, once in a new session each time."""
        for leave in ("", "os.setsid()"):
            launch = self.begun()
            beats = self.place / "beats"
            beats.write_text("")
            launch.start(PYTHON, "-ISc", "import os, signal\nsignal.signal(15, signal.SIG_IGN)\nwhile True:\n  if os.fork(): os._exit(0)\n"
                         f"  {leave}\n  open('{beats}', 'a').write('x')\n")
            while beats.stat().st_size < 100:
                time.sleep(0.01)
            self.stop(launch, 500)
            launch.expect("stopped", sequence=1)
            size = beats.stat().st_size
            time.sleep(0.3)
            self.assertEqual(size, beats.stat().st_size)
            launch.end_jvm()

    def test_a_stopped_process_gets_term(self):
        launch = self.begun()
        number = launch.start_worker(name="leader")
        pid = int(launch.line("leader", "start"))
        os.kill(pid, signal.SIGSTOP)
        self.stop(launch, 5000)
        launch.expect("ended", id=number)
        self.stopped(launch)
        self.assertEqual(1, len(launch.lines("leader", "TERM")))

    def test_signals_to_whom_they_are_meant(self):
        launch = self.begun()
        number = launch.start_worker(name="leader", term=0.2, children=[{"name": "child"}], daemons=[{"name": "daemon"}])
        launch.order("signal", id=number, number=15)
        launch.expect("ended", id=number)
        self.assertIsNone(launch.line("child", "TERM"))
        self.stop(launch, 3000)
        self.stopped(launch)

    def test_a_terminals_signals_are_for_the_group(self):
        launch = self.begun()
        number = launch.start_worker(name="leader", term=0.2, children=[{"name": "child"}], daemons=[{"name": "daemon"}])
        launch.line("child", "start")
        launch.order("signal", id=number, number=15, group=1)
        launch.expect("ended", id=number)
        launch.await_line("child", "TERM")
        self.assertIsNone(launch.line("daemon", "TERM"))
        self.stop(launch, 3000)
        self.stopped(launch)

    def test_a_nested_launcher_stops_its_own(self):
        launch = self.begun()
        inside = self.launch(java=False)
        inside.process.wait()
        java = inside.make_java()
        launch.start(str(launch.place / "home/bin/muster"), "inside", set=[f"JAVA_HOME={java}"])
        inside.begin()
        self.assertEqual([b"inside"], inside.hello.get_all("arg"))
        inside.start_worker(name="rank", term=0.5)
        self.stop(launch, 20000)
        self.assertEqual(15, inside.expect("signal").number)
        inside.order("taken")
        time.sleep(0.5)
        self.assertIsNone(inside.line("rank", "TERM"))
        inside.order("stop", sequence=1, grace=5000)
        inside.expect("stopped")
        self.assertEqual(1, len(inside.lines("rank", "TERM")))
        inside.order("verdict", code=143)
        inside.end_jvm()
        self.assertEqual(143 << 8, launch.expect("ended").status)
        self.stopped(launch)


class HostTest(LaunchCase):
    def host(self, launch, *ranks, **fields):
        """A host of ranks. Each rank has its wrapper."""
        wrapper = [str(launch.place / "home/bin/muster"), "--rank-of-host", "--"]
        note = launch.place / "note"
        spec = {"name": "host", "term": 0.1, "children": [{"term": 0.5, "wrapper": wrapper} | rank for rank in ranks]}
        return launch.start_worker(**spec, order={"host": 1, "note": str(note), "set": [f"MUSTER_STOP_NOTE={note}"]} | fields)

    def test_the_host_gets_term_when_its_ranks_have_ended(self):
        launch = self.begun()
        number = self.host(launch, {"name": "rank0"}, {"name": "rank1"})
        launch.order("stop", sequence=1, grace=20000)
        launch.expect("hostedEnded", id=number)
        launch.expect("stopped", sequence=1)
        for rank in ("rank0", "rank1"):
            self.assertEqual(1, len(launch.lines(rank, "TERM")))
            self.assertGreaterEqual(launch.line("host", "TERM"), launch.line(rank, "end"))

    def test_a_host_that_waits_for_others_gets_term_when_it_is_released(self):
        launch = self.begun()
        number = self.host(launch, {"name": "rank0"}, waits=1)
        launch.order("stop", sequence=1, grace=20000)
        launch.expect("hostedEnded", id=number)
        time.sleep(0.5)
        self.assertIsNone(launch.line("host", "TERM"))
        launch.order("release", id=number)
        launch.expect("stopped", sequence=1)
        self.assertIsNotNone(launch.line("host", "TERM"))

    def test_a_signal_for_ranks_reaches_nobody_else(self):
        launch = self.begun()
        number = self.host(launch, {"name": "rank", "term": 1.0, "children": [{"name": "child"}], "daemons": [{"name": "daemon"}]})
        launch.order("signal", id=number, number=15, ranks=1)
        launch.await_line("rank", "TERM")
        self.assertIsNone(launch.line("daemon", "TERM"))
        self.assertIsNone(launch.line("child", "TERM"))
        self.assertIsNone(launch.line("host", "TERM"))
        launch.order("stop", sequence=1, grace=5000)
        launch.expect("stopped", sequence=1)
        self.assert_nothing_is_left(launch)

    def test_the_note_is_made_at_a_stop_and_what_ranks_left_is_ended(self):
        launch = self.begun()
        self.host(launch, {"name": "rank", "daemons": [{"name": "daemon", "term": 0.5}]}, {"name": "other", "term": 1.0})
        self.assertFalse((launch.place / "note").exists())
        launch.order("stop", sequence=1, grace=20000)
        launch.expect("stopped", sequence=1)
        self.assertTrue((launch.place / "note").exists())
        for name in ("rank", "daemon", "other", "host"):
            self.assertEqual(1, len(launch.lines(name, "TERM")), name)
        self.assertGreaterEqual(launch.line("daemon", "TERM"), launch.line("rank", "end"))
        self.assertGreaterEqual(launch.line("host", "TERM"), launch.line("daemon", "end"))

    def test_without_wrappers_the_host_is_told_at_once(self):
        launch = self.begun()
        launch.start_worker(name="host", term=0.2, children=[{"name": "rank"}], order={"host": 1})
        launch.order("stop", sequence=1, grace=20000)
        launch.expect("stopped", sequence=1)
        self.assertGreaterEqual(launch.line("rank", "TERM"), launch.line("host", "end"))


class RankOfHostTest(LaunchCase):
    def run_rank(self, launch, *command, **fields):
        return launch.start(str(launch.place / "home/bin/muster"), "--rank-of-host", "--", *command, **fields)

    def test_its_status_is_the_commands(self):
        launch = self.begun()
        for script, status in [("exit 0", 0), ("exit 5", 5 << 8), ("kill -KILL $$", 9), ("kill -SEGV $$", 11), ("exit 137", 137 << 8)]:
            number = self.run_rank(launch, "/bin/sh", "-c", script)
            status_told = launch.expect("ended", id=number).status
            self.assertEqual(status, status_told & ~0x80, script)

    def test_a_command_that_is_not_there(self):
        launch = self.begun()
        number = self.run_rank(launch, "/nowhere/program")
        self.assertIn(launch.expect("ended", id=number).status >> 8, (126, 127))

    def test_it_waits_in_a_stop(self):
        launch = self.begun()
        note = self.place / "note"
        number = self.run_rank(launch, *launch.worker({"name": "rank", "term": 0.3}), set=[f"MUSTER_STOP_NOTE={note}"])
        launch.expect("started", id=number)
        launch.await_line("rank", "start")
        note.write_text("")
        os.kill(int(launch.line("rank", "start")), signal.SIGTERM)
        launch.await_line("rank", "end")
        time.sleep(0.5)
        self.assertFalse([event for event in launch.seen if event.name == "ended"])
        launch.order("signal", id=number, number=15)
        self.assertEqual(0, launch.expect("ended", id=number).status)

    def test_a_rank_that_somebody_else_ends_wants_the_stop_and_waits_for_it(self):
        for told in (False, True):
            with self.subTest(told=told):
                launch = self.begun()
                note, wanted = launch.place / "note", launch.place / "note.wanted"
                command = launch.worker({"name": "rank", "term": 0, "code": 143})
                number = self.run_rank(launch, *command, set=[f"MUSTER_STOP_NOTE={note}", "PMI_RANK=3"])
                launch.await_line("rank", "start")
                pid = int(launch.line("rank", "start"))
                os.kill(pid, signal.SIGTERM)
                launch.await_line("rank", "end")
                time.sleep(0.5)
                self.assertEqual(f"3 {pid}\n", wanted.read_text())
                self.assertFalse([event for event in launch.seen if event.name == "ended"])
                if told:
                    note.write_text("")
                launch.order("signal", id=number, number=15)
                self.assertEqual(0 if told else 143 << 8, launch.expect("ended", id=number).status)

    def test_a_host_that_tells_the_whole_group_wants_no_stop(self):
        launch = self.begun()
        note = launch.place / "note"
        tell = "import os, signal; os.setpgid(0, os.getppid()); os.kill(0, signal.SIGTERM)"
        number = self.run_rank(launch, PYTHON, "-IS", "-c", tell, set=[f"MUSTER_STOP_NOTE={note}"])
        self.assertEqual(15, launch.expect("ended", id=number).status)
        self.assertFalse((launch.place / "note.wanted").exists())

    def test_what_a_rank_left_is_ended_before_its_end_is_told(self):
        launch = self.begun()
        number = self.run_rank(launch, *launch.worker({"name": "rank", "lives": 0.3, "code": 4, "daemons": [{"name": "daemon", "term": 0.3}]}))
        self.assertEqual(4 << 8, launch.expect("ended", id=number).status)
        self.assertEqual(1, len(launch.lines("daemon", "TERM")))
        self.assertIsNotNone(launch.line("daemon", "end"))
        self.assertGreaterEqual(launch.line("daemon", "TERM"), launch.line("rank", "end"))

    def test_a_failure_is_listed_where_there_is_a_list(self):
        launch = self.begun()
        failed = launch.place / "note.failed"
        failed.write_text("")
        for script in ("exit 0", "exit 5", "kill -KILL $$"):
            number = self.run_rank(launch, "/bin/sh", "-c", script, set=[f"MUSTER_STOP_NOTE={launch.place}/note", "PMI_RANK=3"])
            launch.expect("ended", id=number)
        self.assertEqual("rank 3 ended with exit code 5\nrank 3 was killed by SIGKILL\n", failed.read_text())

    def test_variables_come_back_as_they_were_kept(self):
        launch = self.begun()
        words = ["MUSTER_OWN_IFS=a=b\n", "MUSTER_OWN_OWN=own", "OWN=other", "MUSTER_OWN_=nothing", "MUSTER_OWN_0=-a*b,c=d=e"]
        test = "import os, sys; own = {k: v for k, v in os.environ.items() if k in ('IFS', 'OWN', '-a*b,c') or 'MUSTER_' in k}\n"
        test += "sys.exit(own != {'IFS': 'a=b\\n', 'OWN': 'own', '-a*b,c': 'd=e'})"
        number = self.run_rank(launch, PYTHON, "-IS", "-c", test, set=words)
        self.assertEqual(0, launch.expect("ended", id=number).status)

    def test_it_passes_signals_on(self):
        launch = self.begun()
        number = self.run_rank(launch, *launch.worker({"name": "rank", "term": 0.3, "code": 7}))
        launch.await_line("rank", "start")
        launch.order("signal", id=number, number=15)
        self.assertEqual(7 << 8, launch.expect("ended", id=number).status)
        self.assertEqual(1, len(launch.lines("rank", "TERM")))
