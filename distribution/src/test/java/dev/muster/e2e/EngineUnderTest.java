package dev.muster.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * An engine that the tests of what all engines share are run on: how it is told to start a job of some processes on this one
 * machine, and what it calls them. Tests number the processes from 0; number 0 is always a task, whose end with 0 counts.
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

    /** A worker, which is number 0, and beside it a ps: a service, which is stopped when the worker has ended with 0. */
    TENSORFLOW_PS("tensorflow-ps", 2, Scripts.WORKER_AND_PS) {
        @Override
        List<String> options(Scene scene, int processes) {
            // Only a job without any ps is one process.
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

        // mpirun sets those with its own prefixes.
        @Override
        boolean sets(String variable) {
            return super.sets(variable) || variable.matches("(OMPI|PMIX|ORTE|OPAL)_.*|(HFI|IPATH)_NO_BACKTRACE");
        }

        // mpirun tells ranks where they are.
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

    /** What {@code --engine} calls it. */
    String id() {
        return id;
    }

    /** The size of a job that is to have so many processes: as many, or those that one launcher of this engine has at most. */
    int atMost(int processes) {
        return Math.min(processes, most);
    }

    /**
     * The JDKs that tests run on which the JDK matters to: the first engine has all but the newest, which the others have with the
     * package. In {@code ./verify --torture} it has all, but only in the tests that the torture has, those with the tag {@code repeated}.
     */
    List<Jdk> jdks() {
        List<Jdk> all = Jdk.all();
        if (!isFirst()) {
            return List.of(Jdk.newest());
        }
        return Repetitions.isFull() || all.size() == 1 ? all : all.subList(0, all.size() - 1);
    }

    /** Whether it is the one that tests run on where no word of a plan has a part. */
    boolean isFirst() {
        return this == ALL.get(0);
    }

    /**
     * The cases of a test that this engine has: the first has all, the others have a share, which is one at least. In {@code ./verify
     * --torture} they have all, in the tests with the tag {@code repeated}.
     */
    <T> List<T> cases(List<T> all) {
        if (isFirst()) {
            return all;
        }
        int place = ALL.indexOf(this);
        boolean hasNone = all.size() <= place && !Repetitions.isFull();
        return hasNone ? List.of(all.get(place % all.size())) : Repetitions.cases(this, ALL, all);
    }

    /** How many of so many processes are tasks; these have the first numbers. Services are told to stop after the tasks. */
    int tasks(int processes) {
        return processes;
    }

    /** Demands what the engine itself starts, beside the user's command. */
    void requireComponents() {}

    /**
     * Whether the launcher starts the processes itself. Where mpirun does, it is mpirun that carries their output, without an
     * order between the two streams, says more there when one fails, drops what the others print from then on, and sets
     * variables, signals and standard input for them; no launcher can undo that.
     */
    boolean startsProcessesItself() {
        return true;
    }

    /** How often a test is repeated in one run of the tests: a job under mpirun takes much longer than any other. */
    int repetitions(int usual) {
        return Repetitions.orElse(usual);
    }

    /** The size of a job that is to have so many processes, each with a log of its own. */
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

    /** What messages call a process, for example {@code rank 1}. */
    abstract String process(int number);

    /**
     * What a verdict calls a process that failed, as a regular expression. Ranks under an mpirun leave a note of their own end; what
     * comes first, it or mpirun's end, is what is told.
     */
    final String failing(int number) {
        return startsProcessesItself() ? process(number) : "(" + process(number) + "|rank " + number + ")";
    }

    /** What messages call the first processes of a job. */
    final String[] processes(int count) {
        return IntStream.range(0, count).mapToObj(this::process).toArray(String[]::new);
    }

    /** How a process's log is called, between the job's id and {@code .txt}. */
    abstract String logName(int number);

    /** What it sets in the environment of a process of a job of one. */
    abstract Set<String> variables();

    /** What processes printed, without what is said among it about their failure by whatever has started them. */
    String printed(String output) {
        return output;
    }

    /** Whether it sets a variable in the environment of a process, or something does that it starts. */
    boolean sets(String variable) {
        return variables().contains(variable);
    }

    /** Whether a process gets a variable of the caller's as it is. */
    boolean passesOn(String variable) {
        return !sets(variable);
    }

    /** Shell commands that scripts of tests begin with: see {@link Scene#script}. */
    String preamble() {
        return preamble;
    }

    /** The engine's own options for a job of so many processes. */
    abstract List<String> options(Scene scene, int processes);

    /** {@code me} may be in the environment already: a script that a test starts itself. */
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
