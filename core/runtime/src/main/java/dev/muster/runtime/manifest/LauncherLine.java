package dev.muster.runtime.manifest;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.KnownOptions;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The launcher's command line in a manifest: what the user gave, less what the manifest says by itself. */
final class LauncherLine {

    /** Said by the manifest, or of no meaning in it. */
    private static final Set<Option> LEFT_OUT = Set.of(
            OptionTable.ENGINE,
            OptionTable.PLATFORM,
            OptionTable.NODES,
            OptionTable.CARDS,
            OptionTable.GRACE,
            OptionTable.JOB_ID,
            OptionTable.IMAGE);

    private LauncherLine() {}

    static List<String> words(Invocation invocation, ManifestPlatform platform, Optional<Duration> grace) {
        Settings settings = invocation.settings();
        List<String> words = new ArrayList<>(List.of(
                platform.program(),
                OptionTable.ENGINE.flag(),
                invocation.engine().descriptor().id()));
        for (Option option : List.of(OptionTable.NODES, OptionTable.CARDS)) {
            if (!platform.tells(option)) {
                settings.text(option).ifPresent(value -> words.addAll(List.of(option.flag(), value)));
            }
        }
        platform.grace(grace)
                .ifPresent(value -> words.addAll(List.of(OptionTable.GRACE.flag(), Durations.format(value))));
        invocation
                .given()
                .forEach(
                        given -> words.addAll(asGiven(given, invocation.engine().options(), platform)));
        words.add("--");
        words.addAll(invocation.job());
        return words;
    }

    /** As it was written: a path is one of the container's. */
    private static List<String> asGiven(Setting given, KnownOptions known, ManifestPlatform platform) {
        return known.find(given.name())
                .filter(option -> !LEFT_OUT.contains(option) && !platform.saysItself(option))
                .map(option -> words(option, given.value()))
                .orElse(List.of());
    }

    private static List<String> words(Option option, String value) {
        if (option.is(Option.Trait.OF_ENGINE)) {
            return List.of(OptionTable.ENGINE_OPTION.flag(), option.name() + "=" + value);
        }
        return option.form().isSwitch() ? List.of(option.flag()) : List.of(option.flag(), value);
    }
}
