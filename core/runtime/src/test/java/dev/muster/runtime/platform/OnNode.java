package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.OptionValue;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** A launcher on a recorded node, some of whose variables may be others than recorded. */
final class OnNode {

    private final Recorded recorded;
    private final Path root;
    private final EngineDescriptor engine;
    private final Map<String, String> environment;

    private OnNode(Recorded recorded, Path root, EngineDescriptor engine) {
        this.recorded = recorded;
        this.root = root;
        this.engine = engine;
        this.environment = new TreeMap<>(recorded.environment());
    }

    /** @param root an empty directory, for the node's files */
    static OnNode of(String name, Path root, EngineDescriptor engine) {
        return of(
                Recorded.all()
                        .filter(one -> one.name().equals(name))
                        .findFirst()
                        .orElseThrow(),
                root,
                engine);
    }

    static OnNode of(Recorded recorded, Path root, EngineDescriptor engine) {
        return new OnNode(recorded, root, engine);
    }

    OnNode set(String name, String value) {
        environment.put(name, value);
        return this;
    }

    OnNode unset(String... names) {
        for (String name : names) {
            environment.remove(name);
        }
        return this;
    }

    /** The node's host is called otherwise, as with the host's network. */
    Site siteOn(String hostName, String... options) {
        return new Recorded(
                        recorded.name(),
                        recorded.platform(),
                        recorded.nodes(),
                        recorded.index(),
                        recorded.role(),
                        hostName,
                        environment,
                        recorded.files(),
                        recorded.answers())
                .site(root, engine, Platforms.ALL, options);
    }

    Site site(String... options) {
        return siteOn(recorded.hostName(), options);
    }

    /** What an option of the engine is, and who said so; empty where nobody says anything. */
    String option(String name, String... options) {
        OptionValue value = site(options).settings().engineOptions().get(name);
        return value == null || value.origin().equals("default") ? "" : value.value() + " (" + value.origin() + ")";
    }

    void assertRefused(String... words) {
        assertRefusedOn(recorded.hostName(), words);
    }

    void assertRefusedOn(String hostName, String... words) {
        assertThatThrownBy(() -> siteOn(hostName)).isInstanceOfSatisfying(MusterException.class, refused -> {
            assertThat(refused.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
            assertThat(refused).message().contains(words).doesNotContain("\n");
        });
    }

    /** Nothing is made of a text that nobody means: it is refused by the name of its variable. */
    void assertRefusesHostile(String variable) {
        for (String value :
                new String[] {"a b", "$(touch x)", "a\nb", "'", "-3", "99999999999999999999", "a;b", "\u001b[2J"}) {
            assertThatThrownBy(() -> set(variable, value).site())
                    .as("%s=%s", variable, value)
                    .isInstanceOfSatisfying(MusterException.class, refused -> {
                        assertThat(refused.exitCode()).isEqualTo(ExitCode.CONFIGURATION);
                        assertThat(refused).message().contains(variable).doesNotContain("\n", "\u001b");
                    });
        }
    }
}
