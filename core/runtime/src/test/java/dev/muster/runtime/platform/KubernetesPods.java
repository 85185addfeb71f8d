package dev.muster.runtime.platform;

import dev.muster.runtime.config.Setting;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import dev.muster.spi.Host;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Pods of jobs of Kubernetes, built up by a test from a recorded one, and what Muster makes of them. */
final class KubernetesPods {

    /** It has the options of an engine for PyTorch. */
    static final EngineDescriptor TORCH = EngineDescriptor.builder("torch", "for tests")
            .options(
                    EngineOption.choice("processes", "how", "per-node", "per-card", "torchrun"),
                    EngineOption.of("master-addr", EngineOption.Kind.TEXT, "where"),
                    EngineOption.of("master-port", EngineOption.Kind.TEXT, "where"))
            .build();

    static final EngineDescriptor PLAIN =
            EngineDescriptor.builder("plain", "for tests").build();

    static final EngineDescriptor THAT_LOGS_IN = EngineDescriptor.builder("mpi", "for tests")
            .options(EngineOption.choice("sshd", "who", "own", "none"))
            .logsIn()
            .build();

    private final Path root;
    private final Map<String, String> environment;
    private final Map<String, String> files;
    private EngineDescriptor engine = TORCH;
    private String hostName;

    private KubernetesPods(Path root, Recorded recorded) {
        this.root = root;
        this.environment = new HashMap<>(recorded.environment());
        this.files = new HashMap<>(recorded.files());
        this.hostName = recorded.hostName();
    }

    /** The pod of a recording. */
    static KubernetesPods like(Path root, String name) {
        Recorded recorded = Recorded.all()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        return new KubernetesPods(root, recorded);
    }

    KubernetesPods set(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    KubernetesPods unset(String... variables) {
        List.of(variables).forEach(environment::remove);
        return this;
    }

    KubernetesPods called(String name) {
        hostName = name;
        return this;
    }

    KubernetesPods file(String path, String content) {
        files.put(path, content);
        return this;
    }

    KubernetesPods with(EngineDescriptor other) {
        engine = other;
        return this;
    }

    Site site(String... options) {
        return new Recorded("", "", 0, 0, "", hostName, environment, files, Map.of())
                .site(root, engine, Platforms.ALL, options);
    }

    static List<String> names(Site site) {
        return site.node().hosts().stream().map(Host::name).toList();
    }

    /** {@code VALUE (ORIGIN)} of an option, as the platform gives it. */
    static String option(Site site, String name) {
        return site.settings().list().stream()
                .filter(setting -> setting.name().equals(name) && setting.source() == Setting.Source.PLATFORM)
                .map(setting -> setting.value() + " (" + setting.origin() + ")")
                .findFirst()
                .orElse("(not given)");
    }
}
