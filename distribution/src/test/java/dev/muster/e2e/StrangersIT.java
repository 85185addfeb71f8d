package dev.muster.e2e;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Numbers of processes that are given out again, and processes that cannot be recognised any more. */
@ExtendWith(Scenes.class)
class StrangersIT {

    /** Rank 0 ends when it is told to; the other one ends by nothing but SIGKILL. */
    private static final String[] RANK = {
        "[ $me = 0 ] || trap '' TERM",
        "echo $$ > $scene/pid-$me.part; mv $scene/pid-$me.part $scene/pid-$me",
        "[ $me = 0 ] && { until [ -e $scene/go ]; do sleep 0.01; done; exit 0; }",
        "while :; do sleep 600; done"
    };

    /** As the first process of a container, gives the number of rank 0 to a stranger that leads a group. */
    private static final String[] REUSE = {
        "\"$@\" & launcher=$!",
        "until [ -e $scene/pid-0 ] && [ -e $scene/pid-1 ]; do sleep 0.01; done",
        "read -r pid < $scene/pid-0; read -r other < $scene/pid-1",
        ": > $scene/go",
        "while [ -e /proc/$pid ]; do sleep 0.01; done",
        // Whoever starts before the launcher has noted the end, 10 ms or so later, could be the rank's own.
        "sleep 0.1",
        "stranger=",
        "until [ \"$stranger\" = \"$pid\" ]; do",
        "  [ -z \"$stranger\" ] || kill -s KILL $stranger",
        "  echo $((pid - 1)) > /proc/sys/kernel/ns_last_pid",
        "  setsid sleep 600 & stranger=$!",
        "done"
    };

    private static final String KILL_JVM = "for one in /proc/[0-9]*; do read -r name < $one/comm;"
            + " [ $name != java ] || kill -s KILL ${one#/proc/}; done 2> /dev/null";

    private static final String[] CHECK = {
        "wait $launcher; echo $? > $scene/code",
        "while read -r _ _ state _ < /proc/$other/stat && [ $state != Z ]; do sleep 0.01; done 2> /dev/null",
        "read -r _ _ state _ < /proc/$stranger/stat && [ $state != Z ] && : > $scene/lives"
    };

    private static void run(Scene scene, Invocation job, String... end) {
        Components.requireRoot();
        Components.require("unshare");
        String script = scene.script(
                "first", Stream.of(REUSE, end, CHECK).flatMap(Arrays::stream).toArray(String[]::new));
        job.behind("unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "/bin/sh", script)
                .run();
    }

    @Tag("repeated")
    @OnOneJdk
    @DisplayName("3.1 SIGKILL after the grace period spares a stranger that has got an ended rank's number")
    void theLauncherSparesAStranger(Scene scene) {
        run(scene, scene.job(2, "--grace", "300ms").with(scene.script("rank", RANK)), "kill -s TERM $launcher");
        scene.assertFiles("lives");
    }

    @Test
    @DisplayName("3.2 a stranger that has got an ended rank's number is spared when the JVM has been killed, too")
    void aStrangerIsSparedWithoutTheJvm(Scene scene) {
        run(scene, scene.job(2, "--grace", "300ms").with(scene.script("rank", RANK)), KILL_JVM);
        scene.assertFiles("lives");
    }

    @Test
    @DisplayName("3.3 a stranger's child in the group of an ended rank's number is spared, its leader being gone")
    void aStrangersGroupIsSpared(Scene scene) {
        String leave = "kill -s KILL $stranger; until [ ! -e /proc/$stranger ]; do"
                + " echo $((pid - 1)) > /proc/sys/kernel/ns_last_pid;"
                + " wait $stranger 2> /dev/null; done;"
                + " until [ \"$leader\" = \"$pid\" ]; do echo $((pid - 1)) > /proc/sys/kernel/ns_last_pid;"
                + " setsid sh -c 'sleep 600 & echo $! > $0' $scene/child & leader=$!; wait $leader; done;"
                + " read -r stranger < $scene/child;";
        run(scene, scene.job(2, "--grace", "300ms").with(scene.script("rank", RANK)), leave + "kill -s TERM $launcher");
        scene.assertFiles("lives");
    }

    /** A daemon that nothing is known by but that it was seen, with the number of a stranger that was seen before. */
    private static final String REBORN = """
            import os, signal, sys, time
            scene = sys.argv[1]
            stranger = int(open(scene + '/stranger').read())
            time.sleep(1.2)  # longer than the time between two looks at the machine
            middle = os.fork()
            if middle == 0:
                os.kill(stranger, signal.SIGKILL)
                while os.path.exists('/proc/%d' % stranger):
                    pass
                daemon = 0
                while daemon != stranger:
                    if daemon:
                        os.kill(daemon, signal.SIGKILL)
                        os.waitpid(daemon, 0)
                    with open('/proc/sys/kernel/ns_last_pid', 'w') as last:
                        last.write(str(stranger - 1))
                    daemon = os.fork()
                    if daemon == 0:
                        os.setsid()
                        os.execve('/bin/sleep', ['sleep', '600'], {})
                time.sleep(1.2)
                os._exit(0)
            os.waitpid(middle, 0)
            """;

    @Test
    @DisplayName(
            "3.19 what a rank has started ends with it, though it has the number of a stranger that was there before")
    void whoHasAStrangersNumberIsSeen(Scene scene) {
        Components.requireRoot();
        Components.require("unshare", "python3");
        Scene.write(scene.beside("reborn.py"), REBORN);
        String first = scene.script(
                "first",
                "sleep 600 & stranger=$!",
                "echo $stranger > $scene/stranger",
                "\"$@\" & launcher=$!",
                "wait $stranger",
                "wait $launcher",
                "read -r _ _ state _ < /proc/$stranger/stat && [ $state != Z ] || : > $scene/ended");
        scene.job(1)
                .with(scene.script("rank", "exec python3 $scene/reborn.py $scene"))
                .behind("unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "/bin/sh", first)
                .run();
        scene.assertFiles("ended");
    }

    private static final String[] FORGETFUL_PIDS = {"pid-0", "pid-0-child", "pid-1", "pid-1-child"};

    /** As setproctitle does it. */
    private static final String FORGETFUL = """
            import os, signal, sys, time
            fields = open('/proc/self/stat').read().rsplit(')', 1)[1].split()
            start, end = int(fields[47]), int(fields[48])
            with open('/proc/self/mem', 'r+b', 0) as memory:
                memory.seek(start)
                memory.write(b'x' * (end - start))
            child = os.fork()
            if child == 0:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                if len(sys.argv) > 2:
                    os.setsid()
            time.sleep(0.8 if child == 0 else 0)  # longer than the time between two looks at the machine
            name = sys.argv[1] + ('-child' if child == 0 else '')
            with open(name + '.part', 'w') as file:
                file.write(str(os.getpid()))
            os.rename(name + '.part', name)
            while True:
                time.sleep(600)
            """;

    @OnOneJdk
    @DisplayName(
            "3.4 a rank that overwrites its environment stays ours, and what it starts, though it has left its group")
    void aForgetfulRankStaysOurs(Scene scene) {
        Launched launcher = forgetful(scene);
        launcher.signal("TERM").await().endedWith(143);
        checkForgetfulEnded(scene);
    }

    @Test
    @DisplayName("3.5 it ends when the JVM has been killed, too")
    void aForgetfulRankEndsWithoutTheJvm(Scene scene) {
        Launched launcher = forgetful(scene);
        launcher.killJvm();
        launcher.await();
        checkForgetfulEnded(scene);
        scene.assertNothingIsLeft();
    }

    /** Two ranks; what the second starts leaves its group. */
    private static Launched forgetful(Scene scene) {
        Components.require("python3");
        Scene.write(scene.beside("forgetful.py"), FORGETFUL);
        String rank = scene.script(
                "rank", "[ $me = 0 ] || set -- escaping", "exec python3 $scene/forgetful.py $scene/pid-$me \"$@\"");
        Launched launcher = scene.job(2, "--grace", "300ms").with(rank).start();
        scene.awaitFiles(FORGETFUL_PIDS);
        return launcher;
    }

    private static void checkForgetfulEnded(Scene scene) {
        for (String file : FORGETFUL_PIDS) {
            long pid = Long.parseLong(Scene.read(scene.beside(file)).strip());
            Await.until(file + " has ended", () -> !Processes.isRunning(pid));
        }
    }
}
