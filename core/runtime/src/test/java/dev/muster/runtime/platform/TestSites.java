package dev.muster.runtime.platform;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.GivenOption;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.SettingSources;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.config.SettingsReader;
import dev.muster.runtime.config.TestWorlds;
import dev.muster.runtime.config.World;
import dev.muster.spi.Machine;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Sites of launchers that were called in one directory. */
final class TestSites {

    static final Machine MACHINE = new Machine("host", List.of("127.0.0.1"), 1000, Optional.empty(), 2);

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.ofHours(9));

    private TestSites() {}

    /** @param options names without dashes, each followed by its value */
    static Site read(Path directory, Map<String, String> variables, String... options) {
        World world = TestWorlds.of(directory, variables);
        return SiteReader.read(world, settings(world, options), MACHINE, CLOCK);
    }

    /** The same in {@code /caller}. */
    static Site read(Map<String, String> variables, String... options) {
        return read(Path.of("/caller"), variables, options);
    }

    static Settings settings(World world, String... options) {
        List<GivenOption> given = new ArrayList<>();
        for (int index = 0; index < options.length; index += 2) {
            given.add(new GivenOption(options[index], options[index + 1], "--" + options[index]));
        }
        SettingSources sources = SettingSources.gather(world, given, bytes -> Map.of());
        return SettingsReader.read(sources, OptionTable.base(), Command.LAUNCH, Set::of);
    }
}
