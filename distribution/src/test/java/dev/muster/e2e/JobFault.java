package dev.muster.e2e;

import java.util.List;
import java.util.Random;

/** What can happen to a {@link JobFaultInjection}. */
enum JobFault {
    A_RANK_IS_KILLED {
        @Override
        int happen(JobFaultInjection job) {
            job.tell(job.anyNode(), "kill");
            return 1;
        }
    },

    A_RANK_FAILS {
        @Override
        int happen(JobFaultInjection job) {
            job.tell(job.anyNode(), Integer.toString(1 + job.random().nextInt(100)));
            return 1;
        }
    },

    A_CONTAINER_IS_REPLACED {
        @Override
        int happen(JobFaultInjection job) {
            job.replaceContainer(job.anyNode(), 3000);
            return 1;
        }
    },

    A_LAUNCHER_IS_REPLACED {
        @Override
        int happen(JobFaultInjection job) {
            int node = job.anyNode();
            job.launcher(node).killJvm().await();
            job.startAgain(node);
            return 1;
        }
    },

    /** The others may have gone on when the second one comes. */
    TWO_CONTAINERS_ARE_REPLACED {
        @Override
        int happen(JobFaultInjection job) {
            int first = job.anyNode();
            int second = (first + 1) % JobFaultInjection.NODES;
            job.killContainer(first);
            job.killContainer(second);
            FaultInjection.pass(job.random().nextInt(2000));
            job.startAgain(second);
            FaultInjection.pass(job.random().nextInt(2000));
            job.startAgain(first);
            return 1;
        }
    },

    A_RANK_FAILS_WHEN_THE_LEADER_IS_LOST {
        @Override
        int happen(JobFaultInjection job) {
            job.tell(1, "3");
            job.replaceContainer(0, 4000);
            return 1;
        }
    },

    A_NEW_CONTAINER_IS_KILLED_AS_IT_COMES {
        @Override
        int happen(JobFaultInjection job) {
            int node = job.anyNode();
            job.killContainer(node);
            job.startAgain(node);
            FaultInjection.pass(job.random().nextInt(2500));
            job.killContainer(node);
            job.startAgain(node);
            return 1;
        }
    },

    A_BREAK_OF_THE_NETWORK_HEALS {
        @Override
        int happen(JobFaultInjection job) {
            TestHost host = job.host(job.anyNode());
            host.losesItsNetwork();
            FaultInjection.pass(1000);
            host.hasItsNetworkAgain();
            return 0;
        }
    },

    A_HOST_IS_CUT_OFF {
        @Override
        int happen(JobFaultInjection job) {
            TestHost host = job.host(job.anyNode());
            host.losesItsNetwork();
            FaultInjection.pass(9000 + job.random().nextInt(3000));
            host.hasItsNetworkAgain();
            return 1;
        }
    },

    /** The platform replaces a suspended container. Then the old container resumes. */
    A_CONTAINER_STANDS_STILL_AND_IS_REPLACED {
        @Override
        int happen(JobFaultInjection job) {
            int node = job.anyNode();
            OnHost old = job.launcher(node).freezeContainer();
            FaultInjection.pass(job.random().nextInt(8000));
            job.startBeside(node);
            FaultInjection.pass(7000 + job.random().nextInt(4000));
            old.thawContainer();
            return 1;
        }
    },

    /** The suspended container resumes while the others decide how the attempt ended, or shortly after. */
    A_RANK_FAILS_WHILE_A_CONTAINER_STANDS_STILL {
        @Override
        int happen(JobFaultInjection job) {
            OnHost still = job.launcher(job.anyNode()).freezeContainer();
            job.tell(job.anyNode(), "3");
            FaultInjection.pass(job.random().nextInt(2500));
            still.thawContainer();
            return 1;
        }
    },

    /** The others have declared the suspended container lost. */
    A_CONTAINER_STANDS_STILL_AND_COMES_BACK {
        @Override
        int happen(JobFaultInjection job) {
            OnHost still = job.launcher(job.anyNode()).freezeContainer();
            FaultInjection.pass(6000 + job.random().nextInt(4000));
            still.thawContainer();
            return 1;
        }
    },

    /** Only a cut between the leader and a member costs a restart: members have no connection to each other. */
    TWO_HOSTS_ARE_CUT_APART {
        @Override
        int happen(JobFaultInjection job) {
            int first = job.anyNode();
            int second = (first + 1) % JobFaultInjection.NODES;
            job.host(first).doesNotReach(job.host(second));
            FaultInjection.pass(9000 + job.random().nextInt(3000));
            job.host(first).reachesAgain(job.host(second));
            return first == 0 || second == 0 ? 1 : 0;
        }
    },

    THE_LEADER_IS_REPLACED_BETWEEN_RUNS {
        @Override
        int happen(JobFaultInjection job) {
            job.tell(job.anyMember(), "3");
            if (job.isBetweenRuns(1)) {
                job.replaceContainer(0, 3000);
            }
            return 1;
        }
    },

    A_MEMBER_IS_REPLACED_BETWEEN_RUNS {
        @Override
        int happen(JobFaultInjection job) {
            job.tell(0, "3");
            if (job.isBetweenRuns(0)) {
                job.replaceContainer(job.anyMember(), 3000);
            }
            return 1;
        }
    };

    /** Returns how many restarts the fault costs at least. */
    abstract int happen(JobFaultInjection job);

    static JobFault any(Random random) {
        List<JobFault> all = List.of(values());
        return all.get(random.nextInt(all.size()));
    }
}
