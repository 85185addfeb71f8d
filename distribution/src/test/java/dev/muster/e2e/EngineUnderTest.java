package dev.muster.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * An engine for the tests of what all engines share: its options for a job of some processes on this machine, and its names of the
 * processes. Tests number the processes from 0. Number 0 is always a task: the job needs its exit code 0.
 */
enum EngineUnderTest {
    ASCEND("ascend", Integer.MAX_VALUE, Scripts.numberedBy("RANK_ID")) {
        @Override
        List<String> options(Scene scene, int processes) {
            Scene.write(scene.beside("table.json"), RankTables.oneServer(processes));
            return List.of("--rank-table", scene.beside("table.json").toString());
        }

        @Override
        String process(int number) {
            return "rank " + number;
        }

        @Override
        String logName(int number) {
            return "proc-rank-" + number + "-device-" + number;
        }

        @Override
        Set<String> variables() {
            return Set.of(
                    "JOB_ID",
                    "RANK_ID",
                    "RANK_SIZE",
                    "DEVICE_ID",
                    "ASCEND_DEVICE_ID",
                    "HCCL_CONNECT_TIMEOUT",
                    "ASCEND_PROCESS_LOG_PATH",
                    "RANK_TABLE_FILE");
        }
    },

    /** Number 0 is a worker. Number 1 is a ps: a service, which Muster stops when the worker has ended with 0. */
    TENSORFLOW_PS("tensorflow-ps", 2, Scripts.WORKER_AND_PS) {
        @Override
        List<String> options(Scene scene, int processes) {
            // A job of one process has no ps.
            return processes == 1
                    ? List.of("-o", "shape=node", "-o", "tf-config=workers")
                    : List.of("-o", "shape=node");
        }

        @Override
        int tasks(int processes) {
            return 1;
        }

        @Override
        String process(int number) {
            return number == 0 ? "worker-0" : "ps-0";
        }

        @Override
        String logName(int number) {
            return process(number);
        }

        @Override
        Set<String> variables() {
            return Set.of("TF_CONFIG");
        }
    },

    /** Ranks under one mpirun, which is the launcher's only process. */
    MPI("mpi", Integer.MAX_VALUE, Scripts.numberedBy("OMPI_COMM_WORLD_RANK")) {
        @Override
        List<String> options(Scene scene, int processes) {
            return List.of("--slots", Integer.toString(processes));
        }

        @Override
        void requireComponents() {
            Components.require("mpirun");
        }

        @Override
        boolean startsProcessesItself() {
            return false;
        }

        @Override
        int repetitions(int usual) {
            return Repetitions.orElse(Math.max(1, usual / 5));
        }

        @Override
        int withOwnLogs(int processes) {
            return 1;
        }

        @Override
        String process(int number) {
            return "mpirun";
        }

        @Override
        String logName(int number) {
            return "mpirun-node-0";
        }

        @Override
        Set<String> variables() {
            return Set.of("NCCL_DEBUG", "NCCL_SOCKET_IFNAME", "NCCL_SOCKET_FAMILY", "HOROVOD_MPI_THREADS_DISABLE");
        }

        @Override
        String printed(String output) {
            return output.replaceAll("(?s)-{60,}\n.*?\n-{60,}\n", "");
        }

        // mpirun sets variables with these prefixes.
        @Override
        boolean sets(String variable) {
            return super.sets(variable) || variable.matches("(OMPI|PMIX|ORTE|OPAL)_.*|(HFI|IPATH)_NO_BACKTRACE");
        }

        // mpirun sets PWD for its ranks.
        @Override
        boolean passesOn(String variable) {
            return super.passesOn(variable) && !variable.equals("PWD");
        }
    };

    /** One of each kind of plan: ranks alone, a task beside a service, and one process that has ranks of its own. */
    static final List<EngineUnderTest> ALL = List.of(values());

    private final String id;
    private final int most;
    private final String preamble;

    EngineUnderTest(String id, int most, String preamble) {
        this.id = id;
        this.most = most;
        this.preamble = preamble;
    }

    /** The value of {@code --engine}. */
    String id() {
        return id;
    }

    /** The size of a job for this many processes: that number, or the most that one launcher of this engine has. */
    int atMost(int processes) {
        return Math.min(processes, most);
    }

    /**
     * The JDKs of tests for which the JDK matters. The first engine has all but the newest; the others have the newest.
     * In {@code ./verify --torture}, which runs only tests with the tag {@code repeated}, the first engine has all.
     */
    List<Jdk> jdks() {
        List<Jdk> all = Jdk.all();
        if (!isFirst()) {
            return List.of(Jdk.newest());
        }
        return Repetitions.isFull() || all.size() == 1 ? all : all.subList(0, all.size() - 1);
    }

    /** Whether this is the engine of tests for which the plan does not matter. */
    boolean isFirst() {
        return this == ALL.get(0);
    }

    /**
     * The cases of a test for this engine. The first engine has all, the others have a share of at least one. In
     * {@code ./verify --torture} all engines have all cases, in the tests with the tag {@code repeated}.
     */
    <T> List<T> cases(List<T> all) {
        if (isFirst()) {
            return all;
        }
        int place = ALL.indexOf(this);
        boolean hasNone = all.size() <= place && !Repetitions.isFull();
        return hasNone ? List.of(all.get(place % all.size())) : Repetitions.cases(this, ALL, all);
    }

    /** How many of these processes are tasks. Tasks have the first numbers. Muster stops the services after the tasks. */
    int tasks(int processes) {
        return processes;
    }

    /** Demands the programs that the engine itself starts, beside the user's command. */
    void requireComponents() {}

    /**
     * Whether the launcher starts the processes itself. Else mpirun does: it mixes their two output streams in any order, adds its
     * own lines after a failure, and drops later output of the other ranks. It also sets their variables, signals and standard
     * input. No launcher can undo that.
     */
    boolean startsProcessesItself() {
        return true;
    }

    /** How often a test is repeated: a job under mpirun takes much longer than any other. */
    int repetitions(int usual) {
        return Repetitions.orElse(usual);
    }

    /** The size of a job that should have this many processes, each with a log of its own. */
    int withOwnLogs(int processes) {
        return atMost(processes);
    }

    /** The options of a job without a platform, in front of {@code --}. */
    final String[] job(Scene scene, int processes) {
        if (processes > most) {
            throw new IllegalArgumentException(processes + " processes of " + id + ": it has " + most + " at most");
        }
        List<String> words = new ArrayList<>(List.of("--engine", id, "--platform", "none", "--job-id", scene.jobId()));
        words.addAll(options(scene, processes));
        return words.toArray(String[]::new);
    }

    /** The name of a process in messages, for example {@code rank 1}. */
    abstract String process(int number);

    /**
     * The name of a failed process in a verdict, as a regular expression. A rank under mpirun leaves a note of its end. The verdict
     * names the rank if the note comes before mpirun's end, and else mpirun.
     */
    final String failing(int number) {
        return startsProcessesItself() ? process(number) : "(" + process(number) + "|rank " + number + ")";
    }

    /** The names of the first processes of a job in messages. */
    final String[] processes(int count) {
        return IntStream.range(0, count).mapToObj(this::process).toArray(String[]::new);
    }

    /** The name of a process's log, between the job's id and {@code .txt}. */
    abstract String logName(int number);

    /** The variables that the engine sets in a job of one process. */
    abstract Set<String> variables();

    /** The output of the processes, without lines of mpirun about their failure. */
    String printed(String output) {
        return output;
    }

    /** Whether the engine, or a program that it starts, sets a variable in the environment of a process. */
    boolean sets(String variable) {
        return variables().contains(variable);
    }

    /** Whether a process gets a variable of the caller unchanged. */
    boolean passesOn(String variable) {
        return !sets(variable);
    }

    /** Shell commands that scripts of tests begin with: see {@link Scene#script}. */
    String preamble() {
        return preamble;
    }

    /** The engine's own options for a job of this many processes. */
    abstract List<String> options(Scene scene, int processes);

    /** A script that a test starts itself may have {@code me} in its environment already. */
    private static final class Scripts {

        static final String WORKER_AND_PS = """
                case ${TF_CONFIG-} in *'"type":"ps"'* | *'"type": "ps"'*) own=1 ;; *) own=0 ;; esac
                me=${me-$own}
                service=$scene/service-${MUSTER_JOB-}
                [ $own = 0 ] || { echo $$ > $service.part && mv $service.part $service; }
                finish() {
                  case $own${TF_CONFIG-} in 0*'"ps"'*) ;; *) return 0 ;; esac
                  until [ -e $service ]; do sleep 0.02; done
                  stat=/proc/$(cat $service)/stat
                  while grep -qv ') Z ' $stat 2> /dev/null; do sleep 0.02; done
                }
                """;

        static String numberedBy(String variable) {
            return """
                    me=${me-${%s-none}}
                    finish() { :; }
                    """.formatted(variable);
        }

        private Scripts() {}
    }
}
