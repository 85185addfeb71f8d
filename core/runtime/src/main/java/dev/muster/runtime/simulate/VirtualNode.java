package dev.muster.runtime.simulate;

import dev.muster.runtime.platform.SimulatedEnvironment;
import dev.muster.runtime.report.NodeRun;
import dev.muster.spi.NodeProvision;
import dev.muster.spi.SimulatedCluster.SimulatedNode;
import java.nio.file.Path;
import java.util.Optional;

/** A node with all that platform and engine give to it. */
record VirtualNode(SimulatedNode node, SimulatedEnvironment environment, NodeProvision provision) {

    /** The name of its launcher and directory: {@code node-1}, or {@code ps-1} for a container of one role. */
    static String id(int index, Optional<String> role) {
        return role.orElse("node") + "-" + index;
    }

    String id() {
        return id(node.index(), node.role());
    }

    /** Short, for a table: {@code 1} or {@code ps-1}. */
    String label() {
        return node.role().isPresent() ? id() : Integer.toString(node.index());
    }

    /** For messages: {@code node 1} or {@code ps-1}. */
    String title() {
        return node.role().isPresent() ? id() : "node " + node.index();
    }

    /** The result that its launcher left. */
    Optional<NodeResult> result(String jobId) {
        Optional<String> planName = node.role().map(role -> id());
        return NodeResult.read(Path.of(
                environment.logDirectory(), NodeRun.resultFileName(jobId, planName, Integer.toString(node.index()))));
    }
}
