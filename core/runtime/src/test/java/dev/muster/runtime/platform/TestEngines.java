package dev.muster.runtime.platform;

import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import java.util.List;

/** Descriptors of engines, one of each kind that platforms distinguish. */
final class TestEngines {

    static final EngineDescriptor PLAIN = engine("plain", List.of(), false);

    static final EngineDescriptor TORCH = engine(
            "torch",
            List.of(),
            false,
            text("master-addr"),
            text("master-port"),
            EngineOption.choice("processes", "for tests", "per-node", "per-card", "torchrun"));

    static final EngineDescriptor ASCEND = engine(
            "ascend",
            List.of(),
            false,
            EngineOption.of("rank-table", EngineOption.Kind.PATH, "for tests"),
            EngineOption.choice("framework", "for tests", "none", "tensorflow", "pytorch", "mindspore"));

    static final EngineDescriptor MPI = engine(
            "mpi",
            List.of(),
            true,
            EngineOption.choice("sshd", "for tests", "own", "image", "none", "platform"),
            EngineOption.choice("launcher", "for tests", "mpirun", "horovodrun"),
            EngineOption.of("hostfile", EngineOption.Kind.PATH, "for tests"),
            EngineOption.of("sshd-port", EngineOption.Kind.COUNT, "for tests"));

    static final EngineDescriptor TENSORFLOW = engine("tensorflow", List.of("ps", "worker"), false);

    private TestEngines() {}

    private static EngineDescriptor engine(String id, List<String> roles, boolean logsIn, EngineOption... options) {
        EngineDescriptor engine =
                EngineDescriptor.of(id, "for tests").withOptions(options).withRoles(roles);
        return logsIn ? engine.withLogins() : engine;
    }

    private static EngineOption text(String name) {
        return EngineOption.of(name, EngineOption.Kind.TEXT, "for tests");
    }
}
