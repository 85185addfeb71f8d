package dev.muster.e2e;

import java.util.Optional;

/** What can happen to a job at any moment, and how the job must end then. */
enum Fault {
    /** No fault: all tasks end with 0. */
    NONE {
        @Override
        void happen(FaultInjection job) {
            for (int task = 0; task < job.tasks(); task++) {
                job.ranks().end(task, 0);
            }
            job.mustEndWith(0);
            job.mustHaveAllLines(Optional.empty());
        }
    },

    A_RANK_FAILS {
        @Override
        void happen(FaultInjection job) {
            int victim = job.anyRank();
            int code = 1 + job.random().nextInt(120);
            job.ranks().end(victim, code);
            job.mustEndWith(code);
            job.mustName(victim);
            job.mustHaveAllLines(Optional.empty());
        }
    },

    A_RANK_IS_KILLED {
        @Override
        void happen(FaultInjection job) {
            killOne(job);
        }
    },

    TWO_RANKS_FAIL_ONE_AFTER_THE_OTHER {
        @Override
        void happen(FaultInjection job) {
            if (job.tasks() < 2 || !job.engine().startsProcessesItself()) {
                A_RANK_FAILS.happen(job);
                return;
            }
            int first = job.random().nextInt(job.tasks());
            int second = (first + 1 + job.random().nextInt(job.tasks() - 1)) % job.tasks();
            long pid = job.ranks().pid(first);
            job.ranks().end(first, 21);
            Await.until("the first rank has ended", () -> !Processes.isRunning(pid));
            FaultInjection.pass(25);
            job.ranks().end(second, 22);
            job.mustEndWith(21);
            job.mustName(first);
            job.mustHaveAllLines(Optional.empty());
        }
    },

    THE_LAUNCHER_IS_TOLD_TO_STOP {
        @Override
        void happen(FaultInjection job) {
            stop(job, job.launcher());
        }
    },

    THE_LAUNCHER_IS_TOLD_TO_STOP_WHILE_IT_STARTS {
        @Override
        boolean waitsForRanks() {
            return false;
        }

        @Override
        void happen(FaultInjection job) {
            FaultInjection.pass(job.random().nextInt(700));
            job.launcher().signal("TERM");
            job.mustHaveBeenTerminated();
        }
    },

    THE_LAUNCHER_IS_KILLED {
        @Override
        void happen(FaultInjection job) {
            job.launcher().signal("KILL");
            job.mustEndWith(137);
        }
    },

    THE_JVM_IS_KILLED {
        @Override
        void happen(FaultInjection job) {
            Processes.signal("KILL", job.launcher().jvm());
            job.mustEndWith(70);
        }
    },

    /** SIGSTOP and SIGCONT, as from a debugger: no output is lost. */
    THE_JVM_STANDS_STILL_FOR_A_WHILE {
        @Override
        void happen(FaultInjection job) {
            long jvm = job.launcher().jvm();
            Processes.signal("STOP", jvm);
            FaultInjection.pass(job.random().nextInt(500));
            Processes.signal("CONT", jvm);
            A_RANK_FAILS.happen(job);
        }
    },

    THE_JVM_IS_KILLED_IN_A_STOP {
        @Override
        void happen(FaultInjection job) {
            long jvm = job.launcher().jvm();
            job.launcher().signal("TERM");
            FaultInjection.pass(job.random().nextInt(20));
            Processes.signalIfThere("KILL", jvm);
            job.mustHaveBeenTerminated();
        }
    },

    THE_JVM_IS_SUSPENDED_BEFORE_A_STOP {
        @Override
        void happen(FaultInjection job) {
            Processes.signal("STOP", job.launcher().jvm());
            stop(job, job.launcher());
        }
    },

    INNER_IS_KILLED {
        @Override
        void happen(FaultInjection job) {
            Processes.signal("KILL", job.launcher().inner());
            job.mustEndWith(75);
        }
    },

    INNER_IS_SUSPENDED_BEFORE_A_STOP {
        @Override
        void happen(FaultInjection job) {
            Processes.signal("STOP", job.launcher().inner());
            stop(job, job.launcher());
        }
    },

    OUTER_IS_SUSPENDED_BEFORE_A_RANK_IS_KILLED {
        @Override
        void happen(FaultInjection job) {
            job.launcher().signal("STOP");
            killOne(job);
        }
    };

    /** Whether the fault waits until all ranks print. */
    boolean waitsForRanks() {
        return true;
    }

    /** Causes the fault, and demands how the job ends. */
    abstract void happen(FaultInjection job);

    private static void killOne(FaultInjection job) {
        int victim = job.anyRank();
        Processes.signal("KILL", job.ranks().pid(victim));
        job.mustEndWith(137);
        job.mustName(victim);
        job.mustHaveAllLines(Optional.of(victim));
    }

    private static void stop(FaultInjection job, Launched launcher) {
        boolean isInterrupt = job.random().nextBoolean();
        launcher.signal(isInterrupt ? "INT" : "TERM");
        job.mustEndWith(isInterrupt ? 130 : 143);
        job.mustHaveAllLines(Optional.empty());
    }
}
