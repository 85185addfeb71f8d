package dev.muster.e2e;

import java.util.Arrays;
import java.util.List;

/** What the tests of the link must know of an engine: its options for a rank on each host, and its names of ranks. */
enum LinkEngine {
    ASCEND("ascend", "me=$RANK_ID") {
        @Override
        List<String> options(Scene scene, TestHosts hosts) {
            RankTables.Pod[] pods = hosts.all()
                    .map(host -> RankTables.server(host.address(), "0 10.79.0." + (1 + host.index())))
                    .toArray(RankTables.Pod[]::new);
            Scene.write(scene.beside("table.json"), RankTables.templateOne(pods));
            return List.of("--rank-table", scene.beside("table.json").toString());
        }
    },

    PYTORCH_GPU("pytorch-gpu", "me=$RANK") {
        @Override
        List<String> options(Scene scene, TestHosts hosts) {
            return List.of("-o", "processes=per-card");
        }
    },

    /** A worker on each host, and a ps that does nothing. */
    TENSORFLOW_PS("tensorflow-ps", """
            while [ $# -gt 0 ]; do
              case $1 in --job_name) job=$2 ;; --task_index) me=$2 ;; esac
              shift
            done
            [ "$job" = worker ] || exec sleep 600""") {
        @Override
        List<String> options(Scene scene, TestHosts hosts) {
            return List.of("-o", "shape=node");
        }

        @Override
        String rank(int number) {
            return "worker-" + number;
        }
    },

    /** The mpirun of the first host starts the ranks of all hosts. */
    MPI("mpi", "me=$OMPI_COMM_WORLD_RANK") {
        @Override
        List<String> options(Scene scene, TestHosts hosts) {
            return List.of("--slots", "1");
        }

        @Override
        boolean supervisesItsRanks() {
            return false;
        }
    };

    private final String id;
    private final String preamble;

    LinkEngine(String id, String preamble) {
        this.id = id;
        this.preamble = preamble;
    }

    /**
     * An engine for every kind of plan. The first two have the same kind, and take turns; {@code ./verify --torture} has both.
     *
     * @param turn even: the turn of the first one
     */
    static List<LinkEngine> inTurn(int turn) {
        LinkEngine other = Math.floorMod(turn, 2) == 0 ? PYTORCH_GPU : ASCEND;
        return Arrays.stream(values())
                .filter(engine -> engine != other || Repetitions.isFull())
                .toList();
    }

    /** The value of {@code --engine}. */
    String id() {
        return id;
    }

    /** Shell lines that make {@code $me} the number of the rank. */
    String preamble() {
        return preamble;
    }

    /** The engine's own options for a rank on each host. */
    abstract List<String> options(Scene scene, TestHosts hosts);

    /** The name of a rank in messages. */
    String rank(int number) {
        return "rank " + number;
    }

    /** Whether the launcher on its host starts a rank. Else mpirun starts it and reports its end. */
    boolean supervisesItsRanks() {
        return true;
    }

    /** Demands the programs that the engine itself starts. */
    void requireComponents() {
        if (this == MPI) {
            Components.require("mpirun", "sshd", "ssh");
        }
    }
}
