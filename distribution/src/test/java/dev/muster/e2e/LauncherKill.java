package dev.muster.e2e;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** How a start of a job comes to an end that nobody has a say in, before the platform starts it again. */
enum LauncherKill {
    /** Inner sees it and stops the ranks. */
    OF_OUTER {
        @Override
        List<Long> victims(Run run) {
            return run.launchers;
        }
    },

    /** Outer sees it and stops the ranks. */
    OF_INNER {
        @Override
        List<Long> victims(Run run) {
            return run.those(run::isInner);
        }
    },

    OF_THE_JVM {
        @Override
        List<Long> victims(Run run) {
            return run.those(Run::isJvm);
        }
    },

    /** All processes that there are, as when a container is killed whose first process stays. */
    OF_EVERYTHING {
        @Override
        List<Long> victims(Run run) {
            return run.those(pid -> true);
        }
    },

    /** The container with all its processes: only files stay, and numbers of processes begin anew. */
    OF_THE_CONTAINER {
        @Override
        String[] place() {
            return new String[] {"unshare", "--pid", "--fork", "--kill-child=KILL", "--mount-proc"};
        }

        @Override
        List<Long> victims(Run run) {
            return run.launchers;
        }
    };

    private static final String KILL = "kill -s KILL -- \"$@\" 2> /dev/null";

    /** What puts a start of the job where this can come over it, and the next one, too: it runs behind this. */
    String[] place() {
        return new String[] {"setsid"};
    }

    /** Those that are killed, all at once. A negative number is a group. */
    abstract List<Long> victims(Run run);

    /**
     * Lets it come over a start of the job, however far that is.
     *
     * @param launchers of its launchers
     * @param all pids of the scene's processes, which belong to it
     */
    void happen(List<Long> launchers, Supplier<List<Long>> all) {
        List<Long> victims = new ArrayList<>();
        Await.until("there is somebody to kill", () -> victims.addAll(victims(new Run(launchers, all.get()))));
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", KILL, "sh"));
        victims.forEach(pid -> command.add(Long.toString(pid)));
        try {
            // Whoever has ended meanwhile is no victim.
            new ProcessBuilder(command).start().waitFor();
        } catch (IOException failed) {
            throw new AssertionError("cannot run " + command, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while processes were killed", interrupted);
        }
    }

    /** The processes of one start. */
    record Run(List<Long> launchers, List<Long> all) {

        List<Long> those(Predicate<Long> which) {
            return all.stream().filter(which).toList();
        }

        static boolean isJvm(long pid) {
            return text(pid, "comm").strip().equals("java");
        }

        boolean isInner(long pid) {
            return text(pid, "comm").strip().equals("muster") && !launchers.contains(pid);
        }

        private static String text(long pid, String file) {
            try {
                return Files.readString(Path.of("/proc", Long.toString(pid), file), StandardCharsets.ISO_8859_1);
            } catch (IOException ended) {
                return "";
            }
        }
    }
}
