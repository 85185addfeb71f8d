package dev.muster.e2e;

import java.util.Random;

/** What can happen to a job of several nodes that restarts after it. */
enum Assault {
    A_RANK_IS_KILLED(4) {
        @Override
        void happen(Siege job) {
            job.killRank(job.anyNode());
        }
    },

    A_RANK_FAILS(2) {
        @Override
        void happen(Siege job) {
            job.endRank(job.anyNode(), 1 + job.random().nextInt(100));
        }
    },

    /** As when its container has failed; the platform starts another one sooner or later. */
    A_LAUNCHER_IS_KILLED_AND_STARTED_AGAIN(3) {
        @Override
        void happen(Siege job) {
            int node = job.anyNode();
            job.killLauncher(node);
            Ordeal.pass(job.random().nextInt(2) * job.random().nextInt(8000));
            job.startAgain(node);
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

    static Assault any(Random random) {
        int drawn = random.nextInt(10);
        for (Assault assault : values()) {
            drawn -= assault.weight;
            if (drawn < 0) {
                return assault;
            }
        }
        throw new IllegalStateException("the weights are not 10 together");
    }
}
