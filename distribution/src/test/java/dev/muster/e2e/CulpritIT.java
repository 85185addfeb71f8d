package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * MindX DL does not restart a job if all its pods failed within seconds of each other. So the launcher where the failure began ends
 * first. The others end 30 s later, or at SIGTERM. Their ranks have ended long before.
 */
@Order(1)
@ExtendWith(Scenes.class)
class CulpritIT {

    private static final int NODES = 3;
    private static final Duration A_MOMENT = Duration.ofSeconds(3);
    /** How the failure begins. */
    private enum Fault {
        RANK_FAILS(3) {
            @Override
            void happen(LinkJob job, int node) {
                job.go(node);
            }
        },
        LAUNCHER_IS_KILLED(75) {
            @Override
            void happen(LinkJob job, int node) {
                job.launched(node).killJvm();
            }
        },
        /** Before any rank runs. */
        COMMAND_IS_MISSING(127) {
            @Override
            void happen(LinkJob job, int node) {
                // The launcher has refused its command already.
            }
        };

        private final int exitCode;

        Fault(int exitCode) {
            this.exitCode = exitCode;
        }

        abstract void happen(LinkJob job, int node);
    }

    /** A fault on one node of a job. */
    private record Case(LinkJob job, LinkEngine engine, Fault fault, int node) {

        static Case of(Scene scene, TestHosts hosts, LinkEngine engine, Fault fault, int node) {
            String name = fault.name().toLowerCase(Locale.ROOT).replace("_", "") + node;
            LinkJob job = new LinkJob(scene, hosts, engine, LinkJob.Form.MINDX_DL, name);
            if (fault == Fault.COMMAND_IS_MISSING) {
                String command = TestHost.USER_HOME + "/" + job.id();
                hosts.all()
                        .filter(host -> host.index() != node)
                        .forEach(host -> host.shell(
                                "printf '#!/bin/sh\nexec sleep 600\n' > " + command + "; chmod 755 " + command));
                hosts.all().forEach(TestHost::expectsFiles);
                job.running(command);
            } else {
                job.script("[ $me != " + node + " ] || { await go; exit 3; }", "note waits", "exec sleep 600");
            }
            return new Case(job, engine, fault, node);
        }

        /** A node that refuses can tell only launchers that run, so the others start first. */
        private void start() {
            if (fault == Fault.COMMAND_IS_MISSING && node > 0) {
                job.startOnly(0, 1);
                others().forEach(other -> other.awaitMessage("started"));
                job.startAlso(node);
            } else {
                job.startOnly(0, 1, 2);
            }
        }

        void begin() {
            start();
            if (fault != Fault.COMMAND_IS_MISSING) {
                job.awaitMet();
            }
            fault.happen(job, node);
        }

        OnHost culprit() {
            return job.launched(first());
        }

        /** Only mpirun, on node 0, knows that one of its ranks has failed. */
        private int first() {
            return engine == LinkEngine.MPI && fault == Fault.RANK_FAILS ? 0 : node;
        }

        List<OnHost> others() {
            List<OnHost> others = new ArrayList<>();
            for (int each = 0; each < NODES; each++) {
                if (each != first()) {
                    others.add(job.launched(each));
                }
            }
            return others;
        }

        /** Waits until the first launcher has ended, and demands that the others still run. */
        void awaitFirstEnd() {
            if (fault == Fault.COMMAND_IS_MISSING) {
                // A leader does not wait for launchers that stay, although it waits for all others.
                others().forEach(other -> other.awaitMessage("not found"));
            }
            Result first = culprit().await();
            if (fault == Fault.LAUNCHER_IS_KILLED) {
                // A launcher that has not noticed the loss yet would end with the code of the SIGTERM below.
                others().forEach(other -> other.awaitMessage("its launcher is gone"));
            }
            if (fault != Fault.LAUNCHER_IS_KILLED) {
                assertThat(first.exitCode())
                        .as("%s of %s: %s", this, job.id(), first)
                        .isEqualTo(fault.exitCode);
            }
            assertThat(others()).as("others of %s: %s", job.id(), messages()).allMatch(OnHost::isRunning);
        }

        void endOthers() {
            others().forEach(other -> other.signal("TERM"));
            for (OnHost other : others()) {
                Result result = other.await();
                assertThat(result.exitCode()).as("%s: %s", job.id(), result).isEqualTo(fault.exitCode);
            }
        }

        List<String> messages() {
            return others().stream().map(OnHost::messages).toList();
        }

        @Override
        public String toString() {
            return fault + " on node " + node;
        }
    }

    @Test
    @DisplayName(
            "on MindX DL the launcher where the failure began ends first, whether it leads or not; SIGTERM ends the others")
    void theCulpritEndsFirst(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, NODES);
        // One job after the other: on a busy machine the 30 s would end before all jobs are checked.
        for (Case each : List.of(
                Case.of(scene, hosts, LinkEngine.PYTORCH_GPU, Fault.COMMAND_IS_MISSING, 0),
                Case.of(scene, hosts, LinkEngine.ASCEND, Fault.RANK_FAILS, 0),
                Case.of(scene, hosts, LinkEngine.MPI, Fault.RANK_FAILS, 1),
                Case.of(scene, hosts, LinkEngine.TENSORFLOW_PS, Fault.LAUNCHER_IS_KILLED, 0))) {
            each.begin();
            each.awaitFirstEnd();
            boolean isAnyGone =
                    Await.holdsWithin(A_MOMENT, () -> each.others().stream().anyMatch(other -> !other.isRunning()));
            assertThat(isAnyGone)
                    .as("others of %s: %s", each.job.id(), each.messages())
                    .isFalse();
            each.endOthers();
        }
        hosts.assertNothingIsLeft();
    }
}
