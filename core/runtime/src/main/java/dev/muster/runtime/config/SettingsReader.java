package dev.muster.runtime.config;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.process.CallerContext;
import dev.muster.runtime.process.RunMarker;
import dev.muster.runtime.runs.RunCount;
import dev.muster.runtime.text.Nearest;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Secrets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Makes settings from what the sources say: chooses the strongest, checks its form, makes paths absolute. */
public record SettingsReader(SettingSources sources, Command command) {

    /** Variables between Muster's own programs, of this version and of earlier ones: {@code docs/variables.md}. */
    static final Set<String> INTERNAL = Set.of(
            RunMarker.VARIABLE,
            RunCount.VARIABLE,
            ProcessInfo.HOME,
            ProcessInfo.DIRECTORY,
            "MUSTER_STOP_NOTE",
            ProcessInfo.SIMULATED_HOSTS,
            ProcessInfo.FAULTS,
            CallerContext.BY_SSH);

    /**
     * The settings of a command.
     *
     * @param known all options, with those of the chosen engine
     * @throws MusterException for a value of a wrong form, or a key that does not exist
     */
    public static Settings read(
            SettingSources sources, KnownOptions known, Command command, Supplier<Set<String>> others) {
        sources.file().checkKeys(known, others);
        SettingsReader reader = new SettingsReader(sources, command);
        Map<String, List<Setting>> settings = new LinkedHashMap<>();
        for (Option option : known.optionsOf(command)) {
            settings.put(option.name(), reader.settings(option));
        }
        List<String> warnings = new ArrayList<>(sources.file().warnings());
        warnings.addAll(unknownVariables(sources.processInfo().environment(), known, others));
        return new Settings(known, settings, warnings);
    }

    private List<Setting> settings(Option option) {
        List<Setting> said = sources.all(option);
        option.defaultValue()
                .filter(any -> said.isEmpty())
                .ifPresent(value -> said.add(Setting.ofDefault(option, value)));
        return said.stream()
                .limit(option.is(Option.Trait.REPEATABLE) ? said.size() : 1)
                .map(setting -> checked(option, setting))
                .toList();
    }

    private Setting checked(Option option, Setting setting) {
        option.form(command).problem(setting.value()).ifPresent(problem -> {
            throw refusal(setting, problem);
        });
        return option.form().kind() == ValueForm.Kind.PATH ? absolute(setting) : setting;
    }

    private Setting absolute(Setting setting) {
        try {
            Path path = sources.processInfo().directory().resolve(setting.value());
            // Without its dots a path reads better, but ".." may lead elsewhere when it follows a link.
            String text = setting.value().contains("..")
                    ? path.toString()
                    : path.normalize().toString();
            return new Setting(setting.name(), text, setting.origin(), setting.source());
        } catch (InvalidPathException cause) {
            throw refusal(setting, "cannot be a path here: " + cause.getReason());
        }
    }

    private MusterException refusal(Setting setting, String problem) {
        String shown = masks().show(setting.name().replace('-', '_'), Printable.quote(setting.value()));
        return new MusterException(setting.source().exitCode(), setting.origin() + ": " + shown + " " + problem);
    }

    private Secrets masks() {
        return new Secrets(
                sources.all(OptionTable.MASK).stream().map(Setting::value).toList());
    }

    /**
     * Warnings for variables that look like Muster's but are not: most likely typing mistakes. They are no errors, since such variables may
     * be set for all programs of a container.
     */
    private static List<String> unknownVariables(
            Environment environment, KnownOptions known, Supplier<Set<String>> others) {
        List<String> names = known.options().stream()
                .flatMap(option -> option.variable().stream())
                .toList();
        return environment.variables().keySet().stream()
                .filter(name -> name.startsWith(OptionTable.VARIABLE_PREFIX))
                .filter(name -> !names.contains(name) && !INTERNAL.contains(name))
                .filter(name -> !environment.isServiceLink(name) && !isOf(others, name))
                .map(name -> "the variable " + Printable.escape(name) + " means nothing to Muster"
                        + Nearest.suggestion(name, names))
                .toList();
    }

    private static boolean isOf(Supplier<Set<String>> others, String variable) {
        String name = variable.substring(OptionTable.VARIABLE_PREFIX.length()).toLowerCase(Locale.ROOT);
        return others.get().contains(name.replace('_', '-'));
    }
}
