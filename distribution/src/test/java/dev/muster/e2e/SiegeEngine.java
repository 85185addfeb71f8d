package dev.muster.e2e;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** How an engine starts one rank on each node of a {@link Siege}, all of which are on this machine. */
enum SiegeEngine {
    ASCEND("ascend", "me=$RANK_ID") {
        @Override
        String[] options(String net, int node, int[] ports, Scene scene) {
            hasCome(net, 0, scene);
            return new String[] {
                "--rank-table", scene.beside("table.json").toString(), "--node-address", net + (node + 1)
            };
        }

        // The platform's controller writes another table for a node that was replaced, whose cards are others.
        @Override
        void hasCome(String net, int times, Scene scene) {
            RankTables.Pod[] pods = IntStream.rangeClosed(1, 3)
                    .mapToObj(index -> RankTables.server(net + index, "0 10.79." + times + "." + index))
                    .toArray(RankTables.Pod[]::new);
            Path part = scene.beside("table.part");
            Scene.write(part, RankTables.templateOne(pods));
            part.toFile().renameTo(scene.beside("table.json").toFile());
        }
    },

    PYTORCH_GPU("pytorch-gpu", "me=$RANK") {
        @Override
        String[] options(String net, int node, int[] ports, Scene scene) {
            return new String[] {"-o", "processes=per-card", "--cards", "1"};
        }
    },

    /** A worker on each node, and beside it a ps that does nothing. */
    TENSORFLOW_PS("tensorflow-ps", """
            while [ $# -gt 0 ]; do
              case $1 in --job_name) job=$2 ;; --task_index) me=$2 ;; esac
              shift
            done
            [ "$job" = worker ] || exec sleep 600""") {
        @Override
        int ports(int nodes) {
            return 2 * nodes;
        }

        @Override
        String[] options(String net, int node, int[] ports, Scene scene) {
            return new String[] {
                "-o", "shape=node", "--ps-hosts", hosts(net, ports, 1), "--worker-hosts", hosts(net, ports, 4)
            };
        }

        private static String hosts(String net, int[] ports, int first) {
            return IntStream.range(0, 3)
                    .mapToObj(node -> net + (node + 1) + ":" + ports[first + node])
                    .collect(Collectors.joining(","));
        }
    };

    private final String id;
    private final String preamble;

    SiegeEngine(String id, String preamble) {
        this.id = id;
        this.preamble = preamble;
    }

    static SiegeEngine any(Random random) {
        List<SiegeEngine> all = List.of(values());
        return all.get(random.nextInt(all.size()));
    }

    String id() {
        return id;
    }

    /** Shell lines that make {@code $me} the number of the rank. */
    String preamble() {
        return preamble;
    }

    /** How many free ports it needs. */
    int ports(int nodes) {
        return 0;
    }

    /**
     * Its own options.
     *
     * @param net what the addresses of the nodes begin with
     * @param ports free ones; the first is the link's
     */
    abstract String[] options(String net, int node, int[] ports, Scene scene);

    /** What the platform does when a container was replaced, so many times in all. */
    void hasCome(String net, int times, Scene scene) {}
}
