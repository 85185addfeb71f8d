package dev.muster.runtime.platform;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.KnownOptions;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.SettingSources;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.config.SettingsReader;
import dev.muster.runtime.config.TestProcesses;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.NodeInfo;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Resolved jobs of launchers in tests. */
public final class TestResolvedJobs {

    static final NodeInfo MACHINE = new NodeInfo("host", List.of("127.0.0.1"), 1000, Optional.empty(), 2);

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.ofHours(9));

    private static final EngineDescriptor ENGINE = EngineDescriptor.of("for-tests", "for tests");

    private TestResolvedJobs() {}

    /** @param options names without dashes, each followed by its value */
    static ResolvedJob read(Path directory, Map<String, String> variables, String... options) {
        ProcessInfo processInfo = TestProcesses.of(directory, variables);
        return read(processInfo, ENGINE, settings(processInfo, options));
    }

    /** The launcher is started in {@code /caller}. */
    public static ResolvedJob read(Map<String, String> variables, String... options) {
        return read(Path.of("/caller"), variables, options);
    }

    /** The launcher is started in {@code /caller}, with another engine. */
    static ResolvedJob read(Map<String, String> variables, EngineDescriptor engine) {
        ProcessInfo processInfo = TestProcesses.of(Path.of("/caller"), variables);
        return read(processInfo, engine, settings(processInfo));
    }

    private static ResolvedJob read(ProcessInfo processInfo, EngineDescriptor engine, Settings settings) {
        LocalEvidence evidence = new LocalEvidence(
                processInfo.environment().variables(),
                MACHINE,
                new MachineFiles(Path.of("/")),
                Optional.of(engine),
                true,
                Optional.of(settings),
                command -> "");
        return Recorded.orRefused(
                JobResolver.read(evidence, processInfo, CLOCK, new PlatformCatalog(KnownPlatform.ALL)));
    }

    static Settings settings(ProcessInfo processInfo, EngineDescriptor engine, String... options) {
        return settings(processInfo, KnownOptions.with(engine), options);
    }

    static Settings settings(ProcessInfo processInfo, String... options) {
        return settings(processInfo, KnownOptions.ofMuster(), options);
    }

    private static Settings settings(ProcessInfo processInfo, KnownOptions table, String... options) {
        List<Setting> given = new ArrayList<>();
        for (int index = 0; index < options.length; index += 2) {
            given.add(Setting.ofCommandLine(options[index], options[index + 1], "--" + options[index]));
        }
        SettingSources sources = SettingSources.gather(processInfo, given);
        return SettingsReader.read(sources, table, Command.LAUNCH, Set::of);
    }
}
