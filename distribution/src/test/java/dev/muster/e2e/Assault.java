package dev.muster.e2e;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** What can happen to a job of several nodes that restarts after it. */
enum Assault {
    A_RANK_IS_KILLED(3) {
        @Override
        void happen(Siege job) {
            job.killRank(job.anyNode());
        }
    },

    A_RANK_FAILS(1) {
        @Override
        void happen(Siege job) {
            job.endRank(job.anyNode(), 1 + job.random().nextInt(100));
        }
    },

    A_LAUNCHER_IS_KILLED_AND_STARTED_AGAIN(1) {
        @Override
        void happen(Siege job) {
            int node = job.anyNode();
            job.killLauncher(node);
            startAgain(node, job);
        }
    },

    /** The platform starts another one sooner or later. */
    A_CONTAINER_IS_KILLED_AND_STARTED_AGAIN(2) {
        @Override
        void happen(Siege job) {
            int node = job.anyNode();
            job.killContainer(node);
            startAgain(node, job);
        }
    },

    /** It may be before the next run has begun, which then waits for the new container, or after that. */
    A_RANK_IS_KILLED_AND_THEN_A_CONTAINER(2) {
        @Override
        int count() {
            return 2;
        }

        @Override
        void happen(Siege job) {
            int node = job.anyNode();
            job.killRank(job.anyNode());
            Ordeal.pass(job.random().nextInt(1000));
            job.killContainer(node);
            startAgain(node, job);
        }
    },

    /** Both nodes fail at the same moment: there is one next run. */
    TWO_RANKS_ARE_KILLED(1) {
        @Override
        void happen(Siege job) {
            int first = job.anyNode();
            job.killRank(first);
            job.killRank((first + 1) % 3);
        }
    };

    private final int weight;

    Assault(int weight) {
        this.weight = weight;
    }

    abstract void happen(Siege job);

    /** How many restarts it may cost. */
    int count() {
        return 1;
    }

    /** One that costs no more restarts than there are. */
    static Assault any(Random random, int restarts) {
        List<Assault> all = Stream.of(values())
                .filter(assault -> assault.count() <= restarts)
                .flatMap(assault -> Collections.nCopies(assault.weight, assault).stream())
                .toList();
        return all.get(random.nextInt(all.size()));
    }

    private static void startAgain(int node, Siege job) {
        Ordeal.pass(job.random().nextInt(2) * job.random().nextInt(8000));
        job.startAgain(node);
    }
}
